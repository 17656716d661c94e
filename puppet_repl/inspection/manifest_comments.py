"""What manifests define, with the comments above it, as puppet-strings reads them.

A comment in ``#`` lines directly above a definition documents it: Markdown text first, then tags
(``@summary``, ``@param NAME``, ``@example TITLE`` ...) that each reach to the next tag.
"""

from __future__ import annotations

import re

from puppet_repl.syntax import ast
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source

__all__ = ["Documented", "Tag", "documented", "read_comment"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Tags whose text begins with a name, a type or a title on the line of the tag.
_NAMED = frozenset({"param", "option", "example", "raise", "enum", "see", "overload"})

_plan = re.compile(r"^plan\s", re.M).search
_tag = re.compile(r"@(!?[a-z][\w.]*)\s*(.*)$").match
_type = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\][^\[\]]*)*)\]\s*(.*)", re.S)


class Tag:
    """One tag: ``name`` is `param`, `return` ..., ``subject`` what it is about, ``text`` the rest.

    The subject of an option is its place in the parameter, `opts['name']`. ``type`` is the text in
    brackets, '' if there is none.
    """

    __slots__ = ("name", "subject", "text", "type")

    def __init__(self, name: str, subject: str, type_text: str, text: str) -> None:
        self.name = name
        self.subject = subject
        self.type = type_text
        self.text = text


class Documented:
    """A definition. ``kind`` is class, define, function, type or plan; ``line`` counts from 1.

    ``signature`` is its head as a manifest writes it, without the word that declares it.
    """

    __slots__ = ("kind", "line", "name", "signature", "tags", "text")

    def __init__(self, kind: str, name: str, signature: str, line: int, comment: list[str]) -> None:
        self.kind = kind
        self.name = name
        self.signature = signature
        self.line = line
        self.text, self.tags = read_comment(comment)

    def tagged(self, name: str) -> list[Tag]:
        """Return the tags of a name, in order."""
        return [tag for tag in self.tags if tag.name == name]

    @property
    def summary(self) -> str:
        """The text of ``@summary``, or ''."""
        return next((tag.text for tag in self.tagged("summary")), "")


def documented(text: str, name: str | None = None) -> list[Documented]:
    """Return what a manifest defines, in order; raise PuppetError if it does not parse."""
    source = Source(text, name)
    program = parse(source, tasks=_plan(text) is not None)
    nodes = sorted(program.definitions, key=lambda node: node.start)
    return list(_definitions(nodes, source))


def _definitions(nodes: list[ast.Node], source: Source) -> Iterator[Documented]:
    for node in nodes:
        if isinstance(node, ast.HostClassDefinition):
            parent = f" inherits {node.parent}" if node.parent else ""
            kind, name = "class", node.name
            signature = f"{name}{_parameters(node.parameters, source)}{parent}"
        elif isinstance(node, ast.ResourceTypeDefinition):
            kind, name = "define", node.name
            signature = f"{name}{_parameters(node.parameters, source)}"
        elif isinstance(node, (ast.FunctionDefinition, ast.PlanDefinition)):
            kind = "plan" if isinstance(node, ast.PlanDefinition) else "function"
            name = node.name
            returns = f" >> {_text(node.return_type, source)}" if node.return_type else ""
            given = _parameters(node.parameters, source) or "()"
            signature = f"{name}{given}{returns}"
        elif isinstance(node, ast.TypeAlias):
            kind, name = "type", node.name
            signature = f"{name} = {_text(node.type_expr, source)}"
        else:
            continue
        line = source.position(node.start)[0]
        yield Documented(kind, name, signature, line, _comment_above(source, line))


def _text(node: ast.Node, source: Source) -> str:
    return " ".join(source.text[node.start : node.end].split())


def _parameters(parameters: tuple[ast.Parameter, ...], source: Source) -> str:
    texts = []
    for parameter in parameters:
        text = f"{'*' if parameter.captures_rest else ''}${parameter.name}"
        if parameter.type_expr is not None:
            text = f"{_text(parameter.type_expr, source)} {text}"
        if parameter.value is not None:
            text += f" = {_text(parameter.value, source)}"
        texts.append(text)
    return f"({', '.join(texts)})" if texts else ""


def _comment_above(source: Source, line: int) -> list[str]:
    """Return the lines of the comment that ends on the line above, without their marks."""
    lines: list[str] = []
    number = line - 1
    while number >= 1:
        text = source.line(number).strip()
        if not text.startswith("#"):
            break
        lines.append(re.sub(r"^#+ ?", "", text))
        number -= 1
    return lines[::-1]


def read_comment(comment: list[str]) -> tuple[str, list[Tag]]:
    """Return the text outside of the tags of a comment, and the tags."""
    text: list[str] = []
    groups: list[tuple[str, str, list[str]]] = []
    current = text
    for line in comment:
        found = _tag(line.strip()) if not line.startswith("    ") else None
        if found:
            current = []
            groups.append((found.group(1), found.group(2), current))
            continue
        if current is not text and current[-1:] == [""] and not line.startswith(" "):
            current = text  # a line at the margin after a blank one is text again
        current.append(line if line.strip() else "")
    return "\n".join(text).strip("\n"), [_make_tag(*group) for group in groups]


def _make_tag(name: str, head: str, body: list[str]) -> Tag:
    indents = [len(line) - len(line.lstrip()) for line in body if line.strip()]
    cut = min(indents, default=0)
    rest = "\n".join(line[cut:] for line in body).strip("\n")
    type_text = subject = ""
    if name == "example":
        return Tag(name, head.strip(), "", rest)
    found = _type.match(head)
    if found:
        type_text, head = found.groups()
    if name in _NAMED:
        subject, _, head = head.strip().partition(" ")
        found = _type.match(head.strip())
        if found and not type_text:
            type_text, head = found.groups()
    if name == "option":
        key, _, head = head.strip().partition(" ")
        subject += "['{}']".format(key.strip(":'\""))
    return Tag(name, subject.lstrip("$"), type_text, "\n".join([head.strip(), rest]).strip("\n"))
