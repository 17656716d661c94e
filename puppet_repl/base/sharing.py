"""Work on values and types with shared parts: once for each part, not for each path to it.

``$m = [$m, $m]`` forty times over is an array of 2^40 paths to 41 arrays. A function that recurs
into such a value calls itself through ``once``, which remembers what it returned for a part::

    def to_text(value):
        return once(array_text, value, len(value)) if type(value) is tuple else str(value)

Remembering costs memory, and most values are trees: it begins after the first 200,000 steps of the
outermost call, and ends with it. A result must depend on nothing but the arguments, which must not
change meanwhile.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Argument = TypeVar("Argument")
    Other = TypeVar("Other")
    Result = TypeVar("Result")

_FREE_STEPS = 200_000


class _Walk:
    """The outermost call that is running: its steps until it remembers, and what it remembers.

    ``steps`` is 0 where none is running, and below when they are used up. Arguments are kept beside
    the results, so that no other object gets their id. The walk of another thread may use the same
    results, since they belong to objects; one that ends before the other only makes it forget.
    """

    __slots__ = ("results", "steps")

    def __init__(self) -> None:
        self.steps = 0
        self.results: dict[tuple[object, ...], tuple[Any, ...]] = {}


_walk = _Walk()


def once(function: Callable[[Argument], Result], value: Argument, size: int = 1) -> Result:
    """Return ``function(value)``; in a long recursion, what it returned for this object before.

    ``size`` says how many steps the call takes by itself, without those that go through here.
    """
    walk = _walk
    steps = walk.steps
    if steps > 0:
        walk.steps = steps - size or -1
        return function(value)
    if not steps:
        return _outermost(function, value)
    key = (function, id(value))
    known = walk.results.get(key)
    if known is not None:
        result: Result = known[0]
        return result
    result = function(value)
    walk.results[key] = (result, value)
    return result


def once_for_both(
    function: Callable[[Argument, Other], Result], left: Argument, right: Other, size: int = 1
) -> Result:
    """Return ``function(left, right)`` as ``once`` does."""
    walk = _walk
    steps = walk.steps
    if steps > 0:
        walk.steps = steps - size or -1
        return function(left, right)
    if not steps:
        return _outermost(function, left, right)
    key = (function, id(left), id(right))
    known = walk.results.get(key)
    if known is not None:
        result: Result = known[0]
        return result
    result = function(left, right)
    walk.results[key] = (result, left, right)
    return result


def _outermost(function: Callable[..., Result], *arguments: object) -> Result:
    walk = _walk
    walk.results = {}
    walk.steps = _FREE_STEPS
    try:
        return function(*arguments)
    finally:
        walk.steps = 0
        walk.results = {}
