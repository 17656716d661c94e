"""The catalog in Puppet's catalog format (rich data)."""

from __future__ import annotations

import json
import time

from puppet_repl.base.errors import EvaluationIssue, PuppetError, RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.base.safe_text import visible_json
from puppet_repl.catalog import tags
from puppet_repl.catalog.issues import at_line
from puppet_repl.catalog.references import (
    ResourceReference,
    as_value,
    of_unknown_type,
    reference_text,
)
from puppet_repl.catalog.resource_types import RELATIONSHIPS, NativeType
from puppet_repl.language.functions.rich_data import RichDataWriter
from puppet_repl.language.types.model.resource import ClassType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.quote import literal_text
from puppet_repl.language.values.sensitive import REDACTED, Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.state import Tables
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.resource import CatalogEntryType
    from puppet_repl.language.values.protocols import Value

    Json = object
    JsonObject = dict[str, Any]
    Contents = tuple[list[JsonObject], list[dict[str, str]]]
    Write = Callable[[Value], Json]

_WRITTEN_ALIKE = frozenset((str, int, bool, type(None)))
_INTERNAL = frozenset((("Class", "main"), ("Class", "Settings")))


def contents(catalog: Catalog, *, redacted: bool = False) -> Contents:
    """Return the resources that a program declared, and the edges; see ``document``.

    Raises PuppetError for an attribute of which Puppet makes no catalog.
    """
    return contents_of_rows(catalog, rows(catalog, redacted=redacted))


def contents_of_rows(catalog: Catalog, found: Iterable[JsonObject]) -> Contents:
    """Return what ``contents`` does, from the ``rows`` of the catalog."""
    return _declared(found), edges(catalog.tables, catalog.tables.members)


def rows(catalog: Catalog, *, redacted: bool = False) -> list[JsonObject]:
    """Return the resources as a ``document`` has them.

    Raises PuppetError for an attribute of which Puppet makes no catalog.
    """
    write = _writer(catalog.context, redacted=redacted, refuses=True)
    return [
        _resource(member, write, redacted=redacted)
        for member in catalog.tables.members
        if is_real(member)
    ]


def added(catalog: Catalog) -> Contents:
    """Return what the last input added or changed, until the next one begins."""
    fresh = catalog.state.fresh
    write = _writer(catalog.context, redacted=False)
    found = [_resource(member, write, redacted=False) for member in fresh if is_real(member)]
    return _declared(found), edges(catalog.tables, fresh)


def document(
    catalog: Catalog, *, redacted: bool = True, written: list[JsonObject] | None = None
) -> JsonObject:
    """Return the whole document that a Puppet server sends to an agent.

    With ``redacted``, for people, Sensitive values are replaced by Puppet's text for one; an agent
    gets their secrets. ``written`` are its ``rows`` if they are known. Raises PuppetError for an
    attribute of which Puppet makes no catalog, or that has a number for which JSON has no word.
    """
    tables = catalog.tables
    resources = rows(catalog, redacted=redacted) if written is None else written
    check_numbers(resources, tables.members)
    import uuid  # here, since it imports much and few catalogs are written as documents

    all_tags: dict[str, None] = {}
    names = [*catalog.given_classes, *tables.classes]
    for name in names:
        tags.add(all_tags, name)
    all_tags.update(tables.tags)
    return {
        "tags": list(all_tags),
        "name": catalog.context.node_name,
        "version": int(time.time()),
        "code_id": None,
        "catalog_uuid": str(uuid.uuid4()),
        "catalog_format": 2,
        "environment": catalog.context.environment_name,
        "resources": resources,
        "edges": edges(tables, tables.members),
        "classes": names,
    }


def row_writer(catalog: Catalog) -> Callable[[Resource], JsonObject]:
    """Return what makes the row of a resource that an agent gets."""
    write = _writer(catalog.context, redacted=False)
    return lambda member: _resource(member, write, redacted=False)


def document_text(data: JsonObject, *, is_wide: bool = False) -> str:
    """Return a document as JSON, in which every character can be seen, on many lines or one."""
    indent = None if is_wide else 2
    text = json.dumps(data, ensure_ascii=False, indent=indent, default=str, allow_nan=False)
    return visible_json(text)


def redacted_document(data: JsonObject) -> JsonObject:
    """Return a copy of a document that has its secrets, as ``document`` makes it without them."""
    return {**data, "resources": [redacted_resource(row) for row in data["resources"]]}


def redacted_resource(data: JsonObject) -> JsonObject:
    """Return a copy of a resource of a document, without its secrets."""
    if "parameters" not in data:
        return dict(data)
    # Their names have capital letters, those of the parameters do not.
    secrets = [name.lower() for name in data.get("sensitive_parameters", ())]
    parameters = {
        name: REDACTED if name in secrets else _without_secrets(value)
        for name, value in data["parameters"].items()
    }
    return {**data, "parameters": parameters}


def _without_secrets(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    if isinstance(value, dict):
        if value.get("__ptype") == "Sensitive":
            return REDACTED
        return {key: _without_secrets(item) for key, item in value.items()}
    return value


def check_numbers(resources: Iterable[JsonObject], members: Iterable[Resource]) -> None:
    """Raise PuppetError for a number in resources that JSON has no word for, such as Infinity.

    ``members`` are those of the catalog that the resources are of.
    """
    for data in resources:
        for name, value in data.get("parameters", {}).items():
            found = None if type(value) in _WRITTEN_ALIKE else not_finite(value)
            if found is not None:
                ref = data["type"], data["title"]
                member = next(each for each in members if (each.type, each.title) == ref)
                raise _not_in_json(*found, member, name)


def not_finite(data: Json) -> tuple[float, str] | None:
    """Return a number in JSON data that is infinite or NaN, and where: ``['a'][0]``, or None."""
    pending: list[tuple[Json, Any]] = [(data, None)]  # each with its key and those around it
    while pending:
        item, path = pending.pop()
        if isinstance(item, float):
            if not is_finite(item):
                return item, _path_text(path)
        elif isinstance(item, dict):
            pending += [(part, (path, key)) for key, part in item.items()]
        elif isinstance(item, list):
            pending += [(part, (path, index)) for index, part in enumerate(item)]
    return None


def _path_text(path: Any) -> str:
    text = ""
    while path is not None:
        path, key = path
        if key != "__pvalue":  # the content of a value, no part that code has
            text = f"[{literal_text(key)}]{text}"
    return text


def is_real(member: Resource) -> bool:
    """Tell whether a catalog shows a resource: a virtual one waits to be realized."""
    return not member.virtual


def _declared(found: Iterable[JsonObject]) -> list[JsonObject]:
    """Return the rows of resources that a program declared, without stages and files, in order."""
    return [
        {key: value for key, value in row.items() if key != "file"}
        for row in found
        if row["type"] != "Stage" and (row["type"], row["title"]) not in _INTERNAL
    ]


def edges(tables: Tables, members: Iterable[Resource]) -> list[dict[str, str]]:
    """Return pairs of container and member, by member."""
    by_target: dict[Resource, list[Resource]] = {member: [] for member in members}
    for container, member in tables.containment():
        if is_real(container) and is_real(member) and member in by_target:
            by_target[member].append(container)
    return [
        {"source": container.ref, "target": member.ref}
        for member, containers in by_target.items()
        for container in containers
    ]


def resource(member: Resource, context: Context, *, redacted: bool = False) -> JsonObject:
    """Return one resource; keys without a value are left out, and secrets with ``redacted``."""
    return _resource(member, _writer(context, redacted=redacted), redacted=redacted)


def _writer(context: Context, *, redacted: bool, refuses: bool = False) -> Write:
    """Return what writes values of attributes; see RichDataWriter."""
    bytes_of = context.bytes_of if context.has_bytes else None
    definitions = context.catalog.definitions

    def text_of(reference: CatalogEntryType) -> str | None:
        if not isinstance(reference, ResourceReference):
            return None
        name = reference.type_name or ""
        if name == "Class":
            return reference_text(reference)
        definition = definitions.find_resource_type(name)
        if definition is None and not definitions.is_assumed(name.lower()):
            return of_unknown_type(reference)
        if refuses and not reference.title and isinstance(definition, NativeType):
            definition.title_values("")  # raises where titles have a form
        return reference_text(reference)

    write = RichDataWriter(text_of, refuses=refuses, bytes_of=bytes_of, redacted=redacted).write
    if bytes_of is not None:
        return write
    # Nearly all values are texts and the like, which stay what they are.
    return lambda value: value if type(value) in _WRITTEN_ALIKE else write(value)


def _resource(member: Resource, write: Write, *, redacted: bool) -> JsonObject:
    data: JsonObject = {"type": member.type, "title": member.title, "tags": list(member.tags)}
    if member.file is not None:
        data["file"] = member.file
    if member.line is not None:
        data["line"] = member.line
    # Puppet says of a resource of create_resources() only at the end that it is not exported.
    if member.exported or not member.is_of_function:
        data["exported"] = member.exported
    data["kind"] = member.kind
    data.setdefault("exported", False)
    values = parameters(member)
    if values:
        data["parameters"] = written = {}
        name = ""
        try:
            for name, value in values.items():
                written[name] = write(value if type(value) is str else _opened(value, redacted))
        except (EvaluationIssue, RuntimeFailure) as error:
            raise _not_in_catalog(error, member, name) from None
    if member.sensitive:
        data["sensitive_parameters"] = list(member.sensitive)
    return data


def _opened(value: Value, redacted: bool) -> Value:
    """Return the value to write for an attribute: the secret of a Sensitive unless ``redacted``."""
    check_extent(value)
    return value.value if type(value) is Sensitive and not redacted else value


def _array(name: str, value: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return an array as catalogs have it; with a reference in it, nested arrays are opened."""
    items = flatten(value)
    if name in RELATIONSHIPS:
        # The function require() adds classes as they are.
        return tuple(
            [
                as_value(item) if type(item) is ClassType else item
                for item in items
                if item is not None
            ]
        )
    if items is value:
        return value
    return items if any(type(item) is ResourceReference for item in items) else value


def parameters(member: Resource) -> dict[str, Value]:
    """Return the attributes that are set; those that the title gives a value to come first.

    Their names are in lower case, as in all catalogs: of two that differ in case only the last
    counts. The attribute ``name`` of a native type counts as the one that names it.
    """
    definition = member.definition
    title = member.title
    given: dict[str, Value]
    if isinstance(definition, NativeType):
        namevar = definition.namevar
        given = dict(definition.title_values(title))
    else:
        namevar = "name"
        given = {"name": title}
    for name, parameter in member.parameters.items():
        value = parameter.value
        if value is None or (type(value) is Sensitive and value.value is None):
            continue
        if type(value) is tuple:
            value = _array(name, value)
        given[name.lower()] = value
    values = given
    if namevar != "name" and "name" in given:
        values = {}
        for name, value in given.items():
            values[namevar if name == "name" else name] = value
    if namevar in values and values[namevar] == title and member.has_string_title:
        del values[namevar]
    return values


def _not_in_json(number: float, path: str, resource: Resource, attribute: str) -> PuppetError:
    """Return the error for an infinite number or NaN in a catalog that is to be written as JSON."""
    problem = f"920: {float_text(number)} not allowed in JSON"  # as Ruby's generator says it
    text = f"Could not render to rich_data_json: {problem}"
    return _in_attribute(at_line(text, resource.source, resource.line), resource, attribute, path)


def _not_in_catalog(problem: PuppetError, resource: Resource, attribute: str) -> PuppetError:
    """Return the error for an attribute of which Puppet makes no catalog."""
    error = PuppetError(problem.message)
    if isinstance(problem, EvaluationIssue):
        text = f"{problem.prefix}{problem.message}"
        error = at_line(text, resource.source, resource.line)
    return _in_attribute(error, resource, attribute)


def _in_attribute(
    error: PuppetError, resource: Resource, attribute: str, path: str = ""
) -> PuppetError:
    where = f"at {path} in" if path else "in"
    error.notes = (f"it is {where} '{attribute}' of {resource.ref}",)
    return error
