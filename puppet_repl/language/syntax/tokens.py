"""The kinds of tokens; punctuation and keywords are their own kind.

The aliases are for the type checker: a kind that is misspelt somewhere in lexer or parser is an
error of mypy, and costs the lexer nothing. A test holds them to what the lexer makes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Keyword: TypeAlias = Literal[
        "and",
        "apply",  # with the tasks setting only
        "attr",
        "case",
        "class",
        "default",
        "define",
        "else",
        "elsif",
        "function",
        "if",
        "in",
        "inherits",
        "node",
        "or",
        "plan",  # with the tasks setting only
        "private",
        "type",
        "undef",
        "unless",
    ]
    # fmt: off
    Punctuation: TypeAlias = Literal[
        "(", ")", "[", "]", "{", "}", "|",
        ",", ";", ".", ":", "?", "=>", "+>", "@", "@@",
        "=", "+=", "-=",
        "+", "-", "*", "/", "%", "<<", ">>", "!",
        "==", "!=", "=~", "!~", "<", "<=", ">", ">=",
        "->", "~>", "<-", "<~", "~",
        "<|", "|>", "<<|", "|>>",
    ]
    # fmt: on
    TokenKind: TypeAlias = (
        Keyword
        | Punctuation
        | Literal[
            "NAME",  # notice, a::b
            "WORD",  # a-b, _a: a bare word that is not a name
            "CLASSREF",  # Integer, ::Foo::Bar
            "VARIABLE",  # $x, with the dollar sign
            "BOOLEAN",  # true, false
            "NUMBER",  # as it was written
            "REGEX",  # what is between the slashes
            "SQ",  # a string in single quotes, with them
            "DQ",  # a string in double quotes without interpolation or escapes, with them
            "STRING",  # a string whose escapes are done
            "DQPRE",  # a string with interpolation, up to the first of these
            "DQMID",  # between two interpolations
            "DQPOST",  # after the last one
            "HEREDOC",  # the header; tokens of the text follow
            "EPP_START",  # a template begins
            "EPP_END",  # %> or -%> of <%=
            "RENDER_STRING",  # text of a template
            "RENDER_EXPR",  # <%=
            "OTHER",  # a character that begins no token
            "END",  # of the text
            "ERROR",  # the lexer stopped here, see Lexer.error
            "",  # blanks and comments, which become no tokens
        ]
    )

KEYWORDS: list[Keyword] = [
    "case",
    "class",
    "default",
    "define",
    "if",
    "elsif",
    "else",
    "inherits",
    "node",
    "and",
    "or",
    "undef",
    "in",
    "unless",
    "function",
    "type",
    "attr",
    "private",
]
BLANKS = (  # what Ruby's [[:blank:]] matches
    " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000"
)
