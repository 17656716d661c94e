"""What ``puppet_sources`` names: modules, directories of manifests, single manifests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError
from sphinx.util import logging

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.reference.manifests import read_manifest
from puppet_repl.environment.reference.model import (
    Entry,
    Module,
    Problem,
    ProviderEntry,
    TaskEntry,
)
from puppet_repl.environment.reference.module import read_module
from puppet_repl.environment.reference.module_data import data_files
from puppet_repl.integrations.sphinx.domain import domain_of
from puppet_repl.integrations.sphinx.signatures import normalized

__all__ = [
    "KIND_OF",
    "Definition",
    "Sources",
    "definitions_of",
    "note_listing",
    "report",
    "setup_sources",
    "sources_of",
]

logger = logging.getLogger(__name__)

#: What a directive calls each kind of entry, in the order in which they are listed.
KIND_OF = {
    "class": "class",
    "defined type": "define",
    "resource type": "resource",
    "provider": "provider",
    "function": "function",
    "data type": "type",
    "data type alias": "type",
    "task": "task",
    "plan": "plan",
}
#: Directories of a module that hold what can be documented.
_PLACES = ("manifests", "functions", "types", "plans", "tasks", "lib")


class Definition:
    """An entry, and the module that it is from. ``name`` is that of its object."""

    __slots__ = ("entry", "module")

    def __init__(self, entry: Entry, module: Module) -> None:
        self.entry = entry
        self.module = module

    @property
    def kind(self) -> str:
        """The directive for it: class, define, type ..."""
        return KIND_OF[self.entry.kind]

    @property
    def name(self) -> str:
        """Its name: that of a provider after its resource type, of a task as it is run."""
        entry = self.entry
        if isinstance(entry, ProviderEntry):
            return f"{entry.type_name}::{entry.name}"
        if isinstance(entry, TaskEntry):
            module = self.module.name
            return module if entry.name == "init" else f"{module}::{entry.name}"
        return entry.name

    @property
    def path(self) -> Path:
        """The file that defines it."""
        return Path(self.module.path, self.entry.file)

    @property
    def is_private(self) -> bool:
        """Whether it is for its module alone."""
        return self.entry.is_private


class Sources:
    """The modules and manifests that the configuration names; they are read when asked for."""

    def __init__(self, directory: str | os.PathLike[str], entries: Sequence[str]) -> None:
        self.roots = [Path(directory, entry).resolve() for entry in entries]
        self._modules: list[Module] | None = None
        self._known: dict[tuple[str, str], Definition] = {}

    def files(self) -> list[str]:
        """Return all files that can define something."""
        return sorted(str(path) for root in self.roots for path in _files_of(root))

    @property
    def modules(self) -> list[Module]:
        """What the sources define, one item for each module, directory or file."""
        return self.read()

    def read(self) -> list[Module]:
        """Read the files, if that has not been done, and report those that cannot be read."""
        if self._modules is None:
            self._modules = [module for root in self.roots for module in _read(root)]
            for module in self._modules:
                for problem in module.problems:
                    report(module, problem)
            for definition in self.definitions():
                self._known.setdefault((definition.kind, normalized(definition.name)), definition)
        return self._modules

    def definitions(self) -> Iterator[Definition]:
        """Yield everything that the sources define, as it is found."""
        for module in self.modules:
            yield from definitions_of(module)

    def find(self, kind: str, name: str) -> Definition | None:
        """Return the definition of a name."""
        self.read()
        return self._known.get((kind, normalized(name)))

    def forget(self) -> None:
        """Read everything again when it is asked for."""
        self._modules = None
        self._known.clear()


def definitions_of(module: Module) -> Iterator[Definition]:
    """Yield what a module defines; of a function that it has in both Ruby APIs, the newer one."""
    known = set()
    for entry in module.entries:
        definition = Definition(entry, module)
        key = (definition.kind, normalized(definition.name))
        if key not in known:
            known.add(key)
            yield definition


def _is_module(root: Path) -> bool:
    if root.name in _PLACES:
        return False
    return any((root / name).is_dir() for name in _PLACES) or (root / "metadata.json").is_file()


def _modules_in(root: Path) -> list[Path]:
    """Return the modules of a directory: itself, or, as in a modulepath, those in it."""
    if _is_module(root):
        return [root]
    return sorted(path for path in root.iterdir() if path.is_dir() and _is_module(path))


def _files_of(root: Path) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    modules = _modules_in(root)
    for module in modules:
        for place in _PLACES:
            yield from (path for path in (module / place).rglob("*") if path.is_file())
        yield from (Path(path) for path in data_files(str(module)))
    if not modules:
        yield from root.rglob("*.pp")


def _read(root: Path) -> Iterator[Module]:
    modules = _modules_in(root) if root.is_dir() else []
    for module in modules:
        yield read_module(module)
    if not modules:
        yield _read_manifests(root)


def _read_manifests(root: Path) -> Module:
    """Return what a manifest, or all of a directory, define."""
    directory = root if root.is_dir() else root.parent
    entries: list[Entry] = []
    problems: list[Problem] = []
    for path in sorted(_files_of(root)):
        name = str(path.relative_to(directory))
        try:
            entries += read_manifest(read_text(str(path)), name)
        except PuppetError as error:
            problems.append(Problem("error", "syntax", error.message, name, error.line or 0))
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem("error", "unreadable", why_unusable(error), name))
    return Module(
        name=directory.name,
        version=None,
        path=str(directory),
        entries=tuple(entries),
        problems=tuple(problems),
    )


def report(module: Module, problem: Problem) -> None:
    """Warn of a problem at its place in a file of a module."""
    place: Any = f"{os.path.join(module.path, problem.file)}:{problem.line or 1}"
    subtype = "source" if problem.level == "error" else problem.rule
    logger.warning(problem.message, location=place, type="puppet", subtype=subtype)


def sources_of(env: BuildEnvironment) -> Sources:
    """Return the sources of a documentation."""
    domain = domain_of(env)
    if domain.sources is None:
        given = env.config.puppet_sources
        domain.sources = Sources(env.srcdir, [given] if isinstance(given, str) else given)
    found = domain.sources
    assert isinstance(found, Sources)
    return found


def note_listing(env: BuildEnvironment) -> None:
    """Let a document depend on all sources, and on which files there are."""
    files = sources_of(env).files()
    for file in files:
        env.note_dependency(file)
    domain_of(env).listings[env.docname] = files


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the documents that list all sources, if there are other files now."""
    listings = domain_of(env).listings
    if not listings:
        return []
    files = sources_of(env).files()
    return [docname for docname, known in listings.items() if known != files]


def _read_before_forking(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Read the sources once, not in each process of a parallel build."""
    if app.parallel > 1 and len(docnames) > 1:
        sources_of(env).read()


def _forget(app: Sphinx, exception: Exception | None) -> None:
    sources_of(app.env).forget()


def _check_setting(app: Sphinx, config: Config) -> None:
    given = config.puppet_sources
    entries = [given] if isinstance(given, str) else given
    if not isinstance(entries, (list, tuple)) or not all(isinstance(e, str) for e in entries):
        raise ConfigError(f"puppet_sources: a path or a list of paths, not {given!r}")


def setup_sources(app: Sphinx) -> None:
    """Add the setting, and keep documents up to date with the files."""
    app.add_config_value("puppet_sources", [], "env", types=[list, str])
    app.connect("config-inited", _check_setting)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-before-read-docs", _read_before_forking)
    app.connect("build-finished", _forget)
