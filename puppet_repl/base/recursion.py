"""Limits of Python that Puppet code needs raised: the depth of calls, the digits of an Integer.

They belong to the process. A program of this project raises them for good, a session in somebody
else's process only while it works.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 10_000
"""How deep Python may call: one level for a Puppet function, two or three for one with a lambda.

Calls between compiled functions take no room on the C stack; those through built-in functions do,
and 10,000 of them fit in the 8 MB that a thread has.
"""

# The decimal digits of an Integer read from limits.MAX_DIGITS hexadecimal ones, as nanoseconds.
_MAX_WRITTEN = 121_000


def allow_deep_calls() -> None:
    """Raise the recursion limit of the process to MAX_DEPTH, for good."""
    if sys.getrecursionlimit() < MAX_DEPTH:
        sys.setrecursionlimit(MAX_DEPTH)


def allow_long_integers() -> None:
    """Let the process convert Integers of limits.MAX_DIGITS from and to text, for good."""
    if 0 < sys.get_int_max_str_digits() < _MAX_WRITTEN:
        sys.set_int_max_str_digits(_MAX_WRITTEN)


def is_too_long(error: BaseException) -> bool:
    """Tell whether an error is that of Python about an Integer with too many digits."""
    return type(error) is ValueError and str(error).startswith("Exceeds the limit (")


class _Raised:
    """A context in which one limit of the process is at least ``wanted``.

    Contexts may be nested, and overlap in several threads: the last one that is left restores the
    limit that the first one found, unless somebody changed it meanwhile. There is no lock, because
    an interrupt could keep it from being released; appending and popping are atomic.
    """

    __slots__ = ("_get", "_original", "_raise", "_set", "_users", "_wanted")

    def __init__(
        self,
        wanted: int,
        get: Callable[[], int],
        set_: Callable[[int], None],
        raise_: Callable[[], None],
    ) -> None:
        self._users: list[None] = []
        self._original: int | None = None
        self._wanted = wanted
        self._get = get
        self._set = set_
        self._raise = raise_

    def enter(self) -> None:
        self._users.append(None)
        before = self._get()
        self._raise()
        if self._get() != before:
            self._original = before
        elif len(self._users) == 1:
            self._original = None

    def leave(self) -> None:
        self._users.pop()
        original = self._original
        if original is None or self._users or self._get() != self._wanted:
            return
        self._set(original)
        if self._users:  # another thread entered meanwhile
            self._raise()


class _Limits:
    """A context in which calls may go as deep as MAX_DEPTH, and Integers be as long as needed."""

    __slots__ = ("_raised",)

    def __init__(self) -> None:
        self._raised = (
            _Raised(MAX_DEPTH, sys.getrecursionlimit, sys.setrecursionlimit, allow_deep_calls),
            _Raised(
                _MAX_WRITTEN,
                sys.get_int_max_str_digits,
                sys.set_int_max_str_digits,
                allow_long_integers,
            ),
        )

    def __enter__(self) -> None:
        for each in self._raised:
            each.enter()

    def __exit__(self, *_: object) -> None:
        for each in self._raised:
            each.leave()


deep_calls = _Limits()
"""The only instance, because the limits belong to the process."""
