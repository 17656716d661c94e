"""Errors of unclosed brackets, with hints that locate the bracket.

Puppet names no line for a text that ends too early; the tokens know which bracket was open.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import PuppetError
    from puppet_repl.language.syntax.lexer import Lexer
    from puppet_repl.language.syntax.tokens import TokenKind

_OPENING: frozenset[TokenKind] = frozenset(("(", "[", "{", "<|", "<<|"))
_CLOSING: dict[TokenKind, TokenKind] = {")": "(", "]": "[", "}": "{", "|>": "<|", "|>>": "<<|"}
# A longer token is not named in a hint.
_LONGEST = 30


def open_brackets(kinds: list[TokenKind]) -> list[int]:
    """Return the indices of the brackets that are open at the end of tokens, outermost first."""
    opened: list[int] = []
    for index, kind in enumerate(kinds):
        if kind in _OPENING:
            opened.append(index)
        elif kind in _CLOSING and opened and kinds[opened[-1]] == _CLOSING[kind]:
            opened.pop()
    return opened


def never_closed(error: PuppetError, what: str, start: int, end: int) -> PuppetError:
    """Return an error with the hint that what begins at an offset of its source has no end."""
    error.opening = (start, end)
    if error.start != start:
        error.related = ((f"the {what} is never closed", start, end),)
    _add(error, f"the {what} of {_place(error, start)} is never closed")
    return error


def ended_early(error: PuppetError, lexer: Lexer) -> PuppetError:
    """Return the error of a text that ends too early, with the hint where it is to go on."""
    opened = open_brackets(lexer.kinds)
    if opened:
        index = opened[-1]
        return never_closed(error, lexer.kinds[index], lexer.starts[index], lexer.ends[index])
    index = len(lexer.kinds) - 2  # before the token END
    if index >= 0:
        start, end = lexer.starts[index], lexer.ends[index]
        text = lexer.text[start:end]
        shown = text if len(text) <= _LONGEST and "\n" not in text else "end"
        error.opening = (start, end)
        if lexer.kinds[:-1] != ["NAME", "?"]:  # which asks for the documentation of a name
            _add(error, f"something has to follow the {shown} of {_place(error, start)}")
    return error


def closed_wrongly(error: PuppetError, lexer: Lexer, index: int) -> PuppetError:
    """Return the error of a token, with a hint if it closes a bracket that is not open."""
    wanted = _CLOSING.get(lexer.kinds[index])
    if wanted is None:
        return error
    opened = open_brackets(lexer.kinds[:index])
    if not opened:
        _add(error, f"no {wanted} is open here")
        return error
    inner = opened[-1]
    kind, start = lexer.kinds[inner], lexer.starts[inner]
    if kind != wanted:
        error.related = ((f"the {kind} is not closed", start, lexer.ends[inner]),)
        _add(error, f"the {kind} of {_place(error, start)} is not closed before it")
    return error


def _place(error: PuppetError, offset: int) -> str:
    assert error.source is not None  # it is an error about a text
    line, column = error.source.position(offset)
    return f"line {line}, column {column}"


def _add(error: PuppetError, note: str) -> None:
    error.notes = (*error.notes, note)
