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


class _Catalog:
    """The catalog in one statement: a local that the first use binds."""

    __slots__ = ("local",)

    def __init__(self, unit: Unit) -> None:
        self.local = unit.temporary()

    def first(self, method: str, place: Place) -> Expr:
        """A method, where the catalog is asked for: what is called is evaluated before its
        arguments.
        """
        return attribute(walrus(self.local, attribute("C", "catalog", place), place), method, place)

    def then(self, method: str, place: Place) -> Expr:
        """A method in the arguments of the first."""
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


def _values(unit: Unit, catalog: _Catalog, operations: Sequence[ast.Node], place: Place) -> Expr:
    return tuple_of([_value(unit, catalog, operation) for operation in operations], place)


def _value(unit: Unit, catalog: _Catalog, operation: ast.Node) -> Expr:
    place = unit.place(operation)
    if isinstance(operation, ast.AttributesOperation):
        where = unit.place(operation.expr)
        return call(catalog.then("attributes", where), [unit.lower(operation.expr)], where)
    assert isinstance(operation, ast.AttributeOperation)
    value = unit.lower(operation.value)
    if kind_of(unit, operation.value) in ("str", "int", "float", "bool", "undef"):
        return value
    return call(catalog.then("attribute", place), [value], place)


def lower_resource(unit: Unit, node: ast.ResourceExpression) -> Expr:
    """``type { title: attributes }``."""
    place = unit.place(node)
    catalog = _Catalog(unit)
    shape = ResourceShape(
        node.form,
        place[0],
        unit.program.source,
        tuple([_shape(unit, body.operations) for body in node.bodies]),
    )
    bodies: list[Expr] = []
    for body in node.bodies:
        where = unit.place(body.title)
        titles: Expr = call(catalog.then("titles", where), [unit.lower(body.title)], where)
        if isinstance(body.title, ast.LiteralString) and body.title.value:
            titles = tuple_of([constant(body.title.value, where)], where)
        bodies.append(tuple_of([titles, _values(unit, catalog, body.operations, place)], place))
    return call(
        catalog.first("declare", place),
        [
            name(unit.scope, place),
            unit.constant(shape, place, "shape_"),
            _type_name(unit, catalog, node.type_name),
            tuple_of(bodies, place),
        ],
        place,
    )


def _type_name(unit: Unit, catalog: _Catalog, node: ast.Node) -> Expr:
    place = unit.place(node)
    if isinstance(node, ast.QualifiedName):
        return constant(node.value, place)
    head = node.left if isinstance(node, ast.AccessExpression) else node
    acceptable = isinstance(head, ast.QualifiedReference)
    return call(
        catalog.then("resource_type_name", place),
        [unit.lower(node), constant(acceptable, place)],
        place,
    )


def _statement_shape(unit: Unit, operations: Sequence[ast.Node], place: Place) -> Expr:
    shape = StatementShape(place[0], unit.program.source, _shape(unit, operations))
    return unit.constant(shape, place, "shape_")


def lower_defaults(unit: Unit, node: ast.ResourceDefaultsExpression) -> Expr:
    """``Type { attributes }``."""
    place = unit.place(node)
    catalog = _Catalog(unit)
    return call(
        catalog.first("defaults", place),
        [
            name(unit.scope, place),
            _statement_shape(unit, node.operations, place),
            unit.lower(node.type_ref),
            _values(unit, catalog, node.operations, place),
        ],
        place,
    )


def lower_override(unit: Unit, node: ast.ResourceOverrideExpression) -> Expr:
    """``Type[title] { attributes }``."""
    place = unit.place(node)
    catalog = _Catalog(unit)
    return call(
        catalog.first("override", place),
        [
            name(unit.scope, place),
            _statement_shape(unit, node.operations, place),
            unit.lower(node.resources),
            _values(unit, catalog, node.operations, place),
        ],
        place,
    )


def lower_collector(unit: Unit, node: ast.CollectExpression) -> Expr:
    """``Type <| query |> { attributes }``."""
    place = unit.place(node)
    catalog = _Catalog(unit)
    query = node.query
    assert isinstance(query, ast.VirtualQuery | ast.ExportedQuery)
    type_name = node.type_expr.value if isinstance(node.type_expr, ast.QualifiedReference) else ""
    made = constant(None, place) if query.expr is None else _query(unit, query.expr)
    return call(
        catalog.first("collect", place),
        [
            name(unit.scope, place),
            _statement_shape(unit, node.operations, place),
            constant(type_name, place),
            constant(isinstance(query, ast.ExportedQuery), place),
            made,
            _values(unit, catalog, node.operations, place),
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
    catalog = _Catalog(unit)
    return call(
        catalog.first("relate", place),
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
