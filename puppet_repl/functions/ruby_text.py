"""Values as Ruby writes them: what fail(), join() and sprintf() print of containers.

``ruby_text`` is Ruby's ``to_s`` and ``ruby_inspect`` its ``inspect`` of the value that stands for
a Puppet value in the reference implementation.
"""

from __future__ import annotations

from puppet_repl.values.default import DEFAULT
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.sensitive import Sensitive
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\x07": "\\a",
    "\x08": "\\b",
    "\x0b": "\\v",
    "\x0c": "\\f",
    "\x1b": "\\e",
}


def ruby_text(value: Any) -> str:
    """What ``to_s`` answers in Ruby."""
    kind = type(value)
    if kind is str or kind is int:
        return str(value)
    if kind is tuple or kind is PuppetHash:
        return ruby_inspect(value)
    if kind.__name__ == "Regexp":
        return _regexp_text(value)
    return to_text(value)


def ruby_inspect(value: Any) -> str:
    """What ``inspect`` answers in Ruby: strings in double quotes, undef as nil."""
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if value is None:
        return "nil"
    if value is DEFAULT:
        return ":default"
    if kind is Sensitive:
        return f"#<{to_text(value)}>"
    if kind is tuple:
        return f"[{', '.join([ruby_inspect(item) for item in value])}]"
    if kind is PuppetHash:
        entries = [f"{ruby_inspect(key)}=>{ruby_inspect(item)}" for key, item in value.items()]
        return "{" + ", ".join(entries) + "}"
    inspected = getattr(value, "inspected", None)
    return to_text(value) if inspected is None else str(inspected())


def _regexp_text(value: Any) -> str:
    """Ruby's ``(?-mix:source)``, which keeps its meaning inside another pattern."""
    text = to_text(value)
    return f"(?-mix:{text[1:-1]})"


def _quoted(text: str) -> str:
    pieces: list[str] = []
    for position, character in enumerate(text):
        if character in _ESCAPES:
            pieces.append(_ESCAPES[character])
        elif character == "#" and text[position + 1 : position + 2] in ("{", "$", "@"):
            pieces.append("\\#")
        elif character.isprintable():
            pieces.append(character)
        elif ord(character) < 0x10000:
            pieces.append(f"\\u{ord(character):04X}")
        else:
            pieces.append(f"\\u{{{ord(character):X}}}")
    return '"' + "".join(pieces) + '"'
