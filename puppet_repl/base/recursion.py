"""The depth of calls that Puppet code needs: more than Python allows by default.

Python's recursion limit belongs to the process. A program of this project raises it for good, a
session in somebody else's process only while it works.
"""

from __future__ import annotations

import sys

MAX_DEPTH = 10_000
"""How deep Python may call: one level for a Puppet function, two or three for one with a lambda.

Calls between compiled functions take no room on the C stack; those through built-in functions do,
and 10,000 of them fit in the 8 MB that a thread has.
"""


def allow_deep_calls() -> None:
    """Raise the recursion limit of the process to MAX_DEPTH, for good."""
    if sys.getrecursionlimit() < MAX_DEPTH:
        sys.setrecursionlimit(MAX_DEPTH)


class _DeepCalls:
    """A context in which calls may go as deep as MAX_DEPTH.

    Contexts may be nested, and overlap in several threads: the last one that is left restores the
    limit that the first one found, unless somebody changed it meanwhile. There is no lock, because
    an interrupt could keep it from being released; appending and popping are atomic.
    """

    __slots__ = ("_original", "_users")

    def __init__(self) -> None:
        self._users: list[None] = []
        self._original: int | None = None

    def __enter__(self) -> None:
        self._users.append(None)
        limit = sys.getrecursionlimit()
        if limit < MAX_DEPTH:
            self._original = limit
            allow_deep_calls()
        elif len(self._users) == 1:
            self._original = None

    def __exit__(self, *_: object) -> None:
        self._users.pop()
        original = self._original
        if original is None or self._users or sys.getrecursionlimit() != MAX_DEPTH:
            return
        sys.setrecursionlimit(original)
        if self._users:  # another thread entered meanwhile
            allow_deep_calls()


deep_calls = _DeepCalls()
"""The only instance, because the recursion limit belongs to the process."""
