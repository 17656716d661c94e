"""The parts of a program that have variables of their own, and what binds these variables."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.source import Source

OPENS_SCOPE = frozenset(
    (
        ast.HostClassDefinition,
        ast.ResourceTypeDefinition,
        ast.FunctionDefinition,
        ast.PlanDefinition,
        ast.NodeDefinition,
        ast.LambdaExpression,
        ast.ApplyExpression,
    )
)


# Their code sees the variables around: the block of ``apply`` is given those of its plan.
SEES_AROUND = (ast.ApplyExpression, ast.LambdaExpression)


def bound_in(scope: ast.Node) -> dict[str, list[ast.Node]]:
    """Return the parameters and assignments that bind each name in a scope, not further inside.

    The scope is a definition, a lambda, or a whole program.
    """
    found: dict[str, list[ast.Node]] = {}
    pending = [scope]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Parameter):
            found.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.AssignmentExpression):
            for part in node.left.walk():
                if isinstance(part, ast.VariableExpression):
                    found.setdefault(part.name, []).append(node)
        if node is scope or type(node) not in OPENS_SCOPE:
            pending += node.children()
    return found


def assigned(left: ast.Node) -> Iterator[ast.VariableExpression]:
    """Yield the variables on the left side of an assignment."""
    if isinstance(left, ast.VariableExpression):
        yield left
    elif isinstance(left, ast.LiteralList):
        for item in left.values:
            yield from assigned(item)


def takes_by_name(node: ast.AssignmentExpression, name: str) -> bool:
    """Tell whether an assignment gives a variable the value of the key, or variable, so named."""
    is_by_name = isinstance(node.left, ast.LiteralList)
    if not is_by_name or isinstance(node.right, ast.LiteralList):
        return False
    return any(each.name == name for each in assigned(node.left))


class Binding:
    """A variable of a program: the parameter or the assignment that binds it, and its scope.

    ``scope`` is a definition, a lambda or a whole program; ``caller`` is the function that calls
    the lambda, '' for other scopes.
    """

    __slots__ = ("caller", "name", "node", "scope", "source")

    def __init__(
        self, source: Source, name: str, node: ast.Node, scope: ast.Node, caller: str = ""
    ) -> None:
        self.source = source
        self.name = name
        self.node = node
        self.scope = scope
        self.caller = caller

    @property
    def span(self) -> tuple[int, int]:
        """The offsets of the variable, its dollar sign included."""
        node = self.node
        if isinstance(node, ast.Parameter):
            return node.at, node.at + 1 + len(self.name)
        for part in node.walk():
            if isinstance(part, ast.VariableExpression) and part.name == self.name:
                return part.start, part.end
        return node.start, node.end


def class_bindings(source: Source, definition: ast.HostClassDefinition) -> dict[str, Binding]:
    """Return the variables that a class itself binds, by name."""
    return {
        name: Binding(source, name, min(nodes, key=lambda each: each.start), definition)
        for name, nodes in bound_in(definition).items()
    }
