"""Tests of modules in pytest: catalogs of the module under test, on the systems that it supports.

The module ``plugin`` is what every run of pytest imports; it imports the others when a test first
asks for a fixture.
"""
