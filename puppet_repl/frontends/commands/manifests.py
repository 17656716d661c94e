"""Inputs one below the other as a manifest, which can have less than a session.

What a session may do again, a manifest can only do once: what cannot be there becomes a comment,
with a line that says why. Mere values are comments too.
"""

from __future__ import annotations

from puppet_repl.catalog.references import type_title
from puppet_repl.frontends.commands.files import commented, stands_in_manifest, without_value
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.definition_labels import definition_labels, only_defines
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Assignments in these are in another scope.
_SCOPES = (
    *(ast.FunctionDefinition, ast.HostClassDefinition, ast.NodeDefinition),
    ast.ResourceTypeDefinition,
)


class ManifestPart:
    """A text of a manifest; ``program`` is its tree, None for comments.

    ``variables`` are the bound variables, ``labels`` the definitions and ``resources`` the
    declared resources, as far as they are known without an evaluation.
    """

    __slots__ = ("labels", "program", "resources", "text", "variables")

    def __init__(self, text: str, program: ast.Program | None = None) -> None:
        self.text = text
        self.program = program
        self.labels: tuple[str, ...] = ()
        self.variables: tuple[str, ...] = ()
        self.resources: tuple[str, ...] = ()
        if program is not None:
            self.labels = definition_labels(program.definitions)
            self.variables = tuple(_bound_variables(program.body))
            self.resources = tuple(_declared(program.body))

    def leave_out(self, reason: str) -> None:
        """Make a comment of it."""
        self.text = left_out(self.text, reason)
        self.program = None


def code_parts(code: str) -> Iterator[ManifestPart]:
    """Yield code as it can be in a manifest: without a mere value at its end."""
    head, value = without_value(code)
    if head:
        yield ManifestPart(head, parse(Source(head)))
    if value:
        yield ManifestPart(commented(value))


def leave_out_repetitions(parts: list[ManifestPart]) -> None:
    """Make comments of repeated definitions and declarations, and of code that needs them.

    A part whose definitions are all repeated below becomes a comment itself.
    """
    last = {label: index for index, part in enumerate(parts) for label in part.labels}
    present = _Present()
    for index, part in enumerate(parts):
        later = [label for label in part.labels if last[label] > index]
        if part.program is None:
            reason = ""
        elif later and len(later) == len(part.labels) and only_defines(part.program):
            reason = f"{later[0]} is defined again below"
        else:
            reason = present.hindrance(part, part.program)
        if reason:
            part.leave_out(reason)
        present.add(part)


class _Present:
    """The content of a manifest so far; ``_missing`` are the variables of left out parts."""

    def __init__(self) -> None:
        self._labels: set[str] = set()
        self._resources: set[str] = set()
        self._bound: set[str] = set()
        self._missing: set[str] = set()
        self._before = ""

    def hindrance(self, part: ManifestPart, program: ast.Program) -> str:
        """Return why a part cannot follow, '' if it can."""
        for label in part.labels:
            if label in self._labels:
                return f"{label} is defined above"
        for resource in part.resources:
            if resource in self._resources:
                return f"{resource} is declared above"
        for name in part.variables:
            if name in self._bound:
                return f"${name} has a value already"
        for name in _mentioned(program):
            if name in self._missing:
                return f"${name} has no value here"
        # A brace at its beginning, for example, is read as a part of the statement above.
        is_apart = stands_in_manifest(f"{self._before}\n\n{part.text}")
        return "" if is_apart else "it would go on with the code above"

    def add(self, part: ManifestPart) -> None:
        """Take over what a part has or, if it is a comment, has not."""
        if part.program is None:
            self._missing.update(set(part.variables) - self._bound)
            return
        self._labels.update(part.labels)
        self._resources.update(part.resources)
        self._bound.update(part.variables)
        self._missing.difference_update(part.variables)
        self._before = part.text


def left_out(code: str, reason: str) -> str:
    """Return code as a comment that says why it is one."""
    return f"# Left out, because {reason}:\n{commented(code)}"


def bound_in_branches(node: ast.Node) -> set[str]:
    """Return the variables that a program binds at the top, also in the branches of conditions."""
    if isinstance(node, (*_SCOPES, ast.LambdaExpression)):
        return set()
    inner = [bound_in_branches(child) for child in node.children()]
    return {*_bound_variables(node)}.union(*inner)


def _bound_variables(node: ast.Node) -> Iterator[str]:
    """Yield the variables that the statements of a program bind."""
    statements = node.statements if isinstance(node, ast.BlockExpression) else (node,)
    for statement in statements:
        while isinstance(statement, ast.AssignmentExpression):
            yield from _names(statement.left)
            statement = statement.right


def _names(target: ast.Node) -> Iterator[str]:
    if isinstance(target, ast.VariableExpression):
        yield target.name.removeprefix("::")
    elif isinstance(target, ast.LiteralList):
        for item in target.values:
            yield from _names(item)


def _mentioned(program: ast.Program) -> Iterator[str]:
    """Yield the variables that a program reads, but for those that it has as parameters."""
    nodes = [node for part in (program.body, *program.definitions) for node in part.walk()]
    parameters = {node.name for node in nodes if isinstance(node, ast.Parameter)}
    for node in nodes:
        if isinstance(node, ast.VariableExpression):
            name = node.name.removeprefix("::")
            if name not in parameters:
                yield name


def _declared(node: ast.Node) -> Iterator[str]:
    """Yield the resources that the statements of a program declare by names that are literal."""
    statements = node.statements if isinstance(node, ast.BlockExpression) else (node,)
    for statement in statements:
        if isinstance(statement, ast.RelationshipExpression):
            yield from _declared(statement.left)
            yield from _declared(statement.right)
        elif isinstance(statement, ast.ResourceExpression):
            for body in statement.bodies:
                yield from _references(statement.type_name, body.title)


def _references(type_name: ast.Node, title: ast.Node) -> Iterator[str]:
    """Yield what a title declares as references: ``File['/x']``."""
    titles = title.values if isinstance(title, ast.LiteralList) else (title,)
    for one in titles:
        if isinstance(type_name, ast.QualifiedName) and isinstance(one, ast.LiteralString):
            yield f"{type_title(type_name.value)}['{one.value}']"
