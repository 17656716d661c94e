"""The definitions in a text, without its tree: enough to tell whether a file defines its name."""

from __future__ import annotations

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    DefinedKind: TypeAlias = Literal["function", "plan", "type", "other"]


class Outline:
    """The definitions of a text in order, each a kind and a name.

    Aliases and definitions of types are both types; ``aliases`` are the names of the aliases. The
    text ``is_single`` if it is one definition, with no other code around.
    """

    __slots__ = ("aliases", "definitions", "is_single")

    def __init__(
        self,
        definitions: tuple[tuple[DefinedKind, str], ...],
        aliases: tuple[str, ...],
        *,
        is_single: bool,
    ) -> None:
        self.definitions = definitions
        self.aliases = aliases
        self.is_single = is_single

    def names(self, kind: DefinedKind) -> tuple[str, ...]:
        """Return the names of the definitions of a kind."""
        return tuple([name for each, name in self.definitions if each == kind])


def outline_of(program: ast.Program) -> Outline:
    """Return the outline of a tree."""
    nodes = program.definitions
    return Outline(
        tuple([_defined(node) for node in nodes]),
        tuple([node.name for node in nodes if isinstance(node, ast.TypeAlias)]),
        is_single=len(nodes) == 1 and program.body is nodes[0],
    )


def _defined(node: ast.Node) -> tuple[DefinedKind, str]:
    if isinstance(node, ast.FunctionDefinition):
        return "function", node.name
    if isinstance(node, ast.TypeAlias | ast.TypeDefinition):
        return "type", node.name
    return "other", ""
