"""Incomplete beginnings of a text, found by lexing and parsing the whole text once.

So a program that is divided into inputs line by line is not lexed and parsed again for each line.
The lexer reads a beginning as it reads the whole, and the parser stops at the first token that
cannot continue the text before it: up to there, a beginning in which a bracket is open is
incomplete. Excluded are regular expressions that cross a line, which would be divisions, and text
that the parser refuses at the end of a text only.
"""

from __future__ import annotations

from bisect import bisect_right

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.completeness import UNCLOSED
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import Parser, check_nesting
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.tokens import TokenKind

_OPENING: frozenset[TokenKind] = frozenset(("(", "[", "{", "<|", "<<|"))
_CLOSING: frozenset[TokenKind] = frozenset((")", "]", "}", "|>", "|>>"))
_STRINGS: frozenset[TokenKind] = frozenset(("SQ", "DQ", "STRING"))
# More code must follow these, inside of brackets or not.
_OPERATORS: frozenset[TokenKind] = frozenset(
    (
        *("->", "~>", "<-", "<~", "=", "+=", "-=", "=>", ",", ".", "?", "!", "and", "or", "in"),
        *("+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "=~", "!~", "<", "<=", ">", ">="),
    )
)
_BLANKS = " \t\r\n"


class Beginnings:
    """The beginnings of one text that end where a line ends."""

    __slots__ = ("_heredocs", "_offsets", "_reach", "_states", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        lexer = Lexer(Source(text))
        lexer.run()
        # Up to here the text is right, or later text can make it right.
        self._reach = lexer.limit
        # From each of these offsets on, whether a beginning is known to be incomplete.
        self._offsets = [0]
        self._states = [False]
        # The texts of heredocs, from after their header to the line that ends them.
        self._heredocs: list[tuple[int, int]] = []
        self._read(lexer)
        self._parse(lexer)

    def is_incomplete(self, end: int) -> bool:
        """Tell whether the text up to ``end`` is known to be incomplete; False says nothing."""
        if end > self._reach:
            return False
        index = bisect_right(self._heredocs, end, key=_first)
        if index and end < self._heredocs[index - 1][1]:
            # The line may end the heredoc, but for a semicolon or a blank that Puppet has not.
            line = self._text[:end].rstrip()
            return not line.endswith(";") and not self._text[len(line) : end].strip(_BLANKS)
        return self._states[bisect_right(self._offsets, end) - 1]

    def _put(self, offset: int, state: bool) -> None:
        self._offsets.append(offset)
        self._states.append(state)

    # Brackets, strings and heredocs that are open, operators without an operand

    def _read(self, lexer: Lexer) -> None:
        kinds, starts, ends = lexer.kinds, lexer.starts, lexer.ends
        # Outside of all brackets, and in each that is open, whether an ``@`` lacks its resource.
        virtual = [False]
        index = 0
        while index < len(kinds) - 1:  # the last one is END or ERROR
            kind, start, end = kinds[index], starts[index], ends[index]
            if kind == "HEREDOC":
                index = self._heredoc(lexer, index)
            elif kind == "DQPRE":
                index = self._interpolated(lexer, index)
                end = ends[index]
            elif kind in _STRINGS:
                self._put(start, True)
            elif kind == "REGEX":
                self._put(start, False)
            elif kind in _OPENING:
                virtual.append(False)
            elif kind in _CLOSING and len(virtual) > 1:
                virtual.pop()
                if kind == "}" and kinds[index + 1] not in ("{", "ERROR"):
                    virtual[-1] = False
            elif kind == "@" or kind == "@@":
                virtual[-1] = True
            self._put(end, kind in _OPERATORS or (len(virtual) > 1 and not virtual[-1]))
            index += 1

    def _heredoc(self, lexer: Lexer, index: int) -> int:
        """Note the text of a heredoc; return the last token of it."""
        begin = lexer.ends[index]
        index += 1
        if lexer.kinds[index] == "DQPRE":
            index = _last_of_interpolated(lexer, index)
        self._heredocs.append((begin, lexer.ends[index]))
        return index

    def _interpolated(self, lexer: Lexer, index: int) -> int:
        """Note a string that begins with a token; return the last token of it."""
        last = _last_of_interpolated(lexer, index)
        self._put(lexer.starts[index], True)
        for inner in range(index, last):
            if lexer.kinds[inner] == "REGEX":
                self._put(lexer.starts[inner], False)
                self._put(lexer.ends[inner], True)
            elif lexer.kinds[inner] == "HEREDOC":  # its text is not where the string is
                self._reach = min(self._reach, lexer.starts[index])
                break
        return last

    # Errors of the text

    def _parse(self, lexer: Lexer) -> None:
        parser = Parser(lexer)
        error: PuppetError | None = None
        try:
            check_nesting(lexer)
            if lexer.kinds[0] != "END":
                parser.statements()
                if lexer.kinds[parser.i] != "END":
                    error = parser.unexpected(parser.i)
        except RecursionError:
            self._reach = 0
        except PuppetError as raised:
            error = raised
        if parser.refused_at is not None:
            self._reach = min(self._reach, parser.refused_at)
        if error is None or (error.code == "SYNTAX_ERROR" and error.start is None):
            return
        if error is lexer.error:
            self._note_end_of_tokens(lexer, error)
        elif error.code == "NESTING_LIMIT":
            self._reach = 0  # it comes before any other error
        else:
            self._reach = min(self._reach, error.start or 0)

    def _note_end_of_tokens(self, lexer: Lexer, error: PuppetError) -> None:
        """Note the place where the lexer stopped, or the beginning of an unclosed construct."""
        lexed = max(lexer.ends[:-1], default=0)
        start = error.start if error.opening is None else error.opening[0]
        if error.code in UNCLOSED and error.source is lexer.source and start is not None:
            # Inside of an interpolation the first error and the meaning of slashes are uncertain;
            # so they are beside the header of a heredoc, whose text a string or expression
            # swallows.
            until = lexer.limit if error.code == "UNCLOSED_QUOTE" else start
            if lexer.jump is None and "${" not in self._text[lexed:until]:
                if error.code.startswith("HEREDOC"):
                    self._heredocs.append((start, lexer.limit + 1))
                else:
                    self._put(start, True)
                return
        self._reach = min(self._reach, lexed)


def _first(span: tuple[int, int]) -> int:
    return span[0]


def _last_of_interpolated(lexer: Lexer, index: int) -> int:
    """Return the last token of a string with interpolations, from its first one."""
    depth = 0
    while True:
        kind = lexer.kinds[index]
        if kind == "DQPRE":
            depth += 1
        elif kind == "DQPOST":
            depth -= 1
            if not depth:
                return index
        index += 1
