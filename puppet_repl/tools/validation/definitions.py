"""What the code of one file defines, for an index of many files."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.language.syntax.source import Source

    DefinitionKind: TypeAlias = Literal["class", "define", "function", "plan", "type"]

_KINDS: dict[type[ast.Node], DefinitionKind] = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.PlanDefinition: "plan",
    ast.ResourceTypeDefinition: "define",
    ast.TypeAlias: "type",
}
_WRITTEN = re.compile(r"\b(class|define|function|plan|type)\s+(?:::)?([A-Za-z]\w*(?:::\w+)*)")


class Definition:
    """A class, defined type, function, plan or type alias, and where it is; not its body.

    ``name`` has small letters. ``parent`` is the class that a class inherits from, ``value`` the
    right side of a type alias.
    """

    __slots__ = ("end", "kind", "name", "parameters", "parent", "source", "start", "value")

    def __init__(self, kind: DefinitionKind, node: ast.Node, source: Source) -> None:
        self.kind = kind
        self.name = plain_name(getattr(node, "name", ""))
        self.source = source
        self.start = node.start
        self.end = node.end
        self.parameters: tuple[ast.Parameter, ...] = getattr(node, "parameters", ())
        parent = getattr(node, "parent", None)
        self.parent = None if parent is None else plain_name(parent)
        self.value: ast.Node | None = getattr(node, "type_expr", None)

    @property
    def title(self) -> str:
        """The kind and the name, for messages: ``the class apache``."""
        kind = "defined type" if self.kind == "define" else self.kind
        return f"the {kind} {self.name}"

    def parameter(self, name: str) -> ast.Parameter | None:
        """Return a parameter by its name."""
        return next((each for each in self.parameters if each.name == name), None)


def definitions_of(program: ast.Program) -> Iterator[Definition]:
    """Yield what a program defines, but not its nodes."""
    for node in program.definitions:
        kind = _KINDS.get(type(node))
        if kind is not None:
            yield Definition(kind, node, program.source)


def written_definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and name of all that looks like a definition in a text that was not parsed.

    Words of comments and strings may be among them.
    """
    for found in _WRITTEN.finditer(text):
        yield found[1], found[2].lower()


def plain_name(name: str) -> str:
    """Return a name without leading colons, in small letters."""
    return name.removeprefix("::").lower()
