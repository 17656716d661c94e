"""The built-in functions: one object each, found by name in registry, grouped in themes."""
