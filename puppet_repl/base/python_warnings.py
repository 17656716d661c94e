"""Warnings of Python, at the line of the program that uses this package."""

from __future__ import annotations

import sys


class DifferenceWarning(UserWarning):
    """The code got an answer, and Puppet 8.11 ends in an error, or has another result."""


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line on the way here that is not in this package."""
    import warnings

    depth = 1
    while sys._getframe(depth).f_globals.get("__name__", "").startswith("puppet_repl."):
        depth += 1
    warnings.warn(text, category, stacklevel=depth + 1)
