"""What Puppet refuses in a hiera.yaml of version 5."""

from __future__ import annotations

from functools import cache

from puppet_repl.environment.hiera.locations import LOCATIONS
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.language.types.model.base import PuppetType

    LevelKind: TypeAlias = Literal["data_hash", "lookup_key", "data_dig", "v4_data_hash"]

    Layer: TypeAlias = Literal["given", "global", "environment", "module"]

FUNCTIONS: tuple[LevelKind, ...] = ("data_hash", "lookup_key", "data_dig")
_NAMED_FUNCTIONS = (*FUNCTIONS, "hiera3_backend")
ALL_FUNCTIONS = (*_NAMED_FUNCTIONS, "v4_data_hash")
_RESERVED = ("path", "uri")
FILE_FUNCTIONS = ("yaml_data", "json_data", "hocon_data")
# Backends of Hiera 3 that are data_hash functions now.
_REPLACED = ("json", "yaml", "hocon")

_OPTIONS = r"Hash[Pattern[/\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z/], Data]"
_LEVEL = (
    f"Struct[{{name => String[1], Optional[options] => {_OPTIONS}, "
    "Optional[data_hash] => String[1], Optional[lookup_key] => String[1], "
    "Optional[hiera3_backend] => String[1], Optional[v4_data_hash] => String[1], "
    "Optional[data_dig] => String[1], Optional[path] => String[1], "
    "Optional[paths] => Array[String[1], 1], Optional[glob] => String[1], "
    "Optional[globs] => Array[String[1], 1], Optional[uri] => String[1], "
    "Optional[uris] => Array[String[1], 1], Optional[mapped_paths] => Array[String[1], 3, 3], "
    "Optional[datadir] => String[1]}]"
)
_CONFIG = (
    "Struct[{version => Integer[5, 5], Optional[defaults] => Struct[{"
    "Optional[data_hash] => String[1], Optional[lookup_key] => String[1], "
    "Optional[data_dig] => String[1], Optional[datadir] => String[1], "
    f"Optional[options] => {_OPTIONS}}}], Optional[hierarchy] => Array[{_LEVEL}], "
    f"Optional[plan_hierarchy] => Array[{_LEVEL}], "
    f"Optional[default_hierarchy] => Array[{_LEVEL}]}}]"
)
DEFAULTS = PuppetHash([("datadir", "data"), ("data_hash", "yaml_data")])
HIERARCHY = (PuppetHash([("name", "Common"), ("path", "common.yaml")]),)


CONFIG_KEYS = ("version", "defaults", "hierarchy", "plan_hierarchy", "default_hierarchy")
"""The keys of a hiera.yaml."""
LEVEL_KEYS = ("name", "datadir", "options", *ALL_FUNCTIONS, *LOCATIONS)
"""The keys of a level."""


class Problem:
    """What Puppet refuses in a hiera.yaml: its message, and the path to the part that is wrong.

    ``key`` names a wrong entry of that part, if there is one. Puppet looks for the line with a
    ``pattern``, and names none where there is no pattern.
    """

    __slots__ = ("key", "message", "path", "pattern")

    def __init__(
        self,
        message: str,
        path: tuple[str | int, ...],
        key: str | None = None,
        pattern: str = "",
    ) -> None:
        self.message = message
        self.path = path
        self.key = key
        self.pattern = pattern


@cache
def config_type() -> PuppetType:
    """Return the type of a hiera.yaml of version 5."""
    return parse_type(_CONFIG)


def problems_of(content: PuppetHash, layer: Layer, product: str) -> Iterator[Problem]:
    """Yield what Puppet refuses though its type is right, in the order in which it looks."""
    defaults = content.get("defaults") or DEFAULTS
    yield from _in_defaults(defaults, product)
    hierarchies = (("hierarchy", HIERARCHY), ("plan_hierarchy", ()))
    for name, otherwise in hierarchies:
        for number, entry in enumerate(content.get(name, otherwise)):
            yield from _in_level(entry, defaults, (name, number), layer, product)
    if not content.has("default_hierarchy"):
        return
    if layer != "module":
        message = "'default_hierarchy' is only allowed in the module layer"
        pattern = r"(?:^|\s+)default_hierarchy:"
        yield Problem(message, (), "default_hierarchy", pattern)
    for number, entry in enumerate(content["default_hierarchy"]):
        yield from _in_level(entry, defaults, ("default_hierarchy", number), layer, product)


def _in_defaults(defaults: PuppetHash, product: str) -> Iterator[Problem]:
    given = [key for key in _NAMED_FUNCTIONS if defaults.has(key)]
    if len(given) > 1:
        message = f"Only one of {_listed(_NAMED_FUNCTIONS)} can be defined in defaults"
        yield Problem(message, ("defaults",), given[1])
    for key in _RESERVED:
        if options_in(defaults).has(key):
            message = f"Option key '{key}' used in defaults is reserved by {product}"
            yield Problem(message, ("defaults", "options"), key)


def _in_level(
    level: PuppetHash,
    defaults: PuppetHash,
    path: tuple[str | int, ...],
    layer: Layer,
    product: str,
) -> Iterator[Problem]:
    name = level["name"]
    given = [key for key in ALL_FUNCTIONS if level.has(key)]
    if not given and not any(defaults.has(key) for key in FUNCTIONS):
        message = f"One of {_listed(_NAMED_FUNCTIONS)} must be defined in hierarchy '{name}'"
        yield Problem(message, path)
    if len(given) > 1:
        message = f"Only one of {_listed(_NAMED_FUNCTIONS)} can be defined in hierarchy '{name}'"
        yield Problem(message, path, given[1])
    if level.has("hiera3_backend"):
        yield from _in_backend(level["hiera3_backend"], path, layer)
    locations = [key for key in LOCATIONS if level.has(key)]
    if len(locations) > 1:
        message = f"Only one of {_listed(LOCATIONS)} can be defined in hierarchy '{name}'"
        yield Problem(message, path, locations[1])
    for key in _RESERVED:
        if options_in(level).has(key):
            message = f"Option key '{key}' used in hierarchy '{name}' is reserved by {product}"
            yield Problem(message, (*path, "options"), key)


def _in_backend(backend: str, path: tuple[str | int, ...], layer: Layer) -> Iterator[Problem]:
    if layer != "global":
        message = "'hiera3_backend' is only allowed in the global layer"
        yield Problem(message, path, "hiera3_backend", r"\s+hiera3_backend:")
    elif backend in _REPLACED:
        yield Problem(
            f'Use "data_hash: {backend}_data" instead of "hiera3_backend: {backend}"',
            path,
            "hiera3_backend",
            rf"\s+hiera3_backend:\s*['\"]?{backend}(?:[^\w]|$)",
        )


def options_in(entry: PuppetHash) -> PuppetHash:
    """Return the options of a level or of the defaults."""
    options = entry.get("options")
    return options if type(options) is PuppetHash else PuppetHash.EMPTY


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])}, or {names[-1]}"
