"""What definitions bind: the names of their variables, and the types that parameters declare."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import OPENS_SCOPE, bound_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Definition: TypeAlias = (
        ast.HostClassDefinition
        | ast.ResourceTypeDefinition
        | ast.FunctionDefinition
        | ast.PlanDefinition
        | ast.NodeDefinition
        | ast.LambdaExpression
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
        """Return the parameters and assignments that bind each name here, not further inside."""
        if self._bound is None:
            self._bound = bound_in(self.node)
        return self._bound

    def outward(self) -> Iterator[Scope]:
        """Yield this scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def has(self, name: str) -> bool:
        """Tell whether the program binds a variable here or further outside."""
        return any(name in scope.bound for scope in self.outward())

    def at_top_has(self, name: str) -> bool:
        """Tell whether the program binds a variable outside of all definitions."""
        *_, top = self.outward()
        return type(top.node) not in OPENS_SCOPE and name in top.bound

    def binds(self, name: str) -> bool:
        """Tell whether a variable is bound here or further outside; True where nobody can know.

        A class that inherits has the variables of its parent.
        """
        if name in _ALWAYS or self.has(name):
            return True
        return any(
            isinstance(scope.node, ast.HostClassDefinition | ast.NodeDefinition)
            and scope.node.parent is not None
            for scope in self.outward()
        )

    def declared_type(self, name: str) -> ast.Node | None:
        """Return the type of the parameter with that name, None without one or for several.

        Only the lambdas around and the definition that contains them are searched.
        """
        for scope in self.outward():
            binding = scope.bound.get(name)
            if binding is not None:
                only = binding[0] if len(binding) == 1 else None
                return only.type_expr if isinstance(only, ast.Parameter) else None
            if not isinstance(scope.node, ast.LambdaExpression):
                return None
        return None

    def definition_name(self) -> str:
        """Return the name of the class, define or function around, '' outside of any."""
        for scope in self.outward():
            node = scope.node
            if isinstance(
                node,
                ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.FunctionDefinition,
            ):
                return node.name.removeprefix("::")
        return ""


def lambdas_and_definition(scope: Scope) -> Iterator[Scope]:
    """Yield the scopes whose variables code sees: lambdas, and the definition around them."""
    for each in scope.outward():
        yield each
        if not isinstance(each.node, ast.LambdaExpression):
            return
