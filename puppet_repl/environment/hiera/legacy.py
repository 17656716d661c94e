"""hiera.yaml of the versions 3 and 4, and the older settings that choose a data provider."""

from __future__ import annotations

import os
from re import escape

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.environment.hiera.config import Config, ConfigV5, Level
from puppet_repl.environment.hiera.interpolation import interpolate, interpolate_string
from puppet_repl.environment.hiera.locations import joined, paths_below
from puppet_repl.environment.hiera.server_paths import directory_here
from puppet_repl.language.data.merge import HIERA_HASH, Merge, merge_of
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.hiera.config_problems import Layer
    from puppet_repl.environment.hiera.interpolation import Lookup
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType

_V4 = (
    "Struct[{version => Integer[4, 4], Optional[datadir] => String[1], "
    "Optional[hierarchy] => Array[Struct[{backend => String[1], name => String[1], "
    "Optional[datadir] => String[1], Optional[path] => String[1], "
    "Optional[paths] => Array[String[1]]}]]}]"
)
_V3 = (
    "Struct[{{Optional[version] => Integer[3, 3], "
    "Optional[backends] => Variant[String[1], Array[String[1]]], Optional[logger] => String[1], "
    "Optional[merge_behavior] => Enum[deep, deeper, native], "
    "Optional[deep_merge_options] => Hash[String[1], Variant[String, Boolean]], "
    "Optional[hierarchy] => Variant[String[1], Array[String[1]]]{backends}}}]"
)
_FUNCTIONS = {"yaml": "yaml_data", "json": "json_data", "hocon": "hocon_data"}
_ENDINGS = {"yaml": ".yaml", "json": ".json", "hocon": ".conf"}
_V3_HIERARCHY = ("nodes/%{::trusted.certname}", "common")
_V3_DATADIR = "/etc/puppetlabs/code/environments/%{::environment}/hieradata"


def legacy_config(
    version: int, path: str, content: PuppetHash, layer: Layer, context: Context
) -> Config:
    """Return the configuration in a file of version 3 or 4, with a warning."""
    _warn(
        context,
        f"hiera {version} {path}",
        f"{path}: Use of 'hiera.yaml' version {version} is deprecated. It should be converted "
        f"to version 5\n   (file: {path})",
    )
    make = ConfigV3 if version == 3 else ConfigV4
    return make(path, os.path.dirname(path), content, layer)


def type_of_version_4() -> PuppetType:
    """Return the type of a hiera.yaml of version 4."""
    return parse_type(_V4)


class ConfigV4(Config):
    """Version 4: a backend for each level."""

    version = "4"

    def check(self) -> None:
        """Raise PuppetError where the content is wrong."""
        self.assert_type(type_of_version_4(), self.content)

    def make_levels(self, lookup: Lookup, *, default: bool) -> list[Level]:
        """Return the levels for the current variables."""
        common = PuppetHash([("name", "common"), ("backend", "yaml")])
        levels: dict[str, Level] = {}
        for entry in () if default else self.content.get("hierarchy", (common,)):
            name = entry["name"]
            if name in levels:
                raise self.repeated(
                    f"Hierarchy name '{name}' defined more than once.",
                    rf"\s+name:\s+['\"]?{escape(name)}(?:[^\w]|$)",
                )
            levels[name] = self._level(name, entry, lookup)
        return list(levels.values())

    def _level(self, name: str, entry: PuppetHash, lookup: Lookup) -> Level:
        backend = entry["backend"]
        if backend not in _FUNCTIONS:
            raise self.error(
                f"No data provider is registered for backend '{backend}'",
                self.line_of(rf"[^\w]{escape(backend)}(?:[^\w]|$)"),
            )
        paths = entry.get("paths") or (entry.get("path") or name,)
        datadir = entry.get("datadir") or self.content.get("datadir") or "data"
        directory = directory_here(joined(self.directory, datadir), lookup.context)
        locations = paths_below(directory, paths, lookup, _ENDINGS[backend])
        function = _FUNCTIONS[backend]
        return Level(name, "data_hash", function, PuppetHash.EMPTY, locations, self.path or "")


class ConfigV3(Config):
    """Version 3, of the global layer: backends that share one hierarchy."""

    version = "3"

    def check(self) -> None:
        """Raise PuppetError where the content is wrong."""
        self.content = content = _with_strings(self.content)
        if self.layer != "global":
            return  # it does not count there
        self.backends = _listed(content.get("backends", "yaml"))
        names = dict.fromkeys(self.backends)
        named = "".join([f", Optional['{name}'] => Hash[String[1], Any]" for name in names])
        self.assert_type(parse_type(_V3.format(backends=named)), content)

    def merge_for(self, merge: Merge) -> Merge:
        """Return the strategy that counts where another one was asked for: for hiera_hash()."""
        behavior = self.content.get("merge_behavior")
        if merge is not HIERA_HASH or behavior not in ("deep", "deeper"):
            return merge
        strategy = "reverse_deep" if behavior == "deep" else "unconstrained_deep"
        options = self.content.get("deep_merge_options") or PuppetHash.EMPTY
        return merge_of(PuppetHash([("strategy", strategy), *options.items()]))

    def make_levels(self, lookup: Lookup, *, default: bool) -> list[Level]:
        """Return the levels for the current variables: one for each backend."""
        levels: dict[str, Level] = {}
        for backend in () if default else self.backends:
            if backend in levels:
                raise self.repeated(
                    f"Backend '{backend}' is defined more than once.",
                    rf"[^\w]{escape(backend)}(?:[^\w]|$)",
                )
            levels[backend] = self._level(backend, lookup)
        return list(levels.values())

    def _level(self, backend: str, lookup: Lookup) -> Level:
        try:
            with lookup.strict():
                return self._resolved(backend, lookup)
        except PuppetError as error:
            raise self.located(error) from None

    def _resolved(self, backend: str, lookup: Lookup) -> Level:
        options: Any = interpolate(
            self.content.get(backend) or PuppetHash.EMPTY, lookup, methods=False
        )
        directory = options.get("datadir") or interpolate_string(_V3_DATADIR, lookup)
        directory = directory_here(to_text(directory), lookup.context)
        extension = options.get("extension")
        ending = _ENDINGS.get(backend, f".{backend}") if extension is None else f".{extension}"
        names = _listed(self.content.get("hierarchy", _V3_HIERARCHY))
        locations = paths_below(directory, names, lookup, ending)
        if backend in _FUNCTIONS:
            function = _FUNCTIONS[backend]
            return Level(
                backend, "data_hash", function, PuppetHash.EMPTY, locations, self.path or ""
            )
        if backend == "eyaml":
            return Level(
                backend, "lookup_key", "eyaml_lookup_key", options, locations, self.path or ""
            )
        raise self.error("Hiera 3 is not installed")


def environment_provider(
    chosen: str, directory: str, config: Config | None, context: Context
) -> Config | None:
    """Return what counts where environment.conf chooses a data provider; ``config`` is the file."""
    file = os.path.join(directory, "environment.conf")
    about = f"Defining environment_data_provider='{chosen}' in environment.conf is deprecated"
    if config is not None and config.version == "5":
        _warn(context, f"provider {file}", f"{about}\n   (file: {file})")
        if chosen != "hiera":
            _warn(
                context,
                f"ignored provider {file}",
                f"The environment_data_provider='{chosen}' setting is ignored since "
                f"'{config.path}' version >= 5\n   (file: {file})",
            )
        return config
    hint = "" if config is not None else " A 'hiera.yaml' file should be used instead"
    _warn(context, f"provider {file}", f"{about}.{hint}\n   (file: {file})")
    if chosen in ("none", "hiera", "function"):
        return _of_provider(chosen, "environment::data", directory, config, "environment", context)
    name = context.environment_name
    raise RuntimeFailure(f"Environment '{name}', cannot find environment_data_provider '{chosen}'")


def module_provider(
    chosen: str, module: str, directory: str, config: Config | None, context: Context
) -> Config | None:
    """Return what counts where metadata.json chooses a data provider; ``config`` is the file."""
    file = os.path.join(directory, "metadata.json")
    about = f'Defining "data_provider": "{chosen}" in metadata.json is deprecated.'
    if config is not None and config.version == "5":
        hint = (
            f" It is ignored since a 'hiera.yaml' with version >= 5 is present\n   (file: {file})"
        )
        _warn(context, f"provider {file}", about + hint)
        return config
    hint = "" if config is not None else " A 'hiera.yaml' file should be used instead"
    _warn(context, f"provider {file}", f"{about}{hint}\n   (file: {file})")
    if chosen in ("none", "hiera", "function"):
        return _of_provider(chosen, f"{module}::data", directory, config, "module", context)
    name = context.environment_name
    raise PuppetError(f"Environment '{name}', cannot find module_data_provider '{chosen}'")


def _of_provider(
    chosen: str,
    function: str,
    directory: str,
    config: Config | None,
    layer: Layer,
    context: Context,
) -> Config | None:
    if chosen == "none":
        return None
    if chosen == "hiera":
        return config or ConfigV5(None, directory, PuppetHash([("version", 5)]), layer)
    _warn(
        context,
        "legacy provider function",
        f"Using of legacy data provider function '{function}'. Please convert to a 'data_hash' "
        "function",
    )
    level = PuppetHash([("name", f"Legacy function '{function}'"), ("v4_data_hash", function)])
    content = PuppetHash([("version", 5), ("hierarchy", (level,))])
    return ConfigV5(None, directory, content, layer)


def _warn(context: Context, key: str, message: str) -> None:
    if context.options.strict != "off":
        context.warn_once(key, message)


def _listed(value: Any) -> tuple[Any, ...]:
    return value if type(value) is tuple else (value,)


def _with_strings(value: Any) -> Any:
    """Return a value with symbols as keys of hashes replaced by strings."""
    if type(value) is PuppetHash:
        return PuppetHash([(to_text(key), _with_strings(item)) for key, item in value.items()])
    if type(value) is tuple:
        return tuple([_with_strings(item) for item in value])
    return value
