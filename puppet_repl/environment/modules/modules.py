"""Modules on disk: their directories, names and files."""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.patterns import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Literal, TypeAlias

    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.modules.listings import Listings
    from puppet_repl.environment.modules.metadata import Finding
    from puppet_repl.environment.modules.ruby_index import RubyIndex

    NameKind: TypeAlias = Literal[
        "classes", "defined_types", "functions", "resource_types", "types"
    ]


METADATA = "metadata.json"


def is_module_name(name: str) -> bool:
    """Tell whether a directory of this name can be a module: lower case letters, digits, ``_``."""
    return (
        name.isascii()
        and name[:1].isalpha()
        and name.islower()
        and name.replace("_", "a").isalnum()
    )


_TYPE = LatePattern(r"(?m)^[ \t]*type\s+([A-Z]\w*(?:::[A-Z]\w*)*)")
# The characters of a file in which the name of its type is looked for.
MAX_TYPE_HEAD = 20_000


class Module:
    """One module: a name and a directory. Of its files those within the ``reach`` are read."""

    __slots__ = ("_metadata", "name", "path", "reach")

    def __init__(self, name: str, path: str, reach: Reach | None = None) -> None:
        self.name = name
        self.path = path
        self.reach = reach
        self._metadata: dict[str, Any] | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """The content of metadata.json, {} if there is none or it is broken."""
        if self._metadata is None:
            self._metadata = read_metadata(self.path, self.reach)
        return self._metadata

    @property
    def version(self) -> str | None:
        """The version in the metadata."""
        version = self.metadata.get("version")
        return version if type(version) is str else None

    @property
    def dependencies(self) -> list[str]:
        """Names of the modules that the metadata require, without their authors."""
        return [short_name(name) for name in self.required]

    @property
    def required(self) -> list[str]:
        """Names of the modules that the metadata require, as they are written there."""
        given = self.metadata.get("dependencies")
        return [
            entry["name"]
            for entry in (given if isinstance(given, list) else ())
            if isinstance(entry, dict) and isinstance(entry.get("name"), str)
        ]

    def file(self, *parts: str) -> str:
        """Return the path of a file of the module, whether it exists or not."""
        return os.sep.join((self.path, *parts))

    def files(self, directory: str, ending: str) -> Iterator[str]:
        """Return paths below ``directory``, relative to it and without their ending, in order."""
        root = self.file(directory)
        reach = self.reach
        # The way to each directory that is still to be searched.
        ways: dict[str, tuple[str, ...]] = {}
        for where, directories, names in os.walk(root, followlinks=True):
            if reach is not None and not reach.allows(where):
                directories.clear()
                continue
            way = ways.pop(where, ())
            kept = []
            for name in sorted(directories):
                path = os.path.join(where, name)
                if reach is not None and not reach.allows(path):
                    names.append(name)  # a link out of the reach
                    continue
                way_there = _way_through(path, way)
                if way_there is not None:
                    kept.append(name)
                    ways[path] = way_there
            directories[:] = kept
            for name in sorted(names):
                if name.endswith(ending):
                    path = os.path.relpath(os.path.join(where, name), root)
                    yield path.removesuffix(ending).replace(os.sep, "/")

    def __repr__(self) -> str:
        return f"<module {self.name}>"


def _way_through(path: str, way: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the way to a directory, None if no new files are there.

    A way is the real paths of the directories whose links lead there; ``way`` is that of the
    directory above. A link back to one of these, or above one, is not followed.
    """
    if not os.path.islink(path):
        return way
    way = (*way, os.path.join(os.path.realpath(os.path.dirname(path)), ""))
    target = os.path.join(os.path.realpath(path), "")
    return None if any(real.startswith(target) for real in way) else way


class ModuleSet:
    """The modules in a look at files.

    ``modules`` are the modules by name. ``left_out`` are modules that Puppet ignores because of
    their metadata, except for their types and 3.x functions; ``findings`` are the reasons, by
    directory.
    """

    __slots__ = ("findings", "left_out", "look_number", "modules", "ruby_index")

    def __init__(self, look_number: int, modules: dict[str, Module]) -> None:
        self.look_number = look_number
        self.modules = modules
        self.left_out: list[Module] = []
        self.findings: list[tuple[str, Finding]] = []
        self.ruby_index: RubyIndex | None = None


def names_in(modules: Iterable[Module], kind: NameKind) -> set[str]:
    """Return the names of one kind that the files of modules could define; no Ruby functions.

    Those of manifests are in manifest_kinds.
    """
    names: set[str] = set()
    for module in modules:
        if kind == "functions":
            for path in module.files("functions", ".pp"):
                names.add(f"{module.name}::{path.replace('/', '::')}")
        elif kind == "types":
            for path in module.files("types", ".pp"):
                below = [] if path == "init_typeset" else path.split("/")
                names.add(_written_type_name(module, path, [module.name, *below]))
        else:
            names.update(module.files(os.path.join("lib", "puppet", "type"), ".rb"))
    return names


def own_file(directory: str, kind: str, name: str) -> str | None:
    """Return the file of an environment itself that may define a function or type.

    Its names are global, or begin with ``environment::`` in a directory of that name; None for
    any other name. ``kind`` is the directory below that of the environment.
    """
    parts = name.split("::")
    if len(parts) > 1 and parts[0] != "environment":
        return None
    return os.path.join(directory, kind, *parts) + ".pp"


def own_names_in(directory: str, kind: NameKind, reach: Reach | None = None) -> set[str]:
    """Return the names that the files of an environment itself could define; no Ruby functions.

    They are global, or begin with ``environment::`` in directories of that name.
    """
    if kind not in ("functions", "types"):
        return set()
    own = Module("environment", directory, reach)
    paths = [
        path
        for path in own.files(kind, ".pp")
        if "/" not in path or path.startswith("environment/")
    ]
    if kind == "functions":
        return {path.replace("/", "::") for path in paths}
    return {_written_type_name(own, path, path.split("/")) for path in paths}


def _written_type_name(module: Module, path: str, parts: list[str]) -> str:
    """Return the name of the type in a file below ``types``, as the file or its path spells it."""
    return name_in_file(module.file("types", path) + ".pp", _TYPE, "::".join(parts), module.reach)


def name_in_file(path: str, pattern: LatePattern, name: str, reach: Reach | None) -> str:
    """Return the name of a type as its file spells it, or else ``name`` with capital letters.

    A file that creates a type of another name provides none: loading it is an error.
    """
    try:
        if reach is not None:
            reach.check(path)
        found = pattern.search(read_text(path, errors="replace")[:MAX_TYPE_HEAD])
    except OSError:
        found = None
    if found is not None and found[1].lower() == name.lower():
        return found[1]
    return "::".join([part[:1].upper() + part[1:] for part in name.split("::")])


def read_metadata(path: str, reach: Reach | None = None) -> dict[str, Any]:
    """Return the content of metadata.json, {} where it is missing, hidden or no JSON object."""
    from puppet_repl.base.json_data import JsonDataError, read_json

    file_name = os.path.join(path, METADATA)
    try:
        if reach is not None:
            reach.check(file_name)
        data = read_json(read_text(file_name))
    except (OSError, UnicodeDecodeError, JsonDataError):
        return {}
    return data if isinstance(data, dict) else {}


def short_name(name: str) -> str:
    """Return ``stdlib`` for ``puppetlabs-stdlib`` or ``puppetlabs/stdlib``."""
    return name.replace("/", "-").rpartition("-")[2]


def find_modules(
    modulepath: tuple[str, ...], listings: Listings, reach: Reach | None = None
) -> dict[str, Module]:
    """Return all modules of a module path by name; earlier directories take precedence.

    The metadata name the module if Puppet would not accept the name of the directory
    (``puppetlabs-stdlib``, as modules are unpacked), or if a directory of the path is itself a
    module. With a ``reach``, modules after links that lead out of it are left out.
    """
    modules: dict[str, Module] = {}
    for directory in modulepath:
        listing = listings.of(directory)
        if METADATA in listing.files:
            name = named_by_metadata(directory, reach)
            if name is not None:
                modules.setdefault(name, Module(name, directory, reach))
                continue
        unusual = []
        for name in sorted((*listing.directories, *listing.links)):
            path = os.path.join(directory, name)
            if reach is not None and not reach.allows(path):
                continue
            if not is_module_name(name):
                unusual.append(path)
            elif name not in modules:
                modules[name] = Module(name, path, reach)
        for path in unusual:
            given = named_by_metadata(path, reach)
            if given is not None and given not in modules:
                modules[given] = Module(given, path, reach)
    return modules


def named_by_metadata(path: str, reach: Reach | None = None) -> str | None:
    """Return the short name that the metadata of a module give it, None if they give none."""
    given = read_metadata(path, reach).get("name")
    name = short_name(given) if isinstance(given, str) else ""
    return name if is_module_name(name) else None
