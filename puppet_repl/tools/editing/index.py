"""The definitions in all files of some directories, by name, and the titles of resources.

Those of Ruby, tasks and plans in YAML are only looked up by people: no code is read for them.

Only changed files are read again. Each step of an update reads one file, so that requests can be
answered between two steps. Names and offsets, but no code, are stored in the user's cache directory
for the next start.
"""

from __future__ import annotations

import json
import os
import re
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
from puppet_repl.tools.editing.ruby_outline import ruby_outline
from puppet_repl.tools.editing.uses import includes_in, titles_in
from puppet_repl.tools.validation.placement import is_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
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
_ENDING = ".pp"
_RUBY = (f"{os.sep}lib{os.sep}puppet{os.sep}", f"{os.sep}lib{os.sep}facter{os.sep}")
# Directories of a module in which each file is one definition.
_OF_FILES: dict[str, SymbolKind] = {"plans": "plan", "tasks": "task"}
_FILE_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_OF_MODULES = ("bolt-project.yaml", "lib", "manifests", "metadata.json", "plans")
# Of a directory with more, such as that of a user, the rest is not read.
_MAX_FILES = 50_000
_MAX_DIRECTORIES = 200_000
_ROOM = "definitions"
# It changes when other things are kept of a file.
_FORMAT = "4"
_ROOM_BYTES = 64 << 20


class Entry:
    """A definition: its kind, its name, and the range of the name in a file.

    The range is empty if the file is the definition. ``text`` and ``weight`` are for searches.
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
    """What one file has: definitions, the literal titles of resources by their types, and more.

    ``includes`` are the classes and types that its code declares, as ``includes_in`` says.
    """

    stamp: Stamp
    entries: list[Entry]
    titles: dict[str, list[str]]
    includes: dict[str, list[str]]


class Index:
    """The definitions in manifests; ``name`` is that under which they are stored."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._files: dict[str, _File] = {}
        self._by_name: dict[str, list[Entry]] | None = None
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
            found.add(path)
            if self.read(path):
                changed = True
                yield path
        for path in self._files.keys() - found:
            self._forget(path)
            changed = True
        if changed:
            self._save()

    def read(self, path: str) -> bool:
        """Read a file again if it has changed, and tell whether it has; forget one that is gone."""
        stamp = stamp_of(path)
        known = self._files.get(path)
        if stamp is None:
            self._forget(path)
            return False
        if known is not None and known.stamp == stamp:
            return False
        self._files[path] = _read(path, stamp)
        self._by_name = None
        return True

    def _forget(self, path: str) -> None:
        if self._files.pop(path, None) is not None:
            self._by_name = None

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

    def titles(self, type_name: str) -> Iterator[tuple[str, str]]:
        """Yield the files that declare resources of a type, each with a literal title."""
        for path, file in list(self._files.items()):
            for title in file.titles.get(type_name, ()):
                yield path, title

    def includes(self) -> Iterator[tuple[str, str, str]]:
        """Yield each file with a scope in it, and a class or type that this declares."""
        for path, file in list(self._files.items()):
            for scope, targets in file.includes.items():
                for target in targets:
                    yield path, scope, target

    def of(self, name: str) -> list[Entry]:
        """Return the definitions in manifests of a name, in any case, without colons before it."""
        if self._by_name is None:
            self._by_name = {}
            for each in self:
                if each.path.endswith(_ENDING):
                    self._by_name.setdefault(each.name.lower(), []).append(each)
        return self._by_name.get(name.removeprefix("::").lower(), [])

    # Keeping

    def _load(self) -> None:
        store = _store()
        data = None if store is None else store.read(self._name())
        if data is None:
            return
        self._by_name = None
        try:
            kept: dict[str, Any] = json.loads(bytes(data))
            for path, (stamp, entries, titles, includes) in kept.items():
                found = [Entry(path, kind, name, start, end) for kind, name, start, end in entries]
                self._files[path] = _File((stamp[0], stamp[1]), found, titles, includes)
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
                file.includes,
            )
            for path, file in self._files.items()
        }
        store.write(self._name(), json.dumps(kept).encode())

    def _name(self) -> str:
        key = digest_of(f"{__version__} {_FORMAT}", os.fsencode(self.name)).hex()
        return f"{_ROOM}/{key}"


class Indexing:
    """An index that is brought up to date in small steps.

    ``find`` yields the files with code, those of one directory in each step.
    """

    def __init__(self, name: str, find: Callable[[], Iterator[list[str]]]) -> None:
        self.index = Index(name)
        self._find = find
        self._left: Iterator[str] | None = self.steps()
        self._changed: dict[str, None] = {}

    def note(self, path: str) -> None:
        """Note that a file has changed, come or gone."""
        if is_indexed(path):
            self._changed[path] = None

    @property
    def has_work(self) -> bool:
        """Whether there are files to read."""
        return bool(self._changed) or self._left is not None

    def work(self) -> str | None:
        """Look at one file or directory; return the path of a file that was read."""
        if self._left is None:
            path = next(iter(self._changed))
            del self._changed[path]
            return path if self.index.read(path) else None
        read = next(self._left, None)
        if read is None:
            self._left = None
        return read or None

    def steps(self) -> Iterator[str]:
        """Look at everything; yield the path of each file that was read, '' for a directory."""
        paths: list[str] = []
        for number, files in enumerate(self._find()):
            paths += files
            if len(paths) > _MAX_FILES or number > _MAX_DIRECTORIES:
                break
            yield ""
        yield from self.index.update(paths)
        self._left = None


def is_indexed(path: str) -> bool:
    """Tell whether a file may have definitions, by its name and its directory."""
    directory = os.path.dirname(path)
    if path.endswith(_ENDING) or (path.endswith(".rb") and any(part in path for part in _RUBY)):
        return True
    parent = os.path.basename(directory)
    return parent in _OF_FILES and (parent == "tasks" or path.endswith(".yaml"))


@cache
def _store_in(directory: str) -> PrivateStore:
    return PrivateStore(directory, _ROOM_BYTES)


def _store() -> PrivateStore | None:
    directory = None if os.environ.get(NO_CACHE) else user_cache()
    return None if directory is None else _store_in(os.path.join(directory, "index"))


def _read(path: str, stamp: Stamp) -> _File:
    nothing = _File(stamp, [], {}, {})
    if not path.endswith((_ENDING, ".rb")) or os.path.basename(os.path.dirname(path)) == "tasks":
        return _File(stamp, [*_of_file(path)], {}, {})
    try:
        text = read_text(path)
        if len(text) > _MAX_CHARACTERS:
            return nothing
        if path.endswith(".rb"):
            return _File(stamp, [*entries_in_ruby(text, path)], {}, {})
        program = parse(Source(text, path), tasks=is_plan(path))
    except (OSError, UnicodeError, PuppetError):
        return nothing
    titles: dict[str, list[str]] = {}
    for target in titles_in(program):
        titles.setdefault(target.scope, []).append(target.name)
    return _File(stamp, list(entries_of(program, path)), titles, includes_in(program))


def _of_file(path: str) -> Iterator[Entry]:
    """Yield the task or plan that a file is, by its name.

    Metadata count if no program has their name.
    """
    directory, base = os.path.split(path)
    module = os.path.dirname(directory)
    name, ending = os.path.splitext(base)
    if not _FILE_NAME.fullmatch(name) or ending in (".conf", ".md"):
        return
    if not any(os.path.exists(os.path.join(module, each)) for each in _OF_MODULES):
        return
    try:
        beside = [] if ending != ".json" else os.listdir(directory)
    except OSError:
        return
    if any(each != base and os.path.splitext(each)[0] == name for each in beside):
        return
    owner = os.path.basename(module).rpartition("-")[2]  # a checkout: puppetlabs-apache
    kind = _OF_FILES[os.path.basename(directory)]
    yield Entry(path, kind, owner if name == "init" else f"{owner}::{name}", 0, 0)


def entries_in_ruby(text: str, path: str) -> Iterator[Entry]:
    """Yield the functions, types, providers and facts of a text in Ruby."""
    for symbol in ruby_outline(text):
        yield Entry(path, symbol.kind, symbol.name, symbol.name_start, symbol.name_end)


def entries_of(program: ast.Program, path: str) -> Iterator[Entry]:
    """Yield the definitions of a program."""
    text = program.source.text
    for node in program.definitions:
        kind = _KINDS.get(type(node))
        if kind is not None:
            name: str = getattr(node, "name", "").removeprefix("::")
            yield Entry(path, kind, name, *name_span(text, node, name))
