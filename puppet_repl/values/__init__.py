"""Puppet values as native, immutable Python values; see docs/architecture.md for the table.

undef is None, Booleans, Integers and Floats are Python's own, a String is a str, an Array a tuple.
Everything else is a small slots class of one of these modules. Such a class may offer:

* ``puppet_text()``: the text that interpolation puts into a string;
* ``puppet_equals(other)``: Puppet's ``==``;
* ``puppet_key()``: something hashable that tells hash keys apart as Ruby's ``eql?`` does;
* ``puppet_compare(other)``: negative, zero or positive; raises NotComparable;
* ``puppet_label``: the word that messages use for such a value;
* ``ruby_class``: the class of the reference implementation, which some messages name;
* ``ruby_text()``, ``ruby_inspect()``: what Ruby's ``to_s`` and ``inspect`` show of it.

The functions of this package dispatch through these names and never import a type.
"""
