"""Resources, classes, relationships, collectors, and the catalog as JSON and as code.

``catalog.Catalog`` constructs its parts in order: each knows only those before it, and none knows
the catalog. All of them work on the tables of one ``state.State``, which are copied before an input
first changes them. Compiled code reaches the parts through ``runtime.declarations``.
"""
