"""What Ruby files of a module declare, read without running them.

``tokens`` and ``tree`` know as much of Ruby as that needs; the other modules read one kind of
declaration each, as puppet-strings reads it, and ``files`` all of a file.
``native_types`` reads for catalogs what Puppet makes of a resource type.
"""
