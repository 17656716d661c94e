"""Limits of Python that Puppet code needs raised: the depth of calls, the digits of an Integer.

They belong to the process. A program of this project raises them for good, a session in somebody
else's process only while it works.
"""

from __future__ import annotations

import sys

IN_BROWSER: bool = sys.platform == "emscripten"
MAX_DEPTH = 2_000 if IN_BROWSER else 10_000
"""How deep Python may call: one level for a Puppet function, two or three for one with a lambda.

Calls between compiled functions take no room on the C stack; those through built-in functions do,
and 10,000 of them fit in the 8 MB that a thread has. In a browser there is 1 MB for everything,
and what frees the frames of an error needs it, too.

From 3.12 on Python counts those apart, and its limit is fixed: 10,000, but 1,500 up to 3.12.2, of
which a level of data may take three. So walks of data that may be 1,000 deep call themselves in
comprehensions, not in ``map()`` or ``all()``.
"""

MISSES_DEPTH = (3, 13) <= sys.version_info < (3, 13, 8)
"""Whether Python does not check the depth of calls that leave parameters out (its issue 132744)."""

_ROOM = 2_000
# The decimal digits of an Integer read from limits.MAX_DIGITS hexadecimal ones, as nanoseconds.
_MAX_WRITTEN = 121_000


def check_depth() -> None:
    """Raise RecursionError if calls are too deep: each Python checks this kind of call."""


def allow_deep_calls() -> None:
    """Raise the recursion limit of the process to MAX_DEPTH, for good."""
    if IN_BROWSER:
        from puppet_repl.base.browser_stack import protect_stack

        protect_stack()
    if sys.getrecursionlimit() < MAX_DEPTH:
        sys.setrecursionlimit(MAX_DEPTH)


def allow_long_integers() -> None:
    """Let the process convert Integers of limits.MAX_DIGITS from and to text, for good."""
    if 0 < sys.get_int_max_str_digits() < _MAX_WRITTEN:
        sys.set_int_max_str_digits(_MAX_WRITTEN)


def is_too_long(error: BaseException) -> bool:
    """Tell whether an error is that of Python about an Integer with too many digits."""
    return type(error) is ValueError and str(error).startswith("Exceeds the limit (")


class RoomForCalls:
    """A context with a higher limit of recursion, for work after that limit was reached."""

    __slots__ = ("_limit", "_raised")

    def __enter__(self) -> None:
        self._limit = sys.getrecursionlimit()
        self._raised = self._limit + _ROOM
        sys.setrecursionlimit(self._raised)

    def __exit__(self, *_: object) -> None:
        if sys.getrecursionlimit() == self._raised:
            sys.setrecursionlimit(self._limit)


class _Limits:
    """A context in which calls may go as deep as MAX_DEPTH, and Integers be as long as needed.

    Contexts may be nested, and overlap in several threads: the last one that is left restores the
    limits that the first one found, unless somebody changed them meanwhile. There is no lock,
    because an interrupt could keep it from being released; appending and popping are atomic.
    """

    __slots__ = ("_depth", "_digits", "_users")

    def __init__(self) -> None:
        self._users: list[None] = []
        # The previous limit, None if it was high enough.
        self._depth: int | None = None
        self._digits: int | None = None

    def __enter__(self) -> None:
        self._users.append(None)
        depth = sys.getrecursionlimit()
        if depth < MAX_DEPTH:
            self._depth = depth
            allow_deep_calls()
        elif len(self._users) == 1:
            self._depth = None
        digits = sys.get_int_max_str_digits()
        if 0 < digits < _MAX_WRITTEN:
            self._digits = digits
            allow_long_integers()
        elif len(self._users) == 1:
            self._digits = None

    def __exit__(self, *_: object) -> None:
        self._users.pop()
        depth, digits = self._depth, self._digits
        if self._users or (depth is None and digits is None):
            return
        if depth is not None and sys.getrecursionlimit() == MAX_DEPTH:
            sys.setrecursionlimit(depth)
        if digits is not None and sys.get_int_max_str_digits() == _MAX_WRITTEN:
            sys.set_int_max_str_digits(digits)
        if self._users:  # another thread entered meanwhile, and may have found the raised limits
            self._depth, self._digits = depth, digits
            allow_deep_calls()
            allow_long_integers()


deep_calls = _Limits()
"""The only instance, because the limits belong to the process."""
