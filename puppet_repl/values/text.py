"""The text of values: what ``"${value}"`` and notice() show."""

from __future__ import annotations

from puppet_repl.base.float_text import float_text
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
        return f"[{', '.join(map(to_text, value))}]"
    if kind is PuppetHash:
        entries = [f"{to_text(key)} => {to_text(item)}" for key, item in value.items()]
        return "{" + ", ".join(entries) + "}"
    return value.puppet_text() if isinstance(value, PuppetValue) else str(value)
