"""JSON as the JSON library of Puppet's Ruby writes it."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_WORDS = {None: "null", False: "false", True: "true"}
_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
MAX_NESTING = 100


def plain_json(value: Any, depth: int = 0) -> str | None:
    """Return data of Strings, Integers, Booleans and undef on one line; None for other data."""
    if not depth:
        check_extent(value)
    kind = type(value)
    if kind is str:
        return f'"{value}"' if value.isalnum() else _quoted(value)
    if kind is int:
        return str(value)
    if kind is tuple and depth < MAX_NESTING:
        items = []
        for item in value:
            text = plain_json(item, depth + 1)
            if text is None:
                return None
            items.append(text)
        return f"[{','.join(items)}]"
    if kind is PuppetHash and depth < MAX_NESTING:
        entries = []
        for key, item in value.items():
            text = plain_json(item, depth + 1)
            if text is None or type(key) is not str:
                return None
            entries.append(f"{_quoted(key)}:{text}")
        return f"{{{','.join(entries)}}}"
    return _WORDS.get(value) if value is None or kind is bool else None


class JsonWriter:
    """The settings of Ruby's generator, by its own names.

    ``max_nesting`` 0 allows any depth. ``object_nl`` and ``array_nl`` are written in empty
    collections too.
    """

    def __init__(
        self,
        indent: str = "",
        space: str = "",
        space_before: str = "",
        object_nl: str = "",
        array_nl: str = "",
        allow_nan: bool = False,
        max_nesting: int = MAX_NESTING,
    ) -> None:
        self.indent = indent
        self.colon = f"{space_before}:{space}"
        self.object_nl = object_nl
        self.array_nl = array_nl
        self.allow_nan = allow_nan
        self.max_nesting = max_nesting

    def write(self, value: Value, depth: int = 0) -> str:
        """Return a value as JSON; what JSON has no word for becomes a string, as by ``to_s``."""
        if not depth:
            check_extent(value)
        kind = type(value)
        if kind is str:
            return _quoted(str(value))
        if value is None:
            return "null"
        if kind is int:
            return str(value)
        if kind is bool:
            return "true" if value else "false"
        if isinstance(value, float):
            return self._number(value)
        if isinstance(value, tuple):
            return self._array(value, self._deeper(depth))
        if isinstance(value, PuppetHash):
            return self._object(value, self._deeper(depth))
        return _quoted(ruby_text(value))

    def _deeper(self, depth: int) -> int:
        depth += 1
        if self.max_nesting and depth > self.max_nesting:
            raise RuntimeFailure(f"nesting of {depth - 1} is too deep")
        return depth

    def _number(self, number: float) -> str:
        if not self.allow_nan and not is_finite(number):
            raise RuntimeFailure(f"920: {float_text(number)} not allowed in JSON")
        return float_text(number)

    def _array(self, items: tuple[Value, ...], depth: int) -> str:
        nl, indent = self.array_nl, self.indent * depth
        written = f",{nl}".join([indent + self.write(item, depth) for item in items])
        return f"[{nl}{written}{nl}{self.indent * (depth - 1)}]"

    def _object(self, entries: PuppetHash, depth: int) -> str:
        start = self.object_nl + self.indent * depth
        written = ",".join(
            [
                f"{start}{_quoted(ruby_text(key))}{self.colon}{self.write(value, depth)}"
                for key, value in entries.items()
            ]
        )
        return f"{{{written}{self.object_nl}{self.indent * (depth - 1)}}}"


def _quoted(text: str) -> str:
    # Most texts are words: searching characters to escape takes several times as long.
    return f'"{text}"' if text.isalnum() else f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return _ESCAPES.get(sign) or f"\\u{ord(sign):04x}"
