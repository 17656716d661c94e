"""Types from text and by name, ``T[...]``, ``T.new(...)``, Object types and TypeSets.

The modules here import each other, none of them at import time. ``factory`` loads the types of
``builtin_objects``, ``pcore`` (with ``ast_types``) and ``init`` by name when a program names them.
All but the last are defined in Puppet's own notation of types, which ``parse`` reads, and names in
the notation are looked up in the factory. Init asks ``new`` for constructors (``constructor``,
``collections_constructors``, ``numbers_constructors``, ``others_constructors``,
``times_constructors``), whose signatures are in the same notation.
"""
