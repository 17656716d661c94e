"""Hierarchical data without files: merging, dotted keys, search, eyaml."""
