"""Values in program text: strings in quotes, and everything else as a type's parameter is written.

Between single quotes only the quote is escaped, unless a backslash before it does so already;
backslashes stay as they are, at the end too. A control character asks for double quotes.
"""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import PuppetValue
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SINGLE = {0x27: "\\'"}
_DOUBLE = {
    **{code: f"\\u{{{code:X}}}" for code in range(0x20)},
    0x09: "\\t",
    0x0A: "\\n",
    0x0D: "\\r",
    0x22: '\\"',
    0x24: "\\$",
    0x5C: "\\\\",
}


def quote(text: str) -> str:
    """Write a string in single quotes, or in double ones if it holds a control character."""
    if text.isalnum():
        return f"'{text}'"
    for character in text:
        if character < " ":
            return double_quote(text)
    if "\\" in text:
        return _quote_backslashes(text)
    return f"'{text.translate(_SINGLE)}'"


def _quote_backslashes(text: str) -> str:
    """Copy backslashes as they are; one before a quote already escapes it (StringConverter)."""
    parts = []
    escaped = False
    for character in text:
        if escaped:
            parts.append("\\" + character)
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "'":
            parts.append("\\'")
        else:
            parts.append(character)
    if escaped:
        parts.append("\\")
    return f"'{''.join(parts)}'"


def double_quote(text: str) -> str:
    """Write a string in double quotes, with the escapes of Puppet's double quoted strings."""
    return f'"{text.translate(_DOUBLE)}"'


def literal_text(value: Any) -> str:
    """Write a value as it stands inside the brackets of a type and of an object's attributes.

    Versions, version ranges and times are strings there.
    """
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None:
        return "undef"
    if kind is tuple:
        return f"[{', '.join(map(literal_text, value))}]"
    if kind is PuppetHash:
        entries = [f"{literal_text(key)} => {literal_text(item)}" for key, item in value.items()]
        return "{" + ", ".join(entries) + "}"
    if not isinstance(value, PuppetValue):
        return to_text(value)
    return f"'{value.puppet_text()}'" if value.literal_is_string else value.puppet_literal()
