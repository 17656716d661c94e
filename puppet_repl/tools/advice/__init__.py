"""Warnings of probable mistakes in code that Puppet accepts; nothing is evaluated.

There is a table of rules (``rules``), one walk over the tree (``walk``), and a module of checks for
each theme. None is about style: the code fails later, or does something else than it says.
"""

from puppet_repl.tools.advice.model import Advice
from puppet_repl.tools.advice.walk import advise

__all__ = ["Advice", "advise"]
