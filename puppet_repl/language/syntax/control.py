"""``if``, ``unless``, ``case`` and selectors."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.parser import Parser
    from puppet_repl.language.syntax.tokens import TokenKind


def _if(parser: Parser) -> ast.Node:
    kinds = parser.kinds
    begun: list[tuple[int, ast.Node, ast.Node]] = []
    else_expr: ast.Node | None = None
    while True:
        i = parser.i
        parser.i = i + 1
        test = parser.expression(0)
        begun.append((parser.starts[i], test, _then(parser)))
        kind = kinds[parser.i]
        if kind == "elsif":
            continue
        if kind == "else":
            parser.i += 1
            else_expr = parser.block()
        break
    end = parser.ends[parser.i - 1]
    for start, test, then_expr in reversed(begun):
        else_expr = ast.IfExpression(test, then_expr, else_expr, start, end)
    assert else_expr is not None
    return else_expr


def _then(parser: Parser) -> ast.Node:
    block = parser.block()
    if block is None:
        at = parser.ends[parser.i - 1] - 1
        return ast.Nop(at, at)
    return block


def _unless(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    test = parser.expression(0)
    then_expr = _then(parser)
    else_expr = None
    if parser.kinds[parser.i] == "else":
        parser.i += 1
        else_expr = parser.block()
    end = parser.ends[parser.i - 1]
    return ast.UnlessExpression(test, then_expr, else_expr, parser.starts[i], end)


def _case(parser: Parser) -> ast.Node:
    i = parser.i
    parser.i = i + 1
    test = parser.expression(0)
    parser.expect("{")
    options = [_option(parser)]
    while parser.kinds[parser.i] != "}":
        options.append(_option(parser))
    parser.i += 1
    end = parser.ends[parser.i - 1]
    return ast.CaseExpression(test, tuple(options), parser.starts[i], end)


def _option(parser: Parser) -> ast.CaseOption:
    kinds = parser.kinds
    values = [parser.expression(0)]
    while kinds[parser.i] == ",":
        parser.i += 1
        values.append(parser.expression(0))
    at = parser.starts[parser.expect(":")]
    body = parser.body(at)
    end = parser.ends[parser.i - 1]
    then_expr: ast.Node = ast.Nop(end - 1, end - 1) if body is None else body
    return ast.CaseOption(tuple(values), then_expr, values[0].start, end, at)


def selector(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    """Parse ``left ? entry`` or ``left ? { entries }``."""
    kinds = parser.kinds
    parser.i = i + 1
    if kinds[i + 1] != "{":
        entry = _entry(parser)
        return ast.SelectorExpression(left, (entry,), left.start, entry.end, left.at)
    parser.i = i + 2
    entries = [_entry(parser)]
    while kinds[parser.i] == ",":
        parser.i += 1
        if kinds[parser.i] == "}":
            break
        entries.append(_entry(parser))
    closing = parser.expect("}")
    end = parser.ends[closing]
    return ast.SelectorExpression(left, tuple(entries), left.start, end, left.at)


def _entry(parser: Parser) -> ast.SelectorEntry:
    matching = parser.expression(0)
    arrow = parser.expect("=>")
    value = parser.expression(0)
    return ast.SelectorEntry(matching, value, matching.start, value.end, parser.starts[arrow])


PREFIX: dict[TokenKind, Callable[[Parser], ast.Node]] = {
    "if": _if,
    "unless": _unless,
    "case": _case,
}
