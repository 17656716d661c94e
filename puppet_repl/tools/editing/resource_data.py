"""The data whose values are attributes of resources, as far as code shows it.

``create_resources('shop::vhost', $vhosts)`` in the class shop says that the key ``shop::vhosts``
has resources by their titles, each with its attributes. Nothing is evaluated.
"""

from __future__ import annotations

from typing import NamedTuple

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import assigned
from puppet_repl.tools.advice.nodes import called, string_of
from puppet_repl.tools.editing.scopes import plain
from puppet_repl.tools.inspection.cursor_context import LOOKUPS
from puppet_repl.tools.validation.nested_data import BY_TITLE, CREATING, joined, loop_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class ResourceData(NamedTuple):
    """A key whose value has attributes: below the titles of resources, or (depth 1) at once."""

    key: str
    type_name: str
    depth: int


def resource_data(program: ast.Program) -> Iterator[ResourceData]:
    """Yield the keys with attributes of resources that a program reads."""
    yield from _Reader(program).found()


class _Reader:
    """Follows parameters of classes, and variables with looked up values, into declarations."""

    def __init__(self, program: ast.Program) -> None:
        self._program = program
        # The keys of the variables of each class and of other code, by the identity of its node.
        self._keys: dict[int, dict[str, list[str]]] = {}

    def found(self) -> Iterator[ResourceData]:
        """Yield what the program shows, in no particular order."""
        nothing: dict[str, list[str]] = {}
        pending: list[tuple[ast.Node, ast.Node, Mapping[str, list[str]]]] = [
            (self._program.body, self._program, nothing)
        ]
        while pending:
            node, owner, loops = pending.pop()
            if isinstance(node, ast.HostClassDefinition | ast.ResourceTypeDefinition):
                owner, loops = node, nothing
            elif isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression):
                yield from self._created(node, owner)
                loops = self._looped(node, owner, loops)
            elif isinstance(node, ast.ResourceExpression):
                yield from self._declared(node, owner, loops)
            pending += [(child, owner, loops) for child in node.children()]

    def _created(self, node: ast.Node, owner: ast.Node) -> Iterator[ResourceData]:
        """Yield the keys of ``create_resources``: the last argument has defaults."""
        if not isinstance(node, ast.CallNamedFunctionExpression) or called(node) not in CREATING:
            return
        type_name = plain(string_of(node.arguments[0]) or "") if node.arguments else ""
        for argument, depth in zip(node.arguments[1:], (BY_TITLE, 1), strict=False):
            for key in self._keys_of(argument, owner) if type_name else ():
                yield ResourceData(key, type_name, depth)

    def _looped(
        self,
        node: ast.CallNamedFunctionExpression | ast.CallMethodExpression,
        owner: ast.Node,
        loops: Mapping[str, list[str]],
    ) -> Mapping[str, list[str]]:
        """Return the keys of the values that ``each`` gives to its lambda, too."""
        loop = loop_of(node)
        if loop is None:
            return loops
        values, block = loop
        return {**loops, block.parameters[1].name: [*self._keys_of(values, owner)]}

    def _declared(
        self, node: ast.ResourceExpression, owner: ast.Node, loops: Mapping[str, list[str]]
    ) -> Iterator[ResourceData]:
        """Yield the keys of ``* => $attributes``."""
        type_name = plain(string_of(node.type_name) or "class")
        operations = [each for body in node.bodies for each in body.operations]
        for operation in operations if type_name != "class" else ():
            if isinstance(operation, ast.AttributesOperation):
                for part in joined(operation.expr):
                    name = part.name if isinstance(part, ast.VariableExpression) else ""
                    for key in loops.get(name, ()):
                        yield ResourceData(key, type_name, BY_TITLE)
                    for key in () if name in loops else self._keys_of(part, owner):
                        yield ResourceData(key, type_name, 1)

    def _keys_of(self, node: ast.Node, owner: ast.Node) -> Iterator[str]:
        """Yield the keys of data whose values an expression has."""
        for part in joined(node):
            if isinstance(part, ast.VariableExpression):
                name = part.name.removeprefix("::")
                yield from [name] if "::" in name else self._bound(owner).get(name, ())
            else:
                yield from _looked_up(part)

    def _bound(self, owner: ast.Node) -> dict[str, list[str]]:
        """Return the keys of the variables of a class or of other code."""
        found = self._keys.get(id(owner))
        if found is None:
            found = self._keys[id(owner)] = {}
            if isinstance(owner, ast.HostClassDefinition):
                name = plain(owner.name)
                found.update({each.name: [f"{name}::{each.name}"] for each in owner.parameters})
            body = owner.body if isinstance(owner, ast.Program) else owner
            for node in body.walk():
                if isinstance(node, ast.AssignmentExpression):
                    keys = [key for part in joined(node.right) for key in _looked_up(part)]
                    for target in assigned(node.left) if keys else ():
                        found.setdefault(target.name, []).extend(keys)
        return found


def _looked_up(node: ast.Node) -> Iterator[str]:
    """Yield the key that a call looks up by a literal."""
    if isinstance(node, ast.CallNamedFunctionExpression) and called(node) in LOOKUPS:
        key = string_of(node.arguments[0]) if node.arguments else None
        if key:
            yield key
