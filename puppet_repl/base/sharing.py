"""Work on values and types with shared parts: once for each part, not for each path to it.

``$m = [$m, $m]`` forty times over is an array of 2^40 paths to 41 arrays. A function that recurs
into such a value calls itself through ``once``, which remembers the result for a part::

    def to_text(value):
        return once(array_text, value, len(value)) if type(value) is tuple else str(value)

Remembering costs memory, and most values are trees: it begins after the first 50,000 steps of the
outermost call, and ends with it. A result must depend on nothing but the arguments, which must not
change meanwhile.
"""

from __future__ import annotations

from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Never, TypeVar

    Argument = TypeVar("Argument")
    Other = TypeVar("Other")
    Result = TypeVar("Result")

_FREE_STEPS = 50_000
_FREE_STEPS_ANEW = 20_000
_FREE_PARTS = 10_000
# Bytes of text that may be copied from remembered results: the text contains all copies.
MAX_REPEATED = 1 << 26


class _Walk:
    """The outermost call that is running: its steps until it remembers, and the remembered results.

    ``steps`` is 0 if no call is running, and negative when the steps are used up. Arguments are
    kept beside the results, so that no other object gets their id. The walk of another thread may
    use the same results, since they belong to objects; one that ends before the other only makes it
    forget. It counts on Python's lock of the interpreter: threads take turns, and a step that is
    lost when both count only lets a walk remember later. Without that lock (free-threaded Python) a
    dict is still whole, and a step is lost more often; only one thread at a time may use a session.
    """

    __slots__ = ("left_by", "repeated", "results", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.results: dict[tuple[object, ...], tuple[Any, ...]] = {}
        self.repeated = 0
        # The thread whose outermost call is to be left as soon as its steps are used up, or 0.
        self.left_by = 0

    def forget(self) -> None:
        """Drop all results."""
        self.results = {}
        self.repeated = 0


class _TooLong(BaseException):
    """The free steps are used up; ends the outermost call, which then begins again."""


walk = _Walk()
"""The only instance; while its ``steps`` are 0, a value may be tried as a small one."""


class TooManyParts(Exception):
    """The budget of parts is used up."""


class _Budget:
    """The number of parts that walks without a memory may still count.

    Such a walk is the first attempt if ``once`` would be too slow: most values are small. It spends
    one or more for each part. When the budget ends, the value is walked again by ``once``. All
    walks of the process share the budget, so no walk has to set it: a small value at the end of the
    budget takes longer, with the same result.
    """

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts = _FREE_PARTS

    def spend(self, count: int) -> None:
        """Take parts away; raise TooManyParts where fewer are left. Hot code does it in place."""
        self.parts -= count
        if self.parts < 0:
            self.end()

    def end(self) -> Never:
        """Raise TooManyParts, and begin the next budget."""
        self.parts = _FREE_PARTS
        raise TooManyParts


budget = _Budget()
"""The only instance."""


def once(function: Callable[[Argument], Result], value: Argument, size: int = 1) -> Result:
    """Return ``function(value)``; in a long recursion, the result for this object is remembered.

    ``size`` says how many steps the call takes by itself, without those that go through here.
    Raises MemoryError for a text that repeats the texts of shared parts until it would not fit.
    """
    steps = walk.steps
    if steps > 0:
        walk.steps = steps - size or -1
        return function(value)
    if steps:
        return _remembered(function, value)
    walk.steps = _FREE_STEPS  # as in _remembered(): values that are small come here most often
    try:
        return function(value)
    finally:
        walk.steps = 0
        if walk.results:
            walk.forget()


def once_for_both(
    function: Callable[[Argument, Other], Result], left: Argument, right: Other, size: int = 1
) -> Result:
    """Return ``function(left, right)`` as ``once`` does."""
    steps = walk.steps
    if steps > 0:
        walk.steps = steps - size or -1
        return function(left, right)
    return _remembered(function, left, right)


def _remembered(function: Callable[..., Result], *arguments: object) -> Result:
    """Begin the outermost call; when its free steps are used up, look for an earlier result."""
    if not walk.steps:
        walk.steps = _FREE_STEPS
        try:
            return function(*arguments)
        finally:
            walk.steps = 0
            if walk.results:
                walk.forget()
    if walk.left_by == get_ident():
        raise _TooLong
    key = (function, id(arguments[0]), id(arguments[-1]))  # of one or two arguments
    known = walk.results.get(key)
    if known is not None:
        result: Result = known[0]
        if type(result) is str:
            walk.repeated += result.__sizeof__()
            if walk.repeated > MAX_REPEATED:
                raise MemoryError
        return result
    result = function(*arguments)
    walk.results[key] = (result, arguments)
    return result


def once_alike(function: Callable[[Argument], Result], value: Argument, size: int = 1) -> Result:
    """Return ``function(value)`` as ``once`` does, with the shared parts of the value shared.

    Use it for results that are structures. If the free steps of the outermost call do not suffice,
    that call is repeated and remembers results from its beginning, since its first result shares no
    parts. The function must have no side effects.
    """
    steps = walk.steps
    if steps > 0:  # as in once(), which would take a level of calls more
        walk.steps = steps - size or -1
        return function(value)
    if steps:
        return _remembered(function, value)
    walk.steps = _FREE_STEPS_ANEW
    walk.left_by = get_ident()
    try:
        return function(value)
    except _TooLong:
        walk.left_by = 0
        walk.steps = -1
        return function(value)
    finally:
        walk.left_by = 0
        walk.steps = 0
        if walk.results:
            walk.forget()


def in_one_walk(function: Callable[..., Result], *arguments: object) -> Result:
    """Return ``function(*arguments)``; all that goes through here meanwhile is remembered.

    For work that asks the same of shared parts again and again, each time in a call of its own.
    """
    if walk.steps:
        return function(*arguments)
    walk.steps = -1
    try:
        return function(*arguments)
    finally:
        walk.steps = 0
        walk.forget()
