"""Puppet values as native, immutable Python values.

undef is None, Booleans, Integers and Floats are Python's own, a String is a str, an Array a tuple,
a Hash a PuppetHash, default the singleton DEFAULT. Everything else is a small class with slots,
derived from the protocols that it obeys (``values.protocols``). Two equalities matter most: ``==``
ignores the case of ASCII letters and crosses Integer and Float, keys of hashes do neither
(``compare``, ``hash``). Functions here dispatch through protocols and import no type.
"""
