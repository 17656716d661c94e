"""The content of a catalog in the form that is compared, without where and how it was compiled.

Values are rich data as in Puppet's catalog format, except that secrets are replaced by their
digests. Left out are locations, versions and the entries that Puppet adds to every catalog. The
same relationship is equal whether it was written as ``require`` or as ``before``, with a reference,
an array of one, or an alias.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import KW_ONLY, dataclass

from puppet_repl.catalog.json import edges, is_real
from puppet_repl.catalog.json import resource as resource_data
from puppet_repl.catalog.resource_types import RELATIONSHIPS
from puppet_repl.language.types.model.resource import capitalize_segments
from puppet_repl.language.values.sensitive import REDACTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Literal, TypeAlias

    from puppet_repl.catalog.catalog import Catalog

    Json: TypeAlias = Any
    RelationshipKind: TypeAlias = Literal["before", "notify", "contains"]

_REFERENCE = re.compile(r"(?:::)?([A-Za-z]\w*(?:::\w+)*)\[(.*)\]", re.DOTALL)
# Whether the owner of the metaparameter comes first, or the resource that it names.
_METAPARAMETERS: dict[str, tuple[RelationshipKind, bool]] = {
    "before": ("before", True),
    "notify": ("notify", True),
    "require": ("before", False),
    "subscribe": ("notify", False),
}
# PuppetDB names who stated a relationship; the source comes first in all of them.
_PUPPETDB_EDGES: dict[object, RelationshipKind] = {
    "before": "before",
    "notifies": "notify",
    "required-by": "before",
    "subscription-of": "notify",
}
# The resource that contains resources outside of classes; the block of a node counts as the same.
TOP = "Class[main]"
_FRAME = frozenset(("Stage[main]", "Class[Settings]", TOP))
_FRAME_TYPE = "Node"


class DocumentError(Exception):
    """A document that is not a catalog; the message says why."""


class Secret:
    """The place of a Sensitive value: its digest, None if the document lacks it."""

    __slots__ = ("digest",)

    def __init__(self, digest: str | None) -> None:
        self.digest = digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return REDACTED


class ResourceContent:
    """A resource: its parameters as rich data, without those that state relationships.

    ``source`` is the content of the files that its parameter ``source`` names, None if unknown: a
    string for one text file, else a hash.
    """

    __slots__ = ("exported", "parameters", "source", "tags", "title", "type")

    def __init__(
        self,
        type_name: str,
        title: str,
        parameters: Mapping[str, Json],
        *,
        exported: bool = False,
        tags: frozenset[str] = frozenset(),
    ) -> None:
        self.type = type_name
        self.title = title
        self.parameters = parameters
        self.exported = exported
        self.tags = tags
        self.source: Json = None

    @property
    def ref(self) -> str:
        """``Type[title]``, unquoted."""
        return f"{self.type}[{self.title}]"


class Relationship:
    """Two resources by their references: ``source`` comes before ``target``, or contains it."""

    __slots__ = ("kind", "source", "target")

    def __init__(self, source: str, kind: RelationshipKind, target: str) -> None:
        self.source = source
        self.kind: RelationshipKind = kind
        self.target = target

    def key(self) -> tuple[str, str, str]:
        """Return what makes two relationships the same; also their order."""
        return self.source, self.kind, self.target

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Relationship) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"{self.source} {self.kind} {self.target}"


@dataclass(slots=True, eq=False)
class CatalogContent:
    """The content of one catalog.

    ``name`` is the node that it was compiled for. ``resources`` are found by reference, in the
    order of the catalog. A catalog ``of_puppetdb`` lacks sensitive parameters, and has all names of
    a resource in the parameter ``alias``.
    """

    name: str
    environment: str
    resources: Mapping[str, ResourceContent]
    relationships: frozenset[Relationship]
    _: KW_ONLY
    of_puppetdb: bool = False


def content_of(catalog: Catalog) -> CatalogContent:
    """Return the content of a live catalog as it is now; later inputs do not change it."""
    members = [member for member in catalog.tables.members if is_real(member)]
    return content_of_document(
        {
            "name": catalog.context.node_name,
            "environment": catalog.context.environment_name,
            "resources": [resource_data(member, catalog.context) for member in members],
            "edges": edges(catalog.tables, members),
        }
    )


def is_catalog(data: object) -> bool:
    """Tell whether JSON data has the form of a catalog, of Puppet or of PuppetDB."""
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    return isinstance(data, dict) and _rows(_unwrapped(data).get("resources")) is not None


def content_of_document(data: object) -> CatalogContent:
    """Return the content of a catalog document: as a server sends it, or of PuppetDB's API.

    Raises DocumentError.
    """
    if isinstance(data, list) and len(data) == 1:
        data = data[0]  # as PuppetDB's API gives the one catalog that was asked for
    if not isinstance(data, dict):
        raise DocumentError("a catalog is a JSON object")
    document = _unwrapped(data)
    rows = _rows(document.get("resources"))
    if rows is None:
        raise DocumentError("a catalog has an array 'resources'")
    resources: dict[str, ResourceContent] = {}
    written: list[tuple[str, str, Json]] = []
    names: dict[str, str] = {}
    for row in rows:
        resource, given = _resource(row)
        names.update((alias, resource.ref) for alias in aliases(resource))
        written += [(resource.ref, name, value) for name, value in given.items()]
        if resource.ref not in _FRAME and resource.type != _FRAME_TYPE:
            resources[resource.ref] = resource
    for ref in resources:
        names.pop(ref, None)

    def known_as(ref: str) -> str:
        return names.get(ref, ref)

    found = {*_stated(written, known_as), *_edges(_rows(document.get("edges")) or [], known_as)}
    return CatalogContent(
        str(document.get("name") or document.get("certname") or ""),
        str(document.get("environment") or ""),
        resources,
        frozenset(found),
        of_puppetdb="certname" in document,
    )


def _unwrapped(data: dict[str, Any]) -> dict[str, Any]:
    """Return the catalog itself, which old versions of Puppet wrap."""
    inner = data.get("data")
    return inner if isinstance(inner, dict) and "resources" in inner else data


def _rows(value: object) -> list[Any] | None:
    """Return the items of an array, which PuppetDB's API has below 'data'."""
    if isinstance(value, dict):
        value = value.get("data")
    return value if isinstance(value, list) else None


def _resource(row: object) -> tuple[ResourceContent, dict[str, Json]]:
    """Return a resource, and the metaparameters of it that state relationships."""
    if not isinstance(row, dict) or "type" not in row or "title" not in row:
        raise DocumentError("a resource of a catalog has a 'type' and a 'title'")
    given = row.get("parameters") or {}
    if not isinstance(given, dict):
        raise DocumentError(f"the parameters of {row['type']}[{row['title']}] are no object")
    listed = row.get("sensitive_parameters")
    # Their names have capital letters, those of the parameters do not.
    secrets = {str(name).lower() for name in (listed if isinstance(listed, list) else ())}
    type_name, title = normal_name(str(row["type"]), str(row["title"]))
    relations = {name: value for name, value in given.items() if name in RELATIONSHIPS}
    parameters = {
        name: Secret(_digest(value)) if name.lower() in secrets else _without_secrets(value)
        for name, value in given.items()
        if name not in RELATIONSHIPS and name != "tag"
    }
    resource = ResourceContent(
        type_name,
        title,
        parameters,
        exported=bool(row.get("exported")),
        tags=frozenset(str(tag) for tag in row.get("tags") or ()),
    )
    return resource, relations


def _without_secrets(value: Json) -> Json:
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    if isinstance(value, dict):
        if value.get("__ptype") == "Sensitive":
            return Secret(_digest(value.get("__pvalue")))
        return {key: _without_secrets(item) for key, item in value.items()}
    if value == REDACTED:
        return Secret(None)
    return value


def _digest(value: Json) -> str | None:
    if value == REDACTED:
        return None
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def normal_name(type_name: str, title: str) -> tuple[str, str]:
    """Return type and title of a resource as catalogs write them: titles of classes capitalized."""
    if "::" in type_name or type_name.capitalize() != type_name:
        type_name = capitalize_segments(type_name.removeprefix("::").lower())
    if type_name == "Class" and title.lower().removeprefix("::") in ("", "main"):
        return type_name, "main"
    if type_name == "Class":
        title = capitalize_segments(title.lower().removeprefix("::"))
    return type_name, title


def named_in(text: str) -> tuple[str, str] | None:
    """Return type and title in a reference, quoted or not, as catalogs write them, or None."""
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    title = match[2]
    if len(title) > 1 and title[0] == title[-1] and title[0] in "'\"":
        title = title[1:-1]
    return normal_name(match[1], title)


def _reference(text: object) -> str | None:
    """Return a reference in the form that catalogs use; None if the text is not a reference."""
    named = named_in(text) if isinstance(text, str) else None
    if named is None:
        return None
    return TOP if named[0] == _FRAME_TYPE else f"{named[0]}[{named[1]}]"


def aliases(resource: ResourceContent) -> Iterator[str]:
    """Yield the other references that a resource has, by its alias, its name and its path."""
    given = resource.parameters.get("alias")
    for alias in given if isinstance(given, list) else [given]:
        if isinstance(alias, str):
            yield f"{resource.type}[{alias}]"
    name = resource.parameters.get("name")
    if isinstance(name, str) and resource.type != "Exec":
        yield f"{resource.type}[{name}]"
    if resource.type == "File":
        for path in (resource.parameters.get("path"), resource.title):
            if isinstance(path, str) and path.startswith("/"):
                yield f"File[{path.rstrip('/') or '/'}]"
                yield f"File[{path.rstrip('/')}/]"


def _stated(
    written: list[tuple[str, str, Json]], known_as: Callable[[str], str]
) -> Iterator[Relationship]:
    """Yield the relationships that metaparameters state."""
    for owner, name, value in written:
        kind, is_source = _METAPARAMETERS[name]
        for text in _flat(value):
            ref = _reference(text)
            if ref is None:
                continue
            other = known_as(ref)
            pair = (owner, other) if is_source else (other, owner)
            yield Relationship(pair[0], kind, pair[1])


def _flat(value: Json) -> Iterator[Json]:
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _edges(rows: list[Any], known_as: Callable[[str], str]) -> Iterator[Relationship]:
    """Yield the relationships among the edges of a document."""
    for row in rows:
        if not isinstance(row, dict):
            raise DocumentError("an edge of a catalog has a 'source' and a 'target'")
        source, target = (_reference(_edge_end(row, end)) for end in ("source", "target"))
        if source is None or target is None:
            raise DocumentError("an edge of a catalog has a 'source' and a 'target'")
        kind = _PUPPETDB_EDGES.get(row.get("relationship"), "contains")
        if target not in _FRAME:
            yield Relationship(known_as(source), kind, known_as(target))


def _edge_end(row: dict[str, Any], end: str) -> str:
    value = row.get(end)
    if isinstance(value, dict):
        return f"{value.get('type')}[{value.get('title')}]"
    if value is None and f"{end}_type" in row:
        return f"{row[f'{end}_type']}[{row.get(f'{end}_title')}]"
    return str(value)


def relocated(content: CatalogContent, old: str, new: str) -> CatalogContent:
    """Return a catalog with the path ``old`` replaced by ``new`` wherever a text contains it.

    Functions such as ``module_directory`` put the path into values and titles.
    """

    def moved(value: Json) -> Json:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, list):
            return [moved(item) for item in value]
        if isinstance(value, dict):
            return {moved(key): moved(item) for key, item in value.items()}
        return value

    resources = [
        _moved_resource(each, moved(each.title), moved(dict(each.parameters)))
        for each in content.resources.values()
    ]
    return CatalogContent(
        content.name,
        content.environment,
        {each.ref: each for each in resources},
        frozenset(
            Relationship(moved(each.source), each.kind, moved(each.target))
            for each in content.relationships
        ),
        of_puppetdb=content.of_puppetdb,
    )


def _moved_resource(
    resource: ResourceContent, title: str, parameters: dict[str, Json]
) -> ResourceContent:
    made = ResourceContent(
        resource.type, title, parameters, exported=resource.exported, tags=resource.tags
    )
    made.source = resource.source
    return made
