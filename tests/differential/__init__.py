"""The same program must mean the same, however it is run or rewritten.

``grammar`` writes programs, ``relations`` and ``front_ends`` say what must not change an answer,
``shrinking`` makes a program small that breaks a relation. ``python -m tests.differential.run``
runs them; docs/maintaining.md describes it.
"""
