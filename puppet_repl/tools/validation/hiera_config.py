"""Checks of a hiera.yaml: what Puppet refuses, and what probably is a mistake."""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import nearest
from puppet_repl.base.yaml_data import YamlError
from puppet_repl.environment.hiera.config_problems import (
    CONFIG_KEYS,
    FILE_FUNCTIONS,
    LEVEL_KEYS,
    config_type,
    options_in,
    problems_of,
)
from puppet_repl.environment.hiera.legacy import type_of_version_4
from puppet_repl.environment.hiera.providers import version_number
from puppet_repl.language.data.files import CONFIG_ERROR
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.text.mismatch import describe
from puppet_repl.language.types.text.mismatches import EXTRA_KEY, KeyMismatch
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.advice.model import Advice, replacements
from puppet_repl.tools.validation.documents import in_order, placed_at, read_yaml
from puppet_repl.tools.validation.hiera_layout import CONFIG, EYAML, FUNCTION_OF
from puppet_repl.tools.validation.hiera_levels import FUNCTIONS, HIERARCHIES, levels_of
from puppet_repl.tools.validation.interpolations import problems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from puppet_repl.base.errors import Report
    from puppet_repl.environment.hiera.config_problems import Layer
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.tools.validation.documents import Document
    from puppet_repl.tools.validation.file import File
    from puppet_repl.tools.validation.hiera_levels import LevelFiles

    Findings: TypeAlias = Iterator[Report | PuppetError]

_READ_FILES = (*FILE_FUNCTIONS, EYAML)
_WILDCARDS = re.compile(r"[\0*?\[{\\]")
_LIKENESS = 0.75
_PLACES: dict[Layer, str] = {"environment": "an environment", "module": "a module"}
# The keys whose texts Puppet interpolates.
_INTERPOLATED = ("datadir", "glob", "globs", "options", "path", "paths", "uri", "uris")
_USUAL_DATADIRS = ("data", "hieradata", "hiera")
OF_EYAML = (
    "pkcs7_private_key",
    "pkcs7_public_key",
    "pkcs7_private_key_env_var",
    "pkcs7_public_key_env_var",
)
"""The options of eyaml_lookup_key."""


def check(file: File) -> Findings:
    """Yield the findings in a hiera.yaml: of a root, else of the global layer."""
    root, reach = file.root, file.workspace.reach
    own = root if root is not None and file.inside == CONFIG else None
    directory = os.path.dirname(os.path.abspath(file.path or ""))

    def listing(name: str) -> list[str]:
        path = os.path.join(directory, name)
        if reach is not None and not reach.allows(path):
            return []
        try:
            return os.listdir(path)
        except OSError:
            return []

    found = ConfigCheck(
        file.source,
        "global" if own is None else (own.holder or own).kind,
        strict=file.options.strict,
        listing=None if own is None else listing,
    ).findings()
    yield from in_order(found, file)


class ConfigCheck:
    """The check of one hiera.yaml.

    ``listing`` returns the names in a directory beside it, [] where there is none; ``strict`` is
    Puppet's setting. Nothing is said about files without a ``listing``.
    """

    def __init__(
        self,
        source: Source,
        layer: Layer,
        *,
        strict: str = "error",
        product: str = "Puppet",
        listing: Callable[[str], list[str]] | None = None,
    ) -> None:
        self.source = source
        self.layer = layer
        self.strict = strict
        self.product = product
        self.listing = listing
        # Usual names of datadirs, if the hiera.yaml names none that exists.
        self.usual: tuple[str, ...] = ()

    def findings(self) -> Findings:
        """Yield the findings."""
        name = self.source.name or "hiera.yaml"
        try:
            document = read_yaml(self.source)
        except YamlError as error:
            failure = PuppetError(f"({name}): {error}", CONFIG_ERROR)
            yield placed_at(failure, self.source, error.start)
            return
        content = document.value
        if type(content) is not PuppetHash:
            message = (
                f"{name}: File exists but does not contain a valid YAML hash. Falling back to "
                "Hiera version 3 default config"
            )
            yield self._advice(document, "hiera_version", message, (0, 0))
            content = PuppetHash.EMPTY
        yield from repeated_keys(document)
        where = document.span_at(("version",), None) if content.has("version") else (0, 0)
        try:
            version = version_number(content.get("version"))
        except PuppetError as error:
            yield placed_at(error, self.source, where[0])
            return
        if version == 5:
            yield from self._of_version_5(document, content)
        elif version == 4 and self.layer != "global":
            message = (
                f"{name}: Use of 'hiera.yaml' version 4 is deprecated. It should be converted to "
                "version 5"
            )
            yield self._advice(document, "hiera_version", message, where)
            yield from self._mismatches(document, type_of_version_4(), content)
        elif version == 4:
            yield self._error("hiera.yaml version 4 cannot be used in the global layer", where)
        elif version != 3:
            yield self._error(f"This runtime does not support hiera.yaml version {version}", where)
        elif self.layer != "global":
            message = f"hiera.yaml version 3 cannot be used in {_PLACES[self.layer]}"
            yield self._error(message, where)

    def _of_version_5(self, document: Document, content: PuppetHash) -> Findings:
        wrong = list(self._mismatches(document, config_type(), content))
        if wrong:
            yield from wrong
            return
        for problem in problems_of(content, self.layer, self.product):
            yield self._error(problem.message, document.span_at(problem.path, problem.key))
        yield from self._repeated_names(document, content)
        yield from self._interpolations(document, content)
        yield from self._options(document, content)
        if self.listing is not None:
            missing: set[tuple[int, int] | None] = set()
            levels = list(levels_of(content))
            used = [level.datadir for level in levels if level.datadir is not None]
            self.usual = () if any(map(self.listing, used)) else _USUAL_DATADIRS
            for level in levels:
                for found in self._files(document, level, self.listing):
                    if found.rule != "missing_datadir" or found.span not in missing:
                        yield found
                    missing.add(found.span)

    def _mismatches(
        self, document: Document, expected: PuppetType, content: PuppetHash
    ) -> Findings:
        if expected.accepts_value(content):
            return
        subject = f"The Lookup Configuration at '{self.source.name}' has wrong type,"
        for one in describe(expected, infer_set(content), (("subject", subject),)):
            path = tuple(key for kind, key in one.path if kind in ("value", "index"))
            is_extra = isinstance(one, KeyMismatch) and one.wording == EXTRA_KEY
            key = one.key if isinstance(one, KeyMismatch) and is_extra else None
            notes = () if key is None else _notes(key, path)
            yield self._error(one.format().strip(), document.span_at(path, key), notes)

    def _repeated_names(self, document: Document, content: PuppetHash) -> Findings:
        for hierarchy in ("hierarchy", "default_hierarchy"):
            seen: dict[str, int] = {}
            for number, entry in enumerate(content.get(hierarchy, ())):
                name = entry["name"]
                start, end = document.span_at((hierarchy, number, "name"))
                if name not in seen:
                    seen[name] = self.source.position(start)[0]
                    continue
                message = (
                    f"Hierarchy name '{name}' defined more than once. First defined at "
                    f"(line: {seen[name]})"
                )
                yield self._error(message, (start, end))

    def _interpolations(self, document: Document, content: PuppetHash) -> Findings:
        for path, value in _interpolated(content):
            if type(value) is not str or "%{" not in value:
                continue
            node = document.find(path)
            span = (0, 0) if node is None else node.span
            for part, is_error, code, message, old, near in problems(value, methods=False):
                place = document.part(part, span)
                if is_error:
                    yield self._error(message, place, code=code)
                else:
                    yield self._advice(document, code, message, place, old, near)

    def _options(self, document: Document, content: PuppetHash) -> Findings:
        for path, entry in _entries(content):
            for key in FUNCTIONS:
                function = entry.get(key)
                if type(function) is not str or "::" in function or function in _READ_FILES:
                    continue
                near = nearest(function, _READ_FILES, likeness=_LIKENESS)
                if near is not None:
                    message = f"no function is called '{function}': did you mean {near}?"
                    span = document.span_at((*path, key))
                    yield self._advice(document, "unknown_function", message, span, function, near)
            if entry.get("lookup_key") == EYAML:
                for name in options_in(entry).keys():
                    near = nearest(str(name), OF_EYAML, likeness=_LIKENESS)
                    if near is not None and name not in OF_EYAML:
                        message = f"{EYAML} has no option '{name}': did you mean {near}?"
                        span = document.span_at((*path, "options"), str(name))
                        yield self._advice(
                            document, "unknown_option", message, span, str(name), near
                        )

    def _files(
        self, document: Document, level: LevelFiles, listing: Callable[[str], list[str]]
    ) -> Iterator[Advice]:
        datadir = level.datadir
        if level.function not in _READ_FILES or datadir is None or _WILDCARDS.search(datadir):
            return
        if datadir.startswith("..") or not level.given:
            return
        if not listing(datadir):
            near = self._near_datadir(datadir, listing)
            if self.layer == "module" or near is not None:
                instead = "" if near is None else f": did you mean {near}?"
                message = f"there is no directory {datadir} for the data{instead}"
                span = _place_of_datadir(document, level)
                yield self._advice(document, "missing_datadir", message, span)
            return
        for path, text in level.given:
            meant = None if ".." in text else _meant(datadir, text, listing)
            if meant is not None and path:
                message = f"no data file has this name: did you mean {meant}?"
                yield self._advice(document, "missing_data_file", message, document.span_at(path))

    def _near_datadir(self, datadir: str, listing: Callable[[str], list[str]]) -> str | None:
        above, name = os.path.split(datadir)
        names = [each for each in listing(above or ".") if listing(os.path.join(above, each))]
        if not above:
            usual = next((each for each in self.usual if each in names), None)
            if usual is not None:
                return usual
        return nearest(name, names, likeness=_LIKENESS)

    def _error(
        self,
        message: str,
        span: tuple[int, int],
        notes: tuple[str, ...] = (),
        code: str = CONFIG_ERROR,
    ) -> PuppetError:
        start, end = span
        return PuppetError(message, code, source=self.source, start=start, end=end, notes=notes)

    def _advice(
        self,
        document: Document,
        rule: str,
        message: str,
        span: tuple[int, int],
        old: str = "",
        near: str | None = None,
    ) -> Advice:
        """Return a warning; ``near`` is the name that may have been meant instead of ``old``."""
        source = document.source
        meant = replacements(source.text, *span, old, near)
        return Advice(rule, message, source, *span, replacements=meant)


def repeated_keys(document: Document) -> Iterator[Advice]:
    """Yield the warnings of keys that a mapping has twice."""
    for key, span in document.repeated():
        message = f"the key '{key}' is there twice: this one counts"
        yield Advice("duplicate_key", message, document.source, *span)


def _notes(key: str, path: tuple[str | int, ...]) -> tuple[str, ...]:
    known = CONFIG_KEYS if not path else LEVEL_KEYS
    near = nearest(key, known)
    return () if near is None else (f"did you mean {near}?",)


def _entries(content: PuppetHash) -> Iterator[tuple[tuple[str | int, ...], PuppetHash]]:
    """Yield the defaults and the levels, with their paths."""
    defaults = content.get("defaults")
    if type(defaults) is PuppetHash:
        yield ("defaults",), defaults
    for name in HIERARCHIES:
        for number, entry in enumerate(content.get(name, ())):
            yield (name, number), entry


def _interpolated(content: PuppetHash) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Yield the values that Puppet interpolates, with their paths."""
    for path, entry in _entries(content):
        pending: list[tuple[tuple[str | int, ...], object]] = [
            ((*path, key), entry[key]) for key in _INTERPOLATED if entry.has(key)
        ]
        if entry.has("mapped_paths"):
            pending.append(((*path, "mapped_paths", 2), entry["mapped_paths"][2]))
        while pending:
            where, value = pending.pop(0)
            if type(value) is PuppetHash:
                pending += [((*where, str(key)), item) for key, item in value.items()]
            elif type(value) is tuple:
                pending += [((*where, number), item) for number, item in enumerate(value)]
            else:
                yield where, value


def _place_of_datadir(document: Document, level: LevelFiles) -> tuple[int, int]:
    node = document.find((*level.place, "datadir"))
    if node is document.find(level.place):
        node = document.find(("defaults", "datadir"))
        if node is document.find(("defaults",)) or node is document.root:
            node = document.find((*level.place, "name"))
    return (0, 0) if node is None else document.span(node)


def _meant(datadir: str, path: str, listing: Callable[[str], list[str]]) -> str | None:
    """Return the path that is there in place of one that can match no file; None if none is."""
    where, done = datadir, ""
    parts = path.split("/")
    for number, part in enumerate(parts):
        names = listing(where)
        if _WILDCARDS.search(part):
            break
        if part not in names:
            for ending in FUNCTION_OF if number == len(parts) - 1 else ():
                if part + ending in names:
                    return done + part + ending
            near = nearest(part, names, likeness=_LIKENESS)
            return None if near is None else "/".join([done + near, *parts[number + 1 :]])
        where, done = os.path.join(where, part), f"{done}{part}/"
    return None
