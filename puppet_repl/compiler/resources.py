"""Resources, defaults, overrides, collectors and relationships: calls of the catalog."""

from __future__ import annotations

from puppet_repl.compiler.build import attribute, call, constant, name, tuple_of, walrus
from puppet_repl.compiler.constants import shape_recipe
from puppet_repl.compiler.literals import without_parentheses
from puppet_repl.compiler.static_kinds import kind_of
from puppet_repl.runtime.declarations import (
    AttributeShape,
    ResourceShape,
    StatementShape,
    UnsupportedOperand,
)
from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.compiler.build import Expr, Span
    from puppet_repl.compiler.unit import Lowerings, Unit


class _Statements:
    """The statements of the catalog in one expression: a local that the first use binds."""

    __slots__ = ("local",)

    def __init__(self, unit: Unit) -> None:
        self.local = unit.temporary()

    def first(self, method: str, span: Span) -> Expr:
        """Return a method, with the local bound: what is called is evaluated first."""
        statements = attribute(attribute("C", "catalog", span), "statements", span)
        return attribute(walrus(self.local, statements, span), method, span)

    def then(self, method: str, span: Span) -> Expr:
        """Return a method, in the arguments of the first."""
        return attribute(self.local, method, span)


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
        lines.append(unit.span(operation)[0])
    return AttributeShape(tuple(names), tuple(lines), frozenset(appends))


def _values(
    unit: Unit, statements: _Statements, operations: Sequence[ast.Node], span: Span
) -> Expr:
    return tuple_of([_value(unit, statements, operation) for operation in operations], span)


def _value(unit: Unit, statements: _Statements, operation: ast.Node) -> Expr:
    span = unit.span(operation)
    if isinstance(operation, ast.AttributesOperation):
        where = unit.span(operation.expr)
        return call(statements.then("attributes", where), [unit.lower(operation.expr)], where)
    assert isinstance(operation, ast.AttributeOperation)
    value = unit.lower(operation.value)
    if kind_of(unit, operation.value) in ("str", "int", "float", "bool", "undef"):
        return value
    return call(statements.then("attribute", span), [value], span)


def lower_resource(unit: Unit, node: ast.ResourceExpression) -> Expr:
    """Lower ``type { title: attributes }``."""
    span = unit.span(node)
    statements = _Statements(unit)
    shape = ResourceShape(
        node.form,
        span[0],
        unit.program.source,
        tuple([_shape(unit, body.operations) for body in node.bodies]),
    )
    bodies: list[Expr] = []
    for body in node.bodies:
        where = unit.span(body.title)
        titles: Expr = call(statements.then("titles", where), [unit.lower(body.title)], where)
        if isinstance(body.title, ast.LiteralString) and body.title.value:
            titles = tuple_of([constant(body.title.value, where)], where)
        bodies.append(tuple_of([titles, _values(unit, statements, body.operations, span)], span))
    return call(
        statements.first("declare", span),
        [
            name(unit.scope, span),
            unit.constant(shape, shape_recipe(shape), span, "shape_"),
            _type_name(unit, statements, node.type_name),
            tuple_of(bodies, span),
        ],
        span,
    )


def _type_name(unit: Unit, statements: _Statements, node: ast.Node) -> Expr:
    span = unit.span(node)
    if isinstance(node, ast.QualifiedName):
        return constant(node.value, span)
    head = node.left if isinstance(node, ast.AccessExpression) else node
    acceptable = isinstance(head, ast.QualifiedReference)
    return call(
        statements.then("resource_type_name", span),
        [unit.lower(node), constant(acceptable, span)],
        span,
    )


def _statement_shape(unit: Unit, operations: Sequence[ast.Node], span: Span) -> Expr:
    shape = StatementShape(span[0], unit.program.source, _shape(unit, operations))
    return unit.constant(shape, shape_recipe(shape), span, "shape_")


def lower_defaults(unit: Unit, node: ast.ResourceDefaultsExpression) -> Expr:
    """Lower ``Type { attributes }``."""
    span = unit.span(node)
    statements = _Statements(unit)
    return call(
        statements.first("defaults", span),
        [
            name(unit.scope, span),
            _statement_shape(unit, node.operations, span),
            unit.lower(node.type_ref),
            _values(unit, statements, node.operations, span),
        ],
        span,
    )


def lower_override(unit: Unit, node: ast.ResourceOverrideExpression) -> Expr:
    """Lower ``Type[title] { attributes }``."""
    span = unit.span(node)
    statements = _Statements(unit)
    return call(
        statements.first("override", span),
        [
            name(unit.scope, span),
            _statement_shape(unit, node.operations, span),
            unit.lower(node.resources),
            _values(unit, statements, node.operations, span),
        ],
        span,
    )


def lower_collector(unit: Unit, node: ast.CollectExpression) -> Expr:
    """Lower ``Type <| query |> { attributes }``."""
    span = unit.span(node)
    statements = _Statements(unit)
    query = node.query
    assert isinstance(query, ast.VirtualQuery | ast.ExportedQuery)
    type_name = node.type_expr.value if isinstance(node.type_expr, ast.QualifiedReference) else ""
    made = constant(None, span) if query.expr is None else _query(unit, query.expr)
    return call(
        statements.first("collect", span),
        [
            name(unit.scope, span),
            _statement_shape(unit, node.operations, span),
            constant(type_name, span),
            constant(isinstance(query, ast.ExportedQuery), span),
            made,
            _values(unit, statements, node.operations, span),
        ],
        span,
    )


def _query(unit: Unit, node: ast.Node) -> Expr:
    span = unit.span(node)
    if isinstance(node, ast.ParenthesizedExpression):
        return _query(unit, node.expr)
    if isinstance(node, ast.AndExpression | ast.OrExpression):
        word = "and" if isinstance(node, ast.AndExpression) else "or"
        queries = [_query(unit, part) for part in ast.joined(node)]
        return tuple_of([constant(word, span), *queries], span)
    if isinstance(node, ast.ComparisonExpression):
        parts = [
            constant(node.operator, span),
            _operand(unit, node.left),
            _operand(unit, node.right),
        ]
        return tuple_of(parts, span)
    return _operand(unit, node)


def _operand(unit: Unit, node: ast.Node) -> Expr:
    inner = without_parentheses(node)
    if isinstance(inner, _OPERANDS):
        return unit.lower(node)
    kind = type(inner).__name__
    made = UnsupportedOperand(kind)
    return unit.constant(made, ("operand", kind), unit.span(node), "operand_")


def lower_relationship(unit: Unit, node: ast.RelationshipExpression) -> Expr:
    """Lower ``a -> b``."""
    span = unit.span(node)
    relationships = attribute(attribute("C", "catalog", span), "relationships", span)
    return call(
        attribute(relationships, "relate", span),
        [
            name(unit.scope, span),
            constant(node.operator, span),
            unit.lower(node.left),
            unit.lower(node.right),
        ],
        span,
    )


_OPERANDS = (
    ast.AccessExpression,
    ast.AndExpression,
    ast.ComparisonExpression,
    ast.ConcatenatedString,
    ast.LiteralBoolean,
    ast.LiteralFloat,
    ast.LiteralInteger,
    ast.LiteralString,
    ast.LiteralUndef,
    ast.OrExpression,
    ast.QualifiedName,
    ast.VariableExpression,
)
"""What may be compared in the query of a collector."""

LOWERINGS: Lowerings = {
    ast.ResourceExpression: lower_resource,
    ast.ResourceDefaultsExpression: lower_defaults,
    ast.ResourceOverrideExpression: lower_override,
    ast.CollectExpression: lower_collector,
    ast.RelationshipExpression: lower_relationship,
}
