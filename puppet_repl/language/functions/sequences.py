"""The iterators that step() and reverse_each() return.

Puppet has two kinds, which differ when an iterator is used twice: one over a range of Integers or
with a step of more than 1 is exhausted by its first use; all others restart (see PuppetIterator).
"""

from __future__ import annotations

import sys
from itertools import islice

from puppet_repl.language.functions.iterables import one_by_one
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.model.base import ANY, UNIT, PuppetType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.scalar import EnumType, IntegerType, StringType
from puppet_repl.language.types.model.wrapper import variant
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator, elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from puppet_repl.language.values.protocols import Value


def stepped(value: Value, width: int) -> PuppetIterator:
    """Return an iterator over every ``width``-th element."""
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
    width = min(width, sys.maxsize)
    return PuppetIterator(
        lambda: islice(one_by_one(value), 0, None, width),
        _typed(value),
        find_size=lambda: _size(value, width),
        is_step=True,
    )


def backwards(value: Value) -> PuppetIterator:
    """Return an iterator from the last element to the first."""
    bounds = _bounds(value)
    if bounds is not None:
        low, high, step = bounds
        return _integers(low, high, -step)
    if type(value) is PuppetIterator and not value.restarts:
        taken = value.ruby_array()
        return PuppetIterator(lambda: reversed(taken), _typed(value), restarts=True)
    return PuppetIterator(lambda: _reversed(value), _typed(value), restarts=True)


def _forward(value: Value) -> PuppetIterator:
    bounds = _bounds(value)
    if bounds is not None:
        return _integers(*bounds)
    return PuppetIterator(
        lambda: elements(value),
        _typed(value),
        restarts=True,
        hash_style=type(value) is PuppetHash,
    )


def _reversed(value: Value) -> Iterator[Value]:
    items = elements(value)
    return reversed(items if isinstance(items, (tuple, str, range)) else tuple(items))


def _bounds(value: Value) -> tuple[int, int, int] | None:
    """Return first and last number and step if the elements are a sequence of Integers."""
    if type(value) is PuppetIterator:
        return value.bounds
    if type(value) is int:
        return (0, value - 1, 1) if value else None
    if type(value) is str or type(value) is tuple or type(value) is PuppetHash:
        return None
    items = elements(value)
    return (items[0], items[-1], 1) if isinstance(items, range) else None


def _integers(low: int, high: int, step: int) -> PuppetIterator:
    numbers = range(low, high + 1, step) if step > 0 else range(high, low - 1, step)

    return PuppetIterator(
        lambda: numbers,
        lambda: IntegerType(low, high),
        bounds=(low, high, step),
        find_count=lambda: (high - low) // abs(step) + 1,
        find_size=lambda: (high - low) // abs(step),
    )


def _size(value: Value, width: int) -> int | None:
    """Return the size that Ruby supposes for steps over a value; None where it knows none."""
    if type(value) is not PuppetIterator or value.restarts:
        return sum(1 for _ in elements(value)) // width
    size = value.ruby_size
    return None if size is None else size // width


def _typed(source: Value) -> Callable[[], PuppetType | None]:
    return lambda: _element_type(source)


def _element_type(source: Value) -> PuppetType | None:
    """Return the type of the elements of a value, as Puppet's Iterable.on does."""
    if type(source) is PuppetIterator:
        if source.runtime_class is not None:
            return ANY
        element_type: PuppetType | None = source.element_type
        return element_type
    if type(source) is str:
        return StringType(IntegerType(1, 1))
    if type(source) is int:
        return UNIT
    if type(source) is tuple:
        return _type_of_all(source)
    if type(source) is PuppetHash:
        types = (_type_of_all(source.keys()), _type_of_all(source.values()))
        return TupleType(types, IntegerType(2, 2))
    resolved = source.resolved() if isinstance(source, PuppetType) else None
    return resolved if isinstance(resolved, EnumType) else None


def _type_of_all(values: Iterable[Value]) -> PuppetType:
    types = tuple(map(infer_set, values))
    return variant(types) if types else UNIT
