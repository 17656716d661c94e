"""Iteration with a lambda that compiled code knows: no closure, no dispatch.

Each function answers exactly as the built-in function of its name does; what it cannot do quickly
it passes on to that function with a Closure. ``block`` is the spec of the lambda, or the pair of
spec and types. The digit is the number of parameters of the lambda.
"""

from __future__ import annotations

from puppet_repl.runtime.closure import CallableSpec, Closure
from puppet_repl.runtime.signals import BreakSignal
from puppet_repl.types.scalar import IntegerType
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    from puppet_repl.runtime.context import Context

    Run = Callable[..., Any]
    Block = CallableSpec | tuple[CallableSpec, Any]


def _pass_on(context: Context, name: str, run: Run, block: Any, args: tuple[Any, ...]) -> Any:
    spec, types = block if type(block) is tuple else (block, None)
    return context.find_builtin(name).call(context, args, Closure(run, spec, types))


def elements(value: Any) -> Collection[Any] | None:
    """What the usual iterable values iterate over; None for all others."""
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


def each_with1(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``each`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "each", run, block, (value,))
    try:
        for one in items:
            run(one)
    except BreakSignal:
        pass
    return value


def each_with2(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``each`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "each", run, block, (value,))
    try:
        if type(value) is PuppetHash:
            for key, one in items:
                run(key, one)
        else:
            for index, one in enumerate(items):
                run(index, one)
    except BreakSignal:
        pass
    return value


def map_with1(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``map`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "map", run, block, (value,))
    made: list[Any] = []
    add = made.append
    try:
        for one in items:
            add(run(one))
    except BreakSignal:
        pass
    return tuple(made)


def map_with2(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``map`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "map", run, block, (value,))
    made: list[Any] = []
    add = made.append
    try:
        for first, second in items if type(value) is PuppetHash else enumerate(items):
            add(run(first, second))
    except BreakSignal:
        pass
    return tuple(made)


def filter_with1(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``filter`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "filter", run, block, (value,))
    made: list[Any] = []
    add = made.append
    if type(value) is PuppetHash:
        for one in items:
            found = run(one)
            if found is not None and found is not False:
                add(one)
        return PuppetHash(made)
    try:
        for one in items:
            found = run(one)
            if found is not None and found is not False:
                add(one)
    except BreakSignal:
        pass
    return tuple(made)


def filter_with2(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``filter`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "filter", run, block, (value,))
    made: list[Any] = []
    add = made.append
    if type(value) is PuppetHash:
        for one in items:
            found = run(*one)
            if found is not None and found is not False:
                add(one)
        return PuppetHash(made)
    try:
        for index, one in enumerate(items):
            found = run(index, one)
            if found is not None and found is not False:
                add(one)
    except BreakSignal:
        pass
    return tuple(made)


def reduce_with(context: Context, run: Run, block: Any, value: Any, *start: Any) -> Any:
    """``reduce``, with or without a start value."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "reduce", run, block, (value, *start))
    rest = iter(items)
    if start:
        memo = start[0]
    else:
        memo = next(rest, None)
    try:
        for one in rest:
            memo = run(memo, one)
    except BreakSignal:
        pass
    return memo


# any and all have no break(), except over numbers: there the loop of Puppet ends at it.


def any_with1(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``any`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "any", run, block, (value,))
    try:
        for one in items:
            found = run(one)
            if found is not None and found is not False:
                return True
    except BreakSignal:
        if type(items) is not range:
            raise
    return False


def any_with2(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``any`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "any", run, block, (value,))
    try:
        for first, second in items if type(value) is PuppetHash else enumerate(items):
            found = run(first, second)
            if found is not None and found is not False:
                return True
    except BreakSignal:
        if type(items) is not range:
            raise
    return False


def all_with1(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``all`` with one parameter."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "all", run, block, (value,))
    try:
        for one in items:
            found = run(one)
            if found is None or found is False:
                return False
    except BreakSignal:
        if type(items) is not range:
            raise
    return True


def all_with2(context: Context, run: Run, block: Any, value: Any) -> Any:
    """``all`` with two parameters."""
    items = elements(value)
    if items is None:
        return _pass_on(context, "all", run, block, (value,))
    try:
        for first, second in items if type(value) is PuppetHash else enumerate(items):
            found = run(first, second)
            if found is None or found is False:
                return False
    except BreakSignal:
        if type(items) is not range:
            raise
    return True
