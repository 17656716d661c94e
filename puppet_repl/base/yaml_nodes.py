"""The nodes of a YAML document, composed from libyaml's events.

Nothing here calls itself, so that a document cannot exhaust the stack by its depth: PyYAML's own
composer ends the process at some 50,000 brackets.
"""

from __future__ import annotations

from functools import cache

from puppet_repl.base.limits import MAX_DATA_DEPTH
from puppet_repl.base.modules import import_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    Node: TypeAlias = "Scalar | Sequence | Mapping | MissingAlias"

STANDARD = "tag:yaml.org,2002:"
PLAIN = "plain"
"""The tag of scalars that have neither quotes nor a tag."""
_DEPTH_OF_LIBYAML = "exceeded maximum nesting depth"


class TooDeep(Exception):
    """A document is nested more than MAX_DATA_DEPTH deep; ``line`` says where."""

    def __init__(self, line: int) -> None:
        super().__init__(f"nested more than {MAX_DATA_DEPTH:,} deep at line {line}")
        self.line = line


class Placed:
    """A node, and where it is."""

    __slots__ = ("_event",)

    def __init__(self, event: Any) -> None:
        self._event = event

    @property
    def place(self) -> tuple[int, int]:
        """Its line and column, counted from 1."""
        mark = self._event.start_mark
        return mark.line + 1, mark.column + 1

    @property
    def span(self) -> tuple[int, int]:
        """The offsets of its first character and after its last one; of a collection, its begin."""
        return self._event.start_mark.index, self._event.end_mark.index


class Scalar(Placed):
    """A scalar; its tag is PLAIN, that of a string, or the one in the text."""

    __slots__ = ("tag", "text")

    def __init__(self, tag: str, text: str, event: Any) -> None:
        super().__init__(event)
        self.tag = tag
        self.text = text

    @property
    def style(self) -> str | None:
        """The sign that it begins with: a quote, ``|`` or ``>``; None or "" for a plain one."""
        style: str | None = self._event.style
        return style


class Sequence(Placed):
    """A sequence of nodes."""

    __slots__ = ("items", "tag")

    def __init__(self, tag: str, event: Any) -> None:
        super().__init__(event)
        self.tag = tag
        self.items: list[Node] = []


class Mapping(Placed):
    """A mapping, as pairs in the order of the text."""

    __slots__ = ("pairs", "tag")

    def __init__(self, tag: str, event: Any) -> None:
        super().__init__(event)
        self.tag = tag
        self.pairs: list[tuple[Node, Node]] = []


class MissingAlias(Placed):
    """An alias of an unknown anchor."""

    __slots__ = ("name",)

    def __init__(self, name: str, event: Any) -> None:
        super().__init__(event)
        self.name = name


def compose(text: str) -> Node | None:
    """Return the root of the first document, None for a text without documents.

    A node with several aliases is one object in several places. Raises yaml.YAMLError, TooDeep, and
    UnicodeEncodeError for a lone surrogate.
    """
    yaml = import_package("yaml")

    loader = _loader()(text)
    try:
        return _Composer(_events(loader)).document()
    except yaml.MarkedYAMLError as error:
        # A libyaml that has a limit of its own reads ahead of the events, and meets it first.
        if error.problem == _DEPTH_OF_LIBYAML and error.problem_mark is not None:
            raise TooDeep(error.problem_mark.line + 1) from None
        raise
    finally:
        loader.dispose()


def key_lines(text: str) -> dict[str, int]:
    """Return the lines of the keys of the hash that the first document is, counted from 1.

    A key that is there twice has the line of the last one. Raises as ``compose`` does, but for
    TooDeep.
    """
    yaml = import_package("yaml")

    lines: dict[str, int] = {}
    anchors: dict[str, str] = {}
    depth = parts = 0  # how many collections are open, and how many nodes of the root were seen
    loader = _loader()(text)
    try:
        for event in _events(loader):
            kind = type(event)
            if depth == 1 and issubclass(kind, yaml.NodeEvent):
                name = anchors.get(event.anchor) if kind is yaml.AliasEvent else None
                name = event.value if kind is yaml.ScalarEvent else name
                if name is not None and not parts % 2:
                    lines[name] = event.start_mark.line + 1
                parts += 1
            if kind is yaml.ScalarEvent and event.anchor is not None:
                anchors[event.anchor] = event.value
            elif isinstance(event, yaml.CollectionStartEvent):
                if not depth and kind is not yaml.MappingStartEvent:
                    break
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif kind is yaml.DocumentEndEvent:
                break
        return lines
    finally:
        loader.dispose()


@cache
def _loader() -> type[Any]:
    yaml = import_package("yaml")

    loader: type[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return loader


def _events(loader: Any) -> Iterator[Any]:
    while loader.check_event():
        yield loader.get_event()


class _Composer:
    """Makes nodes of events."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.anchors: dict[str, Node] = {}
        # The open collections, the outermost first, and the keys that wait for their values.
        self.open: list[Sequence | Mapping] = []
        self.keys: list[Node | None] = []
        self.root: Node | None = None

    def document(self) -> Node | None:
        """Return the root of the first document."""
        yaml = import_package("yaml")

        for event in self.events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._add(self._anchored(event, Scalar(_scalar_tag(event), event.value, event)))
            elif kind is yaml.AliasEvent:
                name = event.anchor
                self._add(self.anchors.get(name) or MissingAlias(name, event))
            elif kind is yaml.MappingStartEvent:
                self._begin(event, Mapping(_tag(event, "map"), event))
            elif kind is yaml.SequenceStartEvent:
                self._begin(event, Sequence(_tag(event, "seq"), event))
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.open.pop()
                self.keys.pop()
            elif kind is yaml.DocumentEndEvent:
                break
        return self.root

    def _begin(self, event: Any, node: Sequence | Mapping) -> None:
        self._add(self._anchored(event, node))
        if len(self.open) >= MAX_DATA_DEPTH:
            raise TooDeep(event.start_mark.line + 1)
        self.open.append(node)
        self.keys.append(None)

    def _anchored(self, event: Any, node: Node) -> Node:
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def _add(self, node: Node) -> None:
        """Put a node where it belongs in the innermost collection."""
        if not self.open:
            self.root = node
            return
        inside = self.open[-1]
        if isinstance(inside, Sequence):
            inside.items.append(node)
            return
        key = self.keys[-1]
        if key is None:
            self.keys[-1] = node
        else:
            inside.pairs.append((key, node))
            self.keys[-1] = None


def _scalar_tag(event: Any) -> str:
    tag: str | None = event.tag
    if tag is not None and tag != "!":
        return tag
    return PLAIN if event.implicit[0] else STANDARD + "str"


def _tag(event: Any, name: str) -> str:
    tag: str | None = event.tag
    return STANDARD + name if tag is None or tag == "!" else tag
