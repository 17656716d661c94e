"""Values as Ruby shows those that stand for them: what some messages and functions print.

``ruby_text`` is Ruby's ``to_s``, ``ruby_inspect`` its ``inspect``. A class of values whose Ruby
counterpart shows itself otherwise than ``to_text`` does offers methods of these names.
"""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import PuppetValue
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value

_CLASSES: dict[type, str] = {
    str: "String",
    int: "Integer",
    float: "Float",
    tuple: "Array",
    PuppetHash: "Hash",
    type(None): "NilClass",
}
_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\v": "\\v",
    "\f": "\\f",
    "\x1b": "\\e",
}


def ruby_class(value: Any) -> str:
    """The name of the Ruby class that stands for the class of a value."""
    name = _CLASSES.get(type(value))
    if name is not None:
        return name
    if type(value) is bool:
        return "TrueClass" if value else "FalseClass"
    return value.ruby_class if isinstance(value, PuppetValue) else type(value).__name__


def ruby_kind(value: Value) -> str:
    """The class as messages about failed conversions have it: nil, true and false are named."""
    if value is None or type(value) is bool:
        return ruby_inspect(value)
    return ruby_class(value)


def ruby_text(value: Value) -> str:
    """What ``to_s`` answers in Ruby."""
    kind = type(value)
    if kind is tuple or kind is PuppetHash:
        return ruby_inspect(value)
    return value.ruby_text() if isinstance(value, PuppetValue) else to_text(value)


def ruby_inspect(value: Any) -> str:
    """What ``inspect`` answers in Ruby: strings in double quotes, undef as nil."""
    kind = type(value)
    if kind is str:
        return ruby_quoted(value)
    if value is None:
        return "nil"
    if kind is tuple:
        return f"[{', '.join([ruby_inspect(item) for item in value])}]"
    if kind is PuppetHash:
        entries = [f"{ruby_inspect(key)}=>{ruby_inspect(item)}" for key, item in value.items()]
        return "{" + ", ".join(entries) + "}"
    return value.ruby_inspect() if isinstance(value, PuppetValue) else to_text(value)


def ruby_quoted(text: str) -> str:
    """A string as Ruby's ``inspect`` shows it: in double quotes, with Ruby's escapes."""
    parts = []
    for index, character in enumerate(text):
        if character in _ESCAPES:
            parts.append(_ESCAPES[character])
        elif character == "#" and text[index + 1 : index + 2] in ("{", "$", "@"):
            parts.append("\\#")
        elif character.isprintable() or _is_shown(character):
            parts.append(character)
        elif ord(character) < 0x10000:
            parts.append(f"\\u{ord(character):04X}")
        else:
            parts.append(f"\\u{{{ord(character):X}}}")
    return f'"{"".join(parts)}"'


def _is_shown(character: str) -> bool:
    """Whether Ruby prints a character that Python calls not printable: blanks, format marks."""
    from unicodedata import category

    return category(character) in ("Zs", "Cf") or character == "\x85"
