"""Literals, names and variables: the expressions that begin with a token of their own."""

from __future__ import annotations

from puppet_repl.language.syntax import ast, issues
from puppet_repl.language.syntax.number_literals import number_value
from puppet_repl.language.syntax.strings import unescape_single

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.parser import Parser
    from puppet_repl.language.syntax.tokens import TokenKind


def _name(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.QualifiedName(parser.texts[i], parser.starts[i], parser.ends[i])


def _single_quoted(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    text = parser.texts[i][1:-1]
    if "\\" in text:
        text = unescape_single(text)
    return ast.LiteralString(text, parser.starts[i], parser.ends[i])


def _double_quoted(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.LiteralString(parser.texts[i][1:-1], parser.starts[i], parser.ends[i])


def _string(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.LiteralString(parser.texts[i], parser.starts[i], parser.ends[i])


def _variable(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    text = parser.texts[i]
    name = text[1:] if text[0] == "$" else text
    return ast.VariableExpression(name, parser.starts[i], parser.ends[i])


def class_reference(parser: Parser) -> ast.QualifiedReference:
    """Parse a capitalized name."""
    i = parser.expect("CLASSREF")
    return ast.QualifiedReference(parser.texts[i], parser.starts[i], parser.ends[i])


def _number(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    value, radix = number_value(parser.texts[i])
    if type(value) is int:
        return ast.LiteralInteger(value, radix, parser.starts[i], parser.ends[i])
    if value - value != 0:
        raise issues.infinite_number(parser.texts[i], parser.source)
    return ast.LiteralFloat(value, parser.starts[i], parser.ends[i])


def _boolean(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.LiteralBoolean(parser.texts[i] == "true", parser.starts[i], parser.ends[i])


def _undef(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.LiteralUndef(parser.starts[i], parser.ends[i])


def _default(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.LiteralDefault(parser.starts[i], parser.ends[i])


def regexp(parser: Parser) -> ast.Node:
    """Parse a regular expression."""
    i = parser.i
    parser.i = i + 1
    return ast.LiteralRegularExpression(parser.texts[i], parser.starts[i], parser.ends[i])


def _reserved(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return ast.ReservedWord(parser.texts[i], parser.starts[i], parser.ends[i])


def _interpolated(parser: Parser) -> ast.Node:
    i = parser.i
    kinds = parser.kinds
    texts = parser.texts
    starts = parser.starts
    ends = parser.ends
    start = starts[i]
    segments: list[ast.Node] = []
    while True:
        if texts[i]:
            segments.append(ast.LiteralString(texts[i], starts[i], ends[i]))
        if kinds[i] == "DQPOST":
            parser.i = i + 1
            return ast.ConcatenatedString(tuple(segments), start, ends[i])
        parser.i = i + 1
        expr = interpolation_variable(parser.element())
        segments.append(ast.TextExpression(expr, expr.start, expr.end, start))
        i = parser.i
        if kinds[i] != "DQMID" and kinds[i] != "DQPOST":
            raise parser.unexpected(i)


def interpolation_variable(expr: ast.Node) -> ast.Node:
    """Return the expression of ``${...}``, with a leading name or decimal number made a variable.

    The lexer has done that if the name is alone or before a dot or bracket; this handles the
    remaining names.
    """
    if type(expr) is ast.QualifiedName:
        return ast.VariableExpression(expr.value, expr.start, expr.end)
    if type(expr) is ast.LiteralInteger:
        return ast.VariableExpression(str(expr.value), expr.start, expr.end)
    return expr


def heredoc(parser: Parser) -> ast.Node:
    """Parse ``@(TAG)`` and its text."""
    i = parser.i
    parser.i = i + 1
    if parser.kinds[i + 1] == "STRING":
        text = _string(parser)
    else:
        text = _interpolated(parser)
    return ast.HeredocExpression(parser.texts[i], text, parser.starts[i], parser.ends[i])


def _array(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return array(parser, i)


def array(parser: Parser, opening: int) -> ast.LiteralList:
    """Parse the rest of ``[...]``, after its bracket."""
    kinds = parser.kinds
    values: list[ast.Node] = []
    while kinds[parser.i] != "]":
        if values:
            if kinds[parser.i] != ",":
                raise parser.unexpected(parser.i)
            parser.i += 1
            if kinds[parser.i] == "]":
                break
        add_argument(values, _entry(parser), parser)
    i = parser.i
    parser.i = i + 1
    join_pairs(values)
    return ast.LiteralList(tuple(values), parser.starts[opening], parser.ends[i])


def _entry(parser: Parser) -> ast.Node:
    """Parse an element, key or value; the words ``type`` and ``function`` are strings there."""
    kinds = parser.kinds
    i = parser.i
    kind = kinds[i]
    if kind == "type":
        following = kinds[i + 1]
        keyword = following != "CLASSREF" and (following != "(" or parser.first_on_line(i + 1))
    elif kind == "function":
        keyword = kinds[i + 1] not in ("NAME", "WORD", "CLASSREF", "class", "SQ", "DQ", "STRING")
    else:
        return parser.element()
    if keyword:
        parser.i = i + 1
        return ast.LiteralString(kind, parser.starts[i], parser.ends[i])
    return parser.assignment()


def add_argument(values: list[ast.Node], node: ast.Node, parser: Parser) -> None:
    """Add an element or, if an arrow follows, the pair that begins with it."""
    i = parser.i
    if parser.kinds[i] == "=>":
        parser.i = i + 1
        value = _entry(parser)
        node = ast.KeyedEntry(node, value, node.start, value.end, parser.starts[i])
    values.append(node)


def join_pairs(values: list[ast.Node]) -> None:
    """Make one hash of each run of pairs among the values."""
    for value in values:
        if type(value) is ast.KeyedEntry:
            break
    else:
        return
    joined: list[ast.Node] = []
    pairs: list[ast.KeyedEntry] = []
    tail: list[ast.Node | None] = [*values, None]
    for item in tail:
        if type(item) is ast.KeyedEntry:
            pairs.append(item)
            continue
        if pairs:
            entries = tuple(pairs)
            joined.append(ast.LiteralHash(entries, pairs[0].start, pairs[-1].end, pairs[0].at))
            pairs.clear()
        if item is not None:
            joined.append(item)
    values[:] = joined


def argument(parser: Parser, values: list[ast.Node]) -> None:
    """Parse an argument of a call: an assignment or a pair."""
    kinds = parser.kinds
    i = parser.i
    kind = kinds[i]
    if (kind == "type" or kind == "function") and kinds[i + 1] == "=>":
        node = _entry(parser)
    else:
        node = parser.element()
    add_argument(values, node, parser)


def _hash(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    return hash_literal(parser, i)


def hash_literal(parser: Parser, opening: int) -> ast.LiteralHash:
    """Parse the rest of ``{...}``, after its brace."""
    kinds = parser.kinds
    starts = parser.starts
    entries: list[ast.KeyedEntry] = []
    while kinds[parser.i] != "}":
        if entries:
            if kinds[parser.i] != ",":
                raise parser.unexpected(parser.i)
            parser.i += 1
            if kinds[parser.i] == "}":
                break
        key = _entry(parser)
        arrow = parser.i
        if kinds[arrow] != "=>":
            raise parser.unexpected(arrow)
        parser.i = arrow + 1
        value = _entry(parser)
        entries.append(ast.KeyedEntry(key, value, key.start, value.end, starts[arrow]))
    i = parser.i
    parser.i = i + 1
    start = starts[opening]
    return ast.LiteralHash(tuple(entries), start, parser.ends[i], start)


def _parenthesized(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    expr = parser.assignment()
    closing = parser.expect(")")
    return ast.ParenthesizedExpression(expr, parser.starts[i], parser.ends[closing])


SINGLE: dict[TokenKind, Callable[[Parser], ast.Node]] = {
    "NAME": _name,
    "SQ": _single_quoted,
    "DQ": _double_quoted,
    "STRING": _string,
    "WORD": _string,
    "VARIABLE": _variable,
    "CLASSREF": class_reference,
    "NUMBER": _number,
    "BOOLEAN": _boolean,
    "undef": _undef,
    "default": _default,
    "REGEX": regexp,
    "private": _reserved,
    "attr": _reserved,
}
"""What consists of a single token."""

PREFIX: dict[TokenKind, Callable[[Parser], ast.Node]] = {
    **SINGLE,
    "DQPRE": _interpolated,
    "HEREDOC": heredoc,
    "[": _array,
    "{": _hash,
    "(": _parenthesized,
}
