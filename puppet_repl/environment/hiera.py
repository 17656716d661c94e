"""Lookup of data as hiera.yaml says: the environment's levels, then those of the key's module.

The rules are those of Puppet's classes LookupAdapter and DataProvider: the options of a key
(``lookup_options``) are themselves data, a key may have a path into its value, and values are
interpolated when they are found.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial

from puppet_repl.base.stamp import stamp_of
from puppet_repl.environment.hiera_config import HieraConfig, Level, Reads
from puppet_repl.environment.hiera_functions import FunctionLevels
from puppet_repl.environment.hiera_interpolation import dig, interpolate
from puppet_repl.errors import PuppetError
from puppet_repl.functions.data_files import (
    NO_HOCON,
    NO_PATHS,
    is_lookup_value,
    lookup_error,
    read_data,
)
from puppet_repl.functions.data_merge import HASH, Merge, merge_of
from puppet_repl.functions.dotted_keys import split_segments
from puppet_repl.types.algebra.infer import infer
from puppet_repl.types.making.new import construct
from puppet_repl.types.making.parse import parse_type
from puppet_repl.values.default import UNSET
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.regex import Regexp
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.values.protocols import Value

_OPTIONS = "lookup_options"


class Hiera:
    """The data of one environment. Files are read again when they have changed.

    ``directory`` is that of the environment, ``module_directory`` returns that of a module.
    """

    def __init__(
        self, directory: str | None, module_directory: Callable[[str], str | None]
    ) -> None:
        self.directory = directory
        self.module_directory = module_directory
        self._configs: dict[str, tuple[Stamp, HieraConfig]] = {}
        self._files: dict[tuple[str, str], tuple[Stamp, PuppetHash]] = {}
        self._faulty: set[str] = set()
        self._functions: FunctionLevels | None = None
        # What is looked at once for each input, as Puppet does once for each catalog.
        self._current_configs: dict[str, HieraConfig | None] = {}
        self._current_files: dict[tuple[str, str], PuppetHash] = {}
        self.current_options: dict[str | None, Value] = {}

    def environment_config(self) -> HieraConfig | None:
        """Return the hiera.yaml of the environment."""
        return None if self.directory is None else self._config(self.directory, module=False)

    def module_config(self, name: str | None) -> HieraConfig | None:
        """Return the hiera.yaml of a module."""
        directory = None if name is None else self.module_directory(name)
        return None if directory is None else self._config(directory, module=True)

    def _config(self, directory: str, *, module: bool) -> HieraConfig | None:
        try:
            return self._current_configs[directory]
        except KeyError:
            pass
        path = os.path.join(directory, "hiera.yaml")
        stamp = stamp_of(path)
        if stamp is None:
            self._current_configs[directory] = None
            return None
        known = self._configs.get(path)
        if known is None or known[0] != stamp:
            known = self._configs[path] = (stamp, HieraConfig(path, module=module))
        self._current_configs[directory] = known[1]
        return known[1]

    def data_file(
        self, function: str, path: str, module: str | None, context: Context
    ) -> PuppetHash:
        """Return the content of a data file; of a module, the keys that begin with its name."""
        key = (function, path)
        current = self._current_files.get(key)
        if current is None:
            current = self._read_file(function, path, module, context)
            self._current_files[key] = current
        return current

    def _read_file(
        self, function: str, path: str, module: str | None, context: Context
    ) -> PuppetHash:
        stamp = stamp_of(path)
        if stamp is None:
            return PuppetHash.EMPTY
        known = self._files.get((function, path))
        if known is None or known[0] != stamp:
            content = read_data(function, path, context)
            self._faulty.discard(path)
            if not is_lookup_value(content):
                self._faulty.add(path)
            if module is not None:
                content = _own_keys(content, function, path, module, context)
            known = self._files[function, path] = (stamp, content)
        return known[1]

    def is_faulty(self, path: str) -> bool:
        """Tell whether a data file holds a value that cannot be looked up, such as a symbol."""
        return path in self._faulty

    @property
    def functions(self) -> FunctionLevels:
        """The levels that other functions provide than those that read files."""
        if self._functions is None:
            self._functions = FunctionLevels()
        return self._functions

    def begin_input(self) -> None:
        """Look at files again, and forget what functions have returned."""
        for config in self._current_configs.values():
            if config is not None:
                config.begin_input()
        self._current_configs.clear()
        self._current_files.clear()
        self.current_options.clear()
        if self._functions is not None:
            self._functions.forget()

    def search(self, context: Context, scope: Scope, key: str, merge: Value) -> Value:
        """Return the value of a key, UNSET where there is none; raise PuppetError."""
        return Search(self, context, scope).look_up(key, merge)


class Search:
    """One lookup and those nested in it. ``variables`` come before those of the scope."""

    def __init__(
        self,
        hiera: Hiera,
        context: Context,
        scope: Scope,
        variables: Mapping[str, Value] | None = None,
        names: list[str] | None = None,
        reads: Reads | None = None,
    ) -> None:
        self.hiera = hiera
        self.context = context
        self.scope = scope
        self.variables: Mapping[str, Value] = variables or {}
        self.reads = reads
        self._names = names if names is not None else []
        self._segments: tuple[Any, ...] = ()

    def with_variable(self, name: str, value: Value) -> Search:
        """Return the same search with one more variable."""
        known = {**self.variables, name: value}
        return Search(self.hiera, self.context, self.scope, known, self._names, self.reads)

    @contextmanager
    def noting(self, reads: Reads) -> Iterator[None]:
        """Return a context in which the variables that are read are noted."""
        outer, self.reads = self.reads, reads
        try:
            yield
        finally:
            self.reads = outer

    @contextmanager
    def guarded(self, name: str) -> Iterator[None]:
        """Return a context in which looking up ``name`` again is an error."""
        if name in self._names:
            listed = ", ".join(self._names)
            begin = "" if name.startswith("scope:") else f"Lookup of key '{name}' failed: "
            raise lookup_error(f"{begin}Recursive lookup detected in [{listed}]")
        self._names.append(name)
        try:
            yield
        finally:
            self._names.pop()

    def nested(self, key: str) -> Value:
        """Return the value of a key that an expression in data names; '' where there is none."""
        value = self.look_up(key, None)
        return "" if value is UNSET else value

    def look_up(self, key: str, merge: Value) -> Value:
        """Return the value of a key with all its options, or UNSET."""
        segments = (key,) if not any(sign in key for sign in "'\".") else split_segments(key)
        if segments is None:
            raise lookup_error(f"Syntax error in key: '{key}'")
        root = str(segments[0])
        if root == _OPTIONS:
            return UNSET
        module = root.partition("::")[0] if "::" in root else None
        options = self._options_of(root, module)
        if merge is None:
            merge = options.get("merge")
        strategy = merge_of(merge)
        outer, self._segments = self._segments, segments
        try:
            with self.guarded(key):
                value = self._in_layers(root, module, strategy)
        finally:
            self._segments = outer
        if value is UNSET:
            value = self._in_defaults(root, module)
        if value is UNSET:
            return UNSET
        part = dig(key, segments[1:], value)
        if part is UNSET or options.get("convert_to") is None:
            return part
        return self._converted(key, part, options["convert_to"])

    def _in_layers(self, key: str, module: str | None, merge: Merge) -> Value:
        configs = (self.hiera.environment_config(), self.hiera.module_config(module))
        owners = (None, module)
        return merge.over(
            [
                partial(self._in_config, config, key, merge, owner)
                for config, owner in zip(configs, owners, strict=True)
                if config is not None
            ]
        )

    def _in_defaults(self, key: str, module: str | None) -> Value:
        config = self.hiera.module_config(module)
        if config is None or config.default_hierarchy is None:
            return UNSET
        options = _options_for(key, self._in_config(config, _OPTIONS, HASH, module, default=True))
        merge = merge_of(options.get("merge"))
        return self._in_config(config, key, merge, module, default=True)

    def _in_config(
        self,
        config: HieraConfig,
        key: str,
        merge: Merge,
        module: str | None,
        *,
        default: bool = False,
    ) -> Value:
        levels = config.levels(self, default=default)
        return merge.over([partial(self._in_level, level, key, merge, module) for level in levels])

    def _in_level(self, level: Level, key: str, merge: Merge, module: str | None) -> Value:
        if level.kind != "data_hash" or level.function not in ("yaml_data", "json_data"):
            return self._from_function(level, key, merge, module)
        paths = level.paths
        if paths is None:
            raise lookup_error(NO_PATHS)
        return merge.over([partial(self._in_file, level, path, key, module) for path in paths])

    def _from_function(self, level: Level, key: str, merge: Merge, module: str | None) -> Value:
        locations = level.locations
        if level.function in ("eyaml_lookup_key", "hocon_data"):
            paths = level.paths
            if paths is not None and not any(map(os.path.exists, paths)):
                return UNSET
            raise _not_runnable(level)
        segments = self._segments if self._segments[:1] == (key,) else (key,)
        value = self.hiera.functions.value
        return merge.over(
            [partial(value, level, where, segments, module, self) for where in locations]
        )

    def interpolated(self, value: Value) -> Value:
        """Return a value with the expressions in it replaced."""
        return interpolate(value, self, methods=True)

    def _in_file(self, level: Level, path: str, key: str, module: str | None) -> Value:
        data = self.hiera.data_file(level.function, path, module, self.context)
        if not data.has(key):
            return UNSET
        if self.hiera.is_faulty(path) and not is_lookup_value(data[key]):
            raise _no_lookup_value(key, data[key], level.function, path)
        return self.interpolated(data[key])

    def _options_of(self, key: str, module: str | None) -> PuppetHash:
        known = self.hiera.current_options
        if module not in known:
            known[module] = self._all_options(module)
        return _options_for(key, known[module])

    def _all_options(self, module: str | None) -> Value:
        """Return the lookup_options of the environment and a module, UNSET where there are none."""
        config = self.hiera.environment_config()
        own: Value = UNSET
        if config is not None:
            own = self._in_config(config, _OPTIONS, HASH, None)
            _check_options(own, None)
        modules: Value = UNSET
        module_config = self.hiera.module_config(module)
        if module_config is not None:
            modules = self._in_config(module_config, _OPTIONS, HASH, module)
            _check_options(modules, module)
        if own is UNSET or modules is UNSET:
            return modules if own is UNSET else own
        return HASH.two(own, modules)

    def _converted(self, key: str, value: Value, wanted: Value) -> Value:
        arguments = wanted if type(wanted) is tuple else (wanted,)
        target = arguments[0]
        if type(target) is str:
            try:
                target = parse_type(target, self.context)
            except PuppetError as error:
                raise lookup_error(
                    f"Invalid data type in lookup_options for key '{key}' could not parse "
                    f"'{arguments[0]}', error: '{error.message}"
                ) from None
        try:
            return construct(target, (value, *arguments[1:]), self.context)
        except PuppetError as error:
            raise lookup_error(
                f"The convert_to lookup_option for key '{key}' raised error: {error.message}"
            ) from None


def _own_keys(
    content: PuppetHash, function: str, path: str, module: str, context: Context
) -> PuppetHash:
    others = [
        key
        for key in content.keys()
        if key != _OPTIONS and not (type(key) is str and key.startswith(f"{module}::"))
    ]
    for key in others:
        context.log(
            "warning",
            f"Module '{module}': Value returned from data_hash function '{function}', when "
            f"using location '{path}', must use keys qualified with the name of the module; "
            f"got {key}",
        )
    return content.without(others)


def _no_lookup_value(key: str, value: Value, function: str, path: str) -> PuppetError:
    return lookup_error(
        f"Value for key '{key}', in hash returned from data_hash function '{function}', when "
        f"using location '{path}', has wrong type, expects Puppet::LookupValue, got "
        f"{to_text(infer(value))}"
    )


def _not_runnable(level: Level) -> PuppetError:
    if level.function == "eyaml_lookup_key":
        return lookup_error(
            f"Hierarchy '{level.name}': encrypted YAML needs the Ruby library hiera-eyaml, "
            "which is not available here"
        )
    return lookup_error(NO_HOCON)


def _check_options(options: Value, module: str | None) -> None:
    if options is UNSET:
        return
    if type(options) is not PuppetHash:
        raise lookup_error("value of lookup_options must be a hash")
    if module is None:
        return
    prefix = f"{module}::"
    for key in options.keys():
        if key.startswith("^"):
            if not key[1:].startswith(prefix):
                raise lookup_error(
                    "all lookup_options patterns must match a key starting with module name "
                    f"'{module}'"
                )
        elif not key.startswith(prefix):
            raise lookup_error(f"all lookup_options keys must start with module name '{module}'")


def _options_for(key: str, options: Value) -> PuppetHash:
    """Return the options of one key: those of its name, else those of the first pattern for it."""
    if type(options) is not PuppetHash:
        return PuppetHash.EMPTY
    own = options.get(key)
    if type(own) is PuppetHash:
        return own
    for name, value in options.items():
        if name.startswith("^") and Regexp(name).matches(key):
            return value if type(value) is PuppetHash else PuppetHash.EMPTY
    return PuppetHash.EMPTY
