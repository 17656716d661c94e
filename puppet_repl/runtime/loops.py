"""The loops of each, map, filter, reduce, any and all over what was found to iterate over.

``run`` is what a block does with the element, or with index and element or key and value, which
are ``pairs``. Where break() ends a loop quietly is part of these rules.
"""

from __future__ import annotations

from puppet_repl.runtime.signals import BreakSignal
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.values.protocols import Value

    Run = Callable[..., Any]
    Pairs = Iterable[tuple[Any, Any]]


def each(run: Run, items: Iterable[Value]) -> None:
    """Run for every element."""
    try:
        for one in items:
            run(one)
    except BreakSignal:
        pass


def each_pair(run: Run, pairs: Pairs) -> None:
    """Run for every pair."""
    try:
        for first, second in pairs:
            run(first, second)
    except BreakSignal:
        pass


def results(run: Run, items: Iterable[Value]) -> tuple[Value, ...]:
    """What every element gives."""
    made: list[Any] = []
    add = made.append
    try:
        for one in items:
            add(run(one))
    except BreakSignal:
        pass
    return tuple(made)


def pair_results(run: Run, pairs: Pairs) -> tuple[Value, ...]:
    """What every pair gives."""
    made: list[Any] = []
    add = made.append
    try:
        for first, second in pairs:
            add(run(first, second))
    except BreakSignal:
        pass
    return tuple(made)


def chosen(run: Run, items: Iterable[Value]) -> tuple[Value, ...]:
    """The elements for which the answer is true."""
    made: list[Any] = []
    add = made.append
    try:
        for one in items:
            found = run(one)
            if found is not None and found is not False:
                add(one)
    except BreakSignal:
        pass
    return tuple(made)


def chosen_of_pairs(run: Run, pairs: Pairs) -> tuple[Value, ...]:
    """The second parts of the pairs for which the answer is true."""
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
    """The entries for which the answer is true; ``apart`` gives key and value for themselves.

    break() does not end this one.
    """
    made: list[Any] = []
    add = made.append
    for entry in value.items():
        found = run(*entry) if apart else run(entry)
        if found is not None and found is not False:
            add(entry)
    return PuppetHash(made)


def folded(run: Run, memo: Value, items: Iterable[Value]) -> Value:
    """What is left of the memo and all elements."""
    try:
        for one in items:
            memo = run(memo, one)
    except BreakSignal:
        pass
    return memo


def any_element(run: Run, items: Iterable[Value], breaks: bool) -> bool:
    """Whether the answer for an element is true; ``breaks`` says that break() may end this."""
    try:
        for one in items:
            found = run(one)
            if found is not None and found is not False:
                return True
    except BreakSignal:
        if not breaks:
            raise
    return False


def any_pair(run: Run, pairs: Pairs, breaks: bool) -> bool:
    """Whether the answer for a pair is true."""
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
    """Whether the answers for all elements are true."""
    try:
        for one in items:
            found = run(one)
            if found is None or found is False:
                return False
    except BreakSignal:
        if not breaks:
            raise
    return True


def all_pairs(run: Run, pairs: Pairs, breaks: bool) -> bool:
    """Whether the answers for all pairs are true."""
    try:
        for first, second in pairs:
            found = run(first, second)
            if found is None or found is False:
                return False
    except BreakSignal:
        if not breaks:
            raise
    return True
