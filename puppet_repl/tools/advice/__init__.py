"""Warnings of probable mistakes in code that Puppet accepts; nothing is evaluated.

There is a table of rules (``rules``), one walk over the tree (``walk``), and a module of checks for
each theme. Most are of code that fails later, or does something else than it says; those of
``spelling`` are of code that works. White space is left to the formatter.
"""
