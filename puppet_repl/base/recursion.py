"""Limits of Python that Puppet code needs raised: the depth of calls, the digits of an Integer.

They belong to the process. A program of this project raises them for good, a session in somebody
else's process only while it works.
"""

from __future__ import annotations

import sys
from _operator import not_
from itertools import compress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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


class NoContext:
    """A context manager that does nothing, for an evaluation without a limit.

    Importing ``contextlib``, which has one, would take 2 ms of each start.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


NO_CONTEXT = NoContext()


def are_calls_deeper(depth: int) -> bool:
    """Tell whether more functions than ``depth`` have been called in this thread."""
    try:
        sys._getframe(depth)
    except ValueError:
        return False
    return True


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


class _Limit:
    """A limit of the process that is raised as long as there are users.

    There is no lock: an interrupt could keep it from being released, and a signal handler would
    wait for it forever. Instead each step is a call of C that nothing comes between, and each
    limit that was found stays known until it has been restored.
    """

    __slots__ = ("_found", "_get", "_raise", "_raised", "_set", "_users")

    def __init__(
        self,
        users: list[None],
        get: Callable[[], int],
        change: Callable[[int], None],
        allow: Callable[[], None],
        raised: int,
    ) -> None:
        self._users = users
        self._get = get
        self._set = change
        self._raise = allow
        self._raised = raised
        # Lower limits that were found, each under a new object as its key.
        self._found: dict[object, int] = {}

    def allow(self) -> None:
        """Raise the limit for a user, who is among the users already."""
        limit = self._get()
        if 0 < limit < self._raised:
            self._found[object()] = limit
            self._raise()

    def restore(self) -> None:
        """Restore the limit if there are no users, unless somebody changed it meanwhile."""
        found = list(self._found.items())
        if not found:
            return
        change = self._set if self._get() == self._raised else abs
        # In one call of C: a user who comes before it prevents it, a later one finds the restored
        # limit. So the limits found until then are not needed any more.
        if list(map(change, compress((found[-1][1],), map(not_, (self._users,))))):
            for key, _ in found:
                self._found.pop(key, None)


class _Limits:
    """A context in which calls may go as deep as MAX_DEPTH, and Integers be as long as needed.

    Contexts may be nested, and overlap in several threads: the last one that is left restores the
    limits that the first one found, unless somebody changed them meanwhile.
    """

    __slots__ = ("_depth", "_digits", "_users")

    def __init__(self) -> None:
        self._users: list[None] = []
        self._depth = _Limit(
            self._users,
            sys.getrecursionlimit,
            sys.setrecursionlimit,
            allow_deep_calls,
            MAX_DEPTH,
        )
        self._digits = _Limit(
            self._users,
            sys.get_int_max_str_digits,
            sys.set_int_max_str_digits,
            allow_long_integers,
            _MAX_WRITTEN,
        )

    def __enter__(self) -> None:
        entered: list[None] = []
        try:
            # In one call of C, after which "entered" tells whether there is a user more.
            self._users.extend(map(entered.append, (None,)))
            self._depth.allow()
            self._digits.allow()
        except BaseException:  # an interrupt: the context is not entered, and never left
            if entered:
                self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        try:
            self._users.pop()
            if not self._users:
                self._restore()
        except BaseException:  # an interrupt, after which the rest is done
            self._restore()
            raise

    def _restore(self) -> None:
        self._depth.restore()
        self._digits.restore()


deep_calls = _Limits()
"""The only instance, because the limits belong to the process."""
