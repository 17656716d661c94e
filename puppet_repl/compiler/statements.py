"""Bodies: statements in turn, the last of which gives the value."""

from __future__ import annotations

import _ast

from puppet_repl.compiler.build import assign, constant, expression, returns
from puppet_repl.compiler.literals import has_unfold, without_parentheses
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from puppet_repl.compiler.build import Expr, Place, Stmt
    from puppet_repl.compiler.unit import Unit


def emit_body(unit: Unit, body: ast.Node | None, place: Place) -> None:
    """Emit a function's body; its value is returned."""
    if body is None:
        unit.statements.append(_return(unit, constant(None, place), place))
    else:
        emit_last(unit, body)


def emit_last(unit: Unit, node: ast.Node) -> None:
    """Emit code that returns the value of a node."""
    if isinstance(node, ast.BlockExpression) and node.statements:
        for statement in node.statements[:-1]:
            emit_statement(unit, statement)
        emit_last(unit, node.statements[-1])
    elif isinstance(node, ast.IfExpression | ast.UnlessExpression):
        _control().emit_if(unit, node, last=True)
    elif isinstance(node, ast.CaseExpression):
        _control().emit_case(unit, node, last=True)
    elif isinstance(node, ast.ParenthesizedExpression):
        emit_last(unit, node.expr)
    else:
        place = unit.place(node)
        unit.statements.append(ends_closure(unit, node) or _return(unit, unit.lower(node), place))


def emit_statement(unit: Unit, node: ast.Node) -> None:
    """Emit code for a node whose value nobody needs."""
    if isinstance(node, ast.BlockExpression):
        for statement in node.statements:
            emit_statement(unit, statement)
    elif isinstance(node, ast.IfExpression | ast.UnlessExpression):
        _control().emit_if(unit, node, last=False)
    elif isinstance(node, ast.CaseExpression):
        _control().emit_case(unit, node, last=False)
    elif isinstance(node, ast.Nop):
        return
    else:
        place = unit.place(node)
        ended = ends_closure(unit, node)
        if ended is not None:
            unit.statements.append(ended)
            return
        value = unit.lower(node)
        if isinstance(value, _ast.NamedExpr):
            unit.statements.append(assign(value.target.id, value.value, place))
        else:
            unit.statements.append(expression(value, place))


def _return(unit: Unit, value: Expr, place: Place) -> _ast.stmt:
    if unit.checks_result is not None:
        value = unit.checks_result(value, place)
    return returns(value, place)


def _control() -> ModuleType:
    from puppet_repl.compiler import control

    return control


# next() and return() at the end of what they end


def ends_closure(unit: Unit, node: ast.Node) -> Stmt | None:
    """A return for a statement that ends this unit: ``next(v)``, or ``return(v)`` in a function.

    The type of the result is checked for ``next`` only.
    """
    if not isinstance(node, ast.CallNamedFunctionExpression) or node.block is not None:
        return None
    functor = node.functor
    if not isinstance(functor, ast.QualifiedName) or len(node.arguments) > 1:
        return None
    ended = (functor.value == "next" and unit.kind in ("lambda", "function")) or (
        functor.value == "return" and unit.kind == "function" and unit.parent is None
    )
    if not ended or has_unfold(node.arguments):
        return None
    if unit.closure_name is None:
        return None
    place = unit.place(node)
    value: Expr = constant(None, place)
    if node.arguments:
        value = unit.lower(without_parentheses(node.arguments[0]))
    if functor.value == "next" and unit.checks_result is not None:
        value = unit.checks_result(value, place)
    return returns(value, place)
