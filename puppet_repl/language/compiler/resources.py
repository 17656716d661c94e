"""Resources, defaults, overrides, collectors and relationships: calls of the catalog."""

from __future__ import annotations

from puppet_repl.language.compiler.build import call, constant, name, tuple_of
from puppet_repl.language.compiler.constants import shape_recipe
from puppet_repl.language.compiler.literals import without_parentheses
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.runtime.declarations import (
    AttributeShape,
    ResourceShape,
    StatementShape,
    UnsupportedOperand,
)
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.unit import Lowerings, Unit


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
        lines.append(unit.line(operation))
    return AttributeShape(tuple(names), tuple(lines), frozenset(appends))


def _values(unit: Unit, operations: Sequence[ast.Node], span: Span) -> Expr:
    return tuple_of([_value(unit, operation) for operation in operations], span)


def _value(unit: Unit, operation: ast.Node) -> Expr:
    if isinstance(operation, ast.AttributesOperation):
        return call("attribute_hash", [unit.lower(operation.expr)], unit.span(operation.expr))
    assert isinstance(operation, ast.AttributeOperation)
    value = unit.lower(operation.value)
    if kind_of(unit, operation.value) in ("str", "int", "float", "bool", "undef"):
        return value
    return call("attribute_value", [value], unit.span(operation))


def lower_resource(unit: Unit, node: ast.ResourceExpression) -> Expr:
    """Lower ``type { title: attributes }``."""
    span = unit.span(node)
    type_node, bodies = node.type_name, node.bodies
    type_name = type_node.value if isinstance(type_node, ast.QualifiedName) else ""
    only = bodies[0].title if len(bodies) == 1 and type_name else None
    shapes = tuple([_shape(unit, body.operations) for body in bodies])
    shape = ResourceShape(node.form, span[0], unit.program.source, shapes, type_name)
    made = unit.constant(shape, shape_recipe(shape), span, "shape_")
    if node.form == "exported":  # Puppet warns of it before it evaluates anything
        made = call("warn_of_export", [made], span)
    head = [name(unit.scope, span), made]
    if only is not None and _is_text(only):
        values = _values(unit, bodies[0].operations, span)
        return call("declare_titled", [*head, unit.lower(only), values], span)
    if only is not None:
        return call("declare_body", [*head, *_body(unit, bodies[0], span)], span)
    head.append(_type_name(unit, type_node, span))
    parts = [tuple_of(_body(unit, body, span), span) for body in bodies]
    return call("declare", [*head, tuple_of(parts, span)], span)


def _is_text(node: ast.Node) -> bool:
    """Tell whether a title is a string that is not empty, whatever is interpolated."""
    if isinstance(node, ast.ConcatenatedString):
        return any(map(_is_text, node.segments))
    return isinstance(node, ast.LiteralString) and bool(node.value)


def _body(unit: Unit, body: ast.ResourceBody, span: Span) -> tuple[Expr, Expr]:
    """Return titles, and the values of attributes; a title is a str where it is a literal."""
    title = body.title
    if isinstance(title, ast.LiteralString) and title.value:
        titles = constant(title.value, span)
    else:
        titles = call("titles", [unit.lower(title)], unit.span(title))
    return titles, _values(unit, body.operations, span)


def _type_name(unit: Unit, node: ast.Node, span: Span) -> Expr:
    if isinstance(node, ast.QualifiedName):
        return constant(node.value, span)
    span = unit.span(node)
    head = node.left if isinstance(node, ast.AccessExpression) else node
    acceptable = isinstance(head, ast.QualifiedReference)
    return call("resource_type_name", [unit.lower(node), constant(acceptable, span)], span)


def _statement_shape(unit: Unit, operations: Sequence[ast.Node], span: Span) -> Expr:
    shape = StatementShape(span[0], unit.program.source, _shape(unit, operations))
    return unit.constant(shape, shape_recipe(shape), span, "shape_")


def lower_defaults(unit: Unit, node: ast.ResourceDefaultsExpression) -> Expr:
    """Lower ``Type { attributes }``."""
    span = unit.span(node)
    return call(
        "set_defaults",
        [
            name(unit.scope, span),
            _statement_shape(unit, node.operations, span),
            unit.lower(node.type_ref),
            _values(unit, node.operations, span),
        ],
        span,
    )


def lower_override(unit: Unit, node: ast.ResourceOverrideExpression) -> Expr:
    """Lower ``Type[title] { attributes }``."""
    span = unit.span(node)
    return call(
        "override",
        [
            name(unit.scope, span),
            _statement_shape(unit, node.operations, span),
            unit.lower(node.resources),
            _values(unit, node.operations, span),
        ],
        span,
    )


def lower_collector(unit: Unit, node: ast.CollectExpression) -> Expr:
    """Lower ``Type <| query |> { attributes }``."""
    span = unit.span(node)
    query = node.query
    assert isinstance(query, ast.VirtualQuery | ast.ExportedQuery)
    type_name = node.type_expr.value if isinstance(node.type_expr, ast.QualifiedReference) else ""
    made = constant(None, span) if query.expr is None else _query(unit, query.expr)
    return call(
        "collect",
        [
            name(unit.scope, span),
            _statement_shape(unit, node.operations, span),
            constant(type_name, span),
            call("warn_of_collection", [], span)
            if isinstance(query, ast.ExportedQuery)
            else constant(False, span),
            made,
            _values(unit, node.operations, span),
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
    return call(
        "relate",
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
"""The operands that the query of a collector may compare."""

LOWERINGS: Lowerings = {
    ast.ResourceExpression: lower_resource,
    ast.ResourceDefaultsExpression: lower_defaults,
    ast.ResourceOverrideExpression: lower_override,
    ast.CollectExpression: lower_collector,
    ast.RelationshipExpression: lower_relationship,
}
