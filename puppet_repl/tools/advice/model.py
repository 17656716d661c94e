"""A warning, and what checks know while they walk over a tree."""

from __future__ import annotations

from puppet_repl.base.errors import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import TypeAlias

    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.advice.scopes import Scope

    Check: TypeAlias = "Callable[[Context, ast.Node], None]"
    Nodes: TypeAlias = "dict[type[ast.Node], list[tuple[ast.Node, Scope]]]"


ANY_ATTRIBUTE = "*"
"""Among defaults: a hash gives attributes that nobody knows."""


class Advice(Report):
    """A warning of a rule; ``code`` is the name of that rule."""

    __slots__ = ()

    def __init__(self, rule: str, message: str, source: Source, start: int, end: int) -> None:
        super().__init__("warning", message, rule, source, start, end)
        self.span = (start, end)

    @property
    def rule(self) -> str:
        """The name of the rule, by which comments switch it off."""
        return self.code


class Context:
    """The text, the warnings so far, and the scope of the node that is being looked at.

    ``variables`` are names that the session sets. ``defaults`` are types, each with the name of an
    attribute that may have a default: set by the session, or by the program itself.
    """

    __slots__ = (
        "defaults",
        "found",
        "is_template",
        "scope",
        "source",
        "text",
        "variables",
    )

    def __init__(
        self,
        source: Source,
        scope: Scope,
        variables: Container[str],
        *,
        is_template: bool,
    ) -> None:
        self.source = source
        self.text = source.text
        self.scope = scope
        self.variables = variables
        self.is_template = is_template
        self.defaults: set[tuple[str, str]] = set()
        self.found: list[Advice] = []

    def warn(self, rule: str, node: ast.Node, message: str) -> None:
        """Report a node."""
        self.warn_span(rule, node.start, node.end, message)

    def warn_span(self, rule: str, start: int, end: int, message: str) -> None:
        """Report a range of the text."""
        self.found.append(Advice(rule, message, self.source, start, end))

    def written(self, node: ast.Node) -> str:
        """Return the text of a node as it is in the program."""
        return self.text[node.start : node.end]

    def may_default(self, type_name: str, *names: str) -> bool:
        """Tell whether one of these attributes of a type may have a default."""
        return any((type_name, name) in self.defaults for name in (*names, ANY_ATTRIBUTE))

    def is_bound(self, name: str) -> bool:
        """Tell whether a definition around the node, or the session, binds a variable."""
        return self.scope.binds(name) or name in self.variables
