"""Puppet values as native, immutable Python values.

Booleans, Integers and Floats are Python's own, a String is a str, an Array a tuple, a Hash a
PuppetHash; None represents undef, the singleton DEFAULT the value default. Everything else is a
small class with slots, derived from the protocols that it obeys (``values.protocols``). Of the
equalities in ``compare``, ``==`` ignores the case of ASCII letters and crosses Integer and Float,
keys of hashes (``hash``) do neither. Functions here dispatch through protocols and import no type.
"""
