"""The keys that the data of a session has, and where: only files are read, no code runs."""

from __future__ import annotations

import glob
import os
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.hiera.explanation import Explainer
from puppet_repl.environment.hiera.hiera import Hiera
from puppet_repl.environment.hiera.options import OPTIONS, options_for
from puppet_repl.environment.hiera.search import Search
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from puppet_repl.environment.hiera.config import Config, Level
    from puppet_repl.environment.hiera.explanation import Explanation
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_INTERPOLATION = re.compile(r"%\{[^{}]*\}")
# Variables that are the name of the node, with its domain or without it.
_NODE_NAME = re.compile(
    r"%\{\s*(?:::)?(?:trusted\.(?:certname|hostname)"
    r"|(?:facts\.)?(?:clientcert|(?:networking\.)?(?:fqdn|hostname)))\s*\}"
)
# Its files are YAML as well; encrypted values stay encrypted.
_EYAML = "eyaml_lookup_key"


class _Quiet:
    """A context as lookups see it, in which nothing is logged.

    Completion runs beside an input, perhaps: it must not switch off what that logs.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def log(self, level: str, message: str) -> None:
        """Log nothing."""

    def log_once(self, key: str, level: str, message: str) -> bool:
        """Log nothing, and leave the message to the first lookup."""
        return False

    def warn_once(self, key: str, message: str) -> bool:
        """Log nothing, and leave the warning to the first lookup."""
        return False


def _names_in_files(path: str, original: str) -> Iterator[str]:
    """Yield the names of nodes in the names of files like ``path``, which is ``original`` here."""
    pieces = _NODE_NAME.split(original)
    if len(pieces) != 2:
        return
    above = "/".join(path.split("/")[: -original.count("/") - 1])
    wanted = "*".join(map(glob.escape, _INTERPOLATION.split(original)))
    before, after = ("[^/]*".join(map(re.escape, _INTERPOLATION.split(each))) for each in pieces)
    name = re.compile(f"{re.escape(above)}/{before}([^/]+){after}")
    for file in glob.iglob(f"{glob.escape(above)}/{wanted}"):
        match = name.fullmatch(file)
        if match is not None and os.path.isfile(file):
            yield match[1]


class DataPlace:
    """A data file that has a key: its path, the level of which layer reads it, the value there."""

    __slots__ = ("layer", "level", "path", "value")

    def __init__(self, layer: str, level: str, path: str, value: Value) -> None:
        self.layer = layer
        self.level = level
        self.path = path
        self.value = value


class DataKeys:
    """The keys in the data files of one context. Files are read again when they have changed."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._quiet: Any = _Quiet(context)
        environment = context.environment
        self._environment = environment
        self._modules = () if environment is None else tuple(environment.modules)
        directory = None if environment is None else environment.directory
        self._hiera = Hiera(directory, self._module_directory)

    def _module_directory(self, name: str) -> str | None:
        module = None if self._environment is None else self._environment.modules.get(name)
        return None if module is None else module.path

    def belongs_to(self, context: Context) -> bool:
        """Tell whether these are the keys of a context, as it is now."""
        return context is self._context and context.environment is self._environment

    def search(self) -> Search:
        """Return a search that finds levels; files are read again if they have changed."""
        self._hiera.begin_input()
        return Search(self._hiera, self._quiet, self._context.scope)

    def explain(self, key: str) -> tuple[Value, Explanation]:
        """Return the value of a key, UNSET without one, and the steps of its lookup.

        Nothing is logged. Functions of levels are called. Raises PuppetError.
        """
        explainer = self._hiera.explainer = Explainer()
        try:
            search = Search(self._hiera, self._quiet, self._context.scope)
            value = search.look_up(key, None)
        finally:
            self._hiera.explainer = None
        return value, explainer.explanation(key, None)

    def configs_for(self, module: str | None) -> Iterator[tuple[str | None, Config]]:
        """Yield what counts for the keys of a module, with its name for the module's own.

        Raises PuppetError for a hiera.yaml that Puppet refuses.
        """
        hiera, context = self._hiera, self._quiet
        for make in (hiera.given_data, hiera.global_config, hiera.environment_config):
            config = make(context)
            if config is not None:
                yield None, config
        own = hiera.module_config(module, context)
        if own is not None:
            yield module, own

    def file(self, function: str, path: str, module: str | None) -> PuppetHash:
        """Return the content of a data file; of a module, the keys that begin with its name.

        Raises PuppetError for a file that cannot be read as data.
        """
        return self._hiera.data_file(function, path, module, self._quiet)

    def values(self) -> dict[str, Value]:
        """Return the first value of each key in the levels that count, before interpolation.

        A value that lookup_options make Sensitive is one here.
        """
        places, options = self._all_places()
        return {
            key: Sensitive(found[0].value) if _is_secret(key, options) else found[0].value
            for key, found in places.items()
        }

    def places(self, key: str) -> list[DataPlace]:
        """Return the files that have a key, in the order in which they count.

        Their values are as those of ``values``.
        """
        places, options = self._all_places()
        found = places.get(key, [])
        if _is_secret(key, options):
            for place in found:
                place.value = Sensitive(place.value)
        return found

    def interpolated_paths(self) -> list[str]:
        """Return the paths of the data files that exist, as far as hiera.yaml writes them.

        Those that are the same for all nodes are left out.
        """
        search = self.search()
        return [
            "/".join(location.text.split("/")[-location.original.count("/") - 1 :])
            for _, _, level in self._levels(search)
            for location in level.locations or ()
            if location.kind == "path" and "%{" in location.original
            if os.path.isfile(location.text)
        ]

    def named_nodes(self) -> set[str]:
        """Return the names of nodes that have data files: ``nodes/%{trusted.certname}.yaml``."""
        search = self.search()
        return {
            name
            for _, _, level in self._levels(search)
            for location in level.locations or ()
            if location.kind == "path"
            for name in _names_in_files(location.text, location.original)
        }

    def _all_places(self) -> tuple[dict[str, list[DataPlace]], PuppetHash]:
        """Return where each key is, in order, and the lookup_options of all keys."""
        places: dict[str, list[DataPlace]] = {}
        options: dict[Value, Value] = {}
        search = self.search()
        for layer, level, path, data in self._contents(search):
            for key, value in data.items():
                if type(key) is not str:
                    continue
                if key != OPTIONS:
                    places.setdefault(key, []).append(DataPlace(layer, level, path, value))
                elif type(value) is PuppetHash:
                    for name, chosen in value.items():
                        options.setdefault(name, chosen)
        known = [pair for pair in options.items() if type(pair[0]) is str]
        return places, PuppetHash(known)

    def _contents(self, search: Search) -> Iterator[tuple[str, str, str, PuppetHash]]:
        """Yield layer, level, path and contents of the data files, in the order that counts."""
        for layer, module, level in self._levels(search):
            for path, data in self._files(level, module):
                yield layer, level.name, path, data

    def _levels(self, search: Search) -> Iterator[tuple[str, str | None, Level]]:
        """Yield each level, with the name of its layer, and of the module whose it is."""
        for layer, module, config in self._configs():
            for default in (False, True):
                try:
                    levels = config.levels(search, default=default)
                except PuppetError:
                    continue  # a lookup reports the error
                for level in levels:
                    yield layer, module, level

    def _files(self, level: Level, module: str | None) -> Iterator[tuple[str, PuppetHash]]:
        if level.data is not None:
            yield level.name, level.data
        function = "yaml_data" if level.function == _EYAML else level.function
        if function != "yaml_data" and not level.reads_files:
            return
        for location in level.locations or ():
            if location.kind == "path":
                try:
                    data = self.file(function, location.text, module)
                except PuppetError:
                    continue
                yield location.text, data

    def _configs(self) -> Iterator[tuple[str, str | None, Config]]:
        """Yield each hiera.yaml, with the name of its layer, and of the module whose it is."""
        hiera, context = self._hiera, self._quiet
        makers = (
            ("given", hiera.given_data),
            ("global", hiera.global_config),
            ("environment", hiera.environment_config),
        )
        for layer, make in makers:
            try:
                config = make(context)
            except PuppetError:
                continue
            if config is not None:
                yield layer, None, config
        for name in self._modules:
            try:
                config = hiera.module_config(name, context)
            except PuppetError:
                continue
            if config is not None:
                yield f"module {name}", name, config


def _is_secret(key: str, options: PuppetHash) -> bool:
    try:
        return "Sensitive" in to_text(options_for(key, options).get("convert_to"))
    except PuppetError:  # an invalid pattern
        return True
