"""The Puppet type system. Its modules are imported by their names."""
