"""The text of values: what ``"${value}"`` and notice() show."""

from __future__ import annotations

from puppet_repl.base.float_text import float_text
from puppet_repl.base.sharing import TooManyParts, budget, once, walk
from puppet_repl.language.values.hash import FLAT, PuppetHash
from puppet_repl.language.values.protocols import PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A part with more items counts as so many parts; other objects than arrays and hashes as _OTHER.
_MANY = 50
_OTHER = 500


def to_text(value: Any) -> str:
    """Write a value as interpolation does: undef is '', strings are bare, also inside arrays."""
    kind = type(value)
    if kind is str:
        text: str = value
        return text
    if kind is int:
        return int.__repr__(value)
    if value is None:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return float_text(value)
    if kind is tuple:
        if walk.steps:
            return once(_array_text, value, len(value))
        try:
            if len(value) > _MANY:
                budget.spend(len(value))
            return f"[{', '.join(map(_part_text, value))}]"
        except TooManyParts:
            return once(_array_text, value, len(value))
    if kind is PuppetHash:
        if walk.steps:
            return once(_hash_text, value, len(value))
        try:
            if len(value) > _MANY:
                budget.spend(len(value))
            entries = [f"{_part_text(key)} => {_part_text(item)}" for key, item in value.items()]
        except TooManyParts:
            return once(_hash_text, value, len(value))
        return "{" + ", ".join(entries) + "}"
    return value.puppet_text() if isinstance(value, PuppetValue) else str(value)


def join_texts(values: tuple[Any, ...]) -> str:
    """Write values without anything between them."""
    return "".join(map(to_text, values))


def _array_text(value: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(to_text, value))}]"


def _hash_text(value: PuppetHash) -> str:
    entries = [f"{to_text(key)} => {to_text(item)}" for key, item in value.items()]
    return "{" + ", ".join(entries) + "}"


def _part_text(value: Any) -> str:
    """Write a part of a value. Raises TooManyParts."""
    kind = type(value)
    if kind is str:
        text: str = value
        return text
    if kind is int:
        return int.__repr__(value)
    if kind in FLAT:
        return to_text(value)
    if kind is tuple:
        budget.parts = rest = budget.parts - (len(value) if len(value) > _MANY else 1)
        if rest < 0:
            budget.end()
        return f"[{', '.join(map(_part_text, value))}]"
    if kind is PuppetHash:
        budget.parts = rest = budget.parts - (len(value) if len(value) > _MANY else 1)
        if rest < 0:
            budget.end()
        entries = [f"{_part_text(key)} => {_part_text(item)}" for key, item in value.items()]
        return "{" + ", ".join(entries) + "}"
    budget.spend(_OTHER)
    return once(to_text, value)
