"""Types that a program names: ``type X = ...``."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.algebra.normalize import normalize
from puppet_repl.language.types.making.factory import lookup
from puppet_repl.language.types.making.object_definition import object_type
from puppet_repl.language.types.making.parse import interpret, interpret_value
from puppet_repl.language.types.making.type_set_definition import type_set
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.object import ObjectType
    from puppet_repl.language.types.model.typeset import TypeSetType
    from puppet_repl.language.values.protocols import Value


def named_type(
    name: str, node: ast.Node, source: Source, context: Any = None, *, is_statement: bool = True
) -> DefinedType:
    """Return the type of a definition: an Object type, a TypeSet, or an alias.

    The right side is read when the type is first used. The definition is a statement, or an
    entry of a type set.
    """
    if isinstance(node, ast.LiteralHash):
        return object_of(name, node, source, context)
    if isinstance(node, ast.AccessExpression) and isinstance(node.left, ast.QualifiedReference):
        first = node.keys[0] if node.keys else None
        if node.left.value == "Object":
            return object_of(name, first, source, context)
        if node.left.value == "TypeSet":
            return _type_set(name, first, source, context)
    start = source.text.rfind(name, 0, node.start) if is_statement else None
    return TypeAliasType(name, lambda: normalize(interpret(node, source, context, start)))


def _hash_of(what: str, node: ast.Node | None, source: Source, context: Any) -> PuppetHash:
    if isinstance(node, ast.LiteralHash):
        made: PuppetHash = interpret_value(node, source, context)
        return made
    kind = "NilClass" if node is None else f"Puppet::AST::{type(node).__name__}"
    raise RuntimeFailure(f"{what} has wrong type, expects a Struct value, got {kind}")


def object_of(name: str, node: ast.Node | None, source: Source, context: Any) -> ObjectType:
    """Return an Object type from the tree of its initialiser hash."""
    made = object_type(name, lambda: _hash_of("object initializer", node, source, context))
    made.context = context.context if isinstance(context, _TypeSetNames) else context
    return made


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

    return type_set(
        name,
        initialise,
        lambda target, wanted: (
            lookup(wanted) or _TypeSetNames(target, context).find_outside(wanted)
        ),
    )


class _TypeSetNames:
    """Looks up names as inside a TypeSet: its own types come last.

    As in Puppet, the types of a set in a module are unknown in it if the set itself was loaded
    first; if one of its types was loaded first, the other modules are unknown.
    """

    def __init__(self, type_set: TypeSetType, outer: Any) -> None:
        self.type_set = type_set
        self.outer = outer
        self.context: Any = outer.context if isinstance(outer, _TypeSetNames) else outer
        self.members: dict[str, PuppetType] = {}

    def lookup_type(self, name: str) -> PuppetType | None:
        """Return the type with a name."""
        found = self.find_outside(name)
        owner = self.type_set
        if found is not None or (owner.module and not owner.is_read_for_member):
            return found
        return self.members.get(name.lower()) or owner.find(name)

    def find_outside(self, name: str) -> PuppetType | None:
        """Return the type with a name outside of the set."""
        if self.outer is None or self._is_of_other_module(name):
            return None
        found: PuppetType | None = self.outer.lookup_type(name)
        return found

    def _is_of_other_module(self, name: str) -> bool:
        owner = self.type_set
        if not owner.module or not owner.is_read_for_member or self.context is None:
            return False
        first = name.removeprefix("::").lower().partition("::")[0]
        return first != owner.module and first in self.context.environment.modules


def _key(node: ast.Node, source: Source, scope: Any) -> Value:
    if isinstance(node, ast.QualifiedReference):
        return node.value
    return interpret_value(node, source, scope)


def _types(name: str, node: ast.LiteralHash, source: Source, scope: _TypeSetNames) -> PuppetHash:
    made = []
    for entry in node.entries:
        key = _key(entry.key, source, scope)
        value = _with_parent(entry.value, source, scope)
        member = named_type(f"{name}::{key}", value, source, scope, is_statement=False)
        member.generation = scope.type_set.generation
        member.origin = scope.type_set.origin
        # The set may be renewed, and reads its members again then.
        member.identity = (scope.type_set.identity, str(key).lower())
        scope.members[str(key).lower()] = member
        made.append((key, member))
    return PuppetHash(made)


def _with_parent(node: ast.Node, source: Source, scope: _TypeSetNames) -> ast.Node:
    """``Parent { attributes => ... }``, which reads as resource defaults, as a hash."""
    if not isinstance(node, ast.ResourceDefaultsExpression):
        return node
    entries = []
    reference = node.type_ref
    if isinstance(reference, ast.QualifiedReference) and reference.value not in (
        "Object",
        "TypeSet",
    ):
        names = [it.name for it in node.operations if isinstance(it, ast.AttributeOperation)]
        if "parent" in names:
            _report_two_parents(node, source, scope.context)
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


def _report_two_parents(node: ast.Node, source: Source, context: Any) -> None:
    message = "The key 'parent' is declared more than once"
    strict = "error" if context is None else context.options.strict
    if strict == "error":
        raise PuppetError(message, "DUPLICATE_KEY", source=source, start=node.start, end=node.end)
    if strict == "warning":
        context.log("warning", message)


def _named_entries(node: ast.LiteralHash, source: Source, scope: Any) -> PuppetHash:
    return PuppetHash(
        [
            (_key(entry.key, source, scope), interpret_value(entry.value, source, scope))
            for entry in node.entries
        ]
    )
