"""Inputs of a session as parts of one manifest, which has the last definition of each name only.

A session accepts a name that is defined again, Puppet refuses it in a manifest.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.reference.manifests import comment_above
from puppet_repl.language.runtime.node_names import node_name
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    # The namespace and the name in it.
    Key: TypeAlias = tuple[str, str]
    # Start, end, and the new text.
    Edit: TypeAlias = tuple[int, int, str]

_NAMED = (
    ast.HostClassDefinition,
    ast.ResourceTypeDefinition,
    ast.FunctionDefinition,
    ast.TypeAlias,
)
# Classes and defined types share their names.
_NAMESPACES = dict(zip(_NAMED, ("class", "class", "function", "type"), strict=True))
_REST_OF_LINE = re.compile(r"[ \t]*;?[ \t]*(?:\n|\Z)")
# After the keyword.
_NAME = re.compile(r"(?<=\s)[\w:]+")


def with_last_definitions(texts: list[str]) -> list[str]:
    """Return the texts of inputs without the definitions that later ones replace.

    The last definition of a name takes the place of the first one, so that inputs between them can
    use it. An input that had only replaced definitions has an empty text then, and one with a
    syntax error stays as it is.
    """
    inputs = [_definitions_of(text) for text in texts]
    found: dict[Key, list[_Definition]] = {}
    for definitions in inputs:
        for definition in definitions:
            for key in definition.keys:
                found.setdefault(key, []).append(definition)
    for key, same in found.items():
        for replaced in same[:-1]:
            replaced.replaced.add(key)
        if len(same) > 1 and same[0].can_move and same[-1].can_move:
            same[0].replacement = same[-1].text
            same[-1].replaced.add(key)
    return [_edited(*each) for each in zip(texts, inputs, strict=True)]


class _Definition:
    """A definition of an input; ``outer`` is the class around it, ``replaced`` its names that
    other definitions have, and ``replacement`` the text that takes its place.
    """

    __slots__ = ("inner", "keys", "node", "outer", "replaced", "replacement", "source")

    def __init__(self, node: ast.Node, source: Source, outer: _Definition | None) -> None:
        self.node = node
        self.source = source
        self.outer = outer
        self.inner: list[_Definition] = []
        if outer is not None:
            outer.inner.append(self)
        self.keys = [*_keys_of(node)]
        self.replaced: set[Key] = set()
        self.replacement = ""

    @property
    def can_move(self) -> bool:
        """Tell whether it can be moved; a node block, which runs at its place, cannot."""
        return self.outer is None and not self.inner and isinstance(self.node, _NAMED)

    @property
    def start(self) -> int:
        """The offset at which it begins, with the comment above it."""
        line, column = self.source.position(self.node.start)
        if self.source.line(line)[: column - 1].strip():
            return self.node.start
        return self.source.line_starts[comment_above(self.source, line)[0] - 1]

    @property
    def text(self) -> str:
        """The definition as it is written, with the comment above it."""
        return self.source.text[self.start : self.node.end]

    def edits(self) -> Iterator[Edit]:
        """Yield the changes of the text of the input, in order."""
        if not self.replaced:
            for each in self.inner:
                yield from each.edits()
        elif len(self.replaced) < len(self.keys):
            assert isinstance(self.node, ast.NodeDefinition)
            matches = self.node.matches
            names = [
                self.source.text[match.start : match.end]
                for match, key in zip(matches, self.keys, strict=True)
                if key not in self.replaced
            ]
            yield matches[0].start, matches[-1].end, ", ".join(names)
        else:
            new = self.replacement or "\n".join(self._inner_texts())
            end = self.node.end
            rest = None if new else _REST_OF_LINE.match(self.source.text, end)
            yield self.start, end if rest is None else rest.end(), new

    def _inner_texts(self) -> Iterator[str]:
        """Yield the definitions in a class that nothing replaces, by their whole names."""
        for each in self.inner:
            if each.replaced:
                yield from each._inner_texts()
            else:
                name = each.keys[0][1]
                yield _NAME.sub(name, self.source.text[each.node.start : each.node.end], count=1)


def _definitions_of(text: str) -> list[_Definition]:
    """Return the definitions of an input in the order of its text; none for a syntax error."""
    source = Source(text)
    try:
        nodes = sorted(parse(source).definitions, key=lambda node: node.start)
    except PuppetError:
        return []
    found: list[_Definition] = []
    outer: _Definition | None = None
    for node in nodes:
        while outer is not None and outer.node.end <= node.start:
            outer = outer.outer
        outer = _Definition(node, source, outer)
        found.append(outer)
    return found


def _keys_of(node: ast.Node) -> Iterator[Key]:
    """Yield the names that a definition defines."""
    if isinstance(node, ast.NodeDefinition):
        for match in node.matches:
            if isinstance(match, ast.LiteralRegularExpression):
                yield "node", node_name(match.pattern)
            elif isinstance(match, ast.LiteralString):
                yield "node", match.value.lower()
            else:
                yield "node", "default"
    elif isinstance(node, _NAMED):
        yield _NAMESPACES[type(node)], node.name.lower()


def _edited(text: str, definitions: list[_Definition]) -> str:
    """Return an input after its edits, an empty text if they leave only comments of it."""
    edits = [edit for each in definitions if each.outer is None for edit in each.edits()]
    for start, end, new in reversed(edits):
        text = text[:start] + new + text[end:]
    lines = [line.lstrip() for line in text.split("\n")]
    is_left = not edits or any(line and not line.startswith("#") for line in lines)
    return text.strip("\n") if is_left else ""
