"""JSON as Ruby's library json reads it, with its errors.

Comments are allowed between tokens; NaN and Infinity are refused with messages of their own. An
error inside of an object is reported at the beginning of that object, an error in an array at its
place. The numbers in messages are lines of the library's parser.
"""

from __future__ import annotations

import re

from puppet_repl.base.limits import MAX_DIGITS
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

MAX_DEPTH = 100
"""How deep Ruby's library reads arrays and objects."""

_IN_ARRAY = 451
_AT_TOP = 859
_BLANK = re.compile(r"(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\u[0-9A-Fa-f]{4}|\\[^u\x00-\x1f])*)"')
_FLOAT = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)(?![0-9Ee.\-])"
)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)(?![0-9])")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_PAIR_OR_ESCAPE = re.compile(
    r"\\(?:u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})(?:\\u(?P<low>[0-9A-Fa-f]{4})|.)?"
    r"|u(?P<code>[0-9A-Fa-f]{4})|(?P<simple>.))",
    re.DOTALL,
)
_WORDS = (("null", None), ("true", True), ("false", False))
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class JsonError(ValueError):
    """The text is not JSON; the message is the one of Ruby."""


class _NoValue(Exception):
    """There is no value at a place, which is the argument; whoever wanted one says so."""


def parse_json(text: str) -> Value:
    """Return the value of a JSON text; raise JsonError."""
    parser = _Parser(text)
    try:
        value, at = parser.value(parser.skip(0), 0)
        end = parser.skip(at)
    except _NoValue as stopped:
        raise _unexpected(_AT_TOP, text, stopped.args[0]) from None
    if end < len(text):
        raise _unexpected(_AT_TOP, text, end)
    return value


def _unexpected(line: int, text: str, at: int) -> JsonError:
    return JsonError(f"{line}: unexpected token at '{text[at:]}'")


class _Parser:
    """The parts of a text, each with the place after it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def skip(self, at: int) -> int:
        """Return the place after blanks and comments; raise _NoValue in an unfinished comment."""
        found = _BLANK.match(self.text, at)
        assert found is not None
        at = found.end()
        if self.text.startswith("/", at):
            unfinished = self.text[at + 1 : at + 2] in ("/", "*")
            raise _NoValue(len(self.text) if unfinished else at + 1)
        return at

    def value(self, at: int, depth: int) -> tuple[Value, int]:
        """Return the value that begins at a place; raise _NoValue for other text."""
        text = self.text
        first = text[at : at + 1]
        if first == '"':
            return self.string(at)
        if first == "{":
            return self.object(at, depth + 1)
        if first == "[":
            return self.array(at, depth + 1)
        if first == "-" or first.isdigit():
            return self.number(at)
        for word, value in _WORDS:
            if text.startswith(word, at):
                return value, at + len(word)
        if text.startswith("NaN", at):
            raise _unexpected(225, text, at)
        if text.startswith("Infinity", at):
            raise _unexpected(232, text, at - 1 if at else len(text))
        raise _NoValue(at)

    def number(self, at: int) -> tuple[Value, int]:
        """Return a number."""
        if self.text.startswith("-Infinity", at):
            raise _unexpected(249, self.text, at)
        found = _FLOAT.match(self.text, at)
        if found is not None:
            return float(found[0]), found.end()
        found = _INTEGER.match(self.text, at)
        if found is None:
            raise _NoValue(at)
        if len(found[0]) > MAX_DIGITS:
            raise JsonError(f"a number has more than {MAX_DIGITS:,} digits")
        try:
            return int(found[0]), found.end()
        except ValueError:  # Python's own limit
            raise JsonError("a number has too many digits") from None

    def string(self, at: int) -> tuple[str, int]:
        """Return a string."""
        found = _STRING.match(self.text, at)
        if found is None:
            raise _NoValue(at)
        if "\\" not in found[1]:
            return found[1], found.end()
        half = _half_pair(found[1])
        if half is not None:
            rest = self.text[at + 1 + half :]
            raise JsonError(f"521: incomplete surrogate pair at '{rest}'")
        return _unescaped(found[1]), found.end()

    def array(self, start: int, depth: int) -> tuple[Value, int]:
        """Return an array; raise JsonError at the first part that is wrong."""
        _check_depth(depth)
        text = self.text
        items: list[Value] = []
        at = start + 1
        try:
            at = self.skip(at)
            if text.startswith("]", at):
                return (), at + 1
            while True:
                value, at = self.value(at, depth)
                items.append(value)
                at = self.skip(at)
                if text.startswith("]", at):
                    return tuple(items), at + 1
                if not text.startswith(",", at):
                    raise _NoValue(at)
                at = self.skip(at + 1)
        except _NoValue as stopped:
            raise _unexpected(_IN_ARRAY, text, stopped.args[0]) from None

    def object(self, start: int, depth: int) -> tuple[Value, int]:
        """Return an object; raise _NoValue at its beginning if any part of it is wrong."""
        _check_depth(depth)
        text = self.text
        pairs: list[tuple[Value, Value]] = []
        try:
            at = self.skip(start + 1)
            if text.startswith("}", at):
                return PuppetHash.EMPTY, at + 1
            while True:
                key, at = self.string(at)
                at = self.skip(at)
                if not text.startswith(":", at):
                    raise _NoValue(at)
                value, at = self.value(self.skip(at + 1), depth)
                pairs.append((key, value))
                at = self.skip(at)
                if text.startswith("}", at):
                    return PuppetHash(pairs), at + 1
                if not text.startswith(",", at):
                    raise _NoValue(at)
                at = self.skip(at + 1)
        except _NoValue:
            raise _NoValue(start) from None


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise JsonError(f"nesting of {depth} is too deep")


def _half_pair(text: str) -> int | None:
    """Return where a message begins about a high surrogate without a low one: after escapes."""
    before = 0
    for found in _ESCAPE.finditer(text):
        if found[1] is not None and 0xD800 <= int(found[1], 16) <= 0xDBFF:
            if len(text) - found.end() < len("\\udc00"):
                return before
        before = found.end()
    return None


def _unescaped(text: str) -> str:
    """Return a string without its escapes; surrogates are joined as Ruby joins them.

    The first one takes any escape by number for the second one, or swallows the next character.
    """

    def unescape(found: re.Match[str]) -> str:
        if found["simple"] is not None:
            return _ESCAPES.get(found["simple"], found["simple"])
        if found["high"] is None:
            code = int(found["code"], 16)
            return "\ufffd" if 0xDC00 <= code <= 0xDFFF else chr(code)
        if found["low"] is None:
            return "?"
        high, low = int(found["high"], 16), int(found["low"], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))

    return _PAIR_OR_ESCAPE.sub(unescape, text)
