"""Operations on Arrays (tuples) that several parts of the language share."""

from __future__ import annotations

from puppet_repl.base.sharing import once
from puppet_repl.language.values.extent import MAX_PARTS, check_extent
from puppet_repl.language.values.hash import FLAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def flatten(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the elements, with nested arrays replaced by their elements, at any depth."""
    if tuple not in map(type, values):
        return values
    flat: list[Any] = []
    for value in values:
        if type(value) is not tuple:
            flat.append(value)
        elif len(flat) + len(value) <= MAX_PARTS and FLAT.issuperset(map(type, value)):
            flat += value
        else:
            return _flatten_nested(values)
    return tuple(flat)


def _flatten_nested(values: tuple[Any, ...]) -> tuple[Any, ...]:
    check_extent(values)
    flat: list[Any] = []
    pending = [iter(values)]
    while pending:
        for value in pending[-1]:
            if type(value) is not tuple:
                flat.append(value)
            elif tuple in map(type, value):
                pending.append(iter(value))
                break
            else:
                flat += value
        else:
            pending.pop()
    return tuple(flat)


def may_be_literal(value: object) -> bool:
    """Tell whether a value is an Array of nothing but literals, at any depth.

    Python keeps one object for equal ones in the same code, so that their identity says nothing.
    """
    if type(value) is tuple:
        return once(_may_all_be_literal, value, len(value))
    return value is None or type(value) in (str, int, float, bool)


def _may_all_be_literal(value: tuple[Any, ...]) -> bool:
    return all(map(may_be_literal, value))
