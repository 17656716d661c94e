"""Types by name, and ``T[...]``."""

from __future__ import annotations

from importlib import import_module

from puppet_repl.types.algebra.infer import infer
from puppet_repl.types.model import inference
from puppet_repl.types.model.base import ANY, DEFAULT_TYPE, UNDEF, PuppetType
from puppet_repl.types.model.collection import ARRAY, COLLECTION, HASH, STRUCT, TUPLE
from puppet_repl.types.model.scalar import (
    BOOLEAN,
    ENUM,
    FLOAT,
    INTEGER,
    NUMERIC,
    PATTERN,
    REGEXP,
    SCALAR,
    SCALAR_DATA,
    STRING,
)
from puppet_repl.types.model.wrapper import (
    ITERABLE,
    ITERATOR,
    NOT_UNDEF,
    OPTIONAL,
    SENSITIVE,
    TYPE,
    VARIANT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

inference.connect(infer)

_COMMON: dict[str, PuppetType] = {
    "any": ANY,
    "array": ARRAY,
    "boolean": BOOLEAN,
    "collection": COLLECTION,
    "default": DEFAULT_TYPE,
    "enum": ENUM,
    "float": FLOAT,
    "hash": HASH,
    "integer": INTEGER,
    "iterable": ITERABLE,
    "iterator": ITERATOR,
    "notundef": NOT_UNDEF,
    "numeric": NUMERIC,
    "optional": OPTIONAL,
    "pattern": PATTERN,
    "regexp": REGEXP,
    "scalar": SCALAR,
    "scalardata": SCALAR_DATA,
    "sensitive": SENSITIVE,
    "string": STRING,
    "struct": STRUCT,
    "tuple": TUPLE,
    "type": TYPE,
    "undef": UNDEF,
    "variant": VARIANT,
}

# Types that a program may never name are imported when it does: name -> (module, constant).
_RARE: dict[str, tuple[str, str]] = {
    "annotation": ("making.builtin_objects", "ANNOTATION"),
    "binary": ("model.binary", "BINARY"),
    "callable": ("model.callable", "CALLABLE"),
    "catalogentry": ("model.resource", "CATALOG_ENTRY"),
    "class": ("model.resource", "CLASS"),
    "data": ("model.data", "DATA"),
    "deferred": ("making.builtin_objects", "DEFERRED"),
    "error": ("making.builtin_objects", "ERROR"),
    "init": ("making.init", "INIT"),
    "object": ("model.object", "OBJECT"),
    "puppet::lookupkey": ("model.data", "LOOKUP_KEY"),
    "puppet::lookupvalue": ("model.data", "LOOKUP_VALUE"),
    "resource": ("model.resource", "RESOURCE"),
    "richdata": ("model.data", "RICH_DATA"),
    "richdatakey": ("model.data", "RICH_DATA_KEY"),
    "runtime": ("model.ruby", "RUNTIME"),
    "semver": ("model.version", "SEM_VER"),
    "semverrange": ("model.version", "SEM_VER_RANGE"),
    "timespan": ("model.time", "TIMESPAN"),
    "timestamp": ("model.time", "TIMESTAMP"),
    "typealias": ("model.alias", "UNRESOLVED_ALIAS"),
    "typereference": ("model.alias", "UNRESOLVED"),
    "typeset": ("model.typeset", "TYPE_SET"),
    "uri": ("model.uri", "URI_TYPE"),
}

_RESOURCES = frozenset(
    (
        "component",
        "exec",
        "file",
        "filebucket",
        "group",
        "node",
        "notify",
        "package",
        "resources",
        "schedule",
        "service",
        "stage",
        "tidy",
        "user",
        "whit",
    )
)


def _load(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"puppet_repl.types.{module}"), name)


def lookup(name: str) -> PuppetType | None:
    """The type of the language with a name, in letters of any case; None where there is none."""
    lower = name.lower()
    if lower.startswith("::"):
        lower = lower[2:]
    found = _COMMON.get(lower)
    if found is not None:
        return found
    place = _RARE.get(lower)
    if place is not None:
        rare: PuppetType = _load(".".join(place))
        return rare
    if lower in _RESOURCES:
        resource: PuppetType = _load("model.resource.ResourceType")(lower.capitalize())
        return resource
    if "::" in lower or lower in ("pcore", "rubymethod"):
        described: PuppetType | None = _load("making.pcore.lookup_pcore")(lower)
        return described
    return None
