"""One lookup in the data: the layers, their levels, the locations of a level.

The rules are those of Puppet's classes LookupAdapter and DataProvider. A lookup may have an
Explainer, in which each part records its steps and results.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from functools import partial

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.environment.hiera.interpolation import (
    dig,
    empty_expressions,
    interpolate,
)
from puppet_repl.environment.hiera.options import OPTIONS, options_for
from puppet_repl.environment.hiera.unasked import placeholder_of
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.data.files import (
    DATA_ERROR,
    GLOBAL_ERROR,
    NO_PATHS,
    is_lookup_value,
    lookup_error,
)
from puppet_repl.language.data.merge import HASH, Merge, merge_of
from puppet_repl.language.runtime.placeholders import notes_on
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.making.new import construct
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, TypeAlias

    from puppet_repl.environment.hiera.config import Config, Level, Reads
    from puppet_repl.environment.hiera.explanation import Explainer
    from puppet_repl.environment.hiera.hiera import Hiera
    from puppet_repl.environment.hiera.locations import Location
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

    # Level, location, key and module; the result is UNSET if there is no value.
    Look: TypeAlias = Callable[[Level, Location | None, str, str | None], Value]

_NOTHING: AbstractContextManager[None] = nullcontext()


class Search:
    """One lookup and its nested lookups.

    ``variables`` hide variables of the scope. ``overrides`` and ``defaults`` are arguments of
    lookup(), and apply to interpolations as well. Without an ``explainer`` no step is noted.
    """

    def __init__(
        self,
        hiera: Hiera,
        context: Context,
        scope: Scope,
        variables: Mapping[str, Value] | None = None,
        overrides: PuppetHash = PuppetHash.EMPTY,
        defaults: PuppetHash = PuppetHash.EMPTY,
    ) -> None:
        self.hiera = hiera
        self.context = context
        self.scope = scope
        self.variables: Mapping[str, Value] = variables or {}
        self.overrides = overrides
        self.defaults = defaults
        self.explainer: Explainer | None = hiera.explainer
        self.reads: Reads | None = None
        self.requires = False
        self._key = ""
        self._segments: tuple[Any, ...] = ()

    def with_variable(self, name: str, value: Value) -> Search:
        """Return the same search with one more variable."""
        return self.with_variables({name: value})

    def with_variables(self, variables: Mapping[str, Value]) -> Search:
        """Return the same search with more variables."""
        known = {**self.variables, **variables}
        search = Search(self.hiera, self.context, self.scope, known, self.overrides, self.defaults)
        search.reads, search.requires = self.reads, self.requires
        search.explainer = self.explainer
        return search

    @contextmanager
    def resolving(self, reads: Reads) -> Iterator[None]:
        """Return a context for what hiera.yaml says: reads are noted, nothing is explained."""
        outer, self.reads = self.reads, reads
        explainer, self.explainer = self.explainer, None
        try:
            yield
        finally:
            self.reads, self.explainer = outer, explainer

    @contextmanager
    def strict(self) -> Iterator[None]:
        """Return a context in which an unknown variable is an error even in hiera.yaml."""
        outer, self.requires = self.requires, True
        try:
            yield
        finally:
            self.requires = outer

    @contextmanager
    def guarded(self, name: str) -> Iterator[None]:
        """Return a context in which looking up ``name`` again is an error."""
        names = self.hiera.names
        if name in names:
            raise recursion(names)
        names.append(name)
        try:
            yield
        finally:
            names.pop()

    # Keys

    def nested(self, key: str) -> Value:
        """Return the value of a key that an expression in data names; UNSET if there is none."""
        if self.overrides.has(key):
            return self.overrides[key]
        value = self.look_up(key, None)
        if value is UNSET:
            value = self.defaults.get(key, UNSET)
        return placeholder_of(key, self) if value is UNSET else value

    def look_up(self, key: str, merge: Value) -> Value:
        """Return the value of a key with all its options, or UNSET."""
        segments = (key,) if not any(sign in key for sign in "'\".") else split_segments(key)
        if segments is None:
            raise lookup_error(f"Syntax error in key: '{key}'")
        if key == OPTIONS or key.startswith(f"{OPTIONS}."):
            if self.explainer is not None:
                self.explainer.note("invalid key", OPTIONS)
            return UNSET
        root = str(segments[0])
        module = (root.partition("::")[0] or root) if "::" in root else None
        outer, self._segments = self._segments, segments
        outer_key, self._key = self._key, key
        try:
            if self.explainer is not None and self.explainer.options_only:
                self.in_layers(OPTIONS, module, HASH)
                return None
            return self._with_options(key, root, module, merge)
        finally:
            self._segments, self._key = outer, outer_key

    def _with_options(self, key: str, root: str, module: str | None, merge: Value) -> Value:
        explainer = self.explainer
        options = self.hiera.options.of(root, module, self)
        if merge is None:
            merge = options.get("merge")
            if merge is not None and explainer is not None:
                explainer.note("merge source", OPTIONS)
        with _NOTHING if explainer is None else explainer.step("key", key):
            part = self._part(key, root, module, merge)
        wanted = options.get("convert_to")
        return part if part is UNSET or wanted is None else self.converted(key, part, wanted)

    def _part(self, key: str, root: str, module: str | None, merge: Value) -> Value:
        rest = self._segments[1:]
        value = self.in_layers(root, module, merge_of(merge))
        part = UNSET if value is UNSET else dig(key, rest, value, self.explainer)
        if part is not UNSET:
            return part
        value = self._in_defaults(root, module)
        return UNSET if value is UNSET else dig(key, rest, value, self.explainer)

    def converted(self, key: str, value: Value, wanted: Value) -> Value:
        """Return a value as the option convert_to wants it; raise PuppetError."""
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
            converted = construct(target, (value, *arguments[1:]), self.context)
        except PuppetError as error:
            raise lookup_error(
                f"The convert_to lookup_option for key '{key}' raised error: {error.message}",
                notes=notes_on(value),
            ) from None
        if self.explainer is not None:
            listed = to_text((target, *arguments[1:]))
            self.explainer.text(f"Applying convert_to lookup_option with arguments {listed}")
        return converted

    # Layers

    def in_layers(self, key: str, module: str | None, merge: Merge) -> Value:
        """Return the value of a key in all layers, merged; UNSET if there is none."""
        layers = (
            partial(self.in_given, key, merge),
            partial(self.in_global, key, merge),
            partial(self.in_environment, key, merge),
            partial(self.in_module, key, module, merge),
        )
        return self._merged(merge, layers)

    def in_given(self, key: str, merge: Merge) -> Value:
        """Return the value of a key in the data that the session was given."""
        config = self.hiera.given_data(self.context)
        return UNSET if config is None else self._in_layer("Given", config, key, merge, None)

    def in_global(self, key: str, merge: Merge) -> Value:
        """Return the value of a key in the global layer; its errors name the key."""
        hiera = self.hiera
        try:
            config = hiera.global_config(self.context)
            if config is None:
                if self._name_of(key) in hiera.names:
                    raise recursion(hiera.names)
                if self.explainer is not None:
                    self._explain_no_global(key)
                return UNSET
            if config.version == "3":
                chosen = config.merge_for(merge)
                return self._with_callers()._in_layer("Global", config, key, chosen, None)
            return self._in_layer("Global", config, key, merge, None)
        except PuppetError as error:
            if error.code != DATA_ERROR:
                raise
            name = key if key == OPTIONS else self._key
            raise PuppetError(
                f"Lookup of key '{name}' failed: {error.message}", GLOBAL_ERROR
            ) from None

    def _with_callers(self) -> Search:
        """Return the same search with the variables that Hiera 3 has."""
        scope: Scope | None = self.scope
        while scope is not None and scope.source is None:
            scope = scope.parent
        name = "" if scope is None or scope.source is None else scope.source.name
        module = self.scope.lookup("module_name") if self.scope.exists("module_name") else None
        callers: dict[str, Value] = {
            "calling_class": name or None,
            "calling_class_path": name.replace("::", "/") or None,
            "calling_module": module or None,
        }
        search = self.with_variables(callers)
        search._key, search._segments = self._key, self._segments
        return search

    def _explain_no_global(self, key: str) -> None:
        assert self.explainer is not None
        with self.explainer.step("layer", "Global") as step:
            step.title = layer_title("Global", None, "5")
            self.explainer.end("not found", self._name_of(key))

    def in_environment(self, key: str, merge: Merge) -> Value:
        """Return the value of a key in the layer of the environment."""
        config = self.hiera.environment_config(self.context)
        if config is None:
            return UNSET
        return self._in_layer("Environment", config, key, merge, None)

    def in_module(self, key: str, module: str | None, merge: Merge) -> Value:
        """Return the value of a key in the layer of its module."""
        if module is None:
            return UNSET
        config = self.hiera.module_config(module, self.context)
        if config is not None:
            return self._in_layer("Module", config, key, merge, module)
        if self.explainer is not None:
            found = self.hiera.module_directory(module) is not None
            self.explainer.note("module", module, "no data" if found else "no module")
        return UNSET

    def _in_layer(
        self,
        place: str,
        config: Config,
        key: str,
        merge: Merge,
        module: str | None,
        *,
        default: bool = False,
    ) -> Value:
        explainer = self.explainer
        self._enter(key)
        try:
            if explainer is None:
                return self._in_config(config, key, merge, module, default=default)
            with explainer.step("layer", place) as step:
                step.title = layer_title(place, module, config.version)
                step.config, step.owner = config.path, module
                return self._in_config(config, key, merge, module, default=default)
        except PuppetError as error:
            if error.code == GLOBAL_ERROR:
                error.code = DATA_ERROR
            raise
        finally:
            self.hiera.names.pop()

    def _in_config(
        self,
        config: Config,
        key: str,
        merge: Merge,
        module: str | None,
        *,
        default: bool,
    ) -> Value:
        levels = config.levels(self, default=default)
        if not levels and self.explainer is not None:
            self.explainer.end("not found", self._name_of(key))
        return self._merged(
            merge, [partial(self._in_level, level, key, merge, module) for level in levels]
        )

    def _in_defaults(self, key: str, module: str | None) -> Value:
        """Return the value in the default_hierarchy of the module, which has options of its own."""
        config = None if module is None else self.hiera.module_config(module, self.context)
        if module is None or config is None or not config.has_defaults:
            return UNSET
        with self._scope(f'Searching default_hierarchy of module "{module}"'):
            options = self.hiera.options.of_defaults(module, self, config)
            merge = merge_of(options_for(key, options).get("merge"))
            with self._scope(f'Searching for "{self._key}"'):
                return self._in_layer("Module", config, key, merge, module, default=True)

    def default_options(self, module: str, config: Config) -> Value:
        """Return the lookup_options in the default_hierarchy of a module, UNSET without any."""
        with self._scope(f'Searching for "{OPTIONS}"'):
            return self._in_layer("Module", config, OPTIONS, HASH, module, default=True)

    def _scope(self, name: str) -> AbstractContextManager[object]:
        return _NOTHING if self.explainer is None else self.explainer.step("scope", name)

    def _name_of(self, key: str) -> str:
        """Return what a key at the root of the data is called in messages: with its path."""
        return OPTIONS if key == OPTIONS else self._key

    def _enter(self, key: str) -> None:
        name, names = self._name_of(key), self.hiera.names
        if name in names:
            raise recursion(names)
        names.append(name)

    def _merged(self, merge: Merge, variants: Sequence[Callable[[], Value]]) -> Value:
        explainer = self.explainer
        if explainer is None or merge.takes_first or len(variants) < 2:
            return merged(merge, variants)
        with explainer.step("merge", merge.name) as step:
            step.options = merge.options
            value = merged(merge, variants)
            if value is not UNSET:
                explainer.end("result", value=value)
            return value

    # Levels

    def _in_level(self, level: Level, key: str, merge: Merge, module: str | None) -> Value:
        explainer = self.explainer
        if explainer is None:
            return self._in_locations(level, key, merge, module)
        with explainer.step("level", level.name) as step:
            step.title = level.title
            return self._in_locations(level, key, merge, module)

    def _in_locations(self, level: Level, key: str, merge: Merge, module: str | None) -> Value:
        look: Look = self._in_file if level.reads_files else self._in_function
        if level.data is not None:
            look = self._in_data
        if self.explainer is not None:
            look = partial(self._explained, look)
        where = (None,) if level.locations is None else level.locations
        return self._merged(
            merge, [partial(look, level, location, key, module) for location in where]
        )

    def _explained(
        self,
        look: Look,
        level: Level,
        location: Location | None,
        key: str,
        module: str | None,
    ) -> Value:
        explainer = self.explainer
        assert explainer is not None
        if location is None:
            return self._ended(look(level, None, key, module), level, key)
        with explainer.step(location.kind, location.text) as step:
            step.original = location.original
            step.empty += empty_expressions(location.original, self)
            if location.is_missing:
                explainer.end("missing")
                return UNSET
            return self._ended(look(level, location, key, module), level, key)

    def _ended(self, value: Value, level: Level, key: str) -> Value:
        assert self.explainer is not None
        named = self._name_of(key) if level.kind == "data_dig" else key
        if value is UNSET:
            if self.explainer.current.event != "not asked":
                self.explainer.end("not found", named)
            return value
        shown = self._dug(value) if level.kind == "data_dig" and key != OPTIONS else value
        self.explainer.end("found", named, shown)
        return value

    def _dug(self, value: Value) -> Value:
        """Return the part of a value that a data_dig function has put at the place of its key."""
        part: Any = value
        for segment in self._segments[1:]:
            part = part[segment]
        return part

    def _in_data(
        self, level: Level, location: Location | None, key: str, module: str | None
    ) -> Value:
        data = level.data
        return self.interpolated(data[key]) if data is not None and data.has(key) else UNSET

    def _in_function(
        self, level: Level, location: Location | None, key: str, module: str | None
    ) -> Value:
        segments = self._segments if self._segments[:1] == (key,) else (key,)
        return self.hiera.functions.value(level, location, segments, module, self)

    def _in_file(
        self, level: Level, location: Location | None, key: str, module: str | None
    ) -> Value:
        # The functions for files take a path as their only option.
        has_options = level.options not in (None, PuppetHash.EMPTY)
        if location is None or (has_options and os.path.exists(location.text)):
            raise RuntimeFailure(f"'{level.function}' {NO_PATHS}")
        path = location.text
        data = self.hiera.data_file(level.function, path, module, self.context)
        if not data.has(key):
            if data is PuppetHash.EMPTY:
                location.check_followed()
            return UNSET
        value = data[key]
        if self.hiera.is_faulty(path) and not is_lookup_value(value):
            raise no_lookup_value(key, value, level.function, path)
        return self.interpolated(value)

    def interpolated(self, value: Value) -> Value:
        """Return a value with the expressions in it replaced."""
        if self.explainer is not None:
            self.explainer.current.raw = value
        return interpolate(value, self, methods=True)


def merged(merge: Merge, variants: Sequence[Callable[[], Value]]) -> Value:
    """Return the merged value of all variants, or UNSET if no variant has a value.

    A variant without a value returns UNSET. If the strategy is "first", variants after the first
    value are not called.
    """
    result: Value = UNSET
    for variant in variants:
        value = variant()
        if value is UNSET:
            continue
        if merge.takes_first:
            return value
        if len(variants) == 1:
            return merge.alone(value)
        result = merge.added(result, value)
    return result


def layer_title(place: str, module: str | None, version: str) -> str:
    """Return what Puppet calls a layer."""
    owner = "" if module is None else f'"{module}" '
    return f"{place} {owner}Data Provider (hiera configuration version {version})"


def recursion(names: Sequence[str]) -> PuppetError:
    """Return the error of a key that is looked up for its own value."""
    return lookup_error(f"Recursive lookup detected in [{', '.join(names)}]")


def no_lookup_value(key: str, value: Value, function: str, path: str) -> PuppetError:
    """Return the error of a value that a data file cannot have."""
    return lookup_error(
        f"Value for key '{key}', in hash returned from data_hash function '{function}', when "
        f"using location '{path}', has wrong type, expects Puppet::LookupValue, got "
        f"{to_text(infer(value))}"
    )
