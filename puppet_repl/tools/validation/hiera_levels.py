"""The files that a hiera.yaml of version 5 can reach, whatever the facts of a node are."""

from __future__ import annotations

import os
import re

from puppet_repl.environment.hiera.interpolation import EXPRESSION
from puppet_repl.environment.hiera.locations import LOCATIONS
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.validation.patterns import ANYTHING, Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.values.protocols import Value

HIERARCHIES = ("hierarchy", "plan_hierarchy", "default_hierarchy")
FUNCTIONS = ("data_hash", "lookup_key", "data_dig")
DEFAULT_DATADIR = "data"
# The directories of environments on servers.
_OF_ENVIRONMENT = re.compile(r".*/environments/\0(?:/|\Z)")


class LevelFiles:
    """A level: its function, its datadir, and what its paths look like.

    ``datadir`` is relative to the hiera.yaml, None if it is elsewhere. ``given`` has the paths as
    they are written, with their places in the hierarchy; ``is_pattern`` tells whether they are
    globs. In all of these ANYTHING stands for an expression.
    """

    __slots__ = ("_patterns", "datadir", "function", "given", "place")

    def __init__(
        self,
        function: str,
        datadir: str | None,
        given: list[tuple[tuple[str | int, ...], str]],
        place: tuple[str | int, ...],
        *,
        is_pattern: bool,
    ) -> None:
        self.function = function
        self.datadir = datadir
        self.given = given
        self.place = place
        paths = [] if datadir is None else [_joined(datadir, path) for _, path in given]
        self._patterns = [
            Pattern.of_glob(path) if is_pattern else Pattern.of_parts(path.split(ANYTHING))
            for path in paths
        ]

    def reaches(self, path: str) -> bool:
        """Tell whether a path, relative to the hiera.yaml, is one of this level for some facts."""
        return any(each.matches(path) for each in self._patterns)


def levels_of(content: PuppetHash) -> Iterator[LevelFiles]:
    """Yield the levels of a hiera.yaml of version 5 that have paths."""
    defaults = _hash(content.get("defaults"))
    for name in HIERARCHIES:
        entries = content.get(name)
        for number, entry in enumerate(entries if type(entries) is tuple else ()):
            if type(entry) is PuppetHash:
                level = _level(entry, defaults, (name, number))
                if level is not None:
                    yield level
    if not content.has("hierarchy"):
        common: list[tuple[tuple[str | int, ...], str]] = [((), "common.yaml")]
        datadir = _directory(defaults.get("datadir") or DEFAULT_DATADIR)
        yield LevelFiles(_function({}, defaults), datadir, common, (), is_pattern=False)


def _level(
    entry: PuppetHash, defaults: PuppetHash, place: tuple[str | int, ...]
) -> LevelFiles | None:
    key = next((location for location in LOCATIONS if entry.has(location)), None)
    if key is None or key in ("uri", "uris"):
        return None
    given = entry[key]
    names = given if type(given) is tuple else (given,)
    found: list[tuple[tuple[str | int, ...], str]] = []
    for number, name in enumerate(names):
        if type(name) is str and (key != "mapped_paths" or number == 2):
            where = (*place, key, number) if type(given) is tuple else (*place, key)
            found.append((where, EXPRESSION.sub(ANYTHING, name)))
    datadir = entry.get("datadir") or defaults.get("datadir") or DEFAULT_DATADIR
    is_pattern = key in ("glob", "globs")
    function = _function(entry, defaults)
    return LevelFiles(function, _directory(datadir), found, place, is_pattern=is_pattern)


def _hash(value: Value) -> PuppetHash:
    return value if type(value) is PuppetHash else PuppetHash.EMPTY


def _function(entry: PuppetHash | dict[str, Value], defaults: PuppetHash) -> str:
    for owner in (entry, defaults):
        for key in FUNCTIONS:
            if owner.get(key) is not None:
                return str(owner.get(key))
    return "yaml_data"


def _directory(datadir: Value) -> str | None:
    """Return a datadir relative to the hiera.yaml, None if it is elsewhere or cannot be known."""
    text = EXPRESSION.sub(ANYTHING, datadir) if type(datadir) is str else ANYTHING
    of_environment = _OF_ENVIRONMENT.match(text)
    if of_environment is not None:
        text = text[of_environment.end() :]
    elif text.startswith(("/", ANYTHING)):
        return None
    return os.path.normpath(text or ".")


def _joined(directory: str, path: str) -> str:
    return os.path.normpath(os.path.join(directory, path))
