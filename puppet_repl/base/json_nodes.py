"""The values of a JSON text with their places, for checks that say where something is wrong.

Comments are allowed between tokens, as Ruby's library reads them.
"""

from __future__ import annotations

import re
from json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_BLANK = re.compile(r"(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*(?:\n|\Z))*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NUMBER = re.compile(r"(-?\d+)(\.\d+)?([eE][-+]?\d+)?")
_WORDS = {"null": None, "true": True, "false": False}


class JsonNode:
    """A value and its place: ``start`` and ``end`` are offsets in the text.

    ``pairs`` are those of an object in their order, a key that is there twice among them; ``items``
    those of an array.
    """

    __slots__ = ("end", "items", "pairs", "start", "value")

    def __init__(self, value: Any, start: int, end: int) -> None:
        self.value = value
        self.start = start
        self.end = end
        self.pairs: list[tuple[JsonNode, JsonNode]] = []
        self.items: list[JsonNode] = []

    def get(self, key: str) -> JsonNode | None:
        """Return the value of a key of an object: the last one counts."""
        return next((value for name, value in reversed(self.pairs) if name.value == key), None)

    def key(self, name: str) -> JsonNode | None:
        """Return the key of an object itself."""
        return next((key for key, _ in reversed(self.pairs) if key.value == name), None)

    def repeated_keys(self) -> Iterator[JsonNode]:
        """Yield the keys that are in an object a second time, here and below."""
        known: set[str] = set()
        for key, value in self.pairs:
            if key.value in known:
                yield key
            known.add(key.value)
            yield from value.repeated_keys()
        for item in self.items:
            yield from item.repeated_keys()


def read_nodes(text: str) -> JsonNode:
    """Return the value of a text that is JSON, and not nested deeply."""
    return _Reader(text).value(_skip(text, 0))


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


class _Reader:
    """Reads one text that is JSON."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int) -> JsonNode:
        """Return the value that begins at a place."""
        text = self.text
        first = text[at]
        if first == '"':
            string = _STRING.match(text, at)
            assert string is not None
            return JsonNode(loads(string[0], strict=False), at, string.end())
        if first == "{":
            return self._object(at)
        if first == "[":
            return self._array(at)
        number = _NUMBER.match(text, at)
        if number is not None:
            is_whole = number[2] is None and number[3] is None
            return JsonNode((int if is_whole else float)(number[0]), at, number.end())
        word = next(word for word in _WORDS if text.startswith(word, at))
        return JsonNode(_WORDS[word], at, at + len(word))

    def _object(self, at: int) -> JsonNode:
        node = JsonNode({}, at, at)
        at = _skip(self.text, at + 1)
        while self.text[at] != "}":
            key = self.value(at)
            value = self.value(_skip(self.text, _skip(self.text, key.end) + 1))
            node.pairs.append((key, value))
            node.value[key.value] = value.value
            at = self._next(value.end)
        node.end = at + 1
        return node

    def _array(self, at: int) -> JsonNode:
        node = JsonNode([], at, at)
        at = _skip(self.text, at + 1)
        while self.text[at] != "]":
            item = self.value(at)
            node.items.append(item)
            node.value.append(item.value)
            at = self._next(item.end)
        node.end = at + 1
        return node

    def _next(self, at: int) -> int:
        """Return the place of the next part, or of the closing bracket."""
        at = _skip(self.text, at)
        return _skip(self.text, at + 1) if self.text[at] == "," else at
