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
_SEPARATOR = re.compile(r"\s*;(?:[ \t]*(?:\n|\Z))?|[ \t]*(?:\n|\Z)")
# After the keyword.
_NAME = re.compile(r"(?<=\s)[\w:]+")


def with_last_definitions(texts: list[str]) -> list[str]:
    """Return the texts of inputs without the definitions that later ones replace.

    The last definition of a name takes the place of the first one, so that inputs between them can
    use it. An input that had only replaced definitions has an empty text then. One with a syntax
    error stays as it is. An input that would lose anything else also stays, and later definitions
    of its names keep their places.
    """
    kept: set[Key] = set()
    while True:
        inputs = [_definitions_of(text) for text in texts]
        _replace(inputs, kept)
        edited = [_edited(*each) for each in zip(texts, inputs, strict=True)]
        lossy = [
            definitions
            for text, new, definitions in zip(texts, edited, inputs, strict=True)
            if new != text.strip("\n") and not _has_all(new, definitions)
        ]
        if not lossy:
            return edited
        kept.update(key for definitions in lossy for each in definitions for key in each.keys)


def _replace(inputs: list[list[_Definition]], kept: set[Key]) -> None:
    """Tell definitions what replaces them, except those of the names ``kept``."""
    found: dict[Key, list[_Definition]] = {}
    for definitions in inputs:
        for definition in definitions:
            for key in definition.keys:
                if key not in kept:
                    found.setdefault(key, []).append(definition)
    for key, same in found.items():
        for replaced in same[:-1]:
            replaced.replaced.add(key)
        if len(same) > 1 and same[0].can_move and same[-1].can_move:
            same[0].replacement = same[-1].text
            same[-1].replaced.add(key)


class _Definition:
    """A definition of an input; ``outer`` is the class around it, ``replaced`` its names that
    other definitions have, and ``replacement`` the text that takes its place.
    """

    __slots__ = ("inner", "keys", "node", "outer", "program", "replaced", "replacement", "source")

    def __init__(self, node: ast.Node, program: ast.Program, outer: _Definition | None) -> None:
        self.node = node
        self.program = program
        self.source = program.source
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

    @property
    def is_gone(self) -> bool:
        """Tell whether other definitions have every name of this one."""
        return len(self.replaced) == len(self.keys)

    @property
    def new_text(self) -> str:
        """The text that takes its place when it is gone."""
        return self.replacement or "\n".join(self._inner_texts())

    def edits(self) -> Iterator[Edit]:
        """Yield the changes of the text of the input, in order."""
        if not self.replaced:
            for each in self.inner:
                yield from each.edits()
        elif not self.is_gone:
            assert isinstance(self.node, ast.NodeDefinition)
            matches = self.node.matches
            names = [
                self.source.text[match.start : match.end]
                for match, key in zip(matches, self.keys, strict=True)
                if key not in self.replaced
            ]
            yield matches[0].start, matches[-1].end, ", ".join(names)
        else:
            new = self.new_text
            end = self.node.end
            rest = None if new else _SEPARATOR.match(self.source.text, end)
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
        program = parse(source)
    except PuppetError:
        return []
    found: list[_Definition] = []
    outer: _Definition | None = None
    for node in sorted(program.definitions, key=lambda node: node.start):
        while outer is not None and outer.node.end <= node.start:
            outer = outer.outer
        outer = _Definition(node, program, outer)
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


def _has_all(text: str, before: list[_Definition]) -> bool:
    """Tell whether an edited input has all statements but the definitions that are replaced."""
    try:
        after = _statements(parse(Source(text)).body, {})
        expected = _statements(before[0].program.body, {each.node.start: each for each in before})
        return [*after] == [*expected]
    except PuppetError:
        return False


def _statements(body: ast.Node | None, edited: dict[int, _Definition]) -> Iterator[str]:
    """Yield texts for the statements of a body and of the classes in it, after the edits."""
    if body is None or isinstance(body, ast.Nop):
        return
    for node in body.statements if isinstance(body, ast.BlockExpression) else (body,):
        definition = edited.get(node.start)
        if definition is not None and definition.is_gone:
            yield from _statements(parse(Source(definition.new_text)).body, {})
        elif isinstance(node, ast.NodeDefinition):
            gone = () if definition is None else definition.replaced
            yield repr([key for key in _keys_of(node) if key not in gone])
            yield from _statements(node.body, edited)
        elif isinstance(node, ast.HostClassDefinition):
            yield repr((node.name, node.parameters, node.parent))
            yield from _statements(node.body, edited)
        else:
            yield repr(node)
