"""hiera.yaml: the levels of data of a layer; version 5, the older ones are in hiera_legacy."""

from __future__ import annotations

import os
import re
from re import escape

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.hiera.config_problems import (
    ALL_FUNCTIONS,
    DEFAULTS,
    FILE_FUNCTIONS,
    FUNCTIONS,
    HIERARCHY,
    config_type,
    options_in,
    problems_of,
)
from puppet_repl.environment.hiera.interpolation import interpolate, interpolate_string, variable
from puppet_repl.environment.hiera.locations import Location, joined, locations_of
from puppet_repl.environment.hiera.server_paths import directory_here
from puppet_repl.language.data.files import INTERPOLATION, config_error
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.hiera.config_problems import Layer, LevelKind
    from puppet_repl.environment.hiera.interpolation import Lookup
    from puppet_repl.environment.hiera.search import Search
    from puppet_repl.language.data.merge import Merge
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value


class Level:
    """One level: the function that reads it, its options, and its files, which may not exist.

    A function that is called without a location has None as ``locations``. ``config_path`` is the
    hiera.yaml, ``title`` is Puppet's name for the level. One with ``data`` has no function.
    """

    __slots__ = (
        "config_path",
        "data",
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
        data: PuppetHash | None = None,
    ) -> None:
        self.name = name
        self.data = data
        self.kind = kind
        self.function = function
        self.options = options
        self.locations = locations
        self.config_path = config_path
        self.reads_files = kind == "data_hash" and function in FILE_FUNCTIONS
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


class ConfigV5(Config):
    """Version 5."""

    def check(self) -> None:
        """Raise PuppetError where the content is wrong."""
        content = self.content
        self.defaults: PuppetHash = content.get("defaults") or DEFAULTS
        hierarchy = content.get("hierarchy")
        self.hierarchy: tuple[PuppetHash, ...] = HIERARCHY if hierarchy is None else hierarchy
        self.assert_type(config_type(), content)
        for problem in problems_of(content, self.layer, self.product):
            raise self.error(
                problem.message, self.line_of(problem.pattern) if problem.pattern else None
            )
        self.has_defaults = content.has("default_hierarchy")

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
        owner = entry if any(entry.has(key) for key in ALL_FUNCTIONS) else self.defaults
        if owner.has("hiera3_backend"):
            raise self.error("Hiera 3 is not installed")
        kind: LevelKind = next(key for key in (*FUNCTIONS, "v4_data_hash") if owner.has(key))
        options = entry.get("options") or options_in(self.defaults)
        datadir = entry.get("datadir") or self.defaults.get("datadir") or "data"
        try:
            with lookup.strict():
                directory = interpolate_string(joined(self.directory, datadir), lookup)
                directory = directory_here(directory, lookup.context)
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


class GivenData(Config):
    """The layer of the given data: a level for each Hash, the last of which comes first."""

    def __init__(self, data: tuple[PuppetHash, ...]) -> None:
        self._data = data
        super().__init__(None, "", PuppetHash.EMPTY, "given")

    def check(self) -> None:
        """Do nothing: there is no configuration."""

    def make_levels(self, lookup: Lookup, *, default: bool) -> list[Level]:
        """Return the levels, which have no files."""
        return [
            Level(f"given {number}", "data_hash", "data", PuppetHash.EMPTY, None, "", data)
            for number, data in reversed([*enumerate(self._data, 1)])
            if not default
        ]


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
