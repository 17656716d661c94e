"""Heredocs: what their headers say, and where their texts end."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator

from pygments.token import String, Whitespace, _TokenType

__all__ = ["CODE", "Heredoc", "body_state", "end_line_tokens", "ends_text"]

#: What the header of a heredoc says about its text.
Heredoc = namedtuple("Heredoc", ["tag", "interpolated", "escapes"])
#: Stands for ordinary code, outside of heredocs.
CODE = Heredoc("", False, "")


def body_state(heredoc: Heredoc) -> str:
    """Name the lexer state for the text of a heredoc."""
    if heredoc.interpolated:
        return "heredoc-escape-interpolate" if heredoc.escapes else "heredoc-interpolate"
    return "heredoc-escape" if heredoc.escapes else "heredoc"


def ends_text(line: str, tag: str) -> bool:
    """Tell whether a line ends the heredoc with this tag: it need only end in the tag."""
    return tag != "" and tag in line and line.rstrip().endswith(tag)


def end_line_tokens(pos: int, line: str, tag: str) -> Iterator[tuple[int, _TokenType, str]]:
    """Split the line that ends a heredoc: lost text, indent, margin markers with the tag."""
    tail = len(line.rstrip())
    start = tail - len(tag)
    lost = line[:start].rstrip()
    for marker in "-|":
        if lost.endswith(marker):
            start = len(lost) - 1
            lost = lost[:-1].rstrip()
    head = len(lost)
    for kind, first, last in (
        (String.Heredoc, 0, head),
        (Whitespace, head, start),
        (String.Delimiter, start, tail),
        (Whitespace, tail, len(line)),
    ):
        if last > first:
            yield pos + first, kind, line[first:last]
