"""Whether a text that is being typed is finished.

The lexer and the parser decide: a text that ends too early is incomplete, anything else that is
wrong is invalid and had better be run, so that its message is shown.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse_tokens
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.unclosed import open_brackets

UNCLOSED = {
    "UNCLOSED_QUOTE": "a string is not closed",
    "UNCLOSED_MLCOMMENT": "a comment is not closed",
    "HEREDOC_WITHOUT_TEXT": "the text of a heredoc is missing",
    "HEREDOC_WITHOUT_END_TAGGED_LINE": "the end of a heredoc is missing",
}
"""The errors of texts that end too early, and descriptions of the open construct."""
_STEP = "  "


class Complete:
    """The text can be run."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Complete()"


class Incomplete:
    """The text ends too early: ``indent`` is for the next line, ``reason`` for messages."""

    __slots__ = ("indent", "reason")

    def __init__(self, indent: str, reason: str) -> None:
        self.indent = indent
        self.reason = reason

    def __repr__(self) -> str:
        return f"Incomplete(indent={self.indent!r}, reason={self.reason!r})"


class Invalid:
    """The text is wrong, and more of it would not help."""

    __slots__ = ("error",)

    def __init__(self, error: PuppetError) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f"<Invalid {self.error}>"


def check(text: str) -> Complete | Incomplete | Invalid:
    """Tell whether a text is complete; a semicolon at its end does not ask for more."""
    source = Source(text)
    lexer = Lexer(source)
    lexer.run()
    if lexer.error is None and lexer.kinds[-2:] == [";", "END"] and lexer.kinds[-3:-2] != [";"]:
        del lexer.kinds[-2], lexer.texts[-2], lexer.starts[-2], lexer.ends[-2]
    try:
        parse_tokens(lexer)
    except PuppetError as error:
        if error.source is source:
            if error.code == "SYNTAX_ERROR" and error.start is None:
                return Incomplete(_indent(lexer), _open(lexer))
            if error.code in UNCLOSED:
                return Incomplete("", UNCLOSED[error.code])
        return Invalid(error)
    return Complete()


def _open(lexer: Lexer) -> str:
    opened = open_brackets(lexer.kinds)
    if opened:
        return f"'{lexer.kinds[opened[-1]]}' is not closed"
    return "the last expression is not finished"


def _indent(lexer: Lexer) -> str:
    """Return an indent one step deeper than that of the line with the innermost open bracket."""
    text = lexer.source.text
    opened = open_brackets(lexer.kinds)
    at = lexer.starts[opened[-1]] if opened else len(text.rstrip())
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin : text.find("\n", at) if text.find("\n", at) >= 0 else len(text)]
    return line[: len(line) - len(line.lstrip(" \t"))] + _STEP
