"""Blocks, if, unless, case and selector.

Where a value is needed they are expressions; as statements, and at the end of a function, they
become Python's statements. Match variables are put back after each of them; ordinary variables
stay.
"""

from __future__ import annotations

import _ast

from puppet_repl.compiler.arithmetic import lower_truth
from puppet_repl.compiler.build import (
    assign,
    call,
    conditional,
    constant,
    expression,
    name,
    sequence,
    walrus,
    when,
)
from puppet_repl.compiler.literals import without_parentheses
from puppet_repl.compiler.matching import lower_options
from puppet_repl.compiler.statements import emit_body, emit_statement
from puppet_repl.compiler.static_kinds import kind_of
from puppet_repl.compiler.unit import may_match
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.compiler.build import Expr, Span, Stmt
    from puppet_repl.compiler.unit import Bound, Emitters, Lowerings, Unit

# Statements


def _emit_branch(unit: Unit, node: ast.Node | None, last: bool, span: Span) -> None:
    if last:
        emit_body(unit, node, span)
    elif node is not None:
        emit_statement(unit, node)


def _branch_block(
    unit: Unit, node: ast.Node | None, last: bool, span: Span
) -> tuple[list[Stmt], Bound]:
    """Return the statements of a branch, and what it binds."""
    return unit.branch(lambda: unit.block(lambda: _emit_branch(unit, node, last, span)))


def _branch_value(unit: Unit, node: ast.Node) -> tuple[Expr, Bound]:
    """Return the value of a branch, and what it binds."""
    return unit.branch(lambda: unit.lower(node))


def emit_if(unit: Unit, node: ast.IfExpression | ast.UnlessExpression, last: bool) -> None:
    """Emit ``if`` or ``unless``; as the ``last`` statement it returns."""
    span = unit.span(node)
    restore = _save_match(unit, node, span, last)
    test = lower_truth(unit, node.test)
    then, bound_then = _branch_block(unit, node.then_expr, last, span)
    other, bound_other = _branch_block(unit, node.else_expr, last, span)
    unit.merge([bound_then, bound_other], exhaustive=True)
    if isinstance(node, ast.UnlessExpression):
        then, other = other, then
    unit.statements.append(when(test, then, other, span))
    unit.statements.extend(restore)


def _save_match(unit: Unit, node: ast.Node, span: Span, last: bool) -> list[_ast.stmt]:
    """Emit code that saves the match variables; return the code that puts them back."""
    if last or unit.match is None or not may_match(node):
        return []
    saved = unit.temporary()
    unit.statements.append(assign(saved, name(unit.match, span), span))
    return [expression(unit.set_match(name(saved, span), span), span)]


def emit_case(unit: Unit, node: ast.CaseExpression, last: bool) -> None:
    """Emit ``case``; as the ``last`` statement it returns."""
    span = unit.span(node)
    restore = _save_match(unit, node, span, last)
    kind = kind_of(unit, node.test)
    test = unit.temporary()
    unit.statements.append(assign(test, unit.lower(node.test), unit.span(node.test)))
    default: ast.CaseOption | None = None
    bounds: list[Bound] = []
    outer = unit.statements
    for option in node.options:
        if _has_default(option.values):
            default = option
        matches = lower_options(unit, test, kind, option.values, unit.span(option))
        if matches is None:
            continue
        body, bound = _branch_block(unit, option.then_expr, last, span)
        bounds.append(bound)
        made = when(matches, body, [], unit.span(option))
        assert isinstance(made, _ast.If)
        unit.statements.append(made)
        unit.statements = made.orelse
    rest, bound = _branch_block(unit, default and default.then_expr, last, span)
    bounds.append(bound)
    unit.statements.extend(rest)
    unit.statements = outer
    unit.merge(bounds, exhaustive=True)
    unit.statements.extend(restore)


def _has_default(values: Sequence[ast.Node]) -> bool:
    return any(isinstance(without_parentheses(value), ast.LiteralDefault) for value in values)


# Expressions


def lower_if(unit: Unit, node: ast.IfExpression | ast.UnlessExpression) -> Expr:
    """Lower ``if`` and ``unless`` where a value is needed."""
    span = unit.span(node)

    def make() -> Expr:
        test = lower_truth(unit, node.test)
        then, bound_then = unit.branch(lambda: _value(unit, node.then_expr, span))
        other, bound_other = unit.branch(lambda: _value(unit, node.else_expr, span))
        unit.merge([bound_then, bound_other], exhaustive=True)
        if isinstance(node, ast.UnlessExpression):
            then, other = other, then
        return conditional(test, then, other, span)

    return unit.saved_match(node, make, span)


def _value(unit: Unit, node: ast.Node | None, span: Span) -> Expr:
    return constant(None, span) if node is None else unit.lower(node)


def lower_case(unit: Unit, node: ast.CaseExpression) -> Expr:
    """Lower ``case`` where a value is needed."""
    span = unit.span(node)
    entries = [(option.values, option.then_expr, option) for option in node.options]

    def make() -> Expr:
        return _choice(unit, node.test, entries, span, None)

    return unit.saved_match(node, make, span)


def lower_selector(unit: Unit, node: ast.SelectorExpression) -> Expr:
    """Lower ``left ? { a => b }``."""
    span = unit.span(node)
    entries = [((entry.matching,), entry.value, entry) for entry in node.selectors]

    def make() -> Expr:
        return _choice(unit, node.left, entries, span, "unmatched_selector")

    return unit.saved_match(node, make, span)


def _choice(
    unit: Unit,
    tested: ast.Node,
    entries: Sequence[tuple[tuple[ast.Node, ...], ast.Node, ast.Node]],
    span: Span,
    failure: str | None,
) -> Expr:
    """Nested conditionals; the value under test is bound in the first of them."""
    kind = kind_of(unit, tested)
    subject = unit.lower(tested)
    test = unit.temporary()
    binding = walrus(test, subject, unit.span(tested))
    default: ast.Node | None = None
    branches: list[tuple[Expr, Expr, Span]] = []
    bounds: list[Bound] = []
    for options, result, entry in entries:
        if _has_default(options):
            default = result
        matches = lower_options(unit, test, kind, options, unit.span(entry))
        if matches is None:
            continue
        value, bound = _branch_value(unit, result)
        bounds.append(bound)
        branches.append((matches, value, unit.span(entry)))
    if default is not None:
        last, bound = unit.branch(lambda: unit.lower(default))
        bounds.append(bound)
    elif failure is not None:
        last = call(failure, [name(test, span)], span)
    else:
        last = constant(None, span)
        bounds.append(dict(unit.bound))
    unit.merge(bounds, exhaustive=True)
    made = last
    for matches, value, where in reversed(branches):
        made = conditional(matches, value, made, where)
    return sequence([binding, made], span)


LOWERINGS: Lowerings = {
    ast.IfExpression: lower_if,
    ast.UnlessExpression: lower_if,
    ast.CaseExpression: lower_case,
    ast.SelectorExpression: lower_selector,
}

EMITTERS: Emitters = {
    ast.IfExpression: emit_if,
    ast.UnlessExpression: emit_if,
    ast.CaseExpression: emit_case,
}
