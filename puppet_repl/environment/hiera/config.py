"""hiera.yaml: the levels of data of a layer; version 5, the older ones are in hiera_legacy."""

from __future__ import annotations

import os
import re
from functools import cache
from re import escape

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.hiera.interpolation import interpolate, interpolate_string, variable
from puppet_repl.environment.hiera.locations import LOCATIONS, Location, joined, locations_of
from puppet_repl.language.data.files import INTERPOLATION, config_error
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.environment.hiera.interpolation import Lookup
    from puppet_repl.environment.hiera.search import Search
    from puppet_repl.language.data.merge import Merge
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

    LevelKind: TypeAlias = Literal["data_hash", "lookup_key", "data_dig", "v4_data_hash"]

    Layer: TypeAlias = Literal["global", "environment", "module"]

_FUNCTIONS: tuple[LevelKind, ...] = ("data_hash", "lookup_key", "data_dig")
_NAMED_FUNCTIONS = (*_FUNCTIONS, "hiera3_backend")
_ALL_FUNCTIONS = (*_NAMED_FUNCTIONS, "v4_data_hash")
_RESERVED = ("path", "uri")
_FILE_FUNCTIONS = ("yaml_data", "json_data", "hocon_data")
# Backends of Hiera 3 that are data_hash functions now.
_REPLACED = ("json", "yaml", "hocon")

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

    A function that is called without a location has None as ``locations``. ``config_path`` is the
    hiera.yaml, ``title`` is Puppet's name for the level.
    """

    __slots__ = (
        "config_path",
        "function",
        "kind",
        "locations",
        "name",
        "options",
        "reads_files",
        "title",
    )

    def __init__(
        self,
        name: str,
        kind: LevelKind,
        function: str,
        options: Value,
        locations: tuple[Location, ...] | None,
        config_path: str,
    ) -> None:
        self.name = name
        self.kind = kind
        self.function = function
        self.options = options
        self.locations = locations
        self.config_path = config_path
        self.reads_files = kind == "data_hash" and function in _FILE_FUNCTIONS
        self.title = f'Hierarchy entry "{name}"'
        if kind == "v4_data_hash":
            self.title = f'Deprecated API function "{function}"'


class Reads:
    """The variables that were read, with their values; see ``variable``."""

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


class Config:
    """A checked hiera.yaml of any version, with its layer.

    The default of a missing file has None as ``path``. ``content`` is the content of the file; a
    class for each version makes levels of it.
    """

    version = "5"

    def __init__(
        self,
        path: str | None,
        directory: str,
        content: PuppetHash,
        layer: Layer,
        product: str = "Puppet",
    ) -> None:
        self.path = path
        self.directory = directory
        self.content = content
        self.layer = layer
        self.product = product
        self.has_defaults = False
        self._known: dict[bool, tuple[Reads, list[Level]]] = {}
        self.check()

    def check(self) -> None:
        """Raise PuppetError where the content is wrong."""
        raise NotImplementedError

    def make_levels(self, lookup: Lookup, *, default: bool) -> list[Level]:
        """Return the levels for the current variables."""
        raise NotImplementedError

    def merge_for(self, merge: Merge) -> Merge:
        """Return the strategy that counts where another one was asked for."""
        return merge

    def assert_type(self, expected: PuppetType, content: PuppetHash) -> None:
        """Raise the error of a content of another type than that."""
        if not expected.accepts_value(content):
            subject = f"The Lookup Configuration at '{self.path}'"
            raise RuntimeFailure(value_mismatch(subject, expected, content))

    def error(self, message: str, line: int | None = None) -> PuppetError:
        """Return an error with the place in the file."""
        if self.path is None:
            return config_error(message)
        if line is None:
            return config_error(f"{message} (file: {self.path})")
        error = config_error(message)
        error.source, error.line = read_source(self.path), line
        return error

    def located(self, error: PuppetError) -> PuppetError:
        """Return an error of an expression in the file, with its place."""
        if error.message.startswith("Undefined variable '"):
            name = error.message.split("'")[1]
            line = self.line_of(rf"%\{{['\"]?{escape(name)}['\"]?\}}")
            return self.error(f"Undefined variable '{name}'", line)
        return self.error(error.message) if error.code == INTERPOLATION else error

    def line_of(self, pattern: str, start: int = 1) -> int | None:
        """Return the first line from ``start`` on that matches a pattern outside of comments."""
        return None if self.path is None else line_matching(self.path, pattern, start)

    def repeated(self, message: str, pattern: str) -> PuppetError:
        """Return the error of a name that is there twice, with both places."""
        first = self.line_of(pattern)
        second = None if first is None else self.line_of(pattern, first + 1)
        if second is None:
            return self.error(message, first)
        return self.error(f"{message} First defined at (line: {first})", second)

    def levels(self, search: Search, *, default: bool) -> list[Level]:
        """Return the levels in their order, with paths for the current variables.

        It is the same list as the last time, as long as the variables that it depends on are.
        """
        known = self._known.get(default)
        if known is not None:
            if search.explainer is None:
                if known[0].hold(search):
                    return known[1]
            elif self._hold_explained(known[0], search):
                return known[1]
        reads = Reads()
        with search.resolving(reads):
            levels = self.make_levels(search, default=default)
        self._known[default] = (reads, levels)
        return levels

    def _hold_explained(self, reads: Reads, search: Search) -> bool:
        with search.resolving(Reads()):
            holds = reads.hold(search)
        if not holds and search.explainer is not None:
            search.explainer.text(
                "Hiera configuration recreated due to change of scope variables used in "
                "interpolation expressions"
            )
        return holds

    def begin_input(self) -> None:
        """Forget the levels: files may have come that a pattern names."""
        self._known.clear()


@cache
def _config_type() -> PuppetType:
    return parse_type(_CONFIG)


class ConfigV5(Config):
    """Version 5."""

    def check(self) -> None:
        """Raise PuppetError where the content is wrong."""
        content = self.content
        self.defaults: PuppetHash = content.get("defaults") or _DEFAULTS
        hierarchy = content.get("hierarchy")
        self.hierarchy: tuple[PuppetHash, ...] = _HIERARCHY if hierarchy is None else hierarchy
        self.assert_type(_config_type(), content)
        self._check_defaults()
        for entry in (*self.hierarchy, *content.get("plan_hierarchy", ())):
            self._check_level(entry)
        self.has_defaults = content.has("default_hierarchy")
        if not self.has_defaults:
            return
        if self.layer != "module":
            raise self.error(
                "'default_hierarchy' is only allowed in the module layer",
                self.line_of(r"(?:^|\s+)default_hierarchy:"),
            )
        for entry in content["default_hierarchy"]:
            self._check_level(entry)

    def _check_defaults(self) -> None:
        if sum(1 for key in _NAMED_FUNCTIONS if self.defaults.has(key)) > 1:
            raise self.error(f"Only one of {_listed(_NAMED_FUNCTIONS)} can be defined in defaults")
        for key in _RESERVED:
            if _options(self.defaults).has(key):
                raise self.error(
                    f"Option key '{key}' used in defaults is reserved by {self.product}"
                )

    def _check_level(self, level: PuppetHash) -> None:
        name = level["name"]
        given = sum(1 for key in _ALL_FUNCTIONS if level.has(key))
        if not given and not any(self.defaults.has(key) for key in _FUNCTIONS):
            raise self.error(
                f"One of {_listed(_NAMED_FUNCTIONS)} must be defined in hierarchy '{name}'"
            )
        if given > 1:
            raise self.error(
                f"Only one of {_listed(_NAMED_FUNCTIONS)} can be defined in hierarchy '{name}'"
            )
        if level.has("hiera3_backend"):
            self._check_backend(level["hiera3_backend"])
        if sum(1 for key in LOCATIONS if level.has(key)) > 1:
            raise self.error(
                f"Only one of {_listed(LOCATIONS)} can be defined in hierarchy '{name}'"
            )
        for key in _RESERVED:
            if _options(level).has(key):
                raise self.error(
                    f"Option key '{key}' used in hierarchy '{name}' is reserved by {self.product}"
                )

    def _check_backend(self, backend: str) -> None:
        if self.layer != "global":
            raise self.error(
                "'hiera3_backend' is only allowed in the global layer",
                self.line_of(r"\s+hiera3_backend:"),
            )
        if backend in _REPLACED:
            raise self.error(
                f'Use "data_hash: {backend}_data" instead of "hiera3_backend: {backend}"',
                self.line_of(rf"\s+hiera3_backend:\s*['\"]?{backend}(?:[^\w]|$)"),
            )

    def make_levels(self, lookup: Lookup, *, default: bool) -> list[Level]:
        """Return the levels for the current variables."""
        levels = []
        seen: set[str] = set()
        entries = self.content.get("default_hierarchy", ()) if default else self.hierarchy
        for entry in entries:
            if entry["name"] in seen:
                raise self._defined_twice(entry["name"])
            seen.add(entry["name"])
            level = self._level(entry, lookup)
            # Without a file only data that exist count.
            if (
                self.path is not None
                or level.locations is None
                or any(os.path.exists(location.text) for location in level.locations)
            ):
                levels.append(level)
        return levels

    def _level(self, entry: PuppetHash, lookup: Lookup) -> Level:
        owner = entry if any(entry.has(key) for key in _ALL_FUNCTIONS) else self.defaults
        if owner.has("hiera3_backend"):
            raise self.error("Hiera 3 is not installed")
        kind: LevelKind = next(key for key in (*_FUNCTIONS, "v4_data_hash") if owner.has(key))
        options = entry.get("options") or _options(self.defaults)
        datadir = entry.get("datadir") or self.defaults.get("datadir") or "data"
        try:
            with lookup.strict():
                directory = interpolate_string(joined(self.directory, datadir), lookup)
                options = interpolate(options, lookup, methods=False)
            locations = locations_of(entry, directory, lookup)
        except PuppetError as error:
            raise self.located(error) from None
        return Level(entry["name"], kind, owner[kind], options, locations, self.path or "")

    def _defined_twice(self, name: str) -> PuppetError:
        return self.repeated(
            f"Hierarchy name '{name}' defined more than once.",
            rf"\s+name:\s+['\"]?{escape(name)}(?:[^\w]|$)",
        )


def _options(entry: PuppetHash) -> PuppetHash:
    options = entry.get("options")
    return options if type(options) is PuppetHash else PuppetHash.EMPTY


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])}, or {names[-1]}"


def line_matching(path: str, pattern: str, start: int) -> int | None:
    """Return the first line from ``start`` on that matches outside of comments, if there is one."""
    try:
        text = read_text(path, errors="replace")
    except OSError:
        return None
    for number, line in enumerate(text.split("\n"), 1):
        if number >= start and re.search(pattern, _without_comment(line)):
            return number
    return None


def _without_comment(line: str) -> str:
    """Return the part of a line before a hash mark; quotes do not protect it, as in Puppet."""
    return line.partition("#")[0]
