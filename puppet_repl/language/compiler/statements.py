"""Bodies: statements in turn, the last of which gives the value."""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import assign, constant, expression, function, returns
from puppet_repl.language.compiler.literals import has_unfold, without_parentheses
from puppet_repl.language.compiler.unit import Unit, may_match
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.build import Expr, Span, Stmt
    from puppet_repl.language.compiler.unit import ProgramLowering


def emit_body(unit: Unit, body: ast.Node | None, span: Span) -> None:
    """Emit a function's body; its value is returned."""
    if body is None:
        unit.statements.append(_return(unit, constant(None, span), span))
    else:
        emit_last(unit, body)


def emit_scope_function(
    program: ProgramLowering,
    made: str,
    body: ast.Node,
    span: Span,
    *,
    is_main: bool = False,
    is_definition: bool = False,
) -> None:
    """Emit ``def made(scope): ...`` for code whose variables live in a scope object.

    The value of the body of a definition is only checked, and references to resources pass.
    """
    unit = Unit(program, "scope", None, body, is_main=is_main)
    last = body
    while isinstance(last, ast.BlockExpression) and last.statements:
        last = last.statements[-1]
    if is_definition and isinstance(last, ast.ResourceExpression):
        emit_statement(unit, body)
    else:
        emit_body(unit, body, span)
    statements = unit.prologue(span) + unit.statements
    program.module.append(function(made, ("scope",), statements, span))


def emit_last(unit: Unit, node: ast.Node) -> None:
    """Emit code that returns the value of a node."""
    taken = unit.taken
    if isinstance(node, ast.BlockExpression) and node.statements:
        for statement in node.statements[:-1]:
            emit_statement(unit, statement)
        emit_last(unit, node.statements[-1])
    elif isinstance(node, ast.ParenthesizedExpression):
        emit_last(unit, node.expr)
    elif (emit := unit.program.emitters[type(node)]) is not None and not _shares_match(unit, node):
        emit(unit, node, True)
    else:
        span = unit.span(node)
        unit.statements.append(ends_closure(unit, node) or _return(unit, unit.lower(node), span))
    unit.taken = taken


def _shares_match(unit: Unit, node: ast.Node) -> bool:
    """Tell whether a match in a scope's last statement ends with that statement."""
    return unit.kind == "scope" and unit.match is not None and may_match(node)


def emit_statement(unit: Unit, node: ast.Node) -> None:
    """Emit code for a node whose value nobody needs."""
    if isinstance(node, ast.BlockExpression):
        for statement in node.statements:
            emit_statement(unit, statement)
        return
    taken = unit.taken
    if (emit := unit.program.emitters[type(node)]) is not None:
        emit(unit, node, False)
    elif not isinstance(node, ast.Nop):
        unit.statements.append(ends_closure(unit, node) or _statement(unit, node))
    unit.taken = taken


def _statement(unit: Unit, node: ast.Node) -> Stmt:
    span = unit.span(node)
    value = unit.lower(node)
    if isinstance(value, _ast.NamedExpr):
        return assign(value.target.id, value.value, span)
    return expression(value, span)


def _return(unit: Unit, value: Expr, span: Span) -> _ast.stmt:
    if unit.checks_result is not None:
        value = unit.checks_result(value, span)
    return returns(value, span)


# next() and return() at the end of what they end


def ends_closure(unit: Unit, node: ast.Node) -> Stmt | None:
    """Return the Python ``return`` of a statement that ends its unit (next, return), or None.

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
    span = unit.span(node)
    value: Expr = constant(None, span)
    if node.arguments:
        value = unit.lower(without_parentheses(node.arguments[0]))
    if functor.value == "next" and unit.checks_result is not None:
        value = unit.checks_result(value, span)
    return returns(value, span)
