"""What the checks of YAML files of tools share: reading, and findings at the places of nodes."""

from __future__ import annotations

from typing import NamedTuple

from puppet_repl.base.yaml_data import YamlError, compose_yaml, value_of
from puppet_repl.base.yaml_nodes import Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from puppet_repl.base.yaml_nodes import Node
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_MERGE = "<<"


class Pair(NamedTuple):
    """A pair of a mapping, with the text of its key."""

    name: str
    key: Node
    value: Node


class YamlFile:
    """One YAML file: ``root`` is its first document, None without one, or if it is refused."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.found: list[Diagnostic] = []
        self.root: Node | None = None
        try:
            root = compose_yaml(file.text)
            if root is not None:
                value_of(root, _as_nothing)
            self.root = root
        except YamlError as error:
            place = () if error.start is None else file.at(error.start)
            self.found.append(file.error("yaml_syntax", str(error), *place))

    @property
    def is_refused(self) -> bool:
        """Whether the text is not YAML that Ruby reads."""
        return bool(self.found) and self.root is None

    def _place(self, node: Node) -> tuple[int, int, int, int]:
        start, end = node.span
        newline = self.file.text.find("\n", start, end)
        return (*self.file.at(start), *self.file.at(end if newline < 0 else newline))

    def error(self, code: str, message: str, node: Node) -> None:
        """Add an error about a node."""
        self.found.append(self.file.error(code, message, *self._place(node)))

    def advise(self, code: str, message: str, node: Node) -> None:
        """Add a warning about a node."""
        self.found += self.file.advice(code, message, *self._place(node))

    def pairs(self, node: Node) -> Iterator[Pair]:
        """Yield the pairs of a mapping, with those that it takes over; warn of repeated keys."""
        if type(node) is not Mapping:
            return
        known: dict[str, Pair] = {}
        own: set[str] = set()
        for key, value in node.pairs:
            if type(key) is not Scalar:
                continue
            if key.text == _MERGE:
                for merged in value.items if type(value) is Sequence else (value,):
                    for pair in self.pairs(merged):
                        known.setdefault(pair.name, pair)
                continue
            if key.text in own:
                message = f"the key '{key.text}' is there twice: this one counts"
                self.advise("duplicate_key", message, key)
            own.add(key.text)
            known[key.text] = Pair(key.text, key, value)
        yield from known.values()

    def mapping(self, node: Node) -> dict[str, Pair]:
        """Return the pairs of a mapping by name."""
        return {pair.name: pair for pair in self.pairs(node)}


def scalar_value(node: Node) -> Any:
    """Return the value of a scalar; the node itself for anything else."""
    return value_of(node, _as_nothing) if type(node) is Scalar else node


def is_empty(node: Node) -> bool:
    """Tell whether a node is null."""
    return type(node) is Scalar and scalar_value(node) is None


def _as_nothing(pairs: object) -> None:
    return None
