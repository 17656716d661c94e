"""The keys that the data of a session has, for completion: only files are read, no code runs."""

from __future__ import annotations

from puppet_repl.environment.hiera import Hiera
from puppet_repl.environment.hiera_options import OPTIONS, options_for
from puppet_repl.environment.hiera_search import Search
from puppet_repl.errors import PuppetError
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.sensitive import Sensitive
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from puppet_repl.environment.hiera_config import Config, Level
    from puppet_repl.runtime.context import Context
    from puppet_repl.values.protocols import Value

# Its files are YAML as well; what is encrypted in them stays so.
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

    def warn_once(self, key: str, message: str) -> bool:
        """Log nothing, and leave the warning to the first lookup."""
        return False


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

    def values(self) -> dict[str, Value]:
        """Return the first value of each key in the levels that count, before interpolation.

        A value that lookup_options make Sensitive is one here.
        """
        self._hiera.begin_input()
        values: dict[str, Value] = {}
        options: dict[Value, Value] = {}
        search = Search(self._hiera, self._quiet, self._context.scope)
        for data in self._contents(search):
            for key, value in data.items():
                if type(key) is not str:
                    continue
                if key != OPTIONS:
                    values.setdefault(key, value)
                elif type(value) is PuppetHash:
                    for name, chosen in value.items():
                        options.setdefault(name, chosen)
        known = PuppetHash([pair for pair in options.items() if type(pair[0]) is str])
        return {
            key: Sensitive(value) if _is_secret(key, known) else value
            for key, value in values.items()
        }

    def _contents(self, search: Search) -> Iterator[PuppetHash]:
        """Yield the contents of the data files, in the order in which they count."""
        for module, config in self._configs():
            for default in (False, True):
                try:
                    levels = config.levels(search, default=default)
                except PuppetError:
                    continue  # a lookup says what is wrong
                for level in levels:
                    yield from self._files(level, module)

    def _files(self, level: Level, module: str | None) -> Iterator[PuppetHash]:
        function = "yaml_data" if level.function == _EYAML else level.function
        if function != "yaml_data" and not level.reads_files:
            return
        for location in level.locations or ():
            if location.kind == "path":
                try:
                    yield self._hiera.data_file(function, location.text, module, self._quiet)
                except PuppetError:
                    continue

    def _configs(self) -> Iterator[tuple[str | None, Config]]:
        """Yield each hiera.yaml, with the name of the module whose it is."""
        hiera, context = self._hiera, self._quiet
        makers = (hiera.global_config, hiera.environment_config)
        for make in makers:
            try:
                config = make(context)
            except PuppetError:
                continue
            if config is not None:
                yield None, config
        for name in self._modules:
            try:
                config = hiera.module_config(name, context)
            except PuppetError:
                continue
            if config is not None:
                yield name, config


def _is_secret(key: str, options: PuppetHash) -> bool:
    try:
        return "Sensitive" in to_text(options_for(key, options).get("convert_to"))
    except PuppetError:  # a pattern that is none
        return True
