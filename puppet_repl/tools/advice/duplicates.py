"""Checks of attributes and defaults that are set twice: Puppet refuses to evaluate them."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.advice.model import Context


def attributes(context: Context, node: ast.Node) -> None:
    """Warn of attributes that a resource, an override or defaults have twice.

    With a collector Puppet takes the last one, so nobody asks for those here.
    """
    assert isinstance(
        node, ast.ResourceBody | ast.ResourceDefaultsExpression | ast.ResourceOverrideExpression
    )
    seen: set[str] = set()
    for name, start, end in _names(node.operations):
        if name in seen:
            message = f"{name} is set further up: Puppet refuses to set an attribute twice"
            context.warn_span("duplicate_params", start, end, message)
        seen.add(name)


def defaults(context: Context, node: ast.Node) -> None:
    """Warn of defaults that two statements of one block give a type."""
    assert isinstance(node, ast.BlockExpression)
    seen: set[tuple[str, str]] = set()
    for statement in node.statements:
        if not isinstance(statement, ast.ResourceDefaultsExpression):
            continue
        type_ref = statement.type_ref
        if not isinstance(type_ref, ast.QualifiedReference):
            continue
        type_name = type_ref.value.removeprefix("::").lower()
        here = set()
        for name, start, end in _names(statement.operations):
            if (type_name, name) in seen:
                message = f"{name} has a default further up: Puppet refuses to set another"
                context.warn_span("duplicate_params", start, end, message)
            here.add((type_name, name))
        seen |= here


def _names(operations: tuple[ast.Node, ...]) -> Iterator[tuple[str, int, int]]:
    """Yield the names of attributes, each with its range; of ``* =>`` those of a literal hash."""
    for operation in operations:
        if isinstance(operation, ast.AttributeOperation):
            yield operation.name, operation.start, operation.start + len(operation.name)
        elif isinstance(operation, ast.AttributesOperation):
            entries = operation.expr.entries if isinstance(operation.expr, ast.LiteralHash) else ()
            for entry in entries:
                name = string_of(entry.key)
                if name is not None:
                    yield name, entry.key.start, entry.key.end
