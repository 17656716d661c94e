"""The data of a module or environment: which files hiera.yaml reaches, and what it does to them."""

from __future__ import annotations

import os
from functools import cached_property

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_data import YamlError
from puppet_repl.environment.hiera.config_problems import FILE_FUNCTIONS, config_type
from puppet_repl.environment.hiera.options import OPTIONS
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.validation.documents import read_data, read_yaml
from puppet_repl.tools.validation.hiera_levels import levels_of
from puppet_repl.tools.validation.lookup_options import ChangedKeys
from puppet_repl.tools.validation.module_index import read_within
from puppet_repl.tools.validation.patterns import ANYTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from puppet_repl.base.reach import Reach
    from puppet_repl.tools.validation.hiera_levels import LevelFiles

CONFIG = "hiera.yaml"
EYAML = "eyaml_lookup_key"
FUNCTION_OF = {
    ".yaml": "yaml_data",
    ".yml": "yaml_data",
    ".eyaml": EYAML,
    ".json": "json_data",
    ".conf": "hocon_data",
}
"""The functions that usually read files, by their endings."""


class Layout:
    """The data beside a hiera.yaml; without version 5 ``levels`` is None.

    With a ``reach`` nothing else is read.
    """

    def __init__(
        self, directory: str, reach: Reach | None = None, *, is_environment: bool = False
    ) -> None:
        self.directory = directory
        self.is_environment = is_environment
        self.reach = reach
        self.levels: list[LevelFiles] | None = None
        self._changed: ChangedKeys | None = None
        content = self._config()
        if content is not None and config_type().accepts_value(content):
            self.levels = list(levels_of(content))

    def _config(self) -> PuppetHash | None:
        text = read_within(os.path.join(self.directory, CONFIG), self.reach)
        try:
            content = read_yaml(Source(text)).value
        except YamlError:
            return None
        return content if type(content) is PuppetHash else None

    @cached_property
    def datadirs(self) -> set[str]:
        """The directories of data below that of the hiera.yaml, relative to it."""
        if self.levels is None:
            names = os.listdir(self.directory) if self.is_environment else ()
            return set(filter(is_usual_datadir, names))
        named = {level.datadir for level in self.levels if level.datadir is not None}
        return {each for each in named if each.partition("/")[0] != os.pardir}

    def functions(self, inside: str) -> set[str]:
        """Return the functions that read a file, by its path relative to the hiera.yaml.

        A file that no level reaches has none.
        """
        ending = os.path.splitext(inside)[1]
        if self.levels is None:
            usual = FUNCTION_OF.get(ending)
            is_data = self.is_environment and is_usual_datadir(inside.partition("/")[0])
            return {usual} if usual is not None and is_data else set()
        return {level.function for level in self.levels if level.reaches(inside)}

    def has(self, inside: str) -> bool:
        """Tell whether a file is one of data by its ending and place, even if no level reaches it.

        Without a hiera.yaml an environment has the usual directories, and a module no data.
        """
        if os.path.splitext(inside)[1] not in FUNCTION_OF:
            return bool(self.functions(inside))
        return any(
            inside.startswith(f"{datadir}/") for datadir in self.datadirs if datadir != os.curdir
        ) or bool(self.functions(inside))

    @property
    def changed(self) -> ChangedKeys:
        """The keys whose values lookup_options change, as any of the files says."""
        if self._changed is None:
            self._changed = ChangedKeys()
            for path, function in self.files():
                text = read_within(path, self.reach)
                if OPTIONS not in text:
                    continue
                try:
                    content = read_data(function, Source(text, path)).value
                except PuppetError:
                    self._changed.is_unknown = True
                    continue
                if type(content) is PuppetHash:
                    self._changed.add(content.get(OPTIONS))
        return self._changed

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the data files with the functions that read them."""
        for datadir in sorted(self.datadirs):
            known, unknown, _ = datadir.partition(ANYTHING)
            start = os.path.dirname(known) if unknown else known
            for path in self._below(os.path.join(self.directory, start)):
                inside = os.path.relpath(path, self.directory).replace(os.sep, "/")
                for function in self.functions(inside):
                    if reader_of(function) is not None:
                        yield path, function

    def _below(self, directory: str) -> Iterator[str]:
        """Yield the files below a directory that may be read."""
        if self.reach is None:
            for where, _, names in os.walk(directory):
                yield from (os.path.join(where, name) for name in names)
        elif self.reach.allows(directory):
            for _, _, files in self.reach.walk(directory, lambda _: True):
                yield from files


def is_usual_datadir(name: str) -> bool:
    """Tell whether a directory has the name of one of data, where no hiera.yaml says more."""
    return name == "data" or name.startswith("hieradata")


def reader_of(function: str) -> str | None:
    """Return the function that reads the file of a level, None for one that is not Puppet's."""
    if function == EYAML:
        return "yaml_data"
    return function if function in FILE_FUNCTIONS else None


class ChangedInModules:
    """The keys that lookup_options change, in the data of a root and of the module of each key."""

    def __init__(self, own: Layout, modules: Mapping[str, str], reach: Reach | None) -> None:
        self._own = own
        self._paths = modules
        self._reach = reach
        self._known: dict[str, Layout] = {}

    def __contains__(self, key: object) -> bool:
        name = str(key).partition("::")[0]
        if key in self._own.changed or name not in self._paths:
            return key in self._own.changed
        if name not in self._known:
            self._known[name] = Layout(self._paths[name], self._reach)
        return key in self._known[name].changed
