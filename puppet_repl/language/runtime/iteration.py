"""Iteration with a lambda that is known at compile time: no closure, no dispatch.

Each function returns exactly what the built-in function of its name does, to which it leaves the
rarer cases, with a Closure. ``block`` is the spec of the lambda, or the pair of spec and types. The
digit is the number of parameters of the lambda.
"""

from __future__ import annotations

from puppet_repl.language.runtime import loops
from puppet_repl.language.runtime.closure import CallableSpec, Closure
from puppet_repl.language.types.model.scalar import IntegerType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import MAX_ELEMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

    Run = Callable[..., Any]
    Block = CallableSpec | tuple[CallableSpec, Any]


def _pass_on(context: Context, name: str, run: Run, block: Block, args: tuple[Value, ...]) -> Value:
    spec, types = block if isinstance(block, tuple) else (block, None)
    function = context.find_builtin(name)
    assert function is not None
    return function.call(context, args, Closure(run, spec, types))


def elements(value: Any) -> Collection[Value] | None:
    """Return the elements of the usual iterable values; None for other values."""
    kind = type(value)
    if kind is tuple:
        items: tuple[Any, ...] = value
        return items
    if kind is PuppetHash:
        entries: Collection[Any] = value.items()
        return entries
    if kind is int:
        return range(value) if value >= 0 else None
    if kind is IntegerType:
        return range(value.low, value.high + 1) if value.is_finite else None
    if kind is str:
        letters: str = value
        return letters
    return None


def _listed(value: Any) -> Collection[Value] | None:
    """Return the elements for a loop that makes a list; None for very many too."""
    items = elements(value)
    if type(items) is range and items.stop - items.start > MAX_ELEMENTS:
        return None
    return items


def _pairs(value: Any, items: Any) -> Iterable[tuple[Value, Value]]:
    entries: Iterable[tuple[Any, Any]] = items if type(value) is PuppetHash else enumerate(items)
    return entries


def each_with1(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``each`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "each", run, block, (value,))
    loops.each(run, items)
    return value


def each_with2(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``each`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "each", run, block, (value,))
    loops.each_pair(run, _pairs(value, items))
    return value


def map_with1(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``map`` with one parameter."""
    items = _listed(value)
    if items is None:
        return _pass_on(context, "map", run, block, (value,))
    return loops.results(run, items)


def map_with2(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``map`` with two parameters."""
    items = _listed(value)
    if items is None:
        return _pass_on(context, "map", run, block, (value,))
    return loops.pair_results(run, _pairs(value, items))


def filter_with1(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``filter`` with one parameter."""
    items = _listed(value)
    if items is None:
        return _pass_on(context, "filter", run, block, (value,))
    if type(value) is PuppetHash:
        return loops.chosen_entries(run, value)
    return loops.chosen(run, items)


def filter_with2(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``filter`` with two parameters."""
    items = _listed(value)
    if items is None:
        return _pass_on(context, "filter", run, block, (value,))
    if type(value) is PuppetHash:
        return loops.chosen_entries(run, value, apart=True)
    return loops.chosen_of_pairs(run, enumerate(items))


def reduce_with(context: Context, run: Run, block: Block, value: Value, *start: Value) -> Value:
    """Evaluate ``reduce``, with or without a start value."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "reduce", run, block, (value, *start))
    if start:
        return loops.folded(run, start[0], items)
    rest = iter(items)
    return loops.folded(run, next(rest, None), rest)


def reduce_growing(context: Context, run: Run, block: Block, value: Value, *start: Value) -> Value:
    """Evaluate ``reduce`` with a lambda whose additions change the hash that they have made."""
    made = reduce_with(context, run, block, value, *start)
    return made.settled() if type(made) is PuppetHash else made


# any and all have no break(), except over numbers: there the loop of Puppet ends at it.


def any_with1(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``any`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "any", run, block, (value,))
    return loops.any_element(run, items, type(items) is range)


def any_with2(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``any`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "any", run, block, (value,))
    return loops.any_pair(run, _pairs(value, items), type(items) is range)


def all_with1(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``all`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "all", run, block, (value,))
    return loops.all_elements(run, items, type(items) is range)


def all_with2(context: Context, run: Run, block: Block, value: Value) -> Value:
    """Evaluate ``all`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "all", run, block, (value,))
    return loops.all_pairs(run, _pairs(value, items), type(items) is range)
