"""Values as program text: strings in quotes, and the parameters of types.

There are two ways to quote a string. ``quote`` is Puppet's own, with its defect: it copies
backslashes, so that not every string reads back. ``source_quote`` is for program text that is to
be evaluated again: what the prompt shows, completions, the code of resources.
"""

from __future__ import annotations

from puppet_repl.base.safe_text import is_visible
from puppet_repl.base.sharing import once
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.language.values.text import to_text

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
    """Return a string in quotes as Puppet writes it: double ones for a control character.

    Between single quotes only the quote is escaped, unless a backslash precedes it already.
    """
    if text.isalnum():
        return f"'{text}'"
    for character in text:
        if character < " ":
            return double_quote(text)
    if "\\" in text:
        return _quote_backslashes(text)
    return f"'{text.translate(_SINGLE)}'"


def _quote_backslashes(text: str) -> str:
    """Copy backslashes; one before a quote already escapes it (Puppet's StringConverter)."""
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
    """Return a string in double quotes, with the escapes of Puppet's double quoted strings."""
    return f'"{text.translate(_DOUBLE)}"'


def source_quote(text: str, encoding: str | None = None) -> str:
    """Return a literal that evaluates to exactly this string.

    It is in single quotes unless they would show a character that cannot be seen, or that the
    ``encoding`` of the output lacks: escapes mean something between double quotes only.
    """
    is_encoded = encoding is None or _has(encoding, text)
    if is_encoded and is_visible(text):
        return f"'{escape_inside(text, single=True)}'"
    inside = escape_inside(text, single=False)
    if encoding is not None and not is_encoded:
        inside = "".join([each if _has(encoding, each) else _escape(each) for each in inside])
    return f'"{inside}"'


def _has(encoding: str, text: str) -> bool:
    """Tell whether an encoding has all characters of a text."""
    if text.isascii():
        return True
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def escape_inside(text: str, *, single: bool) -> str:
    """Return a string as it is written between single or double quotes."""
    if not single:
        return "".join([_escaped(character) for character in text])
    if "\\" not in text:
        return text.translate(_SINGLE)
    parts = []
    for index, character in enumerate(text):
        if character == "'":
            parts.append("\\'")
        elif character == "\\" and (
            text[index + 1 : index + 2] in ("", "\\", "'") or text[index - 1 : index] == "\\"
        ):
            parts.append("\\\\")
        else:
            parts.append(character)
    return "".join(parts)


def _escaped(character: str) -> str:
    """Return a character as it is written between double quotes."""
    escape = _DOUBLE.get(ord(character))
    if escape is not None:
        return escape
    # The last two join emoji: escaped, they would take them apart.
    if is_visible(character) or character in "\u200d\ufe0f":
        return character
    return _escape(character)


def _escape(character: str) -> str:
    return f"\\u{{{ord(character):X}}}"


def literal_text(value: Any) -> str:
    """Return a value as it is written in the brackets of a type and in an object's attributes.

    Versions, version ranges and times are strings there.
    """
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None:
        return "undef"
    if kind is tuple:
        return once(_array_literal, value, len(value))
    if kind is PuppetHash:
        return once(_hash_literal, value, len(value))
    if not isinstance(value, PuppetValue):
        return to_text(value)
    return f"'{value.puppet_text()}'" if value.literal_is_string else value.puppet_literal()


def _array_literal(value: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(literal_text, value))}]"


def _hash_literal(value: PuppetHash) -> str:
    entries = [f"{literal_text(key)} => {literal_text(item)}" for key, item in value.items()]
    return "{" + ", ".join(entries) + "}"
