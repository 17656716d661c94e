"""What a catalog exports, as the data that PuppetDB keeps of it."""

from __future__ import annotations

from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.catalog.json import parameters
from puppet_repl.catalog.references import reference_text
from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

    Json: TypeAlias = object

_NATIVE = frozenset((int, bool, float, type(None)))
_RESERVED = ("__ptype", "__pvalue")
# Attributes whose items have no order; PuppetDB is sent them sorted.
_UNORDERED = ("alias", "audit", "before", "check", "notify", "require", "subscribe", "tag")


class ExportedResource:
    """A resource that the node ``certname`` exports; ``tags`` are all its tags there."""

    __slots__ = ("certname", "file", "line", "parameters", "tags", "title", "type")

    def __init__(
        self,
        certname: str,
        type: str,
        title: str,
        parameters: dict[str, Json],
        tags: tuple[str, ...] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.certname = certname
        self.type = type
        self.title = title
        self.parameters = parameters
        self.tags = tags
        self.file = file
        self.line = line

    @property
    def ref(self) -> str:
        """``Type[title]``, unquoted."""
        return f"{self.type}[{self.title}]"

    @property
    def origin(self) -> str:
        """The key of the resource among the exported resources of all nodes."""
        return f"{self.certname}|{self.type}|{self.title}"

    def __repr__(self) -> str:
        return f"<{self.ref} of {self.certname}>"


def exporter(catalog: Catalog) -> str:
    """Return the name under which the resources of a catalog are kept."""
    return (catalog.node or catalog.context.node_name).lower()


def exported_by(catalog: Catalog) -> list[ExportedResource]:
    """Return the resources that a catalog exports.

    Values that JSON has no word for are written as text, Sensitive attributes are left out, and
    another name than the title is an alias.
    """
    context = catalog.context
    certname = exporter(catalog)
    return [
        ExportedResource(
            certname,
            member.type,
            member.title,
            _data_of(member, context),
            tuple(member.tags),
            member.file,
            member.line,
        )
        for member in catalog.tables.members
        if member.exported
    ]


def _data_of(member: Resource, context: Context) -> dict[str, Json]:
    values = parameters(member)
    check_extent(tuple(values.values()))
    secrets = [name.lower() for name in member.sensitive]
    data = {
        name: stringified(value, context) for name, value in values.items() if name not in secrets
    }
    names = _other_names(member, values)
    if names:
        data["alias"] = [stringified(name, context) for name in names]
    for name in _UNORDERED:
        items = data.get(name)
        if isinstance(items, list):
            data[name] = sorted(items, key=str)
    return data


def _other_names(member: Resource, values: dict[str, Value]) -> list[Value]:
    """Return the aliases of a resource and the name that it has beside its title."""
    definition = member.definition
    native = definition if isinstance(definition, NativeType) else None
    if native is not None and len(native.namevars) != 1:
        return []
    names = [name for name in flatten((member.value("alias"),)) if name is not None]
    if native is None or native.isomorphic:
        name = values.get("name" if native is None else native.namevar)
        if name is not None and name != member.title and name not in names:
            names.append(name)
    return names


def stringified(value: Value, context: Context | None = None) -> Json:
    """Return a value as JSON data; values that JSON lacks become text.

    ``context`` knows the strings that are bytes.
    """
    if type(value) in _NATIVE:
        return value if type(value) is not float or is_finite(value) else float_text(value)
    if type(value) is str:
        data = None if context is None else context.bytes_of(value)
        return value if data is None else to_text(Binary(data))
    if type(value) is tuple:
        return [stringified(item, context) for item in value]
    if type(value) is PuppetHash:
        return {_key(key): stringified(item, context) for key, item in value.items()}
    return reference_text(value)


def _key(key: Value) -> str:
    name = key if type(key) is str else reference_text(key)
    return f"reserved key: {name}" if name in _RESERVED else name
