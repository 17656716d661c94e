"""Variables: reading, assignment, destructuring, match variables."""

from __future__ import annotations

from puppet_repl.language.compiler.build import (
    attribute,
    call,
    compare,
    conditional,
    constant,
    item,
    name,
    sequence,
    subscript,
    tuple_of,
    walrus,
)
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.runtime.scope import RESERVED
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.static_kinds import StaticKind
    from puppet_repl.language.compiler.unit import Lowerings, Unit


def lower_variable(unit: Unit, node: ast.VariableExpression) -> Expr:
    """Lower ``$name``."""
    return read_variable(unit, node.name, unit.span(node))


def read_variable(unit: Unit, variable: str, span: Span) -> Expr:
    """Return an expression for the value of a variable at this point of the unit."""
    if variable[:1].isdigit():
        return _read_match(unit, int(variable), span)
    if "::" in variable:
        return call("read_qualified", [name("C", span), constant(variable, span)], span)
    level: Unit | None = unit
    while level is not None and level.kind != "scope":
        if variable in level.pending:
            return _read_early(level, variable, span)
        state = level.bound.get(variable)
        if state == "set":
            return name(level.local(variable), span)
        if state == "maybe":
            return conditional(
                compare(
                    name(level.local(variable), span), "is not", name("UNSET", span), span=span
                ),
                name(level.local(variable), span),
                _read_outside(level, variable, span),
                span,
            )
        level = level.parent
    return subscript(unit.variables, constant(variable, span), span)


def _read_outside(level: Unit, variable: str, span: Span) -> Expr:
    if level.parent is None:
        return subscript(level.variables, constant(variable, span), span)
    return read_variable(level.parent, variable, span)


def _read_early(level: Unit, variable: str, span: Span) -> Expr:
    """Lower a default that reads a parameter which comes later."""
    assert level.closure_name is not None
    return call(
        "reject_early_read",
        [
            name(level.closure_name, span),
            constant(level.current_parameter, span),
            constant(variable, span),
        ],
        span,
    )


def _read_match(unit: Unit, number: int, span: Span) -> Expr:
    if unit.match is None:
        return constant(None, span)
    return call("group", [name(unit.match, span), constant(number, span)], span)


# Assignment


def lower_assignment(unit: Unit, node: ast.AssignmentExpression) -> Expr:
    """Lower ``$x = value`` and ``[$a, $b] = value``; the value is that of the right side."""
    span = unit.span(node)
    target = node.left
    if isinstance(target, ast.LiteralList):
        return _lower_destructuring(unit, target, node.right, span)
    kind = kind_of(unit, node.right)
    value = unit.lower(node.right)
    assert isinstance(target, ast.VariableExpression)
    return bind_variable(unit, target.name, value, kind, span)


def bind_variable(
    unit: Unit, variable: str, value: Expr, kind: StaticKind | None, span: Span
) -> Expr:
    """Bind a variable in the scope of the unit."""
    if unit.kind == "scope":
        return call(attribute(unit.scope, "assign", span), [constant(variable, span), value], span)
    known = variable in unit.bound
    target = unit.local(variable) if known else unit.name_local(variable)
    if known or variable == "server_facts" or variable in RESERVED:
        if not known:
            unit.unset[variable] = None
        value = call("once", [value, name(target, span), constant(variable, span)], span)
    unit.bound[variable] = "set"
    unit.kinds[variable] = kind
    return walrus(target, value, span)


def _lower_destructuring(unit: Unit, target: ast.LiteralList, right: ast.Node, span: Span) -> Expr:
    value = unit.lower(right)
    whole = unit.temporary()
    parts = unit.temporary()
    names: list[Expr] = []
    assignments: list[Expr] = []
    _collect_targets(unit, target, name(parts, span), names, assignments, span)
    steps = [
        walrus(whole, value, span),
        walrus(
            parts,
            call(
                "destructure",
                [tuple_of(names, span), name(whole, span), name("C", span)],
                span,
            ),
            span,
        ),
        *assignments,
        name(whole, span),
    ]
    return sequence(steps, span)


def _collect_targets(
    unit: Unit,
    target: ast.LiteralList,
    value: Expr,
    names: list[Expr],
    assignments: list[Expr],
    span: Span,
) -> None:
    for index, entry in enumerate(target.values):
        part = item(value, index, span)
        if isinstance(entry, ast.LiteralList):
            inner: list[Expr] = []
            _collect_targets(unit, entry, part, inner, assignments, span)
            names.append(tuple_of(inner, span))
        else:
            assert isinstance(entry, ast.VariableExpression)
            names.append(constant(entry.name, span))
            assignments.append(bind_variable(unit, entry.name, part, None, span))


LOWERINGS: Lowerings = {
    ast.VariableExpression: lower_variable,
    ast.AssignmentExpression: lower_assignment,
}
