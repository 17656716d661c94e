"""Work on values and types with shared parts: once for each part, not for each path to it.

``$m = [$m, $m]`` forty times over is an array of 2^40 paths to 41 arrays. A function that recurs
into such a value calls itself through ``once``, which remembers what it returned for a part::

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
    from typing import Any, TypeVar

    Argument = TypeVar("Argument")
    Other = TypeVar("Other")
    Result = TypeVar("Result")

_FREE_STEPS = 50_000
_FREE_STEPS_ANEW = 20_000
_FREE_PARTS = 10_000
# Bytes of text that may be taken from what is remembered: a text has all of them in it.
MAX_REPEATED = 1 << 26


class _Walk:
    """The outermost call that is running: its steps until it remembers, and what it remembers.

    ``steps`` is 0 where none is running, and below when they are used up. Arguments are kept beside
    the results, so that no other object gets their id. The walk of another thread may use the same
    results, since they belong to objects; one that ends before the other only makes it forget.
    It counts on Python's lock of the interpreter: threads take turns, and a step that is lost when
    both count only lets a walk remember later. Without that lock (free-threaded Python) a dict is
    still whole, and a step is lost more often; what a session has is for one thread at a time.
    """

    __slots__ = ("left_by", "repeated", "results", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.results: dict[tuple[object, ...], tuple[Any, ...]] = {}
        self.repeated = 0
        # The thread whose outermost call is to be left as soon as its steps are used up, or 0.
        self.left_by = 0

    def forget(self) -> None:
        """Drop what is remembered."""
        self.results = {}
        self.repeated = 0


class _TooLong(BaseException):
    """The free steps are used up; ends the outermost call, which then begins again."""


walk = _Walk()
"""The only instance; while its ``steps`` are 0, a value may be tried as a small one."""


_allowance: list[None] = []
count_part = _allowance.pop
"""Count a part of a value in a walk that remembers nothing; IndexError if there were too many.

Such a walk is the first attempt where ``once`` would be felt: most values are small. All walks of
the process share what is counted, so that none has to set it back; ``allow_parts`` allows 10,000
more and is to be called before a second attempt. What still has more parts is for ``once``.
"""


def allow_parts() -> None:
    """Allow walks that remember nothing so many parts more."""
    _allowance.extend([None] * _FREE_PARTS)


def count_parts(count: int) -> None:
    """Count so many parts at once, or those that are left."""
    del _allowance[-count:]


def once(function: Callable[[Argument], Result], value: Argument, size: int = 1) -> Result:
    """Return ``function(value)``; in a long recursion, what it returned for this object before.

    ``size`` says how many steps the call takes by itself, without those that go through here.
    Raises MemoryError for a text that repeats the texts of shared parts until it would not fit.
    """
    steps = walk.steps
    if steps > 0:
        walk.steps = steps - size or -1
        return function(value)
    if not steps:
        walk.steps = _FREE_STEPS
        try:
            return function(value)
        finally:
            walk.steps = 0
            if walk.results:
                walk.forget()
    if walk.left_by == get_ident():
        raise _TooLong
    key = (function, id(value))
    known = walk.results.get(key)
    if known is not None:
        result: Result = known[0]
        if type(result) is str:
            walk.repeated += result.__sizeof__()
            if walk.repeated > MAX_REPEATED:
                raise MemoryError
        return result
    result = function(value)
    walk.results[key] = (result, value)
    return result


def once_for_both(
    function: Callable[[Argument, Other], Result], left: Argument, right: Other, size: int = 1
) -> Result:
    """Return ``function(left, right)`` as ``once`` does."""
    steps = walk.steps
    if steps > 0:
        walk.steps = steps - size or -1
        return function(left, right)
    if not steps:
        walk.steps = _FREE_STEPS
        try:
            return function(left, right)
        finally:
            walk.steps = 0
            if walk.results:
                walk.forget()
    if walk.left_by == get_ident():
        raise _TooLong
    key = (function, id(left), id(right))
    known = walk.results.get(key)
    if known is not None:
        result: Result = known[0]
        return result
    result = function(left, right)
    walk.results[key] = (result, left, right)
    return result


def once_alike(function: Callable[[Argument], Result], value: Argument, size: int = 1) -> Result:
    """Return ``function(value)`` as ``once`` does, so that its result shares what the value shares.

    For results that are structures. Where the free steps of the outermost call do not suffice, it
    is called a second time and remembers from its beginning: what it made before has no shared
    parts. Whatever is called must be free of effects.
    """
    steps = walk.steps
    if steps > 0:  # as in once(), which would take a level of calls more
        walk.steps = steps - size or -1
        return function(value)
    if steps:
        return once(function, value, size)
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
