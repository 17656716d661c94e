"""The ranges of a text that an editor can fold, and those to select from a place outwards."""

from __future__ import annotations

import re

from puppet_repl.language.syntax.scan import Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Literal, TypeAlias

    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.editing.documents import Document
    from puppet_repl.tools.editing.positions import Lines

    FoldKind: TypeAlias = Literal["code", "comment", "text"]

_OPENING = {"(": ")", "[": "]", "{": "}"}
_WORD = re.compile(r"\$?(?:::)?\w+(?:::\w+)*")


class Fold:
    """Lines that fold into the first one, counted from 0: code, comments, or text of a heredoc."""

    __slots__ = ("first", "kind", "last")

    def __init__(self, first: int, last: int, kind: FoldKind) -> None:
        self.first = first
        self.last = last
        self.kind: FoldKind = kind

    def __repr__(self) -> str:
        return f"<{self.kind} {self.first}-{self.last}>"


def folds(lines: Lines, scan: Scan) -> list[Fold]:
    """Return the folds in the order of the text, which may be broken.

    A closing bracket stays visible. A line begins one fold: that of its first bracket.
    """
    found: dict[int, Fold] = {}
    for start, end in sorted(brackets(scan)):
        first, last = lines.line_of(start), lines.line_of(end - 1) - 1
        if last > first and first not in found:
            found[first] = Fold(first, last, "code")
    for start, end in scan.literals:
        first, last = lines.line_of(start) - 1, lines.line_of(max(end - 1, start))
        is_heredoc = start == lines.span(lines.line_of(start))[0]
        if is_heredoc and first >= 0 and last > first and first not in found:
            found[first] = Fold(first, last, "text")
    for first, last in _comments(lines, scan.comments):
        found.setdefault(first, Fold(first, last, "comment"))
    return [found[first] for first in sorted(found)]


def brackets(scan: Scan) -> Iterator[tuple[int, int]]:
    """Yield the spans of brackets that are closed, both brackets included, inner ones first."""
    opened: list[tuple[str, int]] = []
    for token in scan.every_token:
        sign = token.operator
        if sign in _OPENING:
            opened.append((_OPENING[sign], token.start))
        elif any(closing == sign for closing, _ in opened):
            while opened[-1][0] != sign:
                opened.pop()
            yield opened.pop()[1], token.start + 1


def _comments(lines: Lines, comments: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of comments of several lines, each line a comment alone."""
    first = last = -2
    for start, end in comments:
        begins = lines.line_of(start)
        is_alone = not lines.text[lines.span(begins)[0] : start].strip()
        if is_alone and begins == last + 1:
            last = lines.line_of(end)
            continue
        if last > first >= 0:
            yield first, last
        first, last = (begins, lines.line_of(end)) if is_alone else (-2, -2)
    if last > first >= 0:
        yield first, last


def selections(document: Document, scan: Scan, offsets: Sequence[int]) -> list[list[range]]:
    """Return for each offset the ranges around it, the smallest first, each within the next."""
    tree = document.tree()
    program = None if tree is None or tree.recovered else tree.program
    pairs = list(brackets(scan))
    return [_around(document.text, offset, program, pairs, scan) for offset in offsets]


def _around(
    text: str,
    offset: int,
    program: ast.Program | None,
    pairs: list[tuple[int, int]],
    scan: Scan,
) -> list[range]:
    spans = {(0, len(text))}
    spans.update(match.span() for match in _words(text, offset))
    for start, end in (*pairs, *_literals(text, scan)):
        if start <= offset <= end:
            spans.add((start, end))
            if start < offset < end:
                spans.add((start + 1, end - 1))
    pending: list[ast.Node] = [] if program is None else [program.body]
    while pending:
        node = pending.pop()
        if node.start <= offset <= node.end:
            spans.add((node.start, node.end))
            pending += node.children()
    found: list[range] = []
    for start, end in sorted(spans, key=lambda span: (span[1] - span[0], -span[0])):
        if start == end and text:
            continue
        if not found or (start <= found[-1].start and found[-1].stop <= end):
            found.append(range(start, end))
    return found


def _words(text: str, offset: int) -> Iterator[re.Match[str]]:
    start = text.rfind("\n", 0, offset) + 1
    for match in _WORD.finditer(text, start):
        if match.start() > offset:
            return
        if offset <= match.end():
            yield match


def _literals(text: str, scan: Scan) -> Iterator[tuple[int, int]]:
    """Yield the spans of strings with their quotes."""
    for start, end in scan.literals:
        if start and text[start - 1] in "'\"" and text[end : end + 1] == text[start - 1]:
            yield start - 1, end + 1
