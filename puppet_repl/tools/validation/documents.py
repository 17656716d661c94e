"""Data files, and hiera.yaml, with the places of their parts."""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError, Report
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.yaml_data import UnplacedError, YamlError, compose_yaml, value_of
from puppet_repl.base.yaml_nodes import Mapping, Scalar, Sequence
from puppet_repl.language.data.files import (
    as_json_hash,
    hocon_hash,
    json_value,
    lookup_error,
    yaml_hash,
)
from puppet_repl.language.values.hash import PuppetHash, from_data
from puppet_repl.tools.advice.model import Advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from puppet_repl.base.yaml_nodes import Node
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.validation.file import File

    # Offsets of the first character and after the last one.
    Span: TypeAlias = tuple[int, int]
    Path: TypeAlias = tuple[str | int, ...]

_MERGE = "<<"
_LINE_OF_HOCON = re.compile(r"String: (\d+):")


class Document:
    """A file: its value as Puppet reads it, and its nodes. Without ``root`` texts are searched."""

    __slots__ = ("root", "source", "value")

    def __init__(self, source: Source, value: Value, root: Node | None) -> None:
        self.source = source
        self.value = value
        self.root = root

    def span(self, node: Node) -> Span:
        """Return the place of a node; of a longer text, its first line."""
        start, end = node.span
        return self._line(start, end)

    def _line(self, start: int, end: int) -> Span:
        newline = self.source.text.find("\n", start, end)
        return start, end if newline < 0 else max(newline, start + 1)

    def part(self, text: str, span: Span) -> Span:
        """Return the place of a part of the text of a node, of the whole node if it is escaped."""
        start = self.source.text.find(text, *span)
        return self._line(*span) if start < 0 else self._line(start, start + len(text))

    def keys(self) -> Iterator[tuple[str, Span, Span]]:
        """Yield the keys that the file itself has, with their places and those of their values.

        A key that is there twice is yielded twice.
        """
        if type(self.root) is Mapping:
            for key, value in self.root.pairs:
                name = key_text(key)
                if name is not None and name != _MERGE:
                    yield name, self.span(key), self.span(value)
        elif self.root is None and type(self.value) is PuppetHash:
            for name in self.value.keys():
                if type(name) is str:
                    place = self.part(name, (0, len(self.source.text)))
                    yield name, place, place

    def places(self) -> dict[str, tuple[Span, Span]]:
        """Return the places of the keys and values that count, by key."""
        return {name: (key, value) for name, key, value in self.keys()}

    def value_of(self, key: str) -> Value:
        """Return the value of a key; None without one."""
        return self.value.get(key) if type(self.value) is PuppetHash else None

    def strings(self) -> Iterator[tuple[str, Span]]:
        """Yield the texts in the values of all keys, and the spans in which they are.

        Each node is there once, however many aliases it has.
        """
        if self.root is None:
            span = (0, len(self.source.text))
            yield from ((text, span) for text in _texts(self.value))
            return
        pairs = self.root.pairs if type(self.root) is Mapping else []
        for node in _nodes(value for _, value in pairs):
            if type(node) is Scalar:
                yield node.text, node.span

    def find(self, path: Path) -> Node | None:
        """Return the node at a path of keys and numbers, as near to it as there is one."""
        node = self.root
        for step in path:
            inner = _step(node, step)
            if inner is None:
                break
            node = inner[1]
        return node

    def span_at(self, path: Path, key: str | None = None) -> Span:
        """Return the place of the value at a path, or that of one of its keys."""
        node = self.find(path)
        found = None if key is None else _step(node, key)
        if found is not None and found[0] is not None:
            node = found[0]
        return (0, 0) if node is None else self.span(node)

    def repeated(self) -> Iterator[tuple[str, Span]]:
        """Yield the keys that a mapping has had before, with their places."""
        for node in () if self.root is None else _nodes([self.root]):
            if type(node) is not Mapping:
                continue
            first: dict[tuple[type, object], Node] = {}
            for key, _ in node.pairs:
                if type(key) is not Scalar or key.text == _MERGE:
                    continue
                value = value_of(key, yaml_hash)
                known = first.setdefault((type(value), value), key)
                if known is not key and known.span != key.span:
                    yield key.text, self.span(key)


def scalars(root: Node | None) -> Iterator[Scalar]:
    """Yield all scalars of a document, each once."""
    if root is not None:
        yield from (node for node in _nodes([root]) if type(node) is Scalar)


def _nodes(roots: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes and all inside of them, each once, however many aliases it has."""
    pending = [*roots][::-1]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        pending += reversed(_inside(node))


def key_text(node: Node) -> str | None:
    """Return the text of a key that Puppet reads as a string; None for any other."""
    if type(node) is not Scalar:
        return None
    value = value_of(node, yaml_hash)
    return str(value) if isinstance(value, str) else None


def _inside(node: Node) -> list[Node]:
    if type(node) is Mapping:
        return [part for pair in node.pairs for part in pair]
    return list(node.items) if type(node) is Sequence else []


def _step(node: Node | None, step: str | int) -> tuple[Node | None, Node] | None:
    """Return the key and the value that a step leads to, the last of several."""
    if type(node) is Sequence and type(step) is int and step < len(node.items):
        return None, node.items[step]
    if type(node) is Mapping:
        for key, value in reversed(node.pairs):
            if type(key) is Scalar and key.text.removeprefix(":") == str(step).removeprefix(":"):
                return key, value
    return None


def _texts(value: Value) -> Iterator[str]:
    pending = [value]
    while pending:
        one = pending.pop()
        if type(one) is str:
            yield one
        elif type(one) is tuple:
            pending += reversed(one)
        elif type(one) is PuppetHash:
            pending += [part for pair in reversed(list(one.items())) for part in pair[::-1]]


def read_yaml(source: Source) -> Document:
    """Return a YAML file. Raises YamlError; its ``start`` is known wherever a part is to blame."""
    root = compose_yaml(source.text)
    document = Document(source, None, root)
    if root is not None:
        try:
            document.value = from_data(value_of(root, yaml_hash))
        except YamlError as error:
            error.start = _to_blame(root)
            raise
    return document


def _to_blame(root: Node) -> int | None:
    """Return where the first scalar is that cannot be read."""
    for node in _nodes([root]):
        if _inside(node):
            continue
        try:
            value_of(node, yaml_hash)
        except YamlError:
            return node.span[0]
    return None


def read_data(function: str, source: Source) -> Document:
    """Return a file as a function of Puppet reads it.

    Raises PuppetError with Puppet's message, with the place where one is known.
    """
    path = source.name or ""
    if function == "hocon_data":
        try:
            return Document(source, hocon_hash(source.text, path), None)
        except PuppetError as error:
            line = _LINE_OF_HOCON.search(error.message)
            raise placed(error, source, None if line is None else int(line[1])) from None
    if function == "json_data":
        try:
            value = as_json_hash(json_value(source.text, path), path)
        except PuppetError as error:
            raise placed(error, source, *_place_in_json(source.text)) from None
        try:
            root = compose_yaml(source.text)  # valid JSON is YAML, but for rare escapes
        except YamlError:
            root = None
        return Document(source, value, root)
    try:
        return read_yaml(source)
    except UnplacedError as error:
        raise placed_at(lookup_error(f"Unable to parse {error}"), source, error.start) from None
    except YamlError as error:
        failure = lookup_error(f"Unable to parse ({path}): {error}")
        raise placed_at(failure, source, error.start) from None


def _place_in_json(text: str) -> tuple[int | None, int | None]:
    try:
        read_json(text)
    except JsonDataError as error:
        return error.line, error.column
    return None, None


def placed_at(error: PuppetError, source: Source, start: int | None) -> PuppetError:
    """Return an error with the offset of its place in a file."""
    place = (None, None) if start is None else source.position(start)
    return placed(error, source, *place)


def placed(
    error: PuppetError, source: Source, line: int | None, column: int | None = None
) -> PuppetError:
    """Return an error with its place in a file."""
    error.source, error.line, error.column = source, line, column
    return error


def in_order(found: Iterable[Report | PuppetError], file: File) -> list[Report | PuppetError]:
    """Return the findings in a YAML file in the order of the text.

    Warnings of rules are only for ``--warn``.
    """
    advice = file.options.advice
    return sorted((each for each in found if advice or not isinstance(each, Advice)), key=_place)


def _place(found: Report | PuppetError) -> tuple[int, int]:
    if isinstance(found, Report):
        return found.position
    return found.line or 0, found.column or 0
