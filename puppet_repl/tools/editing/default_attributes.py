"""The attributes that resources take from defaults, as far as the text alone decides it.

``File { mode => '0644' }`` counts for the resources below it in the same class, defined type or
node block, if nothing decides whether it is evaluated, and its value is a literal. Resources take
no default for an attribute that they set, be it to undef. Defaults of other code are not known.
"""

from __future__ import annotations

from typing import NamedTuple

from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import OPENS_SCOPE, SEES_AROUND
from puppet_repl.tools.advice.attributes import attributes_of
from puppet_repl.tools.advice.nodes import called, is_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# After these calls it is not certain that the rest is evaluated.
_LEAVING = frozenset(("break", "next", "return"))


class DefaultAttribute(NamedTuple):
    """An attribute that a resource takes from a default, which is in the range of the text.

    The title of the resource, with its colon, ends at ``offset``.
    """

    offset: int
    name: str
    start: int
    end: int


def default_attributes(program: ast.Program, span: tuple[int, int]) -> list[DefaultAttribute]:
    """Return the default attributes of resources whose titles end in a range, in their order."""
    found: list[DefaultAttribute] = []
    pending: list[ast.Node] = [program.body]
    while pending:
        scope = _Scope(program.source.text, pending.pop())
        found += scope.found(span)
        pending += scope.further
    return sorted(found, key=lambda each: (each.offset, each.start))


class _Scope:
    """The body of one definition, or of a program: lambdas are part of it."""

    def __init__(self, text: str, body: ast.Node) -> None:
        self._text = text
        self._resources: list[ast.ResourceExpression] = []
        self._changed: set[tuple[str, str]] = set()
        self._has_left = False
        self._defaults: dict[tuple[str, str], ast.AttributeOperation] = {}
        # The bodies of definitions inside.
        self.further: list[ast.Node] = []
        self._walk(body)
        for node in self._statements(body):
            if isinstance(node, ast.ResourceDefaultsExpression):
                self._take(node)

    def _walk(self, body: ast.Node) -> None:
        pending = [body]
        while pending:
            node = pending.pop()
            if node is not body and type(node) in OPENS_SCOPE and not isinstance(node, SEES_AROUND):
                self.further.append(node)
                continue
            if isinstance(node, ast.ResourceExpression):
                self._resources.append(node)
            elif isinstance(node, ast.ResourceOverrideExpression | ast.CollectExpression):
                for given in attributes_of(node):
                    self._changed |= {(given.type_name, each.name) for each in given.operations}
                    self._changed |= {(given.type_name, "*")} if given.is_open else set()
            self._has_left |= called(node) in _LEAVING
            pending += node.children()

    def _statements(self, body: ast.Node) -> tuple[ast.Node, ...]:
        """Return the statements that are evaluated whenever the body is."""
        inner: ast.Node | None = body
        if type(body) in OPENS_SCOPE:
            inner = getattr(body, "body", None)
        if inner is None or self._has_left:
            return ()
        return inner.statements if isinstance(inner, ast.BlockExpression) else (inner,)

    def _take(self, node: ast.ResourceDefaultsExpression) -> None:
        for given in attributes_of(node):
            for operation in given.operations:
                is_known = is_literal(operation.value) and operation.operator == "=>"
                if is_known and operation.name not in METAPARAMETER_SET:
                    self._defaults.setdefault((given.type_name, operation.name), operation)

    def found(self, span: tuple[int, int]) -> Iterator[DefaultAttribute]:
        """Yield the attributes of resources whose titles end in a range."""
        for node in self._resources if self._defaults else ():
            given = [*attributes_of(node)]
            others = [each for each in given if each.title is None]
            names = {each.name for one in others for each in one.operations}
            for one in given:
                if one.title is None or any(each.has_hash for each in (one, *others)):
                    continue
                offset = self._text.find(":", one.title.end) + 1
                if span[0] <= offset <= span[1]:
                    own = names | {each.name for each in one.operations}
                    yield from self._of(one.type_name, node.start, own, offset)

    def _of(
        self, type_name: str, start: int, own: set[str], offset: int
    ) -> Iterator[DefaultAttribute]:
        for (kind, name), operation in self._defaults.items():
            is_changed = {(kind, name), (kind, "*")} & self._changed
            if kind == type_name and operation.end < start and name not in own and not is_changed:
                yield DefaultAttribute(offset, name, operation.start, operation.end)
