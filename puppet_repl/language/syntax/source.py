"""A text and its name; offsets become lines and columns here, and nowhere else."""

from __future__ import annotations


class Source:
    """A Puppet text. ``name`` is its file, None for text that was typed."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, text: str, name: str | None = None) -> None:
        self.text = text
        self.name = name
        self._line_starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line."""
        starts = self._line_starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1, the column in characters."""
        from bisect import bisect_right

        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line counted from 1, without its end."""
        starts = self.line_starts
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")
