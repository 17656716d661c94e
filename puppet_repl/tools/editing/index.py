"""The definitions in all manifests of some directories, by name, and the titles of resources.

Only changed files are read again. Each step of an update reads one file, so that requests can be
answered between two steps. Names and offsets, but no code, are stored in the user's cache directory
for the next start.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.private_store import PrivateStore, digest_of
from puppet_repl.base.stamp import stamp_of
from puppet_repl.base.user_directories import user_cache
from puppet_repl.base.version import __version__
from puppet_repl.language.compiler.cache import NO_CACHE
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.outline import name_span
from puppet_repl.tools.editing.uses import titles_in
from puppet_repl.tools.validation.placement import is_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.tools.editing.outline import SymbolKind
    from puppet_repl.tools.editing.uses import Target, UseKind

_KINDS: dict[type[ast.Node], SymbolKind] = {
    ast.HostClassDefinition: "class",
    ast.ResourceTypeDefinition: "define",
    ast.FunctionDefinition: "function",
    ast.PlanDefinition: "plan",
    ast.TypeAlias: "type",
}
_TARGETS: dict[SymbolKind, UseKind] = {
    "class": "class",
    "define": "type",
    "function": "function",
    "type": "type",
}
# No person writes longer manifests.
_MAX_CHARACTERS = 1_000_000
_ROOM = "definitions"
# It changes when other things are kept of a file.
_FORMAT = "2"
_ROOM_BYTES = 64 << 20


class Entry:
    """A definition: its kind, its name, and the range of the name in a file.

    The ``kind`` is class, define, function, plan or type. ``text`` and ``weight`` are for searches.
    """

    __slots__ = ("end", "kind", "name", "path", "start")
    weight = 0

    def __init__(self, path: str, kind: SymbolKind, name: str, start: int, end: int) -> None:
        self.path = path
        self.kind = kind
        self.name = name
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    @property
    def text(self) -> str:
        """The name."""
        return self.name


class _File(NamedTuple):
    """What one file has: definitions, and the literal titles of resources by their types."""

    stamp: Stamp
    entries: list[Entry]
    titles: dict[str, list[str]]


class Index:
    """The definitions in manifests; ``name`` is that under which they are stored."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._files: dict[str, _File] = {}
        self._is_loaded = False

    def update(self, paths: Iterable[str]) -> Iterator[str]:
        """Read the files that have come or changed, one in each step, and yield their paths.

        Other files are forgotten. A file that cannot be read or parsed has no definitions.
        """
        if not self._is_loaded:
            self._is_loaded = True
            self._load()
        found = set()
        changed = False
        for path in paths:
            stamp = stamp_of(path)
            if stamp is None:
                continue
            found.add(path)
            known = self._files.get(path)
            if known is None or known.stamp != stamp:
                self._files[path] = _read(path, stamp)
                changed = True
                yield path
        for path in self._files.keys() - found:
            del self._files[path]
            changed = True
        if changed:
            self._save()

    # Questions

    def __iter__(self) -> Iterator[Entry]:
        for file in list(self._files.values()):
            yield from file.entries

    def paths(self, target: Target) -> Iterator[str]:
        """Yield the files that define a class, function or type, or declare a resource."""
        for path, file in list(self._files.items()):
            if target.kind == "resource":
                if target.name in file.titles.get(target.scope, ()):
                    yield path
            elif any(
                each.name.lower() == target.name and _TARGETS.get(each.kind) == target.kind
                for each in file.entries
            ):
                yield path

    # Keeping

    def _load(self) -> None:
        store = _store()
        data = None if store is None else store.read(self._name())
        if data is None:
            return
        try:
            kept: dict[str, Any] = json.loads(bytes(data))
            for path, (stamp, entries, titles) in kept.items():
                found = [Entry(path, kind, name, start, end) for kind, name, start, end in entries]
                self._files[path] = _File((stamp[0], stamp[1]), found, titles)
        except (AttributeError, IndexError, TypeError, ValueError):
            self._files.clear()  # another program has written it

    def _save(self) -> None:
        store = _store()
        if store is None:
            return
        kept = {
            path: (
                file.stamp,
                [(each.kind, each.name, each.start, each.end) for each in file.entries],
                file.titles,
            )
            for path, file in self._files.items()
        }
        store.write(self._name(), json.dumps(kept).encode())

    def _name(self) -> str:
        key = digest_of(f"{__version__} {_FORMAT}", os.fsencode(self.name)).hex()
        return f"{_ROOM}/{key}"


@cache
def _store_in(directory: str) -> PrivateStore:
    return PrivateStore(directory, _ROOM_BYTES)


def _store() -> PrivateStore | None:
    directory = None if os.environ.get(NO_CACHE) else user_cache()
    return None if directory is None else _store_in(os.path.join(directory, "index"))


def _read(path: str, stamp: Stamp) -> _File:
    nothing = _File(stamp, [], {})
    try:
        text = read_text(path)
        if len(text) > _MAX_CHARACTERS:
            return nothing
        program = parse(Source(text, path), tasks=is_plan(path))
    except (OSError, UnicodeError, PuppetError):
        return nothing
    titles: dict[str, list[str]] = {}
    for target in titles_in(program):
        titles.setdefault(target.scope, []).append(target.name)
    return _File(stamp, list(entries_of(program, path)), titles)


def entries_of(program: ast.Program, path: str) -> Iterator[Entry]:
    """Yield the definitions of a program."""
    text = program.source.text
    for node in program.definitions:
        kind = _KINDS.get(type(node))
        if kind is not None:
            name: str = getattr(node, "name", "").removeprefix("::")
            yield Entry(path, kind, name, *name_span(text, node, name))
