"""Hiera: the hierarchy of a layer, its data providers, lookups, and their explanation."""
