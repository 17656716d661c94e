"""Types that a program names: ``type X = ...``."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.syntax import ast
from puppet_repl.types.algebra.normalize import normalize
from puppet_repl.types.making.object_definition import object_type
from puppet_repl.types.making.parse import interpret, interpret_value
from puppet_repl.types.making.type_set_definition import type_set
from puppet_repl.types.model.alias import TypeAliasType
from puppet_repl.types.model.defined import DefinedType
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.syntax.source import Source
    from puppet_repl.types.model.base import PuppetType
    from puppet_repl.types.model.object import ObjectType
    from puppet_repl.types.model.typeset import TypeSetType
    from puppet_repl.values.protocols import Value


def named_type(name: str, node: ast.Node, source: Source, context: Any = None) -> DefinedType:
    """Return the type of a definition: an Object type, a TypeSet, or an alias.

    The right side is read when the type is first used.
    """
    if isinstance(node, ast.LiteralHash):
        return _object(name, node, source, context)
    if isinstance(node, ast.AccessExpression) and isinstance(node.left, ast.QualifiedReference):
        first = node.keys[0] if node.keys else None
        if node.left.value == "Object":
            return _object(name, first, source, context)
        if node.left.value == "TypeSet":
            return _type_set(name, first, source, context)
    start = source.text.rfind(name, 0, node.start)
    return TypeAliasType(name, lambda: normalize(interpret(node, source, context, start)))


def _hash_of(what: str, node: ast.Node | None, source: Source, context: Any) -> PuppetHash:
    if isinstance(node, ast.LiteralHash):
        made: PuppetHash = interpret_value(node, source, context)
        return made
    kind = "NilClass" if node is None else f"Puppet::AST::{type(node).__name__}"
    raise RuntimeFailure(f"{what} has wrong type, expects a Struct value, got {kind}")


def _object(name: str, node: ast.Node | None, source: Source, context: Any) -> ObjectType:
    return object_type(name, lambda: _hash_of("object initializer", node, source, context))


def _type_set(name: str, node: ast.Node | None, source: Source, context: Any) -> TypeSetType:
    def initialise(type_set: TypeSetType) -> PuppetHash:
        if not isinstance(node, ast.LiteralHash):
            return _hash_of("TypeSet initializer", node, source, context)
        scope = _TypeSetNames(type_set, context)
        entries: list[tuple[Any, Any]] = []
        for entry in node.entries:
            key = interpret_value(entry.key, source, scope)
            if key == "types" and isinstance(entry.value, ast.LiteralHash):
                entries.append((key, _types(name, entry.value, source, scope)))
            elif key == "references" and isinstance(entry.value, ast.LiteralHash):
                entries.append((key, _named_entries(entry.value, source, scope)))
            else:
                entries.append((key, interpret_value(entry.value, source, scope)))
        return PuppetHash(entries)

    return type_set(name, initialise)


class _TypeSetNames:
    """Looks up names as inside a TypeSet: its own types come first."""

    def __init__(self, type_set: TypeSetType, outer: Any) -> None:
        self.type_set = type_set
        self.outer = outer
        self.members: dict[str, PuppetType] = {}

    def lookup_type(self, name: str) -> PuppetType | None:
        """Return the type with a name."""
        own = self.members.get(name.lower())
        if own is not None or self.outer is None:
            return own
        found: PuppetType | None = self.outer.lookup_type(name)
        return found


def _key(node: ast.Node, source: Source, scope: Any) -> Value:
    if isinstance(node, ast.QualifiedReference):
        return node.value
    return interpret_value(node, source, scope)


def _types(name: str, node: ast.LiteralHash, source: Source, scope: _TypeSetNames) -> PuppetHash:
    made = []
    for entry in node.entries:
        key = _key(entry.key, source, scope)
        value = _with_parent(entry.value)
        member = named_type(f"{name}::{key}", value, source, scope)
        member.generation = scope.type_set.generation
        scope.members[str(key).lower()] = member
        made.append((key, member))
    return PuppetHash(made)


def _with_parent(node: ast.Node) -> ast.Node:
    """``Parent { attributes => ... }``, which reads as resource defaults, as a hash."""
    if not isinstance(node, ast.ResourceDefaultsExpression):
        return node
    entries = []
    reference = node.type_ref
    if isinstance(reference, ast.QualifiedReference) and reference.value not in (
        "Object",
        "TypeSet",
    ):
        key = ast.QualifiedName("parent", reference.start, reference.end)
        entries.append(
            ast.KeyedEntry(key, reference, reference.start, reference.end, reference.start)
        )
    for operation in node.operations:
        if isinstance(operation, ast.AttributeOperation):
            start, end = operation.start, operation.end
            name = ast.QualifiedName(operation.name, start, end)
            entries.append(ast.KeyedEntry(name, operation.value, start, end, start))
    return ast.LiteralHash(tuple(entries), node.start, node.end, node.start)


def _named_entries(node: ast.LiteralHash, source: Source, scope: Any) -> PuppetHash:
    return PuppetHash(
        [
            (_key(entry.key, source, scope), interpret_value(entry.value, source, scope))
            for entry in node.entries
        ]
    )
