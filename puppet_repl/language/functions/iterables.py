"""The elements of iterable values, in the form in which blocks are called with them."""

from __future__ import annotations

from itertools import islice

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import MAX_ELEMENTS, PuppetIterator, countable, elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.values.protocols import Value

    Item = TypeVar("Item")

# After how many elements a loop over too many fails: an error of the block comes before.
_TRIED = 100_000
ENDLESS = 10**11
"""More elements than a loop comes to the end of: a fast one takes hours."""


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


def bounded(
    value: Value, items: Iterable[Item], block: Closure, most: int = MAX_ELEMENTS
) -> Iterable[Item]:
    """Return the ``items`` of a value for a loop that keeps something of at most ``most``.

    A block that calls nothing leaves a loop by an error of an operator at most: over more elements
    the loop fails after the first ones. A call may end the loop.
    """
    kind = type(value)
    if kind is tuple or kind is str or kind is PuppetHash:
        return items
    try:
        countable(value, most)
    except RuntimeFailure as failure:
        return items if _calls(block) else _first(items, failure)
    return items


def _first(items: Iterable[Item], failure: RuntimeFailure) -> Iterator[Item]:
    yield from islice(items, _TRIED)
    raise failure


def _calls(block: Closure) -> bool:
    """Tell whether there is any call in a block but that of next()."""
    if not block.spec.source.text:
        return False  # a block of Ruby: calls are not known, and end the loop by an error
    for node in block.spec.node.walk():
        if isinstance(node, ast.CallMethodExpression):
            return True
        if isinstance(node, ast.CallNamedFunctionExpression):
            functor = node.functor
            if not isinstance(functor, ast.QualifiedName) or functor.value != "next":
                return True
    return False
