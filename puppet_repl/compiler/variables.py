"""Variables: reading, assignment, destructuring, match variables."""

from __future__ import annotations

from puppet_repl.compiler.build import (
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
from puppet_repl.compiler.kinds import kind_of
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.compiler.build import Expr, Place
    from puppet_repl.compiler.unit import LowerTable, Unit


def lower_variable(unit: Unit, node: ast.VariableExpression) -> Expr:
    """``$name``."""
    return read_variable(unit, node.name, unit.place(node))


def read_variable(unit: Unit, variable: str, place: Place) -> Expr:
    """The value of a variable at this place of the unit."""
    if variable[:1].isdigit():
        return _read_match(unit, int(variable), place)
    if "::" in variable:
        return call("read_qualified", [name("C", place), constant(variable, place)], place)
    level: Unit | None = unit
    while level is not None and level.kind != "scope":
        if variable in level.pending:
            return _read_early(level, variable, place)
        state = level.bound.get(variable)
        if state == "set":
            return name(level.local(variable), place)
        if state == "maybe":
            return conditional(
                compare(
                    name(level.local(variable), place), "is not", name("UNSET", place), place=place
                ),
                name(level.local(variable), place),
                _read_outside(level, variable, place),
                place,
            )
        level = level.parent
    return subscript(unit.variables, constant(variable, place), place)


def _read_outside(level: Unit, variable: str, place: Place) -> Expr:
    if level.parent is None:
        return subscript(level.variables, constant(variable, place), place)
    return read_variable(level.parent, variable, place)


def _read_early(level: Unit, variable: str, place: Place) -> Expr:
    """A default reads a parameter that comes later."""
    assert level.closure_name is not None
    return call(
        "reject_early_read",
        [
            name(level.closure_name, place),
            constant(level.current_parameter, place),
            constant(variable, place),
        ],
        place,
    )


def _read_match(unit: Unit, number: int, place: Place) -> Expr:
    if unit.match is None:
        return constant(None, place)
    return call("group", [name(unit.match, place), constant(number, place)], place)


# Assignment


def lower_assignment(unit: Unit, node: ast.AssignmentExpression) -> Expr:
    """``$x = value`` and ``[$a, $b] = value``; the value is that of the right side."""
    place = unit.place(node)
    target = node.left
    if isinstance(target, ast.LiteralList):
        return _lower_destructuring(unit, target, node.right, place)
    kind = kind_of(unit, node.right)
    value = unit.lower(node.right)
    assert isinstance(target, ast.VariableExpression)
    return bind_variable(unit, target.name, value, kind, place)


def bind_variable(unit: Unit, variable: str, value: Expr, kind: str | None, place: Place) -> Expr:
    """Bind a variable in the scope of the unit."""
    if unit.kind == "scope":
        return call(
            attribute(unit.scope, "assign", place), [constant(variable, place), value], place
        )
    known = variable in unit.bound
    target = unit.local(variable) if known else unit.name_local(variable)
    if known or variable == "server_facts":
        if not known:
            unit.unset[variable] = None
        value = call("once", [value, name(target, place), constant(variable, place)], place)
    unit.bound[variable] = "set"
    unit.kinds[variable] = kind
    return walrus(target, value, place)


def _lower_destructuring(
    unit: Unit, target: ast.LiteralList, right: ast.Node, place: Place
) -> Expr:
    value = unit.lower(right)
    whole = unit.temporary()
    parts = unit.temporary()
    names: list[Expr] = []
    assignments: list[Expr] = []
    _collect_targets(unit, target, name(parts, place), names, assignments, place)
    steps = [
        walrus(whole, value, place),
        walrus(
            parts,
            call(
                "destructure",
                [tuple_of(names, place), name(whole, place), name("C", place)],
                place,
            ),
            place,
        ),
        *assignments,
        name(whole, place),
    ]
    return sequence(steps, place)


def _collect_targets(
    unit: Unit,
    target: ast.LiteralList,
    value: Expr,
    names: list[Expr],
    assignments: list[Expr],
    place: Place,
) -> None:
    for index, entry in enumerate(target.values):
        part = item(value, index, place)
        if isinstance(entry, ast.LiteralList):
            inner: list[Expr] = []
            _collect_targets(unit, entry, part, inner, assignments, place)
            names.append(tuple_of(inner, place))
        else:
            assert isinstance(entry, ast.VariableExpression)
            names.append(constant(entry.name, place))
            assignments.append(bind_variable(unit, entry.name, part, None, place))


LOWERINGS: LowerTable = {
    ast.VariableExpression: lower_variable,
    ast.AssignmentExpression: lower_assignment,
}
