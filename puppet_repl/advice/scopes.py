"""What definitions bind: the names of their variables, and the types that parameters declare."""

from __future__ import annotations

from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Definition: TypeAlias = (
        ast.HostClassDefinition
        | ast.ResourceTypeDefinition
        | ast.FunctionDefinition
        | ast.PlanDefinition
        | ast.NodeDefinition
        | ast.LambdaExpression
    )

OPENS_SCOPE = frozenset(
    (
        ast.HostClassDefinition,
        ast.ResourceTypeDefinition,
        ast.FunctionDefinition,
        ast.PlanDefinition,
        ast.NodeDefinition,
        ast.LambdaExpression,
    )
)
# Set by Puppet in classes and defined types.
_ALWAYS = frozenset(("title", "name", "module_name", "caller_module_name"))


class Scope:
    """A definition, a lambda or the whole program; names are collected when somebody asks."""

    __slots__ = ("_bound", "node", "parent")

    def __init__(self, node: ast.Node, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self._bound: dict[str, list[ast.Node]] | None = None

    @property
    def bound(self) -> dict[str, list[ast.Node]]:
        """Return what binds each name here or further inside: parameters, left sides."""
        found = self._bound
        if found is None:
            found = self._bound = {}
            for node in self.node.walk():
                if isinstance(node, ast.Parameter):
                    found.setdefault(node.name, []).append(node)
                elif isinstance(node, ast.AssignmentExpression):
                    for part in node.left.walk():
                        if isinstance(part, ast.VariableExpression):
                            found.setdefault(part.name, []).append(part)
                        elif isinstance(part, ast.KeyedEntry | ast.LiteralHash):
                            found.setdefault("", []).append(part)
        return found

    def binds(self, name: str) -> bool:
        """Tell whether a variable is bound here or further outside; True where nobody can know.

        A class that inherits has the variables of its parent.
        """
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound or name in _ALWAYS:
                return True
            node = scope.node
            if isinstance(node, ast.HostClassDefinition | ast.NodeDefinition) and node.parent:
                return True
            scope = scope.parent
        return False

    def declared_type(self, name: str) -> ast.Node | None:
        """Return the type of the parameter with that name, None without one or for several."""
        scope: Scope | None = self
        while scope is not None:
            binding = scope.bound.get(name)
            if binding is not None:
                only = binding[0] if len(binding) == 1 else None
                return only.type_expr if isinstance(only, ast.Parameter) else None
            scope = scope.parent
        return None

    def definition_name(self) -> str:
        """Return the name of the class, define or function around, '' outside of any."""
        scope: Scope | None = self
        while scope is not None:
            node = scope.node
            if isinstance(
                node,
                ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.FunctionDefinition,
            ):
                return node.name.removeprefix("::")
            scope = scope.parent
        return ""
