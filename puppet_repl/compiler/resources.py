"""Resources, defaults, overrides, collectors and relationships: calls of the catalog."""

from __future__ import annotations

from puppet_repl.compiler.build import attribute, call, constant, name, tuple_of, walrus
from puppet_repl.compiler.kinds import kind_of
from puppet_repl.runtime.declarations import AttributeShape, ResourceShape, StatementShape
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.compiler.build import Expr, Place
    from puppet_repl.compiler.unit import LowerTable, Unit


class _Statements:
    """The statements of the catalog in one expression: a local that the first use binds."""

    __slots__ = ("local",)

    def __init__(self, unit: Unit) -> None:
        self.local = unit.temporary()

    def first(self, method: str, place: Place) -> Expr:
        """Return a method, with the local bound: what is called is evaluated first."""
        statements = attribute(attribute("C", "catalog", place), "statements", place)
        return attribute(walrus(self.local, statements, place), method, place)

    def then(self, method: str, place: Place) -> Expr:
        """Return a method, in the arguments of the first."""
        return attribute(self.local, method, place)


def _shape(unit: Unit, operations: Sequence[ast.Node]) -> AttributeShape:
    names: list[str | None] = []
    lines: list[int] = []
    appends: list[int] = []
    for index, operation in enumerate(operations):
        if isinstance(operation, ast.AttributeOperation):
            names.append(operation.name)
            if operation.operator == "+>":
                appends.append(index)
        else:
            names.append(None)
        lines.append(unit.place(operation)[0])
    return AttributeShape(tuple(names), tuple(lines), frozenset(appends))


def _values(
    unit: Unit, statements: _Statements, operations: Sequence[ast.Node], place: Place
) -> Expr:
    return tuple_of([_value(unit, statements, operation) for operation in operations], place)


def _value(unit: Unit, statements: _Statements, operation: ast.Node) -> Expr:
    place = unit.place(operation)
    if isinstance(operation, ast.AttributesOperation):
        where = unit.place(operation.expr)
        return call(statements.then("attributes", where), [unit.lower(operation.expr)], where)
    assert isinstance(operation, ast.AttributeOperation)
    value = unit.lower(operation.value)
    if kind_of(unit, operation.value) in ("str", "int", "float", "bool", "undef"):
        return value
    return call(statements.then("attribute", place), [value], place)


def lower_resource(unit: Unit, node: ast.ResourceExpression) -> Expr:
    """``type { title: attributes }``."""
    place = unit.place(node)
    statements = _Statements(unit)
    shape = ResourceShape(
        node.form,
        place[0],
        unit.program.source,
        tuple([_shape(unit, body.operations) for body in node.bodies]),
    )
    bodies: list[Expr] = []
    for body in node.bodies:
        where = unit.place(body.title)
        titles: Expr = call(statements.then("titles", where), [unit.lower(body.title)], where)
        if isinstance(body.title, ast.LiteralString) and body.title.value:
            titles = tuple_of([constant(body.title.value, where)], where)
        bodies.append(tuple_of([titles, _values(unit, statements, body.operations, place)], place))
    return call(
        statements.first("declare", place),
        [
            name(unit.scope, place),
            unit.constant(shape, place, "shape_"),
            _type_name(unit, statements, node.type_name),
            tuple_of(bodies, place),
        ],
        place,
    )


def _type_name(unit: Unit, statements: _Statements, node: ast.Node) -> Expr:
    place = unit.place(node)
    if isinstance(node, ast.QualifiedName):
        return constant(node.value, place)
    head = node.left if isinstance(node, ast.AccessExpression) else node
    acceptable = isinstance(head, ast.QualifiedReference)
    return call(
        statements.then("resource_type_name", place),
        [unit.lower(node), constant(acceptable, place)],
        place,
    )


def _statement_shape(unit: Unit, operations: Sequence[ast.Node], place: Place) -> Expr:
    shape = StatementShape(place[0], unit.program.source, _shape(unit, operations))
    return unit.constant(shape, place, "shape_")


def lower_defaults(unit: Unit, node: ast.ResourceDefaultsExpression) -> Expr:
    """``Type { attributes }``."""
    place = unit.place(node)
    statements = _Statements(unit)
    return call(
        statements.first("defaults", place),
        [
            name(unit.scope, place),
            _statement_shape(unit, node.operations, place),
            unit.lower(node.type_ref),
            _values(unit, statements, node.operations, place),
        ],
        place,
    )


def lower_override(unit: Unit, node: ast.ResourceOverrideExpression) -> Expr:
    """``Type[title] { attributes }``."""
    place = unit.place(node)
    statements = _Statements(unit)
    return call(
        statements.first("override", place),
        [
            name(unit.scope, place),
            _statement_shape(unit, node.operations, place),
            unit.lower(node.resources),
            _values(unit, statements, node.operations, place),
        ],
        place,
    )


def lower_collector(unit: Unit, node: ast.CollectExpression) -> Expr:
    """``Type <| query |> { attributes }``."""
    place = unit.place(node)
    statements = _Statements(unit)
    query = node.query
    assert isinstance(query, ast.VirtualQuery | ast.ExportedQuery)
    type_name = node.type_expr.value if isinstance(node.type_expr, ast.QualifiedReference) else ""
    made = constant(None, place) if query.expr is None else _query(unit, query.expr)
    return call(
        statements.first("collect", place),
        [
            name(unit.scope, place),
            _statement_shape(unit, node.operations, place),
            constant(type_name, place),
            constant(isinstance(query, ast.ExportedQuery), place),
            made,
            _values(unit, statements, node.operations, place),
        ],
        place,
    )


def _query(unit: Unit, node: ast.Node) -> Expr:
    place = unit.place(node)
    if isinstance(node, ast.ParenthesizedExpression):
        return _query(unit, node.expr)
    if isinstance(node, ast.AndExpression | ast.OrExpression):
        word = "and" if isinstance(node, ast.AndExpression) else "or"
        parts = [constant(word, place), _query(unit, node.left), _query(unit, node.right)]
        return tuple_of(parts, place)
    if isinstance(node, ast.ComparisonExpression):
        parts = [
            constant(node.operator, place),
            _operand(unit, node.left),
            _operand(unit, node.right),
        ]
        return tuple_of(parts, place)
    return _operand(unit, node)


def _operand(unit: Unit, node: ast.Node) -> Expr:
    return unit.lower(node)


def lower_relationship(unit: Unit, node: ast.RelationshipExpression) -> Expr:
    """``a -> b``."""
    place = unit.place(node)
    relationships = attribute(attribute("C", "catalog", place), "relationships", place)
    return call(
        attribute(relationships, "relate", place),
        [
            name(unit.scope, place),
            constant(node.operator, place),
            unit.lower(node.left),
            unit.lower(node.right),
        ],
        place,
    )


LOWERINGS: LowerTable = {
    ast.ResourceExpression: lower_resource,
    ast.ResourceDefaultsExpression: lower_defaults,
    ast.ResourceOverrideExpression: lower_override,
    ast.CollectExpression: lower_collector,
    ast.RelationshipExpression: lower_relationship,
}
