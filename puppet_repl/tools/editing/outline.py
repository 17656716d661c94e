"""The outline of a document: its definitions and resources, one inside of the other."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import assigned
from puppet_repl.tools.advice.nodes import string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal, TypeAlias

    SymbolKind: TypeAlias = Literal[
        "class",
        "data type",
        "define",
        "fact",
        "function",
        "node",
        "parameter",
        "plan",
        "provider",
        "resource",
        "resource type",
        "ruby function",
        "task",
        "type",
        "variable",
    ]

_KINDS: dict[type[ast.Node], SymbolKind] = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.PlanDefinition: "plan",
    ast.ResourceTypeDefinition: "define",
    ast.TypeAlias: "type",
    ast.TypeDefinition: "type",
}
_DETAILS = {
    "class": "class",
    "define": "defined type",
    "function": "function",
    "node": "node",
    "plan": "plan",
    "type": "type alias",
}
_MAX_TITLE = 60


class Symbol:
    """A definition or declaration; ``name_start`` and ``name_end`` are the span of its name."""

    __slots__ = ("children", "detail", "end", "kind", "name", "name_end", "name_start", "start")

    def __init__(
        self,
        kind: SymbolKind,
        name: str,
        span: tuple[int, int],
        name_span: tuple[int, int],
        detail: str = "",
    ) -> None:
        self.kind: SymbolKind = kind
        self.name = name
        self.start, self.end = span
        self.name_start, self.name_end = name_span
        self.detail = detail
        self.children: list[Symbol] = []

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} {self.children or ''}>"

    def move(self, place: Callable[[int], int]) -> None:
        """Change all offsets: ``place`` returns the new one."""
        self.start, self.end = place(self.start), place(self.end)
        self.name_start, self.name_end = place(self.name_start), place(self.name_end)
        for child in self.children:
            child.move(place)


def outline(program: ast.Program) -> list[Symbol]:
    """Return the symbols of a program in the order of the text."""
    return list(_below(program.source.text, program.body))


def _below(text: str, node: ast.Node) -> Iterator[Symbol]:
    """Yield the symbols of a node, or else those of its children."""
    symbols = list(_symbols(text, node))
    if not symbols:
        for child in node.children():
            yield from _below(text, child)
        return
    yield from symbols


def _symbols(text: str, node: ast.Node) -> Iterator[Symbol]:
    """Yield the symbols that a node is itself."""
    kind = _KINDS.get(type(node))
    if kind is not None:
        name = getattr(node, "name", "")
        span = name_span(text, node, name)
        symbol = Symbol(kind, name, (node.start, node.end), span, _DETAILS[kind])
        yield _with_children(symbol, node, text)
    elif isinstance(node, ast.NodeDefinition):
        first, last = node.matches[0], node.matches[-1]
        names = " ".join(text[first.start : last.end].split())
        symbol = Symbol("node", names, (node.start, node.end), (first.start, last.end), "node")
        yield _with_children(symbol, node, text)
    elif isinstance(node, ast.Parameter):
        start = text.find(f"${node.name}", node.start, node.end)
        span = (node.start, node.end) if start < 0 else (start, start + len(node.name) + 1)
        written = "" if node.type_expr is None else text[node.type_expr.start : node.type_expr.end]
        detail = " ".join(written.split())
        whole = (min(node.start, span[0]), max(node.end, span[1]))
        yield Symbol("parameter", f"${node.name}", whole, span, detail)
    elif isinstance(node, ast.AssignmentExpression):
        for target in assigned(node.left):
            span = (target.start, target.end)
            yield Symbol("variable", f"${target.name}", (node.start, node.end), span)
    elif isinstance(node, ast.ResourceExpression):
        yield from _resources(text, node)
    elif isinstance(node, ast.LambdaExpression) and node.parameters:
        # Of a lambda only the body is in the outline.
        if node.body is not None:
            yield from _below(text, node.body)


def _with_children(symbol: Symbol, node: ast.Node, text: str) -> Symbol:
    for child in node.children():
        symbol.children += _below(text, child)
    return symbol


def _resources(text: str, node: ast.ResourceExpression) -> Iterator[Symbol]:
    """Yield the resources of an expression; the first has the range of the type's name, too."""
    type_name = " ".join(text[node.type_name.start : node.type_name.end].split())
    start = node.start
    for body in node.bodies:
        title = string_of(body.title)
        if title is None:
            title = " ".join(text[body.title.start : body.title.end].split())
        if len(title) > _MAX_TITLE:
            title = f"{title[: _MAX_TITLE - 1]}…"
        end = node.end if body is node.bodies[-1] else body.end
        span = (body.title.start, body.title.end)
        symbol = Symbol("resource", f"{type_name}[{title}]", (start, end), span, type_name)
        for operation in body.operations:
            symbol.children += _below(text, operation)
        yield symbol
        start = body.end


def name_span(text: str, node: ast.Node, name: str) -> tuple[int, int]:
    """Return the span of the name that a definition has after its keyword."""
    last = name.removeprefix("::").rpartition("::")[2]
    pattern = re.compile(rf"(?:::)?(?:\w+::)*{re.escape(last)}(?!\w)", re.IGNORECASE)
    found = pattern.search(text, _after_keyword(text, node.start), node.end)
    return (node.start, node.start) if found is None else found.span()


def _after_keyword(text: str, start: int) -> int:
    found = re.compile(r"\w+\s*").match(text, start)
    return start if found is None else found.end()
