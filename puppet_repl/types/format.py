"""Conversion of values to text under formats: what String.new does (see StringConverter)."""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.quote import quote
from puppet_repl.values.sensitive import REDACTED, Sensitive
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def program_text(value: Any) -> str:
    """Write a value as program text: the format ``%p`` of String.new."""
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None:
        return "undef"
    if kind is tuple:
        return f"[{', '.join(map(program_text, value))}]"
    if kind is PuppetHash:
        entries = [f"{program_text(key)} => {program_text(item)}" for key, item in value.items()]
        return "{" + ", ".join(entries) + "}"
    if kind is Sensitive:
        return f"#<{REDACTED}>"
    own = getattr(value, "puppet_program", None)
    return to_text(value) if own is None else str(own())


def plain_text(value: Any) -> str:
    """Write a value as plain text: the format ``%s``, where what is inside containers is ``%p``."""
    kind = type(value)
    if kind is tuple or kind is PuppetHash:
        return program_text(value)
    own = getattr(value, "puppet_plain", None)
    return to_text(value) if own is None else str(own())
