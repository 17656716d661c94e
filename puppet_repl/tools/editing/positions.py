"""Offsets of a text as lines and units of an encoding, as the Language Server Protocol counts.

Lines and units are counted from 0. A line ends with LF, CR LF or CR. A unit is a byte of UTF-8, two
bytes of UTF-16, or a character of UTF-32.
"""

from __future__ import annotations

import re
from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n?|\n")
# Characters from these on take one more unit than those before.
_WIDER: dict[Encoding, tuple[str, ...]] = {
    "utf-8": ("\x80", "\u0800", "\U00010000"),
    "utf-16": ("\U00010000",),
    "utf-32": (),
}


class Lines:
    """The lines of a text."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        ends = [match.span() for match in _LINE_END.finditer(text)]
        self._starts = [0, *[end for _, end in ends]]
        self._ends = [*[start for start, _ in ends], len(text)]

    def __len__(self) -> int:
        return len(self._starts)

    def span(self, line: int) -> tuple[int, int]:
        """Return the offsets of a line's first character and of its end; raises IndexError."""
        return self._starts[line], self._ends[line]

    def line_of(self, offset: int) -> int:
        """Return the line of an offset; its end belongs to it."""
        return bisect_right(self._starts, offset) - 1

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the offset of a position.

        A position after the end of its line is that end, one after the last line the end of the
        text, and one inside of a character the offset of that character.
        """
        if line >= len(self._starts):
            return len(self.text)
        start, end = self.span(line)
        text = self.text[start:end]
        bounds = _WIDER[encoding]
        if not bounds or text.isascii():
            return min(start + character, end)
        units = 0
        for index, each in enumerate(text):
            units += _width(each, bounds)
            if units > character:
                return start + index
        return end

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the line and the unit of an offset; between CR and LF, the end of the line."""
        line = self.line_of(offset)
        start, end = self.span(line)
        text = self.text[start : min(offset, end)]
        bounds = _WIDER[encoding]
        if not bounds or text.isascii():
            return line, len(text)
        return line, sum(_width(each, bounds) for each in text)


def utf16_units(text: str) -> int:
    """Return the length of a text in UTF-16 code units, in which browsers and editors count."""
    return len(text) + sum(char > "\uffff" for char in text)


def _width(character: str, bounds: tuple[str, ...]) -> int:
    return 1 + sum(character >= bound for bound in bounds)
