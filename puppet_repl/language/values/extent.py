"""The size of texts, JSON or copies that follow every path into a value."""

from __future__ import annotations

from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.language.values.protocols import Value

# More than 33 million parts take more memory than most sessions may have, in whatever form.
MAX_PARTS = 1 << 25


def extent(value: Value) -> int:
    """Return how many values are met on all paths through arrays and hashes.

    Keys count where they may have parts themselves.
    """
    return _sum_of_parts(value, _parts, 1)


def check_extent(value: Value) -> None:
    """Raise MemoryError for a value that cannot be written out, before it is tried.

    Nested arrays that share their parts stay small in memory where their text would not.
    """
    kind = type(value)
    if (kind is tuple or kind is PuppetHash) and extent(value) > MAX_PARTS:
        raise MemoryError


def flat_length(values: tuple[Any, ...]) -> int:
    """Return how many elements an array has with those of all nested arrays."""
    count = len(values)
    for value in values:
        if type(value) is tuple:
            if tuple in map(type, value):
                return _sum_of_parts(values, _elements, 0)
            count += len(value) - 1
    return count


def values_length(entries: PuppetHash) -> int:
    """Return how many values a hash has with those of all nested hashes."""
    return _sum_of_parts(entries, _values, 0)


def _parts(value: Value) -> Iterable[Any] | None:
    if type(value) is tuple:
        return value
    if type(value) is not PuppetHash:
        return None
    values = value.values()
    return values if value.keys_are_native else (*value.keys(), *values)


def _elements(value: Value) -> Iterable[Any] | None:
    return value if type(value) is tuple else None


def _values(value: Value) -> Iterable[Any] | None:
    return value.values() if type(value) is PuppetHash else None


def _sum_of_parts(
    value: Value, parts_of: Callable[[Value], Iterable[Any] | None], itself: int
) -> int:
    """Count the parts on all paths, each shared container once. Iterative: values may be deep."""
    root = parts_of(value)
    if root is None:
        return 1
    known: dict[int, int] = {}
    # A container, the parts of it that are left, and their number so far.
    stack: list[list[Any]] = [[id(value), iter(root), itself]]
    while True:
        number, rest, total = stack[-1]
        for part in rest:
            inner = parts_of(part)
            if inner is None:
                total += 1
            elif id(part) in known:
                total += known[id(part)]
            else:
                stack[-1][2] = total
                stack.append([id(part), iter(inner), itself])
                break
        else:
            known[number] = total
            stack.pop()
            if not stack:
                return known[number]
            stack[-1][2] += total
