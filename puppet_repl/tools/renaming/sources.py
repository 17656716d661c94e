"""All files that may use a name: code with its trees, data with its nodes, and the texts of others.

Files are read and parsed when somebody asks for them, each once.
"""

from __future__ import annotations

import os
import re
from functools import cached_property

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.modules import import_package
from puppet_repl.base.yaml_nodes import Mapping, Scalar, Sequence, TooDeep, compose
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.validation.placement import is_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from puppet_repl.base.yaml_nodes import Node

_CODE = (".pp", ".epp")
_DATA = (".yaml", ".yml", ".eyaml", ".json")
_OTHERS = (".erb", ".rb", ".conf")
ENDINGS = (*_CODE, *_DATA, *_OTHERS)
"""How the names of the files end that may use a name of Puppet's."""
_ALIAS = re.compile(r"(?m)(?:[:\-,\[{]\s+|^\s*)\*\w")


class Code:
    """A manifest or a template, with its tree."""

    def __init__(self, path: str, program: ast.Program) -> None:
        self.path = path
        self.program = program

    @property
    def text(self) -> str:
        """The whole text."""
        return self.program.source.text

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return self.program.source.position(offset)[0]

    @cached_property
    def parents(self) -> dict[int, ast.Node]:
        """The node around each node, by its id."""
        return {id(child): node for node in self.program.body.walk() for child in node.children()}

    @cached_property
    def nodes(self) -> tuple[ast.Node, ...]:
        """All nodes, in the order of the text."""
        return tuple(self.program.body.walk())


class Data:
    """A file of YAML or JSON."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def root(self) -> Node | None:
        """The node of the first document; None for a file without one, or with an error."""
        try:
            return compose(self.text)
        except (import_package("yaml").YAMLError, TooDeep, UnicodeEncodeError):
            return None

    @cached_property
    def pairs(self) -> list[tuple[Scalar, Node]]:
        """The keys of the document that are texts, with their values."""
        return pairs_of(self.root)

    @property
    def has_aliases(self) -> bool:
        """Whether a part of the text may be there at several places of the value."""
        return _ALIAS.search(self.text) is not None

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return self.text.count("\n", 0, offset) + 1


def pairs_of(node: Node | None) -> list[tuple[Scalar, Node]]:
    """Return the pairs of a mapping whose keys are scalars, nothing for other nodes."""
    if not isinstance(node, Mapping):
        return []
    return [(key, value) for key, value in node.pairs if isinstance(key, Scalar)]


def scalars_below(node: Node) -> Iterator[Scalar]:
    """Yield the scalars in a node, keys too, each once."""
    pending: list[Node] = [node]
    seen: set[int] = set()
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, Scalar):
            yield each
        elif isinstance(each, Sequence):
            pending += reversed(each.items)
        elif isinstance(each, Mapping):
            pending += [part for pair in reversed(each.pairs) for part in reversed(pair)]


class Sources:
    """The files at some paths; ``read`` returns a text, None for a file that cannot be read.

    ``check`` is called between two files: it may raise an error to stop. Sentences show paths
    relative to the directory ``root``.
    """

    def __init__(
        self,
        paths: Iterable[str],
        read: Callable[[str], str | None],
        check: Callable[[], None] = lambda: None,
        root: str = "",
    ) -> None:
        self._root = os.path.join(root, "")
        self.paths = tuple(dict.fromkeys(paths))
        self._read = read
        self._check = check
        self._texts: dict[str, str] = {}
        self.broken: list[str] = []
        """The files of code that cannot be parsed; complete once ``codes`` is."""

    def shown(self, path: str) -> str:
        """Return a path for sentences: relative to the root, else its end."""
        if self._root and path.startswith(self._root):
            path = path[len(self._root) :]
            return path.replace("\\", "/")
        return "/".join(path.replace("\\", "/").split("/")[-4:])

    def text(self, path: str) -> str:
        """Return the text of a file, '' for one that cannot be read."""
        if path not in self._texts:
            self._check()
            self._texts[path] = self._read(path) or ""
        return self._texts[path]

    @cached_property
    def codes(self) -> list[Code]:
        """The manifests and templates."""
        found = []
        for path in self.paths:
            if path.endswith(_CODE):
                source = Source(self.text(path), path)
                try:
                    program = parse(source, epp=path.endswith(".epp"), tasks=is_plan(path))
                    found.append(Code(path, program))
                except PuppetError:
                    self.broken.append(path)
        return found

    @cached_property
    def data(self) -> list[Data]:
        """The files of YAML and JSON."""
        return [Data(path, self.text(path)) for path in self.paths if path.endswith(_DATA)]

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(key.text for each in self.data for key, _ in each.pairs)

    def has_key(self, key: str) -> bool:
        """Tell whether a file of data has a key."""
        return key in self._keys

    def others(self, *endings: str) -> Iterator[tuple[str, str]]:
        """Yield paths and texts of the files with some endings."""
        for path in self.paths:
            if path.endswith(endings):
                yield path, self.text(path)
