"""The expressions in a text that give attributes, parameters and variables their values.

A text is parsed when it is first asked about. If a line has several candidates, no one counts.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import OPENS_SCOPE
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source

_LAMBDA: frozenset[type[ast.Node]] = frozenset((ast.LambdaExpression,))


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
        self._assigned: dict[Source | Definition, dict[str, Stated | None]] = {}
        # By line and name; None for several of one name at a line.
        self._attributes: dict[Source, dict[tuple[int, str], ast.Node | None]] = {}

    def of_attribute(self, source: Source, line: int, name: str) -> ast.Node | None:
        """Return the expression of an attribute at a line; None inside of a lambda."""
        if source not in self._attributes:
            self._attributes[source] = found = {}
            program = self._program(source)
            for node in _below(None if program is None else program.body, _LAMBDA):
                if isinstance(node, ast.AttributeOperation):
                    place = source.position(node.start)[0], node.name
                    found[place] = None if place in found else node.value
        return self._attributes[source].get((line, name))

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
        key = source if definition is None else definition
        if key not in self._assigned:
            self._assigned[key] = self._assignments(source, definition)
        return self._assigned[key].get(name)

    def _assignments(
        self, source: Source, definition: Definition | None
    ) -> dict[str, Stated | None]:
        """Return the assignments in a body by variable; None for several to one variable."""
        if definition is None:
            program = self._program(source)
            body = None if program is None else program.body
        else:
            source = definition.source
            body = getattr(self._definition(definition), "body", None)
        found: dict[str, Stated | None] = {}
        for each in _below(body, OPENS_SCOPE):
            if isinstance(each, ast.AssignmentExpression):
                if isinstance(each.left, ast.VariableExpression):
                    name, line = each.left.name, source.position(each.start)[0]
                    found[name] = None if name in found else Stated(each.right, line)
        return found

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


def _below(node: ast.Node | None, without: frozenset[type[ast.Node]]) -> Iterator[ast.Node]:
    """Yield a node and the nodes below it, but none of some classes, nor those below these."""
    pending = [] if node is None or type(node) in without else [node]
    while pending:
        each = pending.pop()
        yield each
        pending += [inner for inner in each.children() if type(inner) not in without]


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
