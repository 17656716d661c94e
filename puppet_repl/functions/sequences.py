"""The iterators that step() and reverse_each() make of what can be iterated over.

Puppet has three kinds, and which one it is shows when an iterator is used twice: a sequence of
Integers and one with a step of more than 1 are used up by the first who goes through them;
all others restart (see PuppetIterator).
"""

from __future__ import annotations

from itertools import islice

from puppet_repl.functions.iterables import one_by_one
from puppet_repl.types.algebra.infer import infer_set
from puppet_repl.types.model.base import UNIT
from puppet_repl.types.model.collection import TupleType
from puppet_repl.types.model.scalar import EnumType, IntegerType, StringType
from puppet_repl.types.model.wrapper import variant
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.iterator import PuppetIterator, elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def stepped(value: Any, width: int) -> PuppetIterator:
    """Every ``width``-th element."""
    if width == 1:
        return value if type(value) is PuppetIterator else _forward(value)
    bounds = _bounds(value)
    if bounds is not None:
        low, high, step = bounds
        step *= width
        rest = (high - low) % step
        if rest < 0:
            low -= rest
        else:
            high -= rest
        return _integers(low, high, step)
    return PuppetIterator(lambda: islice(one_by_one(value), 0, None, width), _typed(value))


def backwards(value: Any) -> PuppetIterator:
    """From the last element to the first."""
    bounds = _bounds(value)
    if bounds is not None:
        low, high, step = bounds
        return _integers(low, high, -step)
    if type(value) is PuppetIterator and not value.restarts:
        taken = tuple(value.one_by_one)
        return PuppetIterator(lambda: reversed(taken), _typed(value), restarts=True)
    return PuppetIterator(lambda: _reversed(value), _typed(value), restarts=True)


def _forward(value: Any) -> PuppetIterator:
    bounds = _bounds(value)
    if bounds is not None:
        return _integers(*bounds)
    return PuppetIterator(
        lambda: elements(value),
        _typed(value),
        restarts=True,
        hash_style=type(value) is PuppetHash,
    )


def _reversed(value: Any) -> Iterator[Any]:
    items = elements(value)
    return reversed(items if isinstance(items, (tuple, str, range)) else tuple(items))


def _bounds(value: Any) -> tuple[int, int, int] | None:
    """First and last number and step, where the elements are a sequence of Integers."""
    kind = type(value)
    if kind is PuppetIterator:
        known: tuple[int, int, int] | None = value.bounds
        return known
    if kind is int:
        return (0, value - 1, 1) if value else None
    if kind is str or kind is tuple or kind is PuppetHash:
        return None
    items = elements(value)
    return (items[0], items[-1], 1) if isinstance(items, range) else None


def _integers(low: int, high: int, step: int) -> PuppetIterator:
    numbers = range(low, high + 1, step) if step > 0 else range(high, low - 1, step)

    def find_type() -> Any:
        return IntegerType(low, high)

    return PuppetIterator(lambda: numbers, find_type, bounds=(low, high, step))


def _typed(source: Any) -> Callable[[], Any]:
    return lambda: _element_type(source)


def _element_type(source: Any) -> Any:
    """The type of what a value hands out, as Puppet's Iterable.on has it."""
    kind = type(source)
    if kind is PuppetIterator:
        return source.element_type
    if kind is str:
        return StringType(IntegerType(1, 1))
    if kind is int:
        return UNIT
    if kind is tuple:
        return variant(tuple(map(infer_set, source))) if source else UNIT
    if kind is PuppetHash:
        keys = variant(tuple(map(infer_set, source.keys())))
        values = variant(tuple(map(infer_set, source.values())))
        return TupleType((keys, values), IntegerType(2, 2))
    resolved = source.resolved()
    return resolved if isinstance(resolved, EnumType) else None
