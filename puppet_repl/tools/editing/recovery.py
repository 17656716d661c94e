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
# How many brackets without a partner are looked at in one attempt.
_MAX_BRACKETS = 3
_CLOSING: dict[str, str] = {"(": ")", "[": "]", "{": "}", "<|": "|>", "<<|": "|>>"}


def recovered(
    lines: Lines, cursor: int, *, epp: bool = False, tasks: bool = False
) -> ast.Program | None:
    """Return a tree of a text without the lines that are being written, None without success.

    ``cursor`` is the offset at which somebody writes. The source of the tree has the same offsets
    as the text, and perhaps closing brackets after its end.
    """
    mode = _Mode(epp, tasks)
    line = lines.line_of(cursor)
    end = lines.span(line)[1]
    program = mode.tree(lines.text) or mode.closed_tree(mode.lexed(lines.text))
    for above in (0, *_LINES_ABOVE):
        if program is not None or above > line:
            break
        program = _without_lines(lines, lines.span(line - above)[0], end, mode)
    return program


class _Mode:
    """How texts are read."""

    __slots__ = ("epp", "tasks")

    def __init__(self, epp: bool, tasks: bool) -> None:
        self.epp = epp
        self.tasks = tasks

    def tree(self, text: str) -> ast.Program | None:
        """Return the tree of a well-formed text."""
        try:
            return parse(Source(text), epp=self.epp, tasks=self.tasks)
        except PuppetError:
            return None

    def lexed(self, text: str) -> Lexer:
        """Return the tokens of a text."""
        lexer = Lexer(Source(text), self.tasks)
        if self.epp:
            run_template(lexer)
        else:
            lexer.run()
        return lexer

    def closed_tree(self, lexer: Lexer) -> ast.Program | None:
        """Return the tree of a text with the brackets closed that are open at its end."""
        opened = [] if lexer.error is not None else open_brackets(lexer.kinds)
        closing = "".join([_CLOSING[lexer.kinds[each]] for each in reversed(opened)])
        end = f"<%{closing}%>" if self.epp else f"\n{closing}"
        return self.tree(lexer.source.text + end) if closing else None


def _without_lines(lines: Lines, start: int, end: int, mode: _Mode) -> ast.Program | None:
    """Return the tree of a text with a range of lines blanked, and what their brackets enclose."""
    text = _blanked(lines.text, start, end)
    for _ in range(_MAX_BRACKETS):
        program = mode.tree(text)
        if program is not None:
            return program
        lexer = mode.lexed(text)
        alone = None if lexer.error is not None else _without_opening(lexer, end)
        if alone is None:
            return mode.closed_tree(lexer)
        # The opening bracket is in a blanked line: blank the closing one, or all lines up to it.
        at = lexer.starts[alone]
        program = mode.tree(_blanked(text, at, lexer.ends[alone]))
        if program is not None:
            return program
        text = _blanked(text, start, lines.span(lines.line_of(at))[1])
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
