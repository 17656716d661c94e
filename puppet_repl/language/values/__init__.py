"""Puppet values as native, immutable Python values; see docs/architecture.md for the table.

undef is None, Booleans, Integers and Floats are Python's own, a String is a str, an Array a tuple.
Everything else is a small slots class of one of these modules, derived from the protocols that it
obeys (``values.protocols``). The functions of this package dispatch through these protocols and
never import a type.
"""
