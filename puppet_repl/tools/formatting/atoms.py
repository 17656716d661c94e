"""Atoms: the tokens of a text with the comments and line breaks between them.

One atom is a string with its interpolations, or the header of a heredoc with its text.
Between two atoms there are only blanks and comments.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.tokens import KEYWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.source import Source

_GAP = re.compile(r"(?P<blanks>[ \t\r\n\f\v]+)|(?P<comment>#[^\n]*|/\*[\s\S]*?\*/)|[\s\S]")
_BLANKS = re.compile(r"[ \t\r]+(?=\n|\Z)")
_NEEDS_QUOTES = frozenset("'\"\\$\n\r")
_NAME = re.compile(r"(?a)(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*|\d+")
_WORDS = frozenset((*KEYWORDS, "true", "false", "plan", "apply"))


class FormatError(PuppetError):
    """A text cannot be formatted: the result would not be the same program."""

    def __init__(self, reason: str, source: Source | None = None, start: int | None = None) -> None:
        message = f"This text cannot be formatted: {reason}"
        super().__init__(message, "FORMAT_ERROR", source=source, start=start)


class Comment:
    """A comment: whether its line has code before it, and whether an empty line is above."""

    __slots__ = ("blank", "own", "start", "text")

    def __init__(self, text: str, start: int, *, own: bool, blank: bool) -> None:
        self.text = _BLANKS.sub("", text)
        self.start = start
        self.own = own
        self.blank = blank

    def switches(self, state: str) -> bool:
        """Tell whether it is ``# format: on`` or ``# format: off`` on a line of its own."""
        return self.own and self.text.split() == ["#", "format:", state]

    @property
    def is_control(self) -> bool:
        """Whether it says something about its line to a program."""
        return "lint:" in self.text


class Heredoc:
    """The text of a heredoc, which moves with the line of its header."""

    __slots__ = ("end", "indent", "last", "lines")

    def __init__(self, lines: list[str], last: str, indent: int, end: int) -> None:
        self.end = end
        self.lines = lines
        self.last = last
        self.indent = indent

    def lines_for(self, indent: int) -> list[str]:
        """Return the lines below a header that is indented so far."""
        found = re.match(r"( *)\|", self.last)
        if found is None or indent == self.indent:
            return [*self.lines, self.last]
        margin = found[1]
        moved = " " * max(0, len(margin) + indent - self.indent)
        lines = []
        for line in self.lines:
            if line.startswith(margin) and line.strip("\r"):
                lines.append(moved + line[len(margin) :])
            elif moved and line.startswith(moved):
                return [*self.lines, self.last]  # its blanks belong to the text
            else:
                lines.append(line)
        return [*lines, moved + self.last[len(margin) :]]


class Atom:
    """A token, a string or the header of a heredoc."""

    __slots__ = (
        "blank",
        "breaks",
        "claimed",
        "comments",
        "end",
        "heredocs",
        "kind",
        "start",
        "text",
    )

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.comments: list[Comment] = []
        """The comments before it."""
        self.claimed = False
        """Whether these comments are those of an item, printed with it."""
        self.breaks = False
        """Whether a line break is between it and the atom before."""
        self.blank = False
        """Whether an empty line is directly above."""
        self.heredocs: list[Heredoc] = []

    def claim(self) -> list[Comment]:
        """Return the comments before it, which nobody else prints."""
        if self.claimed:
            return []
        self.claimed = True
        return self.comments


def read_atoms(lexer: Lexer) -> list[Atom]:
    """Return the atoms of a text that is lexed; the last one is its end."""
    text = lexer.source.text
    bodies = sorted((begin, after) for _, begin, _, after in lexer.heredocs)
    atoms = list(_atoms(lexer, bodies))
    for header, begin, last, after in lexer.heredocs:
        _give_heredoc(atoms, text, header, (begin, last, after))
    position = 0
    cuts = iter([*bodies, (lexer.limit + 1, lexer.limit + 1)])
    begin, after = next(cuts)
    for atom in atoms:
        gap = _Gap(atom, is_first=position == 0)
        while begin <= atom.start:
            if begin >= position:
                gap.read(text, position, begin)
                position = after
            begin, after = next(cuts)
        if atom.start < position:
            reason = "a string ends below the heredoc of its line"
            raise FormatError(reason, lexer.source, atom.start)
        gap.read(text, position, atom.start)
        position = atom.end
    return atoms


def _atoms(lexer: Lexer, bodies: list[tuple[int, int]]) -> Iterator[Atom]:
    kinds, starts, ends = lexer.kinds, lexer.starts, lexer.ends
    text = lexer.source.text
    number = 0
    count = len(kinds)
    while number < count:
        kind = kinds[number]
        start = starts[number]
        if bodies and any(begin <= start < after for begin, after in bodies) and kind != "END":
            number += 1
            continue
        if kind == "DQPRE":
            first = number
            depth = 0
            while True:
                depth += (kinds[number] == "DQPRE") - (kinds[number] == "DQPOST")
                number += 1
                if not depth:
                    break
            written = _with_braces(lexer, first, number)
            yield Atom("DQ", written, start, ends[number - 1])
            continue
        end = ends[number]
        written = text[start:end]
        if kind in ("DQ", "STRING"):
            written = _plain_string(written)
        yield Atom(kind, written, start, end)
        number += 1


def _give_heredoc(atoms: list[Atom], text: str, header: int, places: tuple[int, int, int]) -> None:
    begin, last, after = places
    low, high = 0, len(atoms)
    while low < high:
        middle = (low + high) // 2
        if atoms[middle].end <= header:
            low = middle + 1
        else:
            high = middle
    line = text.rfind("\n", 0, header) + 1
    indent = len(text[line:header]) - len(text[line:header].lstrip(" "))
    lines = text[begin:last].split("\n")[:-1]
    atoms[low].heredocs.append(Heredoc(lines, text[last:after].rstrip("\n"), indent, after))


class _Gap:
    """Reads the text before an atom: comments, line breaks, an empty line."""

    __slots__ = ("_breaks", "_own", "atom")

    def __init__(self, atom: Atom, *, is_first: bool) -> None:
        self.atom = atom
        self._own = is_first
        self._breaks = 0

    def read(self, text: str, start: int, end: int) -> None:
        """Note a span of the text; there are several if a heredoc is between them."""
        if start == end:
            return
        atom = self.atom
        for found in _GAP.finditer(text, start, end):
            if found["blanks"] is not None:
                count = found[0].count("\n")
                self._breaks += count
                self._own = self._own or count > 0
                atom.breaks = atom.breaks or count > 0
            elif found["comment"] is not None:
                blank = self._breaks > 1
                atom.comments.append(
                    Comment(found[0].rstrip(), found.start(), own=self._own, blank=blank)
                )
                self._breaks = 0
            # Anything else is a blank of another script.
        atom.blank = self._breaks > 1


def _plain_string(text: str) -> str:
    """Return a string in double quotes in single ones, if it says the same."""
    inner = text[1:-1]
    if text[0] != '"' or not _NEEDS_QUOTES.isdisjoint(inner):
        return text
    return f"'{inner}'"


def _with_braces(lexer: Lexer, first: int, last: int) -> str:
    """Return a string with interpolation, ``"$x"`` written as ``"${x}"``.

    Tokens ``first`` up to ``last`` are those of the string; the code in its braces is left alone.
    """
    text = lexer.source.text
    kinds, starts, ends = lexer.kinds, lexer.starts, lexer.ends
    pieces = []
    position = starts[first]
    depth = 0
    for number in range(first, last):
        kind = kinds[number]
        depth += (kind == "DQPRE") - (kind == "DQPOST")
        start, end = starts[number], ends[number]
        if depth != 1 or kind != "VARIABLE" or kinds[number - 1] not in ("DQPRE", "DQMID"):
            continue
        name = text[start + 1 : end]
        if text[start] == "$" and ends[number - 1] == start and not text.startswith("{", start - 1):
            if name not in _WORDS and _NAME.fullmatch(name) and starts[number + 1] == end:
                pieces += [text[position:start], "${", name, "}"]
                position = end
    pieces.append(text[position : ends[last - 1]])
    return "".join(pieces)
