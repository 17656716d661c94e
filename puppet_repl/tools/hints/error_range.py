"""Which part of a call or a resource an error is about, so that just that is marked.

The location in the message stays the one that Puppet tells.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.source import Source

_RESOURCES = (
    ast.ResourceExpression,
    ast.ResourceOverrideExpression,
    ast.ResourceDefaultsExpression,
)


def focus_of(error: PuppetError) -> tuple[int, int] | None:
    """Return the span of the argument or attribute at fault, None if it is not known."""
    culprit, source = error.culprit, error.source
    if culprit is None or source is None or error.line is None:
        return None
    try:
        body = parse(source).body
    except PuppetError:  # a template
        return None
    if isinstance(culprit, str):
        return _attribute(body, source, error, culprit)
    argument = _argument(body, error, culprit)
    return None if argument is None else (argument.start, argument.end)


def _argument(body: ast.Node, error: PuppetError, position: int) -> ast.Node | None:
    for node in body.walk():
        if (node.at, node.end) != (error.start, error.end):
            continue
        if isinstance(node, ast.CallNamedFunctionExpression):
            functor: ast.Node = node.functor
            arguments = node.arguments
        elif isinstance(node, ast.CallMethodExpression):
            functor = node.functor.right
            arguments = (node.functor.left, *node.arguments)
        else:
            continue
        if isinstance(functor, ast.QualifiedName) and functor.value == "new":
            arguments = arguments[1:]  # the type, whose constructor rejects the others
        before = arguments[: position + 1]
        if len(before) <= position or any(isinstance(one, ast.UnfoldExpression) for one in before):
            return None
        return before[-1]
    return None


def _attribute(
    body: ast.Node, source: Source, error: PuppetError, name: str
) -> tuple[int, int] | None:
    """Return the span of the value of an attribute, or of its name where that is unknown."""
    found = [each for each in _groups(body, source, error) if name in each.operations]
    if len(found) > 1:
        found = [each for each in found if f"[{each.title}]" in error.message]
    if len(found) != 1:
        return None
    operation = found[0].operations[name]
    if error.subject is not None and error.subject.kind == "attribute":
        return operation.start, operation.start + len(name)
    return operation.value.start, operation.value.end


class _Group:
    """The attributes of one title."""

    __slots__ = ("operations", "title")

    def __init__(self, title: ast.Node | None, operations: tuple[ast.Node, ...]) -> None:
        self.title = getattr(title, "value", None)
        self.operations = {
            each.name: each for each in operations if isinstance(each, ast.AttributeOperation)
        }


def _groups(body: ast.Node, source: Source, error: PuppetError) -> Iterator[_Group]:
    """Yield the attributes of what begins where an error is, or in its line.

    Overrides and defaults may be elsewhere, and have no title that the message could tell.
    """
    elsewhere = []
    for node in body.walk():
        if isinstance(node, ast.ResourceExpression):
            if error.start is None:
                is_there = source.position(node.start)[0] == error.line
            else:
                is_there = (node.at, node.end) == (error.start, error.end)
            if is_there:
                yield from [_Group(each.title, each.operations) for each in node.bodies]
        elif isinstance(node, ast.ResourceOverrideExpression | ast.ResourceDefaultsExpression):
            elsewhere.append(_Group(None, node.operations))
    if error.start is None:
        yield from elsewhere
