"""Checks of every kind of file in a module or a control repository, for ``validate``.

``walk`` finds the files below directories, ``roots`` the module or environment of each. ``kinds``
is the table of the kinds; a check is given a ``file``, and each kind has a module with its checks.
``workspace`` knows the definitions of all files. Nothing of the files is executed.
"""
