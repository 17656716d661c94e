"""The catalog in Puppet's catalog format (rich data)."""

from __future__ import annotations

from puppet_repl.catalog import references
from puppet_repl.catalog.resource_types import RELATIONSHIPS
from puppet_repl.types.model.base import PuppetType
from puppet_repl.types.model.resource import CatalogEntryType
from puppet_repl.values.array import flatten
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.sensitive import REDACTED, Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Resource

_NATIVE = frozenset((str, int, bool, float, type(None)))
_INTERNAL = frozenset((("Class", "main"), ("Class", "Settings")))


def catalog(source: Catalog) -> dict[str, Any]:
    """The whole document: what a Puppet server sends to an agent.

    It is shown to people, so in place of a Sensitive value stands what Puppet prints for one.
    """
    import time
    import uuid

    tables = source.state.tables
    return {
        "tags": list(tables.tags),
        "name": source.node_name,
        "version": int(time.time()),
        "code_id": None,
        "catalog_uuid": str(uuid.uuid4()),
        "catalog_format": 2,
        "environment": source.context.options.environment_name,
        "resources": [
            resource(member, redacted=True) for member in tables.members if is_real(member)
        ],
        "edges": edges(source),
        "classes": list(tables.classes),
    }


def is_real(member: Resource) -> bool:
    """Whether a catalog shows it: virtual resources are only there to be realized."""
    return not member.virtual


def resources(source: Catalog, chosen: Iterable[Resource] | None = None) -> list[dict[str, Any]]:
    """The resources that the user's code declared, without stages and files, in order."""
    found = []
    for member in source.state.tables.members if chosen is None else chosen:
        if is_real(member) and member.type != "Stage":
            if (member.type, member.title) not in _INTERNAL:
                data = resource(member)
                data.pop("file", None)
                found.append(data)
    return found


def edges(source: Catalog, chosen: Iterable[Resource] | None = None) -> list[dict[str, str]]:
    """Container and member, by member."""
    tables = source.state.tables
    by_target: dict[Resource, list[Resource]] = {
        member: [] for member in (tables.members if chosen is None else chosen)
    }
    for container, member in tables.edges:
        if is_real(container) and is_real(member) and member in by_target:
            by_target[member].append(container)
    return [
        {"source": container.ref, "target": member.ref}
        for member, containers in by_target.items()
        for container in containers
    ]


def resource(member: Resource, *, redacted: bool = False) -> dict[str, Any]:
    """One resource; keys without a value are left out."""
    data: dict[str, Any] = {"type": member.type, "title": member.title, "tags": list(member.tags)}
    if member.file is not None:
        data["file"] = member.file
    if member.line is not None:
        data["line"] = member.line
    data["exported"] = member.exported
    data["kind"] = member.kind
    values = parameters(member)
    if values:
        data["parameters"] = {
            name: value_data(_opened(value, redacted)) for name, value in values.items()
        }
    if member.sensitive:
        data["sensitive_parameters"] = list(member.sensitive)
    return data


def _opened(value: Any, redacted: bool) -> Any:
    if redacted:
        return _without_secrets(value)
    return value.value if type(value) is Sensitive else value


def _without_secrets(value: Any) -> Any:
    kind = type(value)
    if kind is Sensitive:
        return REDACTED
    if kind is tuple:
        return tuple([_without_secrets(item) for item in value])
    if kind is PuppetHash:
        return PuppetHash([(key, _without_secrets(item)) for key, item in value.items()])
    return value


def parameters(member: Resource) -> dict[str, Any]:
    """The attributes that are set, as values; one that the title stands for comes first."""
    definition = member.definition
    title_values = getattr(definition, "title_values", None)
    namevar = getattr(definition, "namevar", "name")
    values: dict[str, Any] = (
        {"name": member.title} if title_values is None else dict(title_values(member.title))
    )
    for name, parameter in member.parameters.items():
        value = parameter.value
        if value is None:
            continue
        if name in RELATIONSHIPS and type(value) is tuple:
            value = tuple([item for item in flatten(value) if item is not None])
        values[name] = value
    if namevar in values and values[namevar] == member.title:
        del values[namevar]
    return values


def value_data(value: Any) -> Any:
    """A value as rich data: JSON, with ``__ptype`` where JSON has no word for it."""
    kind = type(value)
    if kind in _NATIVE:
        return value
    if kind is tuple:
        return [value_data(item) for item in value]
    if kind is PuppetHash:
        return _hash_data(value)
    if kind is Sensitive:
        return {"__ptype": "Sensitive", "__pvalue": value_data(value.value)}
    if isinstance(value, CatalogEntryType):
        return references.reference_text(value)
    if isinstance(value, PuppetType):
        from puppet_repl.catalog.type_data import type_data

        return type_data(value)
    return _other_data(value)


def _hash_data(value: PuppetHash) -> dict[str, Any]:
    if all(type(key) is str for key in value.keys()) and "__ptype" not in value.keys():
        return {key: value_data(item) for key, item in value.items()}
    flat = []
    for key, item in value.items():
        flat += [value_data(key), value_data(item)]
    return {"__ptype": "Hash", "__pvalue": flat}


def _other_data(value: Any) -> Any:
    name = type(value).__name__
    if name == "Default":
        return {"__ptype": "Default"}
    if name == "Regexp":
        return {"__ptype": "Regexp", "__pvalue": value.pattern}
    if name == "Timestamp":
        return {"__ptype": "Timestamp", "__pvalue": value.format("%FT%T.%N %Z")}
    if name in ("SemVer", "SemVerRange", "Timespan", "URI"):
        return {"__ptype": name, "__pvalue": value.puppet_text()}
    if name == "Binary":
        return {"__ptype": "Binary", "__pvalue": value.puppet_text()}
    init = getattr(value, "init_hash", None)
    if init is not None:
        made = {"__ptype": str(value.object_name)}
        made.update((key, value_data(item)) for key, item in init().items())
        return made
    return references.reference_text(value)
