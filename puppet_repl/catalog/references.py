"""References as texts, and finding resources by them."""

from __future__ import annotations

from puppet_repl.catalog import issues
from puppet_repl.catalog.resource_types import ResourceType as BuiltinType
from puppet_repl.types.model.resource import ClassType, ResourceType, capitalize_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Key, Resource


class ResourceReference(ResourceType):
    """A reference that has been the value of an attribute.

    Puppet turns it into an object of its own there, whose text has no quotes, and which stands
    for a resource even where it names a class: ``Type[Class]`` does not accept it.
    """

    __slots__ = ()
    ruby_class = "Puppet::Resource"

    def puppet_text(self) -> str:
        """``Notify[a]``."""
        return reference_text(self)

    puppet_literal = puppet_text
    puppet_program = puppet_text
    puppet_plain = puppet_text


def as_value(reference: ClassType | ResourceType) -> ResourceType:
    """A reference as the value of an attribute; one without a title stays what it is."""
    if isinstance(reference, ClassType):
        if reference.class_name is None:
            raise issues.no_title("class")
        return ResourceReference("Class", class_title(reference.class_name.removeprefix("::")))
    if reference.title is None or type(reference) is ResourceReference:
        return reference
    return ResourceReference(reference.type_name, reference.title)


def class_title(name: str) -> str:
    """The title of a class in the catalog: ``a::b`` is ``A::B``; that of the top is ``main``."""
    return capitalize_segments(name) if name else "main"


def type_title(name: str) -> str:
    """The capitalized name of a resource type."""
    return capitalize_segments(name)


def reference_text(reference: Any) -> str:
    """``File[/x]``: a reference as the catalog format writes it; other values as plain text."""
    if isinstance(reference, ResourceType):
        name = (reference.type_name or "").removeprefix("::").lower()
        title = reference.title or ""
        if name == "class":
            return f"Class[{class_title(title.removeprefix('::'))}]"
        return f"{type_title(name)}[{title}]"
    if type(reference) is ClassType:
        name = (reference.class_name or "").removeprefix("::")
        return f"Class[{capitalize_segments(name)}]"
    if type(reference) is str:
        return reference
    from puppet_repl.values.text import to_text

    return to_text(reference)


def split_reference(text: str) -> tuple[str, str]:
    """Type and title of ``Type[title]``; raises where it is no such text."""
    opening = text.find("[")
    if opening < 1 or len(text) < opening + 3 or text[-1] != "]" or "]" in text[:opening]:
        raise issues.no_title(text)
    return text[:opening], text[opening + 1 : -1]


def find(catalog: Catalog, type_name: str, title: str) -> Resource | None:
    """A resource by the name of its type (any case) and its title or alias."""
    capitalized = type_title(type_name)
    if capitalized == "Class":
        title = class_title(title)
    resources = catalog.state.tables.resources
    found = resources.get((capitalized, title))
    if found is None and capitalized != "Class":
        builtin = catalog.builtin_type(type_name.lower())
        if builtin is not None:
            found = resources.get((capitalized, *title_key(builtin, title)))
    return found


def find_by_text(catalog: Catalog, text: str) -> Resource | None:
    """A resource by a text like ``File[/x]``."""
    return find(catalog, *split_reference(text))


def title_key(builtin: BuiltinType, title: str) -> Key:
    """The unique key that a title alone stands for."""
    values = builtin.title_values(title)
    return tuple(values.get(name) for name in sorted(builtin.namevars))


def unique_key(resource: Resource) -> Key | None:
    """What tells a resource from others of its type, None where that is the title alone."""
    parameters = resource.parameters
    title = resource.title
    definition = resource.definition
    if not isinstance(definition, BuiltinType):
        if "name" not in parameters:
            return None
        name = resource.name
        return None if name == title else (name,)
    namevars = definition.namevars
    namevar = definition.namevar
    if (
        len(namevars) == 1
        and namevar not in parameters
        and "name" not in parameters
        and not title.endswith("/")
    ):
        return None
    values: dict[str, Any] = dict(definition.title_values(title))
    for name, parameter in parameters.items():
        if parameter.value is not None:
            values[name] = parameter.value
    given = values.get(namevar)
    if given is None or given is False:
        given = values.get("name")
        if given is None or given is False:
            given = resource.name
        values[namevar] = given
    key = tuple(values.get(name) for name in sorted(namevars))
    if all(part is None or part is False for part in key) or key == (title,):
        return None
    return key
