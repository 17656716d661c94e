"""The depth of calls that Puppet code needs: more than Python allows by default.

Python's recursion limit belongs to the process. A program of this project raises it for good, a
session in somebody else's process only while it works.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock

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
    limit that the first one found, unless somebody changed it meanwhile.
    """

    __slots__ = ("_lock", "_original", "_users")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._users = 0
        self._original: int | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                limit = sys.getrecursionlimit()
                self._original = limit if limit < MAX_DEPTH else None
                allow_deep_calls()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._original is not None:
                if sys.getrecursionlimit() == MAX_DEPTH:
                    sys.setrecursionlimit(self._original)
                self._original = None


deep_calls = _DeepCalls()
"""The recursion limit is one per process, and so is this."""
