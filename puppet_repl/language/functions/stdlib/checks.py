"""Checks of arguments and their messages, which several functions of stdlib share."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure


def wrong_count(name: str, count: int, expected: str) -> RuntimeFailure:
    """Return the error of a call with too few or too many arguments.

    ``expected`` is what the function's message says: ``2``, ``< 2``.
    """
    return RuntimeFailure(f"{name}(): Wrong number of arguments given ({count} for {expected})")
