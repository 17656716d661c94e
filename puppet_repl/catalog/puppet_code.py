"""Resources as Puppet code: the code that declares them, and what references stand for."""

from __future__ import annotations

from puppet_repl.catalog.references import ResourceReference
from puppet_repl.catalog.resource_types import RELATIONSHIPS
from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.types.text.format import code_text
from puppet_repl.language.values.quote import source_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.values.protocols import Value


def reference(resource: Resource) -> str:
    """Return the reference to a resource: ``File['/etc/motd']``."""
    return f"{resource.type}[{source_quote(_title(resource.type, resource.title))}]"


def _title(type_name: str | None, title: str) -> str:
    """Return a title as programs write it: that of a class in lower case."""
    return title.lower() if type_name in ("Class", "class") else title


def attributes_of(resource: Resource) -> list[tuple[str, Value]]:
    """Return what a resource sets; what the catalog has turned into text is a reference again."""
    attributes: list[tuple[str, Value]] = []
    for name, parameter in resource.parameters.items():
        value = parameter.value
        if value is None:
            continue
        if name in RELATIONSHIPS:
            value = _as_reference(value)
        attributes.append((name, value))
    return attributes


def _as_reference(value: Value) -> Value:
    if type(value) is tuple:
        items = tuple([_as_reference(item) for item in value])
        return items[0] if len(items) == 1 else items
    if isinstance(value, ResourceReference):
        # In the catalog its text has no quotes, and is not Puppet code.
        title = value.title and _title(value.type_name, value.title)
        return ResourceType(value.type_name, title)
    if type(value) is str and value[:1].isupper() and value.endswith("]"):
        type_name, _, title = value[:-1].partition("[")
        return ResourceType(type_name, _title(type_name, title))
    return value


def is_reference(value: Value) -> bool:
    """Tell whether a value is a reference, or an array of nothing but references."""
    items = value if type(value) is tuple else (value,)
    return all(type(item) is ResourceType and item.title is not None for item in items)


def referred_to(value: Value, resources: Iterable[Resource]) -> list[Resource]:
    """Return those of the resources that a reference, or an array of references, stands for."""
    if not is_reference(value):
        return []
    by_reference = {reference(resource): resource for resource in resources}
    texts = [str(item) for item in (value if type(value) is tuple else (value,))]
    return [by_reference[text] for text in texts if text in by_reference]


def code_of(resource: Resource) -> str:
    """Return the Puppet code that declares a resource."""
    sign = "@@" if resource.exported else "@" if resource.virtual else ""
    attributes = [(name, code_text(value)) for name, value in attributes_of(resource)]
    head = f"{sign}{resource.type.lower()} {{ {source_quote(resource.title)}:"
    if not attributes:
        return head.rstrip(":") + ": }"
    column = max(len(name) for name, _ in attributes)
    lines = [f"  {name.ljust(column)} => {text}," for name, text in attributes]
    return "\n".join([head, *lines, "}"])
