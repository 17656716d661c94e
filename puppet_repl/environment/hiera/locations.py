"""The files and URIs of a level: what the entries of hiera.yaml stand for."""

from __future__ import annotations

import os

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.environment.hiera.interpolation import interpolate_string, variable
from puppet_repl.environment.hiera.server_paths import file_here
from puppet_repl.language.data.files import unreadable
from puppet_repl.language.ruby_library.files import glob_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from puppet_repl.environment.hiera.interpolation import Lookup
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value

LOCATIONS = ("path", "paths", "glob", "globs", "uri", "uris", "mapped_paths")


class Location:
    """A file or a URI; ``original`` is the text in hiera.yaml.

    A file need not exist, unless it ``is_expected`` because a pattern has found its name.
    """

    __slots__ = ("is_expected", "kind", "original", "text")

    def __init__(
        self,
        kind: Literal["path", "uri"],
        text: str,
        original: str,
        *,
        is_expected: bool = False,
    ) -> None:
        self.kind: Literal["path", "uri"] = kind
        self.text = text
        self.original = original
        self.is_expected = is_expected

    @property
    def is_missing(self) -> bool:
        """Whether it is a file without which a lookup goes on."""
        return self.kind == "path" and not self.is_expected and not os.path.exists(self.text)

    def check_followed(self) -> None:
        """Raise Ruby's error where an expected file is a link to nothing, or to itself."""
        if self.is_expected:
            try:
                os.stat(self.text)
            except OSError as error:
                raise unreadable(error, self.text) from None


def locations_of(entry: PuppetHash, directory: str, lookup: Lookup) -> tuple[Location, ...] | None:
    """Return the locations of a level with relative paths below a directory; None without any."""
    key = next((location for location in LOCATIONS if entry.has(location)), None)
    if key is None:
        return None
    given = entry[key]
    if key == "mapped_paths":
        return _mapped(given, directory, lookup)
    names = given if type(given) is tuple else (given,)
    if key in ("uri", "uris"):
        return tuple([Location("uri", interpolate_string(name, lookup), name) for name in names])
    if key in ("glob", "globs"):
        return tuple([path for name in names for path in _matching(name, directory, lookup)])
    return paths_below(directory, names, lookup)


def paths_below(
    directory: str, names: tuple[str, ...], lookup: Lookup, ending: str = ""
) -> tuple[Location, ...]:
    """Return the locations of paths, to which an ending is added where it is missing."""
    locations = []
    for name in names:
        path = interpolate_string(name, lookup)
        if not path.endswith(ending):
            path += ending
        locations.append(_file(_joined(directory, path, lookup), name, lookup))
    return tuple(locations)


def _file(path: str, original: str, lookup: Lookup) -> Location:
    """Return the location of a file; raise RuntimeFailure for one that may not be read."""
    lookup.context.check_reach(path)
    return Location("path", path, original)


def joined(directory: str, path: str) -> str:
    """Return a path below a directory, as Ruby's Pathname writes it: no dots at the seam.

    Raises Ruby's error for a null byte.
    """
    if "\0" in path or "\0" in directory:
        raise RuntimeFailure("pathname contains null byte")
    while True:
        if path == ".." or path.startswith("../"):
            directory, path = os.path.dirname(directory), path[3:].lstrip("/")
        elif path == "." or path.startswith("./"):
            path = path[2:].lstrip("/")
        else:
            return os.path.join(directory, path) if path else directory


def _joined(directory: str, path: str, lookup: Lookup) -> str:
    """Return a path below a directory, or an absolute path as ``file_here`` returns it."""
    whole = joined(directory, path)
    return file_here(whole, lookup.context) if os.path.isabs(path) else whole


def _matching(name: str, directory: str, lookup: Lookup) -> Iterator[Location]:
    pattern = _joined(directory, interpolate_string(name, lookup), lookup)
    for path in glob_files(pattern, lookup.context.check_reach):
        if not os.path.isdir(path):
            yield Location("path", path, pattern, is_expected=True)


def _mapped(mapping: tuple[str, str, str], directory: str, lookup: Lookup) -> tuple[Location, ...]:
    source, name, template = mapping
    values: Value = variable(source, "mapped_path[0]", lookup)
    if values is None or values == "":
        return ()
    locations = []
    for value in values if type(values) is tuple else (values,):
        path = interpolate_string(template, lookup.with_variable(name, value))
        locations.append(_file(_joined(directory, path, lookup), template, lookup))
    return tuple(locations)
