"""Resources, their defaults and overrides, and collectors."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.calls import STATEMENT_CALLS
from puppet_repl.language.syntax.tokens import KEYWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.parser import Parser
    from puppet_repl.language.syntax.tokens import TokenKind

# The keywords that may name an attribute, and those of them that can begin no expression.
_KEYWORDS: frozenset[TokenKind] = frozenset((*KEYWORDS, "plan", "apply"))
_ONLY_ATTRIBUTES: frozenset[TokenKind] = frozenset(["and", "else", "elsif", "in", "inherits", "or"])
_ARROWS: frozenset[TokenKind] = frozenset(("=>", "+>"))
_ATTRIBUTES: frozenset[TokenKind] = _KEYWORDS | {"NAME", "*"}


def resource(parser: Parser, left: ast.Node) -> ast.Node:
    """Parse ``left { ... }``: a resource, defaults, an override or a call with a hash."""
    opening = parser.i
    parser.i = opening + 1
    if not _begins_attributes(parser):
        bodies = [_body(parser, left.at)]
        closing = _more_bodies(parser, bodies, left.at)
        return ast.ResourceExpression(
            "regular", left, tuple(bodies), left.start, parser.ends[closing], left.at
        )
    operations = attributes(parser)
    closing = parser.expect("}")
    end = parser.ends[closing]
    kind = type(left)
    if kind is ast.QualifiedName:
        return _without_title(parser, left, operations, opening, end)
    if kind is ast.QualifiedReference:
        return ast.ResourceDefaultsExpression("regular", left, operations, left.start, end, left.at)
    if kind is ast.AccessExpression:
        return ast.ResourceOverrideExpression("regular", left, operations, left.start, end, left.at)
    raise parser.refuse(
        "Expression is not valid as a resource, resource-default, or resource-override",
        left.at,
        left.end,
    )


def _begins_attributes(parser: Parser) -> bool:
    kinds = parser.kinds
    i = parser.i
    kind = kinds[i]
    if kind == "}" or kind == "," or kind in _ONLY_ATTRIBUTES:
        return True
    if kind == "NAME" or kind in _KEYWORDS:
        return kinds[i + 1] in _ARROWS
    return kind == "*" and kinds[i + 1] == "=>"


def _without_title(
    parser: Parser, left: ast.Node, operations: tuple[ast.Node, ...], opening: int, end: int
) -> ast.Node:
    """Parse ``name { a => 1 }``: a call with a hash if the name calls without parentheses."""
    start = parser.starts[opening]
    entries = []
    for operation in operations:
        if type(operation) is not ast.AttributeOperation or operation.operator == "+>":
            raise parser.refuse(
                "Syntax error resource body without title or hash with +>",
                start,
                parser.ends[opening],
            )
        key = ast.LiteralString(operation.name, operation.start, operation.start)
        key.at = start
        entries.append(ast.KeyedEntry(key, operation.value, operation.start, operation.end, start))
    argument = ast.LiteralHash(tuple(entries), start, end, start)
    assert type(left) is ast.QualifiedName
    if left.value in STATEMENT_CALLS:
        return ast.CallNamedFunctionExpression(
            left, (argument,), None, False, left.start, end, left.at
        )
    return ast.BlockExpression((left, argument), left.start, end, left.at)


def class_resource(parser: Parser) -> ast.Node:
    """Parse ``class { title: ... }``."""
    i = parser.i
    start = parser.starts[i]
    name = ast.QualifiedName("class", start, parser.ends[i])
    parser.i = i + 2
    bodies = [_body(parser, start)]
    while parser.kinds[parser.i] == ";":
        parser.i += 1
        if parser.kinds[parser.i] == "}":
            break
        bodies.append(_body(parser, start))
    end = parser.ends[parser.expect("}")]
    return ast.ResourceExpression("regular", name, tuple(bodies), start, end, start)


def _more_bodies(parser: Parser, bodies: list[ast.ResourceBody], at: int) -> int:
    kinds = parser.kinds
    while kinds[parser.i] == ";":
        parser.i += 1
        if kinds[parser.i] == "}":
            break
        bodies.append(_body(parser, at))
    return parser.expect("}")


def _body(parser: Parser, at: int) -> ast.ResourceBody:
    title = parser.value()
    parser.expect(":")
    operations = attributes(parser)
    end = parser.ends[parser.i - 1]
    return ast.ResourceBody(title, operations, title.start, end, at)


def attributes(parser: Parser) -> tuple[ast.Node, ...]:
    """Parse ``a => b, c +> d, * => e,`` up to the first other token."""
    kinds = parser.kinds
    starts = parser.starts
    operations: list[ast.Node] = []
    if kinds[parser.i] not in _ATTRIBUTES:
        if kinds[parser.i] != ",":
            return ()
        parser.i += 1
    while kinds[parser.i] in _ATTRIBUTES:
        i = parser.i
        arrow = kinds[i + 1]
        if arrow != "=>" and (arrow != "+>" or kinds[i] == "*"):
            raise parser.unexpected(i + 1)
        parser.i = i + 2
        value = parser.value()
        if kinds[i] == "*":
            operations.append(ast.AttributesOperation(value, starts[i], value.end))
        else:
            operations.append(
                ast.AttributeOperation(parser.texts[i], arrow, value, starts[i], value.end)
            )
        if kinds[parser.i] != ",":
            break
        parser.i += 1
    return tuple(operations)


def _collector(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    kinds = parser.kinds
    starts = parser.starts
    opening = kinds[i]
    closing: TokenKind = "|>" if opening == "<|" else "|>>"
    parser.i = i + 1
    expr = None if kinds[i + 1] == closing else parser.expression(0)
    end = parser.ends[parser.expect(closing)]
    kind = ast.VirtualQuery if opening == "<|" else ast.ExportedQuery
    query = kind(expr, starts[i], end)
    operations: tuple[ast.Node, ...] = ()
    if kinds[parser.i] == "{":
        parser.i += 1
        operations = attributes(parser)
        end = parser.ends[parser.expect("}")]
    return ast.CollectExpression(left, query, operations, left.start, end, left.at)


POSTFIX: dict[TokenKind, Callable[[Parser, ast.Node, int], ast.Node | None]] = {
    "<|": _collector,
    "<<|": _collector,
}
