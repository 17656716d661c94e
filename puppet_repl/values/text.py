"""The text of values: what ``"${value}"`` and notice() show."""

from __future__ import annotations

from puppet_repl.base.float_text import float_text
from puppet_repl.base.sharing import once
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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
        return once(_array_text, value, len(value))
    if kind is PuppetHash:
        return once(_hash_text, value, len(value))
    return value.puppet_text() if isinstance(value, PuppetValue) else str(value)


def join_texts(values: tuple[Any, ...]) -> str:
    """Write values without anything between them."""
    return "".join(map(to_text, values))


def _array_text(value: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(to_text, value))}]"


def _hash_text(value: PuppetHash) -> str:
    entries = [f"{to_text(key)} => {to_text(item)}" for key, item in value.items()]
    return "{" + ", ".join(entries) + "}"
