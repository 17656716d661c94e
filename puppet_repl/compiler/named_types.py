"""``type Name = T``: an alias, or an Object type or TypeSet that gets the name."""

from __future__ import annotations

from puppet_repl.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.source import Source
    from puppet_repl.types.base import PuppetType


def named_type(name: str, node: ast.Node, source: Source, context: Context) -> PuppetType:
    """The type that a definition makes; its right side is looked at when it is first needed."""
    from puppet_repl.types.parse import constant_value, interpret

    if (
        isinstance(node, ast.AccessExpression)
        and isinstance(node.left, ast.QualifiedReference)
        and len(node.keys) == 1
        and isinstance(node.keys[0], ast.LiteralHash)
    ):
        written = node.left.value.removeprefix("::").lower()
        entries = node.keys[0]

        def initialise() -> Any:
            return constant_value(entries, source, context)

        if written == "object":
            from puppet_repl.types.object import ObjectType

            return ObjectType(name, initialise)
        if written == "typeset":
            from puppet_repl.types.type_set import TypeSetType

            return TypeSetType(name, initialise)
    from puppet_repl.types.alias import TypeAliasType

    return TypeAliasType(name, lambda: interpret(node, source, context))
