"""Checks of attributes, defaults, resources and variables that are there twice.

Puppet refuses to evaluate them.
"""

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


def resources(context: Context, node: ast.Node) -> None:
    """Warn of resources that one statement, or two of one block, declare twice."""
    assert isinstance(node, ast.BlockExpression | ast.ResourceExpression)
    is_block = isinstance(node, ast.BlockExpression)
    seen: set[tuple[str, str]] = set()
    for statement in node.statements if isinstance(node, ast.BlockExpression) else (node,):
        here: set[tuple[str, str]] = set()
        for name, title, place in _declared(statement):
            if (name, title) in (seen if is_block else here):
                shown = "::".join(part.capitalize() for part in name.split("::"))
                message = f"{shown}[{title}] is declared further up: Puppet refuses a second one"
                context.warn("duplicate_resource", place, message)
            here.add((name, title))
        seen |= here


def _declared(statement: ast.Node) -> Iterator[tuple[str, str, ast.Node]]:
    """Yield type and title of the resources with literal titles that a statement declares."""
    if not isinstance(statement, ast.ResourceExpression):
        return
    if not isinstance(statement.type_name, ast.QualifiedName):
        return
    name = statement.type_name.value.removeprefix("::").lower()
    for body in statement.bodies:
        titles = body.title.values if isinstance(body.title, ast.LiteralList) else (body.title,)
        for each in titles:
            title = string_of(each)
            if title is not None:
                is_class = name == "class"
                yield name, title.removeprefix("::").lower() if is_class else title, each


def assignments(context: Context, node: ast.Node) -> None:
    """Warn of variables that a definition, a lambda or the whole program assigns again."""
    if not isinstance(node, ast.BlockExpression):
        names = {each.name: -1 for each in getattr(node, "parameters", ())}
        _assigned(context, getattr(node, "body", None), names)
    elif context.scope.node is node:
        _assigned(context, node, {})


def _assigned(context: Context, body: ast.Node | None, names: dict[str, int]) -> None:
    """Warn of names that code around has assigned further up; ``names`` has their places."""
    pending: list[tuple[ast.Node | None, tuple[dict[str, int], ...]]] = [(body, (names,))]
    while pending:
        node, around = pending.pop()
        statements = node.statements if isinstance(node, ast.BlockExpression) else (node,)
        if not isinstance(node, ast.IfExpression):  # of an elsif there may be many
            around = (*around, {})
        for statement in statements:
            if isinstance(statement, ast.AssignmentExpression):
                for part in statement.left.walk():
                    if isinstance(part, ast.VariableExpression):
                        _assign(context, part, around)
            elif isinstance(statement, ast.IfExpression | ast.UnlessExpression):
                pending += [(statement.then_expr, around), (statement.else_expr, around)]
            elif isinstance(statement, ast.CaseExpression):
                pending += [(option.then_expr, around) for option in statement.options]


def _assign(
    context: Context, part: ast.VariableExpression, around: tuple[dict[str, int], ...]
) -> None:
    if any(each.get(part.name, part.start) < part.start for each in around):
        message = f"${part.name} has a value, and keeps it: Puppet refuses another one"
        context.warn("reassigned_variable", part, message)
    around[-1].setdefault(part.name, part.start)
