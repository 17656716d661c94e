"""A warning, and what checks know while they walk over a tree."""

from __future__ import annotations

from puppet_repl.base.errors import Report
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import TypeAlias

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.advice.scopes import Scope

    Check: TypeAlias = "Callable[[Context, ast.Node], None]"
    # The offsets of a range of the text, and what to write there.
    Edit: TypeAlias = tuple[int, int, str]
    Nodes: TypeAlias = "dict[type[ast.Node], list[tuple[ast.Node, Scope]]]"


# So far before a variable in a string its opening brace is looked for.
_MAX_BLANKS = 20
ANY_ATTRIBUTE = "*"
"""Among defaults: a hash gives attributes that nobody knows."""


class Advice(Report):
    """A warning of a rule; ``code`` is the name of that rule.

    ``edits`` fix the code, all of them together; they are in the order of the text and do not
    overlap. There are none where nobody can be sure. ``replacements`` are alternatives: each writes
    another name or value that may have been meant. ``missing`` is the file of a module that would
    define what the code names: ``shop/templates/a.epp``.
    """

    __slots__ = ("edits", "missing")

    def __init__(
        self,
        rule: str,
        message: str,
        source: Source,
        start: int,
        end: int,
        edits: tuple[Edit, ...] = (),
        replacements: tuple[Edit, ...] = (),
        missing: str = "",
    ) -> None:
        super().__init__("warning", message, rule, source, start, end)
        self.span = (start, end)
        self.edits = edits
        self.replacements = replacements
        self.missing = missing

    @property
    def rule(self) -> str:
        """The name of the rule, by which comments switch it off."""
        return self.code


def replacements(text: str, start: int, end: int, old: str, *names: str | None) -> tuple[Edit, ...]:
    """Return the edits that write each of some names for an old one in a range of a text.

    There are none if the old name is written in another way there. None is left out of the names.
    """
    at = text.lower().find(old.lower(), start, end)
    return () if at < 0 else tuple((at, at + len(old), each) for each in names if each is not None)


class Context:
    """The text, the warnings so far, and the scope of the node that is being looked at.

    ``variables`` are names that the session sets. ``defaults`` are types, each with the name of an
    attribute that may have a default: set by the session, or by the program itself.
    """

    __slots__ = (
        "defaults",
        "found",
        "is_template",
        "nodes",
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
        nodes: Nodes | None = None,
    ) -> None:
        self.source = source
        self.text = source.text
        self.scope = scope
        self.variables = variables
        self.is_template = is_template
        self.nodes: Nodes = {} if nodes is None else nodes
        self.defaults: set[tuple[str, str]] = set()
        self.found: list[Advice] = []

    def warn(
        self,
        rule: str,
        node: ast.Node,
        message: str,
        *edits: Edit,
        replacements: tuple[Edit, ...] = (),
        missing: str = "",
    ) -> None:
        """Report a node."""
        span = self.start_of(node), node.end
        self.found.append(Advice(rule, message, self.source, *span, edits, replacements, missing))

    def warn_span(
        self,
        rule: str,
        start: int,
        end: int,
        message: str,
        *edits: Edit,
        replacements: tuple[Edit, ...] = (),
    ) -> None:
        """Report a range of the text."""
        self.found.append(Advice(rule, message, self.source, start, end, edits, replacements))

    def variable_edit(self, node: ast.VariableExpression, new: str) -> list[Edit]:
        """Return the edit that writes ``new``, which begins with ``$facts``, for a variable."""
        written = self.written(node)
        if written.removeprefix("$") != node.name or self.scope.has("facts"):
            return []
        if not written.startswith("$"):
            new = new[1:]
        elif self._is_without_braces(node):
            new = f"${{{new[1:]}}}"
        return [(self.start_of(node), node.end, new)]

    def replacements(self, node: ast.Node, old: str, *names: str | None) -> tuple[Edit, ...]:
        """Return the edits that write each of some names for an old one in a node."""
        return replacements(self.text, self.start_of(node), node.end, old, *names)

    def _is_without_braces(self, node: ast.VariableExpression) -> bool:
        """Tell whether a variable with its dollar sign is the part of a string."""
        start = self.start_of(node)
        before = self.text[max(start - _MAX_BLANKS, 0) : start]
        return not before.rstrip().endswith("${") and any(
            part.start == node.start
            for string, _ in self.nodes.get(ast.ConcatenatedString, ())
            if isinstance(string, ast.ConcatenatedString)
            for part in string.segments
        )

    def line_start(self, offset: int) -> int | None:
        """Return where a line begins, if there are only blanks before an offset in it."""
        start = self.text.rfind("\n", 0, offset) + 1
        return start if not self.text[start:offset].strip() else None

    def separator(self, offset: int) -> str:
        """Return what to write between two attributes of which one is at an offset.

        If it begins its line, that is a line end as in the file, and the same indentation.
        """
        start = self.line_start(offset)
        if start is None:
            return " "
        line_end = "\r\n" if self.text.endswith("\r\n", 0, start) else "\n"
        return line_end + self.text[start:offset]

    def start_of(self, node: ast.Node) -> int:
        """Return the offset of the first character of a node.

        A variable that begins the text of a heredoc starts, as for Puppet, before the margin.
        """
        written = self.text[node.start : node.end]
        return node.end - len(written.lstrip())

    def written(self, node: ast.Node) -> str:
        """Return the text of a node as it is in the program."""
        return self.text[self.start_of(node) : node.end]

    def may_default(self, type_name: str, *names: str) -> bool:
        """Tell whether one of these attributes of a type may have a default."""
        return any((type_name, name) in self.defaults for name in (*names, ANY_ATTRIBUTE))

    def is_bound(self, name: str) -> bool:
        """Tell whether a definition around the node, or the session, binds a variable."""
        return self.scope.binds(name) or name in self.variables
