"""A tree of a text that is not well formed: of all of it but the lines that are being written.

These are replaced with blanks, so that all offsets stay, and brackets that are open at the end are
closed there.
"""

from __future__ import annotations

from bisect import bisect_left

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.epp import run as run_template
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.unclosed import open_brackets
from puppet_repl.tools.editing.positions import Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.tokens import TokenKind

# How many lines above that of the cursor are left out, one attempt each.
_LINES_ABOVE = (1, 2, 3, 5, 8, 12)
# How many lines that the parser refuses are left out.
_MAX_REFUSED = 6
# How many brackets without a partner are looked at in one attempt.
_MAX_BRACKETS = 3
# How much text all attempts may parse: about half a second's work.
_MAX_PARSED = 1_500_000
_CLOSING: dict[str, str] = {"(": ")", "[": "]", "{": "}", "<|": "|>", "<<|": "|>>"}


def recovered(
    lines: Lines, cursor: int, *, epp: bool = False, tasks: bool = False
) -> ast.Program | None:
    """Return a tree of a text without the lines that are being written, None without success.

    ``cursor`` is the offset at which somebody writes. The source of the tree has the same offsets
    as the text, and perhaps closing brackets after its end.
    """
    return _Recovery(lines, epp, tasks).tree_without(lines.line_of(cursor))


class _Recovery:
    """The attempts to get a tree of one text."""

    __slots__ = ("epp", "error", "left", "lines", "tasks")

    def __init__(self, lines: Lines, epp: bool, tasks: bool) -> None:
        self.lines = lines
        self.epp = epp
        self.tasks = tasks
        self.left = _MAX_PARSED
        self.error: PuppetError | None = None

    def tree_without(self, line: int) -> ast.Program | None:
        """Return the tree of the text without a line, and without others if need be."""
        text = self.lines.text
        start, end = self.lines.span(line)
        program = self._parsed(text) or self._closed(self._lexed(text))
        program = program or self._without(text, start, end)
        program = program or self._without_refused(_blanked(text, start, end))
        for above in _LINES_ABOVE:
            if program is not None or above > line:
                break
            program = self._without(text, self.lines.span(line - above)[0], end)
        return program

    def _parsed(self, text: str) -> ast.Program | None:
        """Return the tree of a well-formed text; of another one keep the error."""
        self.left -= len(text)
        if self.left < 0:
            return None
        try:
            return parse(Source(text), epp=self.epp, tasks=self.tasks)
        except PuppetError as error:
            self.error = error
            return None

    def _lexed(self, text: str) -> Lexer:
        lexer = Lexer(Source(text), self.tasks)
        if self.epp:
            run_template(lexer)
        else:
            lexer.run()
        return lexer

    def _closed(self, lexer: Lexer) -> ast.Program | None:
        """Return the tree of a text with the brackets closed that are open at its end."""
        opened = [] if lexer.error is not None else open_brackets(lexer.kinds)
        closing = "".join([_CLOSING[lexer.kinds[each]] for each in reversed(opened)])
        end = f"<%{closing}%>" if self.epp else f"\n{closing}"
        return self._parsed(lexer.source.text + end) if closing else None

    def _without(self, text: str, start: int, end: int) -> ast.Program | None:
        """Return the tree of a text without some lines, and without what their brackets enclose."""
        text = _blanked(text, start, end)
        for _ in range(_MAX_BRACKETS):
            program = self._parsed(text)
            if program is not None or self.left < 0:
                return program
            lexer = self._lexed(text)
            alone = None if lexer.error is not None else _without_opening(lexer, end)
            if alone is None:
                return self._closed(lexer)
            # The opening bracket is in a blanked line: blank the closing one, or all up to it.
            at = lexer.starts[alone]
            program = self._parsed(_blanked(text, at, lexer.ends[alone]))
            if program is not None:
                return program
            text = _blanked(text, start, self.lines.span(self.lines.line_of(at))[1])
        return None

    def _without_refused(self, text: str) -> ast.Program | None:
        """Return the tree of a text without the lines that the parser refuses, one after another.

        If it refuses a blank line, the line before is meant.
        """
        for _ in range(_MAX_REFUSED):
            self.error = None
            program = self._parsed(text)
            error = self.error
            if program is not None or error is None:
                return program
            at = error.opening[0] if error.opening else error.start
            if at is None:
                return None
            at = min(at, max(len(text[: at + 1].rstrip()) - 1, 0))
            start, end = self.lines.span(self.lines.line_of(at))
            program = self._without(text, start, end)
            if program is not None:
                return program
            text = _blanked(text, start, end)
        return None


def _blanked(text: str, start: int, end: int) -> str:
    """Return a text with blanks for all characters of a range but line ends."""
    blanks = [each if each in "\r\n" else " " for each in text[start:end]]
    return text[:start] + "".join(blanks) + text[end:]


def _without_opening(lexer: Lexer, left_out: int) -> int | None:
    """Return the index of a closing bracket without an opening one, None if there is none.

    The opening bracket was probably in the text before the offset ``left_out``: the result is the
    first closing bracket after that offset whose opening bracket is not after it, too.
    """
    kinds = lexer.kinds
    alone = _unopened(kinds, 0)
    if alone is None or lexer.starts[alone] < left_out:
        return alone
    return _unopened(kinds, bisect_left(lexer.starts, left_out))


def _unopened(kinds: list[TokenKind], first: int) -> int | None:
    """Return the index of the first bracket that closes none, or one of another kind."""
    opened: list[str] = []
    for index in range(first, len(kinds)):
        kind = kinds[index]
        if kind in _CLOSING:
            opened.append(_CLOSING[kind])
        elif kind in _CLOSING.values() and (not opened or opened.pop() != kind):
            return index
    return None
