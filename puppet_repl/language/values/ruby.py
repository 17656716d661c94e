"""The texts of values in Ruby, which some messages and functions contain, and its own errors.

``ruby_text`` is Ruby's ``to_s``, ``ruby_inspect`` its ``inspect``. A class of values whose texts in
Ruby differ from ``to_text`` overrides the methods of these names.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

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
    """Return the name of the class of a value in Ruby."""
    name = _CLASSES.get(type(value))
    if name is not None:
        return name
    if type(value) is bool:
        return "TrueClass" if value else "FalseClass"
    return value.ruby_class if isinstance(value, PuppetValue) else type(value).__name__


def ruby_kind(value: Value) -> str:
    """Return the class as in messages about conversions: nil, true and false are named."""
    if value is None or type(value) is bool:
        return ruby_inspect(value)
    return ruby_class(value)


def no_conversion(value: Value, target: str) -> RuntimeFailure:
    """Return the error of a value that Ruby does not convert by itself to a class."""
    return RuntimeFailure(f"no implicit conversion of {ruby_kind(value)} into {target}")


def no_method(name: str, receiver: Value) -> RuntimeFailure:
    """Return the error of a method that a value does not have: ``undefined method `to_i' ...``."""
    text = ":default" if receiver is DEFAULT else ruby_inspect(receiver)
    if not text.startswith("#"):
        kind = "Symbol" if receiver is DEFAULT else ruby_class(receiver)
        text = f"{text}:{kind}"
    return RuntimeFailure(f"undefined method `{name}' for {text}")


def ruby_text(value: Value) -> str:
    """Return the result of ``to_s`` in Ruby."""
    kind = type(value)
    if kind is tuple or kind is PuppetHash:
        return ruby_inspect(value)
    return value.ruby_text() if isinstance(value, PuppetValue) else to_text(value)


def ruby_inspect(value: Any) -> str:
    """Return the result of ``inspect`` in Ruby: strings in double quotes, undef as nil."""
    kind = type(value)
    if kind is str:
        return ruby_quoted(value)
    if value is None:
        return "nil"
    if kind is tuple:
        return once(_inspect_array, value, len(value))
    if kind is PuppetHash:
        return once(_inspect_hash, value, len(value))
    return value.ruby_inspect() if isinstance(value, PuppetValue) else to_text(value)


def _inspect_array(value: tuple[Any, ...]) -> str:
    return f"[{', '.join([ruby_inspect(item) for item in value])}]"


def _inspect_hash(value: PuppetHash) -> str:
    entries = [f"{ruby_inspect(key)}=>{ruby_inspect(item)}" for key, item in value.items()]
    return "{" + ", ".join(entries) + "}"


def ruby_quoted(text: str) -> str:
    """Return the ``inspect`` of a string: in double quotes, with Ruby's escapes."""
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
    """Tell whether Ruby prints a character that is not printable for Python: blanks, formats."""
    from unicodedata import category

    return category(character) in ("Zs", "Cf") or character == "\x85"
