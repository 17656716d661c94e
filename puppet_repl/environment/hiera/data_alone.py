"""Whether data files alone decide the value of a key, for the facts of a session.

No function of a level is called. If a path has a variable without a value, the keys of all files
that it could name are not decided.
"""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.hiera.config_problems import FILE_FUNCTIONS
from puppet_repl.environment.hiera.interpolation import (
    EXPRESSION,
    LOOKING_UP,
    METHOD,
    empty_expressions,
)
from puppet_repl.environment.hiera.options import OPTIONS, options_for
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.base import each_type
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.hiera.config import Config, Level
    from puppet_repl.environment.hiera.data_keys import DataKeys
    from puppet_repl.environment.hiera.explanation import Explanation
    from puppet_repl.environment.hiera.locations import Location
    from puppet_repl.language.values.protocols import Value

_EYAML = "eyaml_lookup_key"
# Entries of a level that are read before its locations are known.
_FOUND = ("glob", "globs", "mapped_paths")
# Variables that code has another value of than a lookup without code.
_OF_CODE = frozenset(("module_name", "name", "title"))


class DataAlone:
    """Tells which keys data files alone decide, for the context that ``keys`` are of."""

    def __init__(self, keys: DataKeys) -> None:
        self._keys = keys
        self._search = keys.search()
        self._levels: dict[str | None, list[tuple[str | None, Level]] | None] = {}
        self._possible: dict[tuple[str, str], list[str]] = {}

    def explain(self, key: str) -> tuple[Value, Explanation] | None:
        """Return the value of a key and the steps of its lookup.

        Return None if there is no value, or if code or variables of code decide it.
        """
        if not self._decides(key):
            return None
        try:
            value, explanation = self._keys.explain(key)
        except PuppetError:
            return None
        return (value, explanation) if explanation.is_found else None

    def _decides(self, key: str, seen: tuple[str, ...] = ()) -> bool:
        """Tell whether a key has a value or options, and no code has to do with them."""
        root = str((split_segments(key) or (key,))[0])
        if root in seen:
            return False
        module = root.partition("::")[0] if "::" in root else None
        levels = self._of(module)
        if levels is None:
            return False
        try:
            values = [
                value for owner, level in levels for value in self._values(level, owner, root)
            ]
        except (_Unknown, PuppetError):
            return False
        return bool(values) and all(self._is_known(value, (*seen, root)) for value in values)

    def _of(self, module: str | None) -> list[tuple[str | None, Level]] | None:
        """Return the levels of the layers that count for the keys of a module.

        Return None if that depends on variables without a value, or on files out of reach.
        """
        if module not in self._levels:
            try:
                self._levels[module] = [*self._levels_of(module)]
            except (_Unknown, PuppetError):
                self._levels[module] = None
        return self._levels[module]

    def _levels_of(self, module: str | None) -> Iterator[tuple[str | None, Level]]:
        for owner, config in self._keys.configs_for(module):
            if config.version != "5":
                raise _Unknown
            self._check(config)
            for default in (False, True):
                for level in config.levels(self._search, default=default):
                    yield owner, level

    def _check(self, config: Config) -> None:
        """Raise _Unknown for patterns of files with variables that have no value."""
        for name in ("hierarchy", "default_hierarchy"):
            for entry in config.content.get(name, ()):
                for kind in _FOUND:
                    given = entry.get(kind, ())
                    texts = given if type(given) is tuple else (given,)
                    if kind == "mapped_paths" and texts:
                        texts = (f"%{{{texts[0]}}}",)
                    for text in texts:
                        self._check_text(text)

    def _check_text(self, text: str) -> None:
        if self._has_unknown(text):
            raise _Unknown

    def _has_unknown(self, text: str) -> bool:
        """Tell whether a text has a variable without a value, or with one that code changes."""
        names = {str((split_segments(each) or (each,))[0]) for each in _variables(text)}
        return bool(not _OF_CODE.isdisjoint(names) or empty_expressions(text, self._search))

    # Files

    def _values(self, level: Level, owner: str | None, key: str) -> Iterator[Value]:
        """Yield the values of a key in the files of a level, and its options there.

        Raises _Unknown if more than files decide whether the level has the key.
        """
        if level.data is not None:
            if level.data.has(key):
                yield level.data[key]
            return
        function = "yaml_data" if level.function == _EYAML else level.function
        if function not in FILE_FUNCTIONS or level.kind not in ("data_hash", "lookup_key"):
            raise _Unknown
        for location in level.locations or ():
            if location.kind != "path":
                raise _Unknown
            if self._has_unknown(location.original):
                for path in self._paths(location):
                    if [*self._in_file(function, path, owner, key)]:
                        raise _Unknown
            else:
                yield from self._in_file(function, location.text, owner, key)

    def _in_file(self, function: str, path: str, owner: str | None, key: str) -> Iterator[Value]:
        data = self._keys.file(function, path, owner)
        if data.has(key):
            yield data[key]
        options = data.get(OPTIONS)
        if type(options) is PuppetHash:
            named = PuppetHash([pair for pair in options.items() if type(pair[0]) is str])
            found = options_for(key, named)
            if found:
                _check_conversion(found.get("convert_to"))
                yield found

    def _paths(self, location: Location) -> list[str]:
        """Return the files that a path may name, whatever its variables are."""
        original = location.original
        if {"", ".", ".."} & set(original.split("/")):
            raise _Unknown
        above = "/".join(location.text.split("/")[: -original.count("/") - 1])
        if (above, original) not in self._possible:
            pieces = EXPRESSION.split(original)[::2]
            start = os.path.join(above, "")
            files = (
                os.path.join(where, name) for where, _, names in os.walk(above) for name in names
            )
            self._possible[above, original] = [
                path
                for path in files
                if path.startswith(start) and _has_pieces(path[len(start) :], pieces)
            ]
        return self._possible[above, original]

    # Values

    def _is_known(self, value: Value, seen: tuple[str, ...]) -> bool:
        """Tell whether the expressions in a value are known, and the keys that they look up."""
        pending = [value]
        while pending:
            part = pending.pop()
            if type(part) is tuple:
                pending += part
            elif type(part) is PuppetHash:
                pending += [each for pair in part.items() for each in pair]
            elif type(part) is str and "%{" in part:
                if self._has_unknown(part):
                    return False
                for found in METHOD.finditer(part):
                    key = found.group(2) or found.group(3)
                    if found.group(1) in LOOKING_UP and not self._decides(key, seen):
                        return False
        return True


class _Unknown(Exception):
    """A level whose files, or what they have, depend on more than facts."""


def _has_pieces(text: str, pieces: list[str]) -> bool:
    """Tell whether a text is two or more pieces in their order, with any texts between them.

    A regular expression would take exponential time for some pieces.
    """
    first, *inner, last = pieces
    if not text.startswith(first):
        return False
    position = len(first)
    for piece in inner:
        found = text.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    return text.endswith(last) and len(text) - len(last) >= position


def _check_conversion(wanted: Value) -> None:
    """Raise _Unknown for a conversion to a type that code of a module or a program defines."""
    first = wanted[0] if type(wanted) is tuple and wanted else wanted
    if first is None:
        return
    made = parse_type(first) if type(first) is str else None
    if made is None:
        raise _Unknown
    if any(
        isinstance(each, TypeReferenceType)
        for each in each_type(made, lambda part: part.contained())
    ):
        raise _Unknown


def _variables(text: str) -> Iterator[str]:
    for found in EXPRESSION.finditer(text):
        expression = found.group(1).strip()
        call = METHOD.fullmatch(expression)
        if call is None:
            yield expression.removeprefix("::")
        elif call.group(1) == "scope":
            yield (call.group(2) or call.group(3)).removeprefix("::")
