"""Which code sets attributes of classes and of resources, and what defines them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import Binding, bound_in
from puppet_repl.tools.advice.nodes import called, items, string_of
from puppet_repl.tools.editing.scopes import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from puppet_repl.tools.renaming.sources import Code, Sources

    Owner: TypeAlias = ast.HostClassDefinition | ast.ResourceTypeDefinition

DECLARING = {
    "create_resources": ((1, 1), (2, 0)),
    "ensure_resource": ((2, 0),),
    "ensure_resources": ((1, 1), (2, 0)),
}
"""Functions that declare resources, with the places of hashes of attributes and their depths."""
READING = frozenset(("defined", "get", "getvar"))
"""Functions that take the name of a variable."""
# Stands for the attribute of hashes with any attributes.
_ANY = "*"


class Setting(NamedTuple):
    """Attributes with what they are for: the nodes of the titles, of the type or of resources.

    ``kind`` is "class" for titles of classes, "type" for the name of a type, "reference" for
    references to resources or classes. ``query`` is that of a collector.
    """

    code: Code
    kind: str
    targets: tuple[ast.Node, ...]
    operations: tuple[ast.Node, ...]
    query: ast.Node | None = None


class Settings:
    """The settings and the definitions of all code."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    # Definitions

    @cached_property
    def _definitions(self) -> dict[tuple[str, str], list[tuple[Code, ast.Node]]]:
        found: dict[tuple[str, str], list[tuple[Code, ast.Node]]] = {}
        kinds = {
            ast.HostClassDefinition: "class",
            ast.ResourceTypeDefinition: "define",
            ast.FunctionDefinition: "function",
            ast.TypeAlias: "type",
            ast.PlanDefinition: "plan",
        }
        for code in self.sources.codes:
            for node in code.program.definitions:
                kind = kinds.get(type(node))
                if kind is not None:
                    key = kind, plain(getattr(node, "name", ""))
                    found.setdefault(key, []).append((code, node))
        return found

    def definitions(self, kind: str, name: str) -> list[tuple[Code, ast.Node]]:
        """Return the definitions of a kind (class, define, function, type, plan) and a name."""
        return self._definitions.get((kind, plain(name)), [])

    def bound(self, code: Code, definition: ast.Node, name: str) -> Iterator[Binding]:
        """Yield what binds a variable in a definition."""
        for node in bound_in(definition).get(name, ()):
            yield Binding(code.program.source, name, node, definition)

    def module_of(self, code: Code) -> str | None:
        """Return the module that the definitions of a file name, None without one."""
        names = {
            plain(getattr(node, "name", "")).partition("::")[0]
            for node in code.program.definitions
            if not isinstance(node, ast.NodeDefinition)
        }
        return names.pop() if len(names) == 1 else None

    # Attributes

    @cached_property
    def all(self) -> list[Setting]:
        """All settings in the code."""
        return [
            each for code in self.sources.codes for node in code.nodes for each in _set(code, node)
        ]

    @cached_property
    def _values(self) -> dict[tuple[str, str, str], list[tuple[Code, ast.Node]]]:
        found: dict[tuple[str, str, str], list[tuple[Code, ast.Node]]] = {}

        def add(kind: str, name: str, attribute: str, code: Code, value: ast.Node) -> None:
            found.setdefault((kind, name, attribute), []).append((code, value))

        for each in self.all:
            names = [name for target in each.targets for name in _named(each, target)]
            for operation in each.operations:
                for kind, name in names:
                    if isinstance(operation, ast.AttributeOperation):
                        add(kind, name, operation.name, each.code, operation.value)
                    elif isinstance(operation, ast.AttributesOperation):
                        add(kind, name, _ANY, each.code, operation.expr)
        for code in self.sources.codes:
            for node in code.nodes:
                if called(node) in DECLARING and isinstance(node, ast.CallNamedFunctionExpression):
                    name = plain(string_of(node.arguments[0]) or "") if node.arguments else ""
                    for value in node.arguments[1:]:
                        kind = "class" if name == "class" else "type"
                        add(kind, "" if kind == "class" else name, _ANY, code, value)
        return found

    def values(self, kind: str, name: str, attribute: str) -> list[tuple[Code, ast.Node]]:
        """Return the values that code sets an attribute to; ``kind`` is "class" or "type"."""
        return self._values.get((kind, name, attribute), [])

    def hashes(self, kind: str, name: str) -> list[tuple[Code, ast.Node]]:
        """Return the hashes from which code sets any attributes, perhaps of others, too."""
        return [*self._values.get((kind, name, _ANY), ()), *self._values.get((kind, "", _ANY), ())]


def _named(setting: Setting, target: ast.Node) -> list[tuple[str, str]]:
    """Return the kinds and names of the classes and types that a node names."""
    if isinstance(target, ast.QualifiedReference):
        return [("type", plain(target.value))]
    if not isinstance(target, ast.AccessExpression):
        kind = "class" if setting.kind == "class" else "type"
        return [(kind, plain(string_of(item) or "")) for item in items(target)]
    if _is_class(target):
        return [("class", plain(string_of(key) or "")) for key in target.keys]
    left = target.left
    return [("type", plain(left.value))] if isinstance(left, ast.QualifiedReference) else []


def _is_class(node: ast.AccessExpression) -> bool:
    return isinstance(node.left, ast.QualifiedReference) and plain(node.left.value) == "class"


def _set(code: Code, node: ast.Node) -> Iterator[Setting]:
    if isinstance(node, ast.ResourceExpression):
        if code.text[node.type_name.start : node.type_name.end] == "class":
            titles = tuple(each.title for each in node.bodies)
            for body in node.bodies:
                is_default = isinstance(body.title, ast.LiteralDefault)
                targets = titles if is_default else (body.title,)
                yield Setting(code, "class", targets, body.operations)
            return
        operations = tuple(each for body in node.bodies for each in body.operations)
        yield Setting(code, "type", (node.type_name,), operations)
    elif isinstance(node, ast.ResourceDefaultsExpression):
        yield Setting(code, "reference", (node.type_ref,), node.operations)
    elif isinstance(node, ast.ResourceOverrideExpression):
        resources = node.resources
        targets = resources.values if isinstance(resources, ast.LiteralList) else (resources,)
        yield Setting(code, "reference", tuple(targets), node.operations)
    elif isinstance(node, ast.CollectExpression):
        yield Setting(code, "reference", (node.type_expr,), node.operations, node.query)
