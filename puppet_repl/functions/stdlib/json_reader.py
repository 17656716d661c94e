"""JSON as the JSON library of Puppet's Ruby reads it."""

from __future__ import annotations

import re

from puppet_repl.errors import RuntimeFailure
from puppet_repl.syntax.json_syntax import json_problem
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.values.protocols import Value

# One token; what stands between them is skipped, comments too.
_TOKEN = re.compile(
    r"(?:[ \t\r\n]|/\*[\s\S]*?\*/|//[^\n]*\n)*"
    r'(?:(?P<sign>[\[\]{},:])|"(?P<string>(?:[^"\\]|\\[\s\S])*)"'
    r"|(?P<word>true|false|null)"
    r"|(?P<number>-?[0-9]+(?P<rest>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)))"
)
# The first half of a pair takes the second one, or else swallows the next character.
_ESCAPE = re.compile(
    r"\\(?:u(?P<code>[dD][89abAB][0-9a-fA-F]{2})(?:\\u(?P<low>[0-9a-fA-F]{4})|[\s\S])?"
    r"|u(?P<other>[0-9a-fA-F]{4})|(?P<simple>[\s\S]))"
)
_PAIR_REST = 6
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}


def read_json(text: str) -> Value:
    """Return the value of a text; raise RuntimeFailure with Ruby's words where it is no JSON."""
    problem = json_problem(text)
    if problem is not None:
        raise RuntimeFailure(problem)
    return _Reader(text).value()


class _Reader:
    """Reads a text that is known to be JSON."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.finditer(text)

    def value(self) -> Value:
        """Return the value that begins with the next token."""
        return self._of(next(self._tokens))

    def _of(self, token: re.Match[str]) -> Value:
        if token["string"] is not None:
            return _unescaped(token["string"], token.string, token.start("string"))
        if token["word"] is not None:
            return _WORDS[token["word"]]
        if token["number"] is not None:
            return float(token["number"]) if token["rest"] else int(token["number"])
        return self._array() if token["sign"] == "[" else self._object()

    def _array(self) -> Value:
        items: list[Value] = []
        for token in self._tokens:
            if token["sign"] == "]":
                break
            if token["sign"] != ",":
                items.append(self._of(token))
        return tuple(items)

    def _object(self) -> Value:
        entries: list[tuple[Value, Value]] = []
        for token in self._tokens:
            if token["sign"] == "}":
                break
            if token["sign"] != ",":
                next(self._tokens)  # the colon
                entries.append((self._of(token), self.value()))
        return PuppetHash(entries)


def _unescaped(text: str, source: str, start: int) -> str:
    """Return a string without its escapes; it begins at ``start`` of the source."""
    if "\\" not in text:
        return text

    def character(found: re.Match[str]) -> str:
        if found["simple"] is not None:
            return _ESCAPED.get(found["simple"], found["simple"])
        code = int(found["code"] or found["other"], 16)
        if not 0xD800 <= code < 0xDC00:
            return "\ufffd" if 0xDC00 <= code < 0xE000 else chr(code)
        if len(text) - found.end("code") < _PAIR_REST:
            rest = source[start + found.start() :]
            raise RuntimeFailure(f"521: incomplete surrogate pair at '{rest}'")
        if found["low"] is None:
            return "?"
        return chr(0x10000 + ((code & 0x3FF) << 10) + (int(found["low"], 16) & 0x3FF))

    return _ESCAPE.sub(character, text)
