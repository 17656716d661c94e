"""What can be iterated over, and in which form a block gets the elements."""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.iterator import PuppetIterator, elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.runtime.closure import Closure


def one_by_one(value: Any) -> Iterable[Any]:
    """The elements for those who take them singly: an iterator that was used goes on."""
    if type(value) is PuppetIterator:
        return value.one_by_one
    return elements(value)


def swallows_break(value: Any) -> bool:
    """Whether break() ends any search through a value quietly, as it does a mere each().

    Puppet goes through sequences of Integers, and iterators that are used up, one by one and
    takes break() for their end; everywhere else only some functions may be broken off.
    """
    kind = type(value)
    if kind is int:
        return True
    if kind is tuple or kind is str or kind is PuppetHash:
        return False
    if kind is PuppetIterator:
        return not value.restarts
    return isinstance(elements(value), range)


def numbered(value: Any) -> Iterable[tuple[Any, Any]]:
    """What a block of two parameters gets: index and element, or key and value."""
    if type(value) is PuppetIterator and value.hash_style:
        return value.puppet_elements()
    return enumerate(elements(value))


def caller(block: Closure) -> Callable[..., Any]:
    """The cheapest Python callable that runs a block whose number of parameters is known to fit."""
    fast: Callable[..., Any] | None = block.fast
    return block if fast is None else fast
