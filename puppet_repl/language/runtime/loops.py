"""The loops of each, map, filter, reduce, any and all.

``run`` is the block. It takes an element, or a pair: index and element, or key and value. Only in
some of these functions break() ends the loop without an error, as in Puppet.
"""

from __future__ import annotations

from puppet_repl.language.runtime.signals import BreakSignal
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.language.values.protocols import Value

    Run = Callable[..., Any]
    Pairs = Iterable[tuple[Any, Any]]


def each(run: Run, items: Iterable[Value]) -> None:
    """Run the block for each element."""
    try:
        for element in items:
            run(element)
    except BreakSignal:
        pass


def each_pair(run: Run, pairs: Pairs) -> None:
    """Run the block for each pair."""
    try:
        for first, second in pairs:
            run(first, second)
    except BreakSignal:
        pass


def results(run: Run, items: Iterable[Value]) -> tuple[Value, ...]:
    """Return the results for all elements."""
    made: list[Any] = []
    add = made.append
    try:
        for element in items:
            add(run(element))
    except BreakSignal:
        pass
    return tuple(made)


def pair_results(run: Run, pairs: Pairs) -> tuple[Value, ...]:
    """Return the results for all pairs."""
    made: list[Any] = []
    add = made.append
    try:
        for first, second in pairs:
            add(run(first, second))
    except BreakSignal:
        pass
    return tuple(made)


def chosen(run: Run, items: Iterable[Value]) -> tuple[Value, ...]:
    """Return the elements for which the block is true."""
    made: list[Any] = []
    add = made.append
    try:
        for element in items:
            found = run(element)
            if found is not None and found is not False:
                add(element)
    except BreakSignal:
        pass
    return tuple(made)


def chosen_of_pairs(run: Run, pairs: Pairs) -> tuple[Value, ...]:
    """Return the second items of the pairs for which the block is true."""
    made: list[Any] = []
    add = made.append
    try:
        for first, second in pairs:
            found = run(first, second)
            if found is not None and found is not False:
                add(second)
    except BreakSignal:
        pass
    return tuple(made)


def chosen_entries(run: Run, value: PuppetHash, *, apart: bool = False) -> PuppetHash:
    """Return the entries for which the block is true; ``apart`` passes key and value separately.

    break() does not end this loop.
    """
    made: list[Any] = []
    add = made.append
    for entry in value.items():
        found = run(*entry) if apart else run(entry)
        if found is not None and found is not False:
            add(entry)
    return PuppetHash(made)


def folded(run: Run, memo: Value, items: Iterable[Value]) -> Value:
    """Return the memo after all elements."""
    try:
        for element in items:
            memo = run(memo, element)
    except BreakSignal:
        pass
    return memo


def any_element(run: Run, items: Iterable[Value], breaks: bool) -> bool:
    """Tell whether the block is true for an element; ``breaks``: break() may end the loop."""
    try:
        for element in items:
            found = run(element)
            if found is not None and found is not False:
                return True
    except BreakSignal:
        if not breaks:
            raise
    return False


def any_pair(run: Run, pairs: Pairs, breaks: bool) -> bool:
    """Tell whether the block is true for a pair."""
    try:
        for first, second in pairs:
            found = run(first, second)
            if found is not None and found is not False:
                return True
    except BreakSignal:
        if not breaks:
            raise
    return False


def all_elements(run: Run, items: Iterable[Value], breaks: bool) -> bool:
    """Tell whether the block is true for all elements."""
    try:
        for element in items:
            found = run(element)
            if found is None or found is False:
                return False
    except BreakSignal:
        if not breaks:
            raise
    return True


def all_pairs(run: Run, pairs: Pairs, breaks: bool) -> bool:
    """Tell whether the block is true for all pairs."""
    try:
        for first, second in pairs:
            found = run(first, second)
            if found is None or found is False:
                return False
    except BreakSignal:
        if not breaks:
            raise
    return True
