"""Style that nobody is warned of: ``validate --fix`` writes it, and no value changes."""

from __future__ import annotations

import re
from itertools import pairwise

from puppet_repl.language.syntax import ast, epp
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.tools.advice.nodes import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.tools.advice.model import Context, Edit

_COMMA = re.compile(r"\s*,\s*")
# After the value of an attribute on its line.
_REST = re.compile(r"[ \t]*,?[ \t]*(?:#[^\n]*)?\r?\n")
_COMMENT = re.compile(r"[ \t]*#")
# Comments that are about their place.
_CONTROL = ("lint:", "format:")


def titles(context: Context, node: ast.Node) -> None:
    """Find titles of resources without quotes."""
    assert isinstance(node, ast.ResourceExpression)
    for body in node.bodies:
        _quote(context, "unquoted_resource_title", items(body.title))


def options(context: Context, node: ast.Node) -> None:
    """Find values of case and selectors without quotes."""
    if isinstance(node, ast.CaseExpression):
        values = [each for option in node.options for each in option.values]
    else:
        assert isinstance(node, ast.SelectorExpression)
        values = [entry.matching for entry in node.selectors]
    _quote(context, "unquoted_string", values)


def _quote(context: Context, rule: str, nodes: Iterable[ast.Node]) -> None:
    for each in nodes:
        if isinstance(each, ast.QualifiedName) and context.written(each) == each.value:
            new = f"'{each.value}'"
            context.warn(rule, each, f"write {new}", (each.start, each.end, new))


def ensure(context: Context, node: ast.Node) -> None:
    """Find resources whose ``ensure`` is not their first attribute."""
    assert isinstance(node, ast.ResourceBody)
    operations = node.operations
    for number, operation in enumerate(operations):
        if isinstance(operation, ast.AttributeOperation) and operation.name == "ensure":
            if number:
                before = operations[: number + 1]
                edits = _moved_lines(context, node, before) or _moved(context, before)
                context.warn("ensure_first_param", operation, "write ensure first", *edits)
            return


def _moved(context: Context, operations: tuple[ast.Node, ...]) -> list[Edit]:
    """Return the edits that move the last of these attributes, if only commas are between them."""
    first, before, last = operations[0], operations[-2], operations[-1]
    gaps = [(left.end, right.start) for left, right in pairwise(operations)]
    if not all(_COMMA.fullmatch(context.text, *gap) for gap in gaps):
        return []
    if any(isinstance(each, ast.HeredocExpression) for one in operations for each in one.walk()):
        return []
    moved = f"{context.written(last)},{context.separator(first.start)}"
    return [(first.start, first.start, moved), (before.end, last.end, "")]


def _moved_lines(
    context: Context, body: ast.ResourceBody, operations: tuple[ast.Node, ...]
) -> list[Edit]:
    """Return the edits that move the lines of the last of these attributes.

    Comments above it and texts of heredocs go along. There are none for attributes that share a
    line.
    """
    text = context.text
    ends = _Ends(context)
    after = []
    for each in operations:
        rest = _REST.match(text, each.end)
        if context.line_start(each.start) is None or rest is None:
            return []
        after.append(ends.below(each, rest.end()))
    starts = [body.title.end, *after[:-1]]
    gaps = [text[at : each.start] for at, each in zip(starts, operations, strict=True)]
    if any("/*" in gap or any(word in gap for word in _CONTROL) for gap in gaps):
        return []
    first, last = operations[0], operations[-1]
    target = _above(text, first.start, text.find("\n", body.title.end) + 1)
    start = _above(text, last.start, after[-2])
    moved = text[start : after[-1]]
    if not text[last.end :].lstrip(" \t").startswith(","):
        at = last.end - start
        moved = f"{moved[:at]},{moved[at:]}"
    return [(target, target, moved), (start, after[-1], "")]


def _above(text: str, offset: int, limit: int) -> int:
    """Return the start of the line of an offset, or of the comments right above that line."""
    start = text.rfind("\n", 0, offset) + 1
    while start > limit:
        above = text.rfind("\n", 0, start - 1) + 1
        if not _COMMENT.match(text, above):
            break
        start = above
    return start


class _Ends:
    """The ends of attributes together with the texts of their heredocs."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._heredocs: dict[int, int] | None = None

    def below(self, node: ast.Node, offset: int) -> int:
        """Return the start of the line below a node; ``offset`` is that of the next line."""
        for each in node.walk():
            if isinstance(each, ast.HeredocExpression):
                offset = max(offset, self._read().get(each.start, offset))
        return offset

    def _read(self) -> dict[int, int]:
        if self._heredocs is None:
            lexer = Lexer(self.context.source, tasks=True)
            if self.context.is_template:
                epp.run(lexer)
            else:
                lexer.run()
            self._heredocs = {header: after for header, _, _, after in lexer.heredocs}
        return self._heredocs
