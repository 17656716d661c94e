"""The expressions in a text that give attributes, parameters and variables their values.

A text is parsed when it is first asked about. If a line has several candidates, no one counts.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source

# They begin a scope: variables of these names are others inside.
_SCOPES = (
    ast.HostClassDefinition,
    ast.ResourceTypeDefinition,
    ast.NodeDefinition,
    ast.FunctionDefinition,
    ast.LambdaExpression,
)


class Stated:
    """An expression and the line that it is at."""

    __slots__ = ("expression", "line")

    def __init__(self, expression: ast.Node | None, line: int) -> None:
        self.expression = expression
        self.line = line


class StatedExpressions:
    """The expressions of the texts of one catalog."""

    def __init__(self) -> None:
        self._programs: dict[Source, ast.Program | None] = {}

    def of_attribute(self, source: Source, line: int, name: str) -> ast.Node | None:
        """Return the expression of an attribute at a line; None inside of a lambda."""
        program = self._program(source)
        found = [
            node
            for node in _below(None if program is None else program.body, ast.LambdaExpression)
            if isinstance(node, ast.AttributeOperation)
            and node.name == name
            and source.position(node.start)[0] == line
        ]
        return found[0].value if len(found) == 1 else None

    def of_parameter(self, definition: Definition, name: str) -> Stated | None:
        """Return the default of a parameter of a class or define, with its line."""
        node = self._definition(definition)
        if not isinstance(node, (ast.HostClassDefinition, ast.ResourceTypeDefinition)):
            return None
        for parameter in node.parameters:
            if parameter.name == name:
                return Stated(parameter.value, definition.source.position(parameter.start)[0])
        return None

    def of_variable(
        self, source: Source, definition: Definition | None, name: str
    ) -> Stated | None:
        """Return what the body of a definition assigns to a variable, if it does so once.

        Without a definition it is the code of a text outside of its definitions.
        """
        if definition is None:
            program = self._program(source)
            body = None if program is None else program.body
        else:
            source = definition.source
            body = getattr(self._definition(definition), "body", None)
        found = [
            each
            for each in _below(body, _SCOPES)
            if isinstance(each, ast.AssignmentExpression)
            and isinstance(each.left, ast.VariableExpression)
            and each.left.name == name
        ]
        if len(found) != 1:
            return None
        return Stated(found[0].right, source.position(found[0].start)[0])

    def _definition(self, definition: Definition) -> ast.Node | None:
        program = self._program(definition.source)
        for node in () if program is None else program.definitions:
            if node.start == definition.start:
                return node
        return None

    def _program(self, source: Source) -> ast.Program | None:
        if source not in self._programs:
            try:
                self._programs[source] = parse(source)
            except PuppetError:  # an EPP template, or a name for code that is not kept
                self._programs[source] = None
        return self._programs[source]


def _below(
    node: ast.Node | None, without: type[ast.Node] | tuple[type[ast.Node], ...]
) -> Iterator[ast.Node]:
    """Yield a node and the nodes below it, but none of some classes, nor those below these."""
    pending = [] if node is None or isinstance(node, without) else [node]
    while pending:
        each = pending.pop()
        yield each
        pending += [inner for inner in each.children() if not isinstance(inner, without)]


def without_parentheses(expression: ast.Node | None) -> ast.Node | None:
    """Return an expression without what changes no value: ``($x)`` and ``"${x}"``."""
    while True:
        if isinstance(expression, ast.ParenthesizedExpression):
            expression = expression.expr
        elif isinstance(expression, ast.ConcatenatedString) and len(expression.segments) == 1:
            only = expression.segments[0]
            if not isinstance(only, ast.TextExpression):
                return expression
            expression = only.expr
        else:
            return expression


def looked_up(expression: ast.Node | None) -> tuple[str, str | None] | None:
    """Return key and strategy of a call of lookup() with literal ones, None for all else."""
    if not isinstance(expression, ast.CallNamedFunctionExpression):
        return None
    functor = expression.functor
    if not isinstance(functor, ast.QualifiedName) or functor.value not in ("lookup", "hiera"):
        return None
    given = expression.arguments
    if not given or not isinstance(given[0], ast.LiteralString):
        return None
    merge = given[2] if len(given) > 2 and functor.value == "lookup" else None
    if isinstance(merge, ast.LiteralString):
        return given[0].value, merge.value
    return given[0].value, None
