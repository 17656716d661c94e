"""Syntax errors after the first one, if they are certainly not due to it.

A text is divided into statements by its indentation. A statement is at fault if it has the error
also when it is alone, all its quotes and brackets are closed, and all before it are faultless. The
text without that statement may have an error in a later one, of which the same is true.
"""

from __future__ import annotations

import re
from itertools import pairwise

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.tokens import TokenKind

_MAX_ERRORS = 10
# Longer texts are written by programs, or take too long to be parsed again for each error.
_MAX_CHARACTERS = 300_000
_CODE = "SYNTAX_ERROR"
_OPENING: dict[TokenKind, TokenKind] = {"}": "{", ")": "(", "]": "[", "|>": "<|", "|>>": "<<|"}
_CLOSED = frozenset(_OPENING.values())
_BLANKED = re.compile(r"[^\r\n]")
_LINE = re.compile(r"^([ \t]*)(?=[^\s#])", re.MULTILINE)
# A line that begins so goes on with a statement: after the block of an if, with an attribute.
_CONTINUING = re.compile(r"(?:else|elsif)\b|\w+\s*(?:[=+]>|:(?!:))")
# What begins a block of statements: that of case, a selector or a hash has others. Parameters may
# be on lines of their own.
_OF_STATEMENTS = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?:(?:class|define|function|if|node|plan|unless)\b.*|.*\|[ \t]*"
    r"|(?:class|define|function|plan)\b[^\n]*\([ \t]*\n(?s:.*?)^(?P=indent)\).*)"
    r"\{[ \t]*(?:#.*)?\n",
    re.MULTILINE,
)
_BEGINNING = re.compile(r"[A-Za-z$@]")


def further_errors(source: Source, error: PuppetError, *, tasks: bool) -> Iterator[PuppetError]:
    """Yield the syntax errors of a manifest after its first one, in the order of the text."""
    text, first = source.text, error
    if len(text) > _MAX_CHARACTERS:
        return
    done = 0
    for _ in range(_MAX_ERRORS):
        at = first.start
        if first.code != _CODE or at is None or at < done:
            return
        unit = _statement_at_fault(source, text, first, tasks)
        if unit is None or unit[0] < done:  # else a part of it is blank now
            return
        if first is not error:
            yield first
        done = unit[1]
        text = _blanked(text, *unit)
        found = _error_of(text, source.name, tasks)
        if found is None:
            return
        first = found
        if first.start is not None:  # hints and marks are of the whole text
            first.source = source


def _statement_at_fault(
    source: Source, text: str, error: PuppetError, tasks: bool
) -> tuple[int, int] | None:
    """Return the innermost statement that alone has an error, None if that is not certain."""
    around: list[tuple[int, int]] = []
    block: tuple[int, int] | None = (0, len(text))
    while block is not None and error.start is not None:
        before, span = _statement_around(text, *block, error.start)
        if any(not _is_closed(text[start:end], tasks) for start, end in before):
            break
        if span is None:
            break
        around.append(span)
        block = _block_in(text, *span)
    for start, end in reversed(around):
        alone = _blanked(_blanked(text, 0, start), end, len(text))
        found = _error_of(alone, source.name, tasks)
        if found is None or (found.start, found.message) != (error.start, error.message):
            continue
        if _is_closed(text[start:end], tasks):
            return start, end
    return None


def _statement_around(
    text: str, start: int, end: int, offset: int
) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
    """Return the statements of a block down to an offset: those before, and the one around."""
    units: list[int] = []
    depth: str | None = None
    for line in _LINE.finditer(text, start, end):
        depth = line[1] if depth is None else depth
        begins = _BEGINNING.match(text, line.end()) and not _CONTINUING.match(text, line.end())
        if len(line[1]) < len(depth):
            return [], None
        if line[1] == depth and begins:
            units.append(line.start())
    spans = list(pairwise([*units, end]))
    before = [each for each in spans if each[1] <= offset]
    return before, next((each for each in spans if each[0] <= offset < each[1]), None)


def _block_in(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the lines between the first and last of a statement, if they are a block of others."""
    heading = _OF_STATEMENTS.match(text, start, end)
    last = text.rfind("\n", start, start + len(text[start:end].rstrip())) + 1
    return None if heading is None or heading.end() > last else (heading.end(), last)


def _is_closed(text: str, tasks: bool) -> bool:
    """Tell whether all quotes, comments and brackets of a part are closed in it.

    A closing bracket also closes those inside of its own that have no partner.
    """
    lexer = Lexer(Source(text), tasks)
    lexer.run()
    opened: list[TokenKind] = []
    for kind in lexer.kinds:
        wanted = _OPENING.get(kind)
        if kind in _CLOSED:
            opened.append(kind)
        elif wanted in opened:
            while opened.pop() != wanted:
                pass
    return lexer.error is None and not opened


def _error_of(text: str, name: str | None, tasks: bool) -> PuppetError | None:
    try:
        parse(Source(text, name), tasks=tasks)
    except PuppetError as error:
        return error
    return None


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + _BLANKED.sub(" ", text[start:end]) + text[end:]
