"""Calls, methods, lambdas and access: suffixes of an expression."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.literals import add_argument, argument, class_reference, join_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.parser import Parser
    from puppet_repl.language.syntax.tokens import TokenKind


def _call(parser: Parser, left: ast.Node, i: int) -> ast.Node | None:
    if parser.first_on_line(i):
        return None
    parser.i = i + 1
    passed = arguments(parser, trailing=True)
    closing = parser.i - 1
    block = None
    end = parser.ends[closing]
    if parser.kinds[parser.i] == "|":
        block = lambda_expression(parser)
        end = block.end
    return ast.CallNamedFunctionExpression(left, passed, block, True, left.start, end, left.at)


def arguments(parser: Parser, trailing: bool) -> tuple[ast.Node, ...]:
    """Parse arguments up to the closing parenthesis, which is taken."""
    kinds = parser.kinds
    if kinds[parser.i] == ")":
        parser.i += 1
        return ()
    values: list[ast.Node] = []
    while True:
        argument(parser, values)
        i = parser.i
        kind = kinds[i]
        if kind == ",":
            parser.i = i + 1
            if not trailing or kinds[i + 1] != ")":
                continue
            i += 1
        elif kind != ")":
            raise parser.unexpected(i)
        parser.i = i + 1
        join_pairs(values)
        return tuple(values)


def _method(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    kinds = parser.kinds
    starts = parser.starts
    ends = parser.ends
    name = i + 1
    if kinds[name] != "NAME" and kinds[name] != "type":
        raise parser.unexpected(name)
    start = left.start
    end = ends[name]
    at = starts[i]
    functor = ast.NamedAccessExpression(
        left, ast.QualifiedName(parser.texts[name], starts[name], end), start, end, at
    )
    i += 2
    parser.i = i
    passed: tuple[ast.Node, ...] = ()
    if kinds[i] == "(" and not parser.first_on_line(i):
        parser.i = i + 1
        at = starts[i]
        passed = arguments(parser, trailing=False)
        end = ends[parser.i - 1]
    block = None
    if kinds[parser.i] == "|":
        block = lambda_expression(parser)
        end = block.end
    return ast.CallMethodExpression(functor, passed, block, start, end, at)


def _access(parser: Parser, left: ast.Node, i: int) -> ast.Node | None:
    if parser.lexer.preceded_by_blank(i):
        return None
    parser.i = i + 1
    keys, end = access_keys(parser, trailing=True)
    return ast.AccessExpression(left, keys, left.start, end, left.at)


def access_keys(parser: Parser, trailing: bool) -> tuple[tuple[ast.Node, ...], int]:
    """Parse keys up to the closing bracket, which is taken, and its end."""
    kinds = parser.kinds
    values: list[ast.Node] = []
    while True:
        _access_key(parser, values)
        i = parser.i
        kind = kinds[i]
        if kind == ",":
            parser.i = i + 1
            if not trailing or kinds[i + 1] != "]":
                continue
            i += 1
        elif kind != "]":
            raise parser.unexpected(i)
        parser.i = i + 1
        join_pairs(values)
        return tuple(values), parser.ends[i]


def _access_key(parser: Parser, values: list[ast.Node]) -> None:
    """Parse a key: an expression; only before an arrow it may be as much as an assignment."""
    kinds = parser.kinds
    i = parser.i
    kind = kinds[i]
    if kind == "@" or kind == "@@" or (kind == "class" and kinds[i + 1] == "{"):
        node = parser.assignment()
    elif (kind == "type" or kind == "function") and kinds[i + 1] == "=>":
        argument(parser, values)
        return
    else:
        left = parser.expression(0)
        node = parser.continue_from(left)
        if node is left:
            add_argument(values, node, parser)
            return
    if kinds[parser.i] != "=>":
        raise parser.unexpected(parser.i)
    add_argument(values, node, parser)


def lambda_expression(parser: Parser) -> ast.LambdaExpression:
    """Parse ``|parameters| >> Type { statements }``."""
    opening = parser.expect("|")
    start = parser.starts[opening]
    listed: tuple[ast.Parameter, ...] = ()
    if parser.kinds[parser.i] == "|":
        parser.i += 1
    else:
        listed = parameters(parser, "|")
    returned = return_type(parser)
    body = parser.body(start)
    return ast.LambdaExpression(listed, body, returned, start, parser.ends[parser.i - 1])


def return_type(parser: Parser) -> ast.Node | None:
    """Parse an optional ``>> Type[...]``."""
    if parser.kinds[parser.i] != ">>":
        return None
    parser.i += 1
    return type_expression(parser)


def type_expression(parser: Parser) -> ast.Node:
    """Parse a type and its keys, without a trailing comma among them."""
    node: ast.Node = class_reference(parser)
    i = parser.i
    if parser.kinds[i] == "[" and not parser.lexer.preceded_by_blank(i):
        parser.i = i + 1
        keys, end = access_keys(parser, trailing=False)
        node = ast.AccessExpression(node, keys, node.start, end, node.start)
    return node


def parameters(parser: Parser, closing: str) -> tuple[ast.Parameter, ...]:
    """Parse one parameter or more up to the closing token, which is taken."""
    kinds = parser.kinds
    listed = [_parameter(parser)]
    while True:
        i = parser.i
        kind = kinds[i]
        if kind == ",":
            parser.i = i + 1
            if kinds[i + 1] != closing:
                listed.append(_parameter(parser))
                continue
            i += 1
        elif kind != closing:
            raise parser.unexpected(i)
        parser.i = i + 1
        return tuple(listed)


def _parameter(parser: Parser) -> ast.Parameter:
    kinds = parser.kinds
    i = parser.i
    start = parser.starts[i]
    declared = None
    if kinds[i] == "CLASSREF":
        declared = type_expression(parser)
        i = parser.i
    rest = kinds[i] == "*"
    if rest:
        i += 1
        parser.i = i
    if kinds[i] != "VARIABLE":
        raise parser.unexpected(i)
    parser.i = i + 1
    value = None
    end = parser.ends[i]
    if kinds[i + 1] == "=":
        parser.i = i + 2
        value = parser.value()
        end = value.end
    return ast.Parameter(parser.texts[i][1:], value, declared, rest, start, end, parser.starts[i])


STATEMENT_CALLS = frozenset(
    [
        "require",
        "realize",
        "include",
        "contain",
        "tag",
        "debug",
        "info",
        "notice",
        "warning",
        "err",
        "fail",
        "import",
        "break",
        "next",
        "return",
    ]
)
POSTFIX: dict[TokenKind, Callable[[Parser, ast.Node, int], ast.Node | None]] = {
    "(": _call,
    ".": _method,
    "[": _access,
}
