"""What a resource is given: the expressions in a program that give attributes values."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Attributes:
    """Attributes that one expression gives to resources of a type.

    ``title`` is set where the expression declares a resource; defaults and overrides have none.
    ``is_open`` says that a hash (``* =>``) adds others.
    """

    __slots__ = ("is_open", "operations", "title", "type_name")

    def __init__(
        self, type_name: str, operations: tuple[ast.Node, ...], title: ast.Node | None = None
    ) -> None:
        self.type_name = type_name
        self.title = title
        self.operations = [each for each in operations if isinstance(each, ast.AttributeOperation)]
        self.is_open = len(self.operations) < len(operations)

    def get(self, name: str) -> ast.Node | None:
        """Return the value of an attribute, None where it is not among them."""
        for operation in self.operations:
            if operation.name == name:
                return operation.value
        return None


def attributes_of(node: ast.Node) -> Iterator[Attributes]:
    """Yield what an expression gives to resources: one item for each body of a resource."""
    if isinstance(node, ast.ResourceExpression):
        name = _name_of(node.type_name)
        if name is None:
            return
        default: tuple[ast.Node, ...] = ()
        for body in node.bodies:
            if isinstance(body.title, ast.LiteralDefault):
                default = body.operations
        for body in node.bodies:
            if isinstance(body.title, ast.LiteralDefault):
                yield Attributes(name, body.operations)
            else:
                found = Attributes(name, body.operations, body.title)
                found.is_open = found.is_open or bool(default)
                yield found
    elif isinstance(node, ast.ResourceDefaultsExpression):
        name = _name_of(node.type_ref)
        if name is not None:
            yield Attributes(name, node.operations)
    elif isinstance(node, ast.ResourceOverrideExpression):
        resources = node.resources
        name = _name_of(resources.left) if isinstance(resources, ast.AccessExpression) else None
        if name is not None:
            yield Attributes(name, node.operations)
    elif isinstance(node, ast.CollectExpression):
        name = _name_of(node.type_expr)
        if name is not None:
            yield Attributes(name, node.operations)


def _name_of(node: ast.Node) -> str | None:
    if isinstance(node, ast.QualifiedName | ast.QualifiedReference):
        return node.value.removeprefix("::").lower()
    return None
