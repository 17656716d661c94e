"""The elements of iterable values, in the form in which blocks are called with them."""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.iterator import PuppetIterator, elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.values.protocols import Value


def one_by_one(value: Value) -> Iterable[Value]:
    """Return the elements to be taken one by one: an iterator continues where it stopped."""
    if type(value) is PuppetIterator:
        return value.one_by_one
    return elements(value)


def swallows_break(value: Value) -> bool:
    """Tell whether break() ends every function that iterates over a value, without an error.

    Puppet takes the elements of Integer ranges, and of iterators that do not restart, one by one
    and treats break() as their end; with other values only some functions can be ended by it.
    """
    if type(value) is int:
        return True
    if type(value) is tuple or type(value) is str or type(value) is PuppetHash:
        return False
    if type(value) is PuppetIterator:
        return not value.restarts
    return isinstance(elements(value), range)


def numbered(value: Value) -> Iterable[tuple[Value, Value]]:
    """Return the arguments of a block with two parameters: index and element, or key and value."""
    if type(value) is PuppetIterator and value.hash_style:
        return value.puppet_elements()
    return enumerate(elements(value))


def caller(block: Closure) -> Callable[..., Value]:
    """Return the fastest callable that runs a block whose number of parameters is known to fit."""
    fast: Callable[..., Value] | None = block.fast
    return block if fast is None else fast
