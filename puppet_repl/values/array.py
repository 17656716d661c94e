"""Arrays: what more than one part of the language does with the tuples that stand for them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def flatten(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The elements, and in the place of an array its elements, at any depth."""
    if tuple not in map(type, values):
        return values
    flat: list[Any] = []
    pending = [iter(values)]
    while pending:
        for value in pending[-1]:
            if type(value) is tuple:
                pending.append(iter(value))
                break
            flat.append(value)
        else:
            pending.pop()
    return tuple(flat)
