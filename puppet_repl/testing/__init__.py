"""Tests of modules in pytest: catalogs of the module under test, on the systems that it supports.

The plugin, ``puppet_repl.pytest_plugin``, imports this package when a test first asks for it.
"""
