"""The lines of a document at a width."""

from __future__ import annotations

from puppet_repl.tools.formatting.alignment import Table, align
from puppet_repl.tools.formatting.document import (
    Below,
    Blank,
    Cat,
    Group,
    Hard,
    Hug,
    IfBroken,
    Indent,
    Line,
    Mark,
    Opened,
    Start,
    Suffix,
    Text,
    Verbatim,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.formatting.atoms import Comment, Heredoc
    from puppet_repl.tools.formatting.document import Doc

_STEP = 2


class OutputLine:
    """A line: its parts, the comment at its end, the heredocs that follow."""

    __slots__ = (
        "above",
        "comments",
        "goes_on",
        "heredocs",
        "indent",
        "is_cut",
        "parts",
        "starts_item",
        "verbatim",
    )

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self.parts: list[str] = []
        self.above: list[Comment] = []
        self.comments: list[Comment] = []  # all but one for lines of their own
        self.heredocs: list[Heredoc] = []
        self.starts_item = False
        self.goes_on = False  # with a string that began further up
        self.is_cut = False  # by a string that goes on further down
        self.verbatim: str | None = None

    def text(self) -> str:
        """Return the line without its heredocs."""
        parts = self.parts if self.verbatim is None else [self.verbatim]
        for comment in self.comments:
            parts = [*parts, " ", comment.text] if parts else [comment.text]
        text = "".join(parts)
        return (
            text
            if self.goes_on or not text or self.verbatim is not None
            else " " * self.indent + text
        )


def lines_of(doc: Doc, width: int) -> list[str]:
    """Return the lines, without line breaks and without empty ones at either end."""
    layout = _Layout(width)
    layout.run(doc)
    lines = _with_comments(layout.lines)
    align(layout.tables, {id(line): number for number, line in enumerate(lines)})
    written: list[str] = []
    for line in lines:
        text = line.text()
        if line.verbatim is None and not line.goes_on and not line.is_cut:
            text = text.rstrip(" ")
        written.append(text)
        for heredoc in line.heredocs:
            written += heredoc.lines_for(line.indent)
    while written and not written[-1]:
        written.pop()
    return written


class _Layout:
    """One run over a document."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[OutputLine] = []
        self.tables: list[Table] = []
        self._rows: dict[int, OutputLine] = {}
        self._column = 0
        self._line = self._new_line(0)

    def run(self, root: Doc) -> None:
        """Lay a document out."""
        # Work to do: document, indentation, whether the document is on one line.
        pending: list[tuple[Doc, int, bool]] = [(root, 0, False)]
        while pending:
            doc, indent, flat = pending.pop()
            kind = type(doc)
            if kind is str:
                self._line.parts.append(doc)  # type: ignore[arg-type]
                self._column += len(doc)  # type: ignore[arg-type]
            elif kind is Cat:
                pending += [(part, indent, flat) for part in reversed(doc.parts)]  # type: ignore[union-attr]
            elif kind is Line:
                if flat:
                    self._line.parts.append(doc.text)  # type: ignore[union-attr]
                    self._column += len(doc.text)  # type: ignore[union-attr]
                else:
                    self._break(indent)
            elif kind is Indent:
                pending.append((doc.content, indent + _STEP, flat))  # type: ignore[union-attr]
            elif kind is Group:
                fits = flat or self._fits(doc.flat, pending)  # type: ignore[union-attr]
                pending.append((doc.content, indent, fits))  # type: ignore[union-attr]
            elif kind is Hug:
                pending.append(self._hug(doc, indent, flat, pending))  # type: ignore[arg-type]
            else:
                self._special(doc, indent, flat)

    def _special(self, doc: Doc, indent: int, flat: bool) -> None:
        match doc:
            case Hard():
                if doc.blank:
                    self._empty_line()
                self._break(indent)
            case IfBroken():
                if not flat:
                    self._line.parts.append(doc.text)
                    self._column += len(doc.text)
            case Blank():
                if not flat:
                    self._empty_line()
            case Start():
                if not self._line.parts:
                    self._line.starts_item = True
                if doc.table is not None:
                    self._rows[id(doc.table)] = self._line
            case Mark():
                self._mark(doc, flat)
            case Suffix():
                (self._line.above if doc.is_above else self._line.comments).append(doc.comment)
            case Opened():
                if not flat and len(self._line.comments) > 1:
                    self._comments_below(indent)
            case Text():
                self._text(doc.lines, indent)
            case Below():
                self._line.heredocs.append(doc.heredoc)
            case Verbatim():
                for number, text in enumerate(doc.lines):
                    if number:
                        self._break(indent)
                    self._line.verbatim = text

    def _text(self, lines: Sequence[str], indent: int) -> None:
        """Write a string of several lines; comments come after its end."""
        self._line.parts.append(lines[0])
        for text in lines[1:]:
            above = self._line
            above.is_cut = True
            self._break(indent)
            self._line.goes_on = True
            self._line.comments, above.comments = above.comments, []
            self._line.parts.append(text)
            self._column = len(text)

    def _fits(self, flat: int, pending: list[tuple[Doc, int, bool]]) -> bool:
        """Tell whether so much fits into the line, with the text after it up to the next break."""
        room = self.width - self._column - flat
        if room < 0:
            return False
        for doc, _, is_flat in reversed(pending):
            if type(doc) is str:
                room -= len(doc)
            elif is_flat:
                room -= doc.flat  # type: ignore[union-attr]
            else:
                room -= doc.head  # type: ignore[union-attr]
                if doc.stops:  # type: ignore[union-attr]
                    break
            if room < 0:
                return False
        return room >= 0

    def _hug(
        self, doc: Hug, indent: int, flat: bool, pending: list[tuple[Doc, int, bool]]
    ) -> tuple[Doc, int, bool]:
        if flat or self._fits(doc.flat, pending):
            return doc.hugging, indent, True
        if self._column + doc.width <= self.width:
            return doc.hugging, indent, False
        return doc.broken, indent, False

    def _new_line(self, indent: int) -> OutputLine:
        line = OutputLine(indent)
        self.lines.append(line)
        self._column = indent
        return line

    def _break(self, indent: int) -> None:
        self._line = self._new_line(indent)

    def _empty_line(self) -> None:
        self.lines.append(OutputLine(0))

    def _mark(self, mark: Mark, flat: bool) -> None:
        """Note a place in a column; it counts only if its row began on this line."""
        if flat != mark.is_flat or self._rows.get(id(mark.table)) is not self._line:
            return
        if not mark.table.marks:
            self.tables.append(mark.table)
        mark.table.marks.append((self._line, mark.column, len(self._line.parts)))

    def _comments_below(self, indent: int) -> None:
        """Leave one comment on the line of an opening bracket; the others begin its content."""
        line = self._line
        kept = next((each for each in line.comments if each.is_control), line.comments[0])
        others = [each for each in line.comments if each is not kept]
        line.comments = [kept]
        for comment in others:
            self._break(indent)
            self._line.comments = [comment]


def _with_comments(lines: list[OutputLine]) -> list[OutputLine]:
    """Return the lines with one comment at the end of each; others go above the item."""
    found: list[OutputLine] = []
    for line in lines:
        found.append(line)
        comments = line.comments
        if not line.above and len(comments) < 2:
            continue
        if comments:
            kept = next((each for each in comments if each.is_control), comments[-1])
            line.comments = [kept]
            comments = [each for each in comments if each is not kept]
        at = len(found) - 1
        while at and not (found[at].starts_item and found[at].indent <= line.indent):
            at -= 1
        for comment in (*line.above, *comments):
            above = OutputLine(found[at].indent)
            above.comments = [comment]
            found.insert(at, above)
            at += 1
    return found
