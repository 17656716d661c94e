"""hiera.yaml, version 5: the levels of data of an environment or module, and their files."""

from __future__ import annotations

import os
from functools import cache
from glob import glob

from puppet_repl.environment.hiera_interpolation import interpolate, interpolate_string, variable
from puppet_repl.functions.data_files import as_hash, lookup_error, read_yaml
from puppet_repl.types.making.parse import parse_type
from puppet_repl.types.text.mismatch import value_mismatch
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.environment.hiera_interpolation import Lookup
    from puppet_repl.types.model.base import PuppetType
    from puppet_repl.values.protocols import Value

    LevelKind: TypeAlias = Literal["data_hash", "lookup_key", "data_dig"]

_FUNCTIONS: tuple[LevelKind, ...] = ("data_hash", "lookup_key", "data_dig")
_ALL_FUNCTIONS = (*_FUNCTIONS, "hiera3_backend")
_LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")
_RESERVED = ("path", "uri")

_OPTIONS = r"Hash[Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/], Data]"
_LEVEL = (
    f"Struct[{{name => String[1], Optional[options] => {_OPTIONS}, "
    "Optional[data_hash] => String[1], Optional[lookup_key] => String[1], "
    "Optional[hiera3_backend] => String[1], Optional[v4_data_hash] => String[1], "
    "Optional[data_dig] => String[1], Optional[path] => String[1], "
    "Optional[paths] => Array[String[1], 1], Optional[glob] => String[1], "
    "Optional[globs] => Array[String[1], 1], Optional[uri] => String[1], "
    "Optional[uris] => Array[String[1], 1], Optional[mapped_paths] => Array[String[1], 3, 3], "
    "Optional[datadir] => String[1]}]"
)
_CONFIG = (
    "Struct[{version => Integer[5, 5], Optional[defaults] => Struct[{"
    "Optional[data_hash] => String[1], Optional[lookup_key] => String[1], "
    "Optional[data_dig] => String[1], Optional[datadir] => String[1], "
    f"Optional[options] => {_OPTIONS}}}], Optional[hierarchy] => Array[{_LEVEL}], "
    f"Optional[plan_hierarchy] => Array[{_LEVEL}], "
    f"Optional[default_hierarchy] => Array[{_LEVEL}]}}]"
)
_DEFAULTS = PuppetHash([("datadir", "data"), ("data_hash", "yaml_data")])
_HIERARCHY = (PuppetHash([("name", "Common"), ("path", "common.yaml")]),)


class Level:
    """One level: the function that reads it, its options, and its files, which may not exist.

    ``paths`` is None for a function that needs no file, ``uris`` for one that needs no URI.
    ``config_path`` is the hiera.yaml.
    """

    __slots__ = ("config_path", "function", "kind", "name", "options", "paths", "uris")

    def __init__(
        self,
        name: str,
        kind: LevelKind,
        function: str,
        options: Value,
        paths: tuple[str, ...] | None,
        uris: tuple[str, ...] | None,
        config_path: str,
    ) -> None:
        self.name = name
        self.kind = kind
        self.function = function
        self.options = options
        self.paths = paths
        self.uris = uris
        self.config_path = config_path

    @property
    def locations(self) -> tuple[tuple[str, str] | None, ...]:
        """The option that names a location, and the location; (None,) without any."""
        if self.uris is not None:
            return tuple([("uri", uri) for uri in self.uris])
        return (None,) if self.paths is None else tuple([("path", path) for path in self.paths])


class Reads:
    """The variables that were read, and what they were; see ``variable``."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}

    def note(self, key: str, value: Value) -> None:
        """Remember the value of a variable or of a path into it."""
        self._values[key] = value

    def hold(self, lookup: Lookup) -> bool:
        """Tell whether all of them have the same value in a lookup."""
        for key, value in self._values.items():
            now = variable(key, key, lookup)
            if now is not value and not (type(now) is type(value) is str and now == value):
                return False
        return True


@cache
def _config_type() -> PuppetType:
    return parse_type(_CONFIG)


class HieraConfig:
    """A hiera.yaml that was read and checked."""

    def __init__(self, path: str, *, module: bool) -> None:
        self.path = path
        self.directory = os.path.dirname(path)
        self.module = module
        content = as_hash(read_yaml(path), path)
        _check_version(content, module)
        defaults = content.get("defaults")
        self.defaults: PuppetHash = _DEFAULTS if defaults is None else defaults
        hierarchy = content.get("hierarchy")
        self.hierarchy: tuple[PuppetHash, ...] = _HIERARCHY if hierarchy is None else hierarchy
        self.default_hierarchy: tuple[PuppetHash, ...] | None = content.get("default_hierarchy")
        self._check(content)
        self._known: dict[bool, tuple[Reads, list[Level]]] = {}

    def _check(self, content: PuppetHash) -> None:
        expected = _config_type()
        if not expected.accepts_value(content):
            subject = f"The Lookup Configuration at '{self.path}'"
            raise lookup_error(value_mismatch(subject, expected, content))
        if sum(1 for key in _FUNCTIONS if self.defaults.has(key)) > 1:
            raise self._error(f"Only one of {_listed(_FUNCTIONS)} can be defined in defaults")
        for key in _RESERVED:
            if _options(self.defaults).has(key):
                raise self._error(f"Option key '{key}' used in defaults is reserved by Puppet")
        if self.default_hierarchy is not None and not self.module:
            raise self._error("'default_hierarchy' is only allowed in the module layer")
        for levels in (self.hierarchy, self.default_hierarchy or ()):
            seen: set[str] = set()
            for level in levels:
                self._check_level(level, seen)

    def _check_level(self, level: PuppetHash, seen: set[str]) -> None:
        name = level["name"]
        if name in seen:
            raise self._error(f"Hierarchy name '{name}' defined more than once.")
        seen.add(name)
        given = [key for key in _ALL_FUNCTIONS if level.has(key)]
        if not given and not any(self.defaults.has(key) for key in _FUNCTIONS):
            raise self._error(
                f"One of {_listed(_ALL_FUNCTIONS)} must be defined in hierarchy '{name}'"
            )
        if len(given) > 1:
            raise self._error(
                f"Only one of {_listed(_ALL_FUNCTIONS)} can be defined in hierarchy '{name}'"
            )
        if level.has("hiera3_backend"):
            raise self._error("'hiera3_backend' is only allowed in the global layer")
        if sum(1 for key in _LOCATIONS if level.has(key)) > 1:
            raise self._error(
                f"Only one of {_listed(_LOCATIONS)} can be defined in hierarchy '{name}'"
            )
        for key in _RESERVED:
            if _options(level).has(key):
                raise self._error(
                    f"Option key '{key}' used in hierarchy '{name}' is reserved by Puppet"
                )

    def _error(self, message: str) -> Exception:
        return lookup_error(f"{message} (file: {self.path})")

    def levels(self, lookup: Lookup, *, default: bool = False) -> list[Level]:
        """Return the levels in their order, with paths for the current variables.

        It is the same list as the last time, as long as the variables that it depends on are.
        """
        known = self._known.get(default)
        if known is not None and known[0].hold(lookup):
            return known[1]
        reads = Reads()
        with lookup.noting(reads):
            levels = self._levels(lookup, default=default)
        self._known[default] = (reads, levels)
        return levels

    def begin_input(self) -> None:
        """Forget the levels: files may have come that a pattern names."""
        self._known.clear()

    def _levels(self, lookup: Lookup, *, default: bool) -> list[Level]:
        levels = []
        for entry in (self.default_hierarchy or ()) if default else self.hierarchy:
            owner = entry if any(entry.has(key) for key in _FUNCTIONS) else self.defaults
            kind = next(key for key in _FUNCTIONS if owner.has(key))
            options = entry.get("options") or _options(self.defaults)
            levels.append(
                Level(
                    entry["name"],
                    kind,
                    owner[kind],
                    interpolate(options, lookup, methods=False),
                    self._paths(entry, lookup),
                    self._uris(entry, lookup),
                    self.path,
                )
            )
        return levels

    def _paths(self, entry: PuppetHash, lookup: Lookup) -> tuple[str, ...] | None:
        key = next((location for location in _LOCATIONS if entry.has(location)), None)
        if key is None:
            return None
        datadir = entry.get("datadir") or self.defaults.get("datadir") or "data"
        directory = interpolate_string(os.path.join(self.directory, datadir), lookup)
        given = entry[key]
        if key == "mapped_paths":
            return self._mapped(given, directory, lookup)
        if key in ("uri", "uris"):
            return ()
        names = given if type(given) is tuple else (given,)
        paths: list[str] = []
        for name in names:
            path = os.path.join(directory, interpolate_string(name, lookup))
            if key in ("glob", "globs"):
                paths += filter(os.path.isfile, sorted(glob(path, recursive=True)))
            else:
                paths.append(path)
        return tuple(paths)

    def _uris(self, entry: PuppetHash, lookup: Lookup) -> tuple[str, ...] | None:
        given = entry.get("uris") or entry.get("uri")
        if given is None:
            return None
        names = given if type(given) is tuple else (given,)
        return tuple([interpolate_string(name, lookup) for name in names])

    def _mapped(
        self, mapping: tuple[str, str, str], directory: str, lookup: Lookup
    ) -> tuple[str, ...]:
        source, name, template = mapping
        values = variable(source, "mapped_path[0]", lookup)
        if values is None:
            return ()
        paths = []
        for value in values if type(values) is tuple else (values,):
            path = interpolate_string(template, lookup.with_variable(name, value))
            paths.append(os.path.join(directory, path))
        return tuple(paths)


def _options(entry: PuppetHash) -> PuppetHash:
    options = entry.get("options")
    return options if type(options) is PuppetHash else PuppetHash.EMPTY


def _check_version(content: PuppetHash, module: bool) -> None:
    version = content.get("version", 3)
    if version == 3:
        where = "a module" if module else "an environment"
        raise lookup_error(f"hiera.yaml version 3 cannot be used in {where}")
    if version == 4:
        raise lookup_error("hiera.yaml version 4 is not supported here; convert it to version 5")
    if version != 5:
        raise lookup_error(f"This runtime does not support hiera.yaml version {version}")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join([f"'{name}'" for name in names])
