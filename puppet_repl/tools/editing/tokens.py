"""The tokens of a document with their meaning: what an editor colours.

The scanner finds the tokens of any text; the tree, where there is one, says what names mean.
"""

from __future__ import annotations

from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.scan import Scan
from puppet_repl.language.syntax.tokens import KEYWORDS
from puppet_repl.tools.editing.outline import name_span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, NamedTuple, TypeAlias

    from puppet_repl.language.syntax.scan import ScanKind
    from puppet_repl.tools.editing.documents import Document
    from puppet_repl.tools.editing.positions import Lines

    TokenKind: TypeAlias = Literal[
        "class",
        "comment",
        "function",
        "keyword",
        "number",
        "parameter",
        "property",
        "regexp",
        "string",
        "struct",
        "type",
        "variable",
    ]
    Modifier: TypeAlias = Literal["", "declaration", "defaultLibrary"]

    class Meaning(NamedTuple):
        """What a token is."""

        kind: TokenKind
        modifier: Modifier


_WORDS = frozenset((*KEYWORDS, "true", "false"))
_OF_SCAN: dict[ScanKind, TokenKind] = {
    "variable": "variable",
    "type": "type",
    "number": "number",
    "regex": "regexp",
}


class Token:
    """A token on one line."""

    __slots__ = ("end", "kind", "modifier", "start")

    def __init__(self, start: int, end: int, kind: TokenKind, modifier: Modifier = "") -> None:
        self.start = start
        self.end = end
        self.kind: TokenKind = kind
        self.modifier: Modifier = modifier

    def __repr__(self) -> str:
        return f"<{self.start}-{self.end} {self.kind} {self.modifier}>"


def tokens(document: Document, scan: Scan) -> list[Token]:
    """Return the tokens of a document in the order of the text; none overlap.

    ``scan`` is that of its code, with the offsets of the document.
    """
    tree = document.tree()
    meanings = {} if tree is None or tree.recovered else _meanings(tree.program)
    found = sorted(_scanned(document.text, scan, meanings), key=lambda token: token.start)
    apart: list[Token] = []
    for token in found:
        if not apart or token.start >= apart[-1].end:
            apart += _on_lines(document.lines, token)
    return apart


def _scanned(
    text: str, scan: Scan, meanings: dict[int, tuple[TokenKind, Modifier]]
) -> Iterator[Token]:
    for start, end in scan.comments:
        yield Token(start, end, "comment")
    for start, end in scan.literals:
        before, after = text[start - 1 : start], text[end : end + 1]
        if before == "/" == after:
            continue  # its token has the slashes
        yield Token(start - (before in "'\"" and start > 0), end + (after in ("'", '"')), "string")
    for each in scan.every_token:
        end = each.start + len(each.text)
        meaning = meanings.get(each.start)
        if meaning is not None and each.kind in ("name", "type", "variable"):
            yield Token(each.start, end, *meaning)
        elif each.kind == "name":
            if each.text in _WORDS:
                yield Token(each.start, end, "keyword")
        elif each.kind in _OF_SCAN:
            yield Token(each.start, end, _OF_SCAN[each.kind])


def _on_lines(lines: Lines, token: Token) -> Iterator[Token]:
    """Yield the parts of a token: most editors take none that has several lines."""
    for line in range(lines.line_of(token.start), lines.line_of(token.end) + 1):
        start, end = lines.span(line)
        start, end = max(start, token.start), min(end, token.end)
        if start < end:
            yield Token(start, end, token.kind, token.modifier)


def _meanings(program: ast.Program) -> dict[int, tuple[TokenKind, Modifier]]:
    """Return kind and modifier of names by their offsets."""
    found: dict[int, tuple[TokenKind, Modifier]] = {}
    text = program.source.text
    pending: list[tuple[ast.Node, frozenset[str]]] = [(program.body, frozenset())]
    while pending:
        node, parameters = pending.pop()
        if isinstance(node, _WITH_PARAMETERS):
            own = {each.name for each in node.parameters}
            parameters = frozenset(own | (parameters if _is_lambda(node) else set()))
        found.update(_of_node(text, node, parameters))
        pending += [(child, parameters) for child in node.children()]
    return found


_WITH_PARAMETERS = (
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.LambdaExpression,
    ast.PlanDefinition,
    ast.ResourceTypeDefinition,
)
_DEFINED: dict[type[ast.Node], TokenKind] = {
    ast.FunctionDefinition: "function",
    ast.HostClassDefinition: "class",
    ast.PlanDefinition: "function",
    ast.ResourceTypeDefinition: "struct",
    ast.TypeAlias: "type",
}
_DECLARING = frozenset(("include", "contain", "require"))


def _is_lambda(node: ast.Node) -> bool:
    return isinstance(node, ast.LambdaExpression)


def _of_node(
    text: str, node: ast.Node, parameters: frozenset[str]
) -> Iterator[tuple[int, tuple[TokenKind, Modifier]]]:
    kind = _DEFINED.get(type(node))
    if kind is not None:
        yield name_span(text, node, getattr(node, "name", ""))[0], (kind, "declaration")
    elif isinstance(node, ast.Parameter):
        start = text.find(f"${node.name}", node.start, node.end)
        yield start, ("parameter", "declaration")
    elif isinstance(node, ast.VariableExpression):
        if node.name in parameters:
            yield node.start, ("parameter", "")
        elif not text.startswith("$", node.start):  # "${name}"
            yield node.start, ("variable", "")
    elif isinstance(node, ast.AssignmentExpression):
        if isinstance(node.left, ast.VariableExpression):
            yield node.left.start, ("variable", "declaration")
    elif isinstance(node, ast.AttributeOperation):
        yield node.start, ("property", "")
    elif isinstance(node, ast.ResourceExpression):
        if isinstance(node.type_name, ast.QualifiedName) and node.type_name.value != "class":
            yield node.type_name.start, ("struct", "")
        elif text.startswith("class", node.type_name.start):
            for body in node.bodies:
                if isinstance(body.title, ast.QualifiedName):
                    yield body.title.start, ("class", "")
    elif isinstance(node, ast.CallNamedFunctionExpression):
        if isinstance(node.functor, ast.QualifiedName):
            name = node.functor.value
            yield node.functor.start, ("function", _library(name))
            if name in _DECLARING:
                for argument in node.arguments:
                    if isinstance(argument, ast.QualifiedName):
                        yield argument.start, ("class", "")
    elif isinstance(node, ast.CallMethodExpression):
        functor = node.functor.right
        if isinstance(functor, ast.QualifiedName):
            yield functor.start, ("function", _library(functor.value))


def _library(name: str) -> Modifier:
    return "defaultLibrary" if name in THEMES else ""
