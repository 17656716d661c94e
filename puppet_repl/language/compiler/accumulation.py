"""Lambdas of ``reduce`` that only add entries to a hash: ``|$memo, $x| { $memo + { $x => 1 } }``.

Each step would copy all entries that there are. Where nothing but the addition can see the hash,
it grows in place instead.
"""

from __future__ import annotations

from puppet_repl.language.compiler.unit import READS_VARIABLES_BY_NAME
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def additions(block: ast.LambdaExpression) -> list[ast.ArithmeticExpression]:
    """Return the additions that may change the accumulated hash; none where others see it.

    The first parameter may be named nowhere but in the results of the block: there by itself, or
    before ``+`` and a hash that is written out.
    """
    memo, *others = [parameter.name for parameter in block.parameters]
    if memo in others or block.body is None:
        return []
    found: list[ast.ArithmeticExpression] = []
    alone = 0
    for result in _results(block.body):
        if _is_memo(result, memo):
            alone += 1
        elif (
            isinstance(result, ast.ArithmeticExpression)
            and result.operator == "+"
            and isinstance(result.right, ast.LiteralHash)
            and _is_memo(result.left, memo)
        ):
            found.append(result)
    return found if found and _mentions(block.body, memo) == alone + len(found) else []


def _is_memo(node: ast.Node, memo: str) -> bool:
    return isinstance(node, ast.VariableExpression) and node.name == memo


def _results(node: ast.Node | None) -> Iterator[ast.Node]:
    """Yield the expressions that give the value of a body."""
    if isinstance(node, ast.BlockExpression):
        if node.statements:
            yield from _results(node.statements[-1])
    elif isinstance(node, ast.ParenthesizedExpression):
        yield from _results(node.expr)
    elif isinstance(node, ast.IfExpression | ast.UnlessExpression):
        yield from _results(node.then_expr)
        yield from _results(node.else_expr)
    elif isinstance(node, ast.CaseExpression):
        for option in node.options:
            yield from _results(option.then_expr)
    elif node is not None:
        yield node


def _mentions(body: ast.Node, memo: str) -> int:
    """Return how often a variable is named; -1 if something may read it by its name."""
    count = 0
    pending: list[ast.Node] = [body]
    while pending:
        part = pending.pop()
        if _is_memo(part, memo):
            count += 1
        elif isinstance(part, ast.QualifiedName) and part.value in READS_VARIABLES_BY_NAME:
            return -1
        pending.extend(part.children())
    return count
