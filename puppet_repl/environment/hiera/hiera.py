"""The data of an environment: its hiera.yaml files, data files and cached lookups.

Files are checked once for each input, as Puppet checks them once for each catalog.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.stamp import full_stamp_of, stamp_of
from puppet_repl.environment.hiera.config import GivenData
from puppet_repl.environment.hiera.explanation import Explainer
from puppet_repl.environment.hiera.function_levels import FunctionLevels
from puppet_repl.environment.hiera.options import OPTIONS, LookupOptions
from puppet_repl.environment.hiera.providers import DataProviders
from puppet_repl.environment.hiera.search import Search
from puppet_repl.environment.hiera.unasked import placeholder_of
from puppet_repl.environment.modules.shared_files import SharedFiles
from puppet_repl.language.data.files import GLOBAL_ERROR, is_lookup_value, read_data
from puppet_repl.language.runtime.placeholders import fitting
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.hiera.config import Config
    from puppet_repl.environment.hiera.explanation import Place
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

    # Function, path, and the module of the data, which may contain only keys of the module.
    _FileKey: TypeAlias = tuple[str, str, str | None]

# Bytes of data files whose content sessions share; it takes some 10 times as many.
_MAX_SHARED = 4_000_000


class Hiera:
    """The data of one environment. Files are read again when they have changed.

    ``directory`` is that of the environment, ``module_directory`` returns that of a module.
    ``names`` are the keys that are being looked up, outermost first; ``explainer``, or None,
    records the steps of lookups.
    """

    def __init__(
        self, directory: str | None, module_directory: Callable[[str], str | None]
    ) -> None:
        self.module_directory = module_directory
        self.options = LookupOptions()
        self.functions = FunctionLevels()
        self.names: list[str] = []
        self.explainer: Explainer | None = None
        self._given: Config | None = None
        self._providers = DataProviders(directory, module_directory)
        self._files: dict[_FileKey, tuple[Stamp, PuppetHash]] = {}
        self._faulty: set[str] = set()
        # Data files that were checked for this input.
        self._current_files: dict[_FileKey, PuppetHash] = {}
        # Stamps of files that were read for this input.
        self._asked: dict[str, Stamp | None] = {}
        # The modules without any data, as found by this input.
        self._without_data: dict[str, bool] = {}

    def given_data(self, context: Context) -> Config | None:
        """Return the layer of data that the session was given, None if it was given none."""
        if self._given is None and context.options.data:
            self._given = GivenData(context.options.data)
        return self._given

    def global_config(self, context: Context) -> Config | None:
        """Return the hiera.yaml of the global layer, None if none was chosen."""
        path = context.options.hiera_config
        return None if path is None else self._providers.of_global(path, context)

    def environment_config(self, context: Context) -> Config | None:
        """Return the hiera.yaml of the environment, None if it has no data."""
        return self._providers.of_environment(context)

    def module_config(self, name: str | None, context: Context) -> Config | None:
        """Return the hiera.yaml of a module, None if it has no data."""
        return None if name is None else self._providers.of_module(name, context)

    def data_file(
        self, function: str, path: str, module: str | None, context: Context
    ) -> PuppetHash:
        """Return the content of a data file; of a module, the keys that begin with its name."""
        key = (function, path, module)
        current = self._current_files.get(key)
        if current is None:
            current = self._read_file(function, path, module, context)
            self._current_files[key] = current
        if context.body_files is not None:
            context.note_file(path, self._asked.get(path))
        return current

    def _read_file(
        self, function: str, path: str, module: str | None, context: Context
    ) -> PuppetHash:
        stamp = self.note_used(path, context)
        if stamp is None:
            return PuppetHash.EMPTY
        key = (function, path, module)
        known = self._files.get(key)
        if known is None or known[0] != stamp:
            content = _shared_data(function, path, context)
            self._faulty.discard(path)
            if not is_lookup_value(content):
                self._faulty.add(path)
            if module is not None:
                content = _own_keys(content, function, path, module, context)
            known = self._files[key] = (stamp, content)
        return known[1]

    def note_used(self, path: str, context: Context) -> Stamp | None:
        """Add a data file to those of the last input; return its stamp."""
        stamp = stamp_of(path)
        self._asked.setdefault(path, stamp)
        context.note_file(path, stamp)
        return stamp

    def used_files(self) -> dict[str, Stamp | None]:
        """Return the stamps of data files and hiera.yaml when the last input read them.

        The stamp of a missing file is None.
        """
        return self._asked | self.used_settings()

    def used_settings(self) -> dict[str, Stamp | None]:
        """Return the stamps of the hiera.yaml files that the last input has read."""
        return self._providers.used_files()

    def is_faulty(self, path: str) -> bool:
        """Tell whether a data file holds a value that cannot be looked up, such as a symbol."""
        return path in self._faulty

    def begin_input(self) -> None:
        """Look at files again, and forget what functions have returned."""
        self._providers.begin_input()
        self._current_files.clear()
        self._asked.clear()
        self._without_data.clear()
        self.options.forget()
        self.functions.forget()
        self.names.clear()

    def search(
        self,
        context: Context,
        scope: Scope,
        key: str,
        merge: Value,
        overrides: PuppetHash = PuppetHash.EMPTY,
        defaults: PuppetHash = PuppetHash.EMPTY,
    ) -> Value:
        """Return the value of a key, UNSET if there is none; raise PuppetError.

        ``overrides`` and ``defaults`` count for what the value refers to.
        """
        if context.body_files is not None:
            context.body_files.reads_data = True
        if merge is None and not self.names and self._has_none(key, context):
            return UNSET
        try:
            return Search(self, context, scope, None, overrides, defaults).look_up(key, merge)
        except PuppetError as error:
            if error.code == GLOBAL_ERROR:  # for Puppet it is not an error of a lookup any more
                raise RuntimeFailure(error.message) from None
            raise

    def explained(
        self, context: Context, scope: Scope, key: str, merge: Value
    ) -> tuple[Value, list[Place]]:
        """Return the value of a key as ``search`` does, and the places that it was looked for."""
        before, explainer = self.explainer, Explainer()
        outer, context.scope = context.scope, scope
        self.explainer = explainer
        try:
            value = self.search(context, scope, key, merge)
        finally:
            self.explainer, context.scope = before, outer
        return value, explainer.explanation(key, None).places()

    def placeholder(
        self, context: Context, scope: Scope, key: str, expected: PuppetType | None
    ) -> Value:
        """Return the placeholder, of a type if that is possible, of a key without a value.

        It is UNSET for a key that all levels were asked for. Raises PuppetError where
        lookup_options cannot convert it.
        """
        return fitting(placeholder_of(key, Search(self, context, scope)), expected)

    def _has_none(self, key: str, context: Context) -> bool:
        """Tell whether no layer has any data for a key; nearly all parameters of classes are so."""
        module, separator, _ = key.partition("::")
        if not separator or not module or any(sign in key for sign in "'\"."):
            return False
        known = self._without_data.get(module)
        if known is None:
            try:
                configs = (
                    self.given_data(context),
                    self.global_config(context),
                    self.environment_config(context),
                    self.module_config(module, context),
                )
                known = configs == (None, None, None, None)
            except PuppetError:
                known = False  # the search raises it
            self._without_data[module] = known
        return known


def _shared_data(function: str, path: str, context: Context) -> PuppetHash:
    """Return the content of a data file, which another session may have read."""
    shared = context.shared
    if shared.data is None:
        shared.data = SharedFiles(_MAX_SHARED)
    stamp = full_stamp_of(path)
    content: PuppetHash | None = None
    if stamp is not None:
        content = shared.data.find((function, path), stamp)
    if content is not None:
        context.check_reach(path)
        return content
    content = read_data(function, path, context)
    if (
        stamp is not None and content is not PuppetHash.EMPTY
    ):  # each session is warned of a file without a Hash
        shared.data.keep((function, path), stamp, content)
    return content


def _own_keys(
    content: PuppetHash, function: str, path: str, module: str, context: Context
) -> PuppetHash:
    others = [
        key
        for key in content.keys()
        if key != OPTIONS and not (type(key) is str and key.startswith(f"{module}::"))
    ]
    for key in others:
        context.log(
            "warning",
            f"Module '{module}': Value returned from data_hash function '{function}', when "
            f"using location '{path}', must use keys qualified with the name of the module; "
            f"got {key}",
        )
    return content.without(others)
