"""The messages of the lexer, the parser and the validator, one factory each.

The wording is Puppet's (issues.rb and the checker of Puppet 8.11); each factory sets the location.
"""

from __future__ import annotations

from puppet_repl.base.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.source import Source


def syntax_error(where: str, source: Source, start: int, end: int) -> ParseError:
    """Return the error of a token that is not allowed at its place."""
    return ParseError(
        f"Syntax error at '{where}'", "SYNTAX_ERROR", source=source, start=start, end=end
    )


def unexpected_end(source: Source) -> ParseError:
    """Return the error of a text that ends too early; Puppet gives no line for that."""
    return ParseError("Syntax error at end of input", "SYNTAX_ERROR", source=source)


def refused(message: str, source: Source, start: int, end: int) -> ParseError:
    """Return the error of a construct that the grammar takes and the parser's own checks refuse."""
    return ParseError(message, "PARSE_ERROR", source=source, start=start, end=end)


def nested_too_deeply(limit: int, source: Source, start: int) -> ParseError:
    """Brackets, blocks or strings inside each other beyond what this parser takes."""
    return ParseError(
        f"Expressions are nested too deeply (more than {limit} levels)",
        "NESTING_LIMIT",
        source=source,
        start=start,
    )


def illegal_class_reference(source: Source, at: int) -> ParseError:
    """Return the error of ``Foo::`` or ``Foo::bar``."""
    return ParseError("Illegal class reference", "ILLEGAL_CLASS_REFERENCE", source=source, start=at)


def illegal_fully_qualified_class_reference(source: Source, at: int) -> ParseError:
    """Return the error of ``::Foo::``."""
    return ParseError(
        "Illegal fully qualified class reference",
        "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE",
        source=source,
        start=at,
    )


def illegal_fully_qualified_name(source: Source, at: int) -> ParseError:
    """Return the error of ``::`` without a name after it."""
    return ParseError(
        "Illegal fully qualified name", "ILLEGAL_FULLY_QUALIFIED_NAME", source=source, start=at
    )


def illegal_number(value: str, source: Source, at: int) -> ParseError:
    """Return the error of ``1a``."""
    return ParseError(f"Illegal number '{value}'", "ILLEGAL_NUMBER", source=source, start=at)


def invalid_number(kind: str, value: str, source: Source, at: int) -> ParseError:
    """Return the error of a number that begins as hex, octal or decimal and does not go on so."""
    code = f"INVALID_{kind.upper()}_NUMBER"
    return ParseError(f"Not a valid {kind} number {value}", code, source=source, start=at)


def unclosed_quote(after: str, followed_by: str, source: Source, at: int) -> ParseError:
    """Return the error of a string without its end."""
    message = f"Unclosed quote after {after} followed by '{followed_by}'"
    return ParseError(message, "UNCLOSED_QUOTE", source=source, start=at)


def unclosed_comment(source: Source, at: int) -> ParseError:
    """Return the error of ``/*`` without ``*/``."""
    return ParseError("Unclosed multiline comment", "UNCLOSED_MLCOMMENT", source=source, start=at)


def illegal_unicode_escape_text() -> str:
    r"""Return the error of a ``\u`` that names no character."""
    return (
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} "
        "or was > 10ffff"
    )


def unrecognized_escape_text(character: str) -> str:
    """Return the error of a backslash before a character that needs none."""
    return f"Unrecognized escape sequence '\\{character}'"


def no_character(source: Source) -> ParseError:
    """Return the error of an escape that stands for no character; it has no line in Puppet."""
    return ParseError("invalid byte sequence in UTF-8", "ILLEGAL_UNICODE_ESCAPE", source=source)


def infinite_number(text: str, source: Source) -> ParseError:
    """Return the error of a number beyond what a Float holds; Puppet gives no line for that."""
    return ParseError(
        f"Internal Error, NUMBER token does not contain a valid number, {text}",
        "INVALID_DECIMAL_NUMBER",
        source=source,
    )


def invalid_regexp(message: str, source: Source) -> ParseError:
    """Return the error of a regular expression that Ruby refuses; it has no line in Puppet."""
    return ParseError(message, "INVALID_REGEXP", source=source)


_HEREDOC = {
    "HEREDOC_WITHOUT_END_TAGGED_LINE": "Heredoc without end-tagged line",
    "HEREDOC_INVALID_SYNTAX": "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])",
    "HEREDOC_WITHOUT_TEXT": "Heredoc without any following lines of text",
    "HEREDOC_EMPTY_ENDTAG": "Heredoc with an empty endtag",
}


def heredoc(code: str, source: Source, at: int) -> ParseError:
    """Return the error of a heredoc that lacks something."""
    return ParseError(_HEREDOC[code], code, source=source, start=at)


def heredoc_unclosed_parenthesis(followed_by: str, source: Source, at: int) -> ParseError:
    """Return the error of ``@(`` without ``)``."""
    return ParseError(
        f"Unclosed parenthesis after '@(' followed by '{followed_by}'",
        "HEREDOC_UNCLOSED_PARENTHESIS",
        source=source,
        start=at,
    )


def heredoc_invalid_escape(actual: str, source: Source, at: int) -> ParseError:
    """Return the error of a letter after the slash that is not a flag."""
    return ParseError(
        f"Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{actual}'",
        "HEREDOC_INVALID_ESCAPE",
        source=source,
        start=at,
    )


def heredoc_multiple_escapes(escapes: str, source: Source, at: int) -> ParseError:
    """Return the error of a flag given twice."""
    return ParseError(
        f"An escape char for @() may only appear once. Got '{', '.join(escapes)}'",
        "HEREDOC_MULTIPLE_AT_ESCAPES",
        source=source,
        start=at,
    )


def illegal_bom(name: str, data: bytes, source: Source) -> ParseError:
    """Return the error of a byte order mark before the text."""
    shown = " ".join(f"{byte:X}" for byte in data)
    return ParseError(
        f"Illegal {name} Byte Order mark at beginning of input: [{shown}] "
        "- remove these from the puppet source",
        "ILLEGAL_BOM",
        source=source,
    )


def invalid_encoding(byte: int, source: Source) -> ParseError:
    """Return the error of a byte that is not UTF-8, after the text of ``source``."""
    return ParseError(
        f"Invalid UTF-8: the byte {byte:02X} begins no character",
        "INVALID_ENCODING",
        source=source,
        start=len(source.text),
    )


_EPP = {
    "EPP_UNBALANCED_TAG": "Unbalanced epp tag, reached <eof> without closing tag.",
    "EPP_UNBALANCED_COMMENT": "Reaching end after opening <%# without seeing %>",
    "EPP_UNBALANCED_EXPRESSION": (
        "Unbalanced embedded expression - opening <% and reaching end of input"
    ),
}


def epp(code: str, source: Source, at: int) -> ParseError:
    """Return the error of a template with a tag that is not closed."""
    return ParseError(_EPP[code], code, source=source, start=at)
