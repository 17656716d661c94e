"""References to resources and classes, as values of attributes and as texts."""

from __future__ import annotations

from puppet_repl.catalog import issues
from puppet_repl.language.types.model.resource import (
    CatalogEntryType,
    ClassType,
    ResourceType,
    capitalize_segments,
)
from puppet_repl.language.values.ruby import no_method
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


class ResourceReference(ResourceType):
    """A reference that has been the value of an attribute.

    Puppet turns it into another object, whose text has no quotes. It stands for a resource even if
    it names a class: ``Type[Class]`` does not accept it.
    """

    __slots__ = ()
    ruby_class = "Puppet::Resource"

    def puppet_text(self) -> str:
        """Return the reference without quotes: ``Notify[a]``."""
        return reference_text(self)

    puppet_literal = puppet_text
    puppet_program = puppet_text
    puppet_plain = puppet_text


def as_value(reference: CatalogEntryType) -> ResourceReference:
    """Return a reference as the value of an attribute."""
    if type(reference) is ResourceType and reference.type_name is not None:
        return ResourceReference(reference.type_name, reference.title or "")
    check_named(reference)
    if isinstance(reference, ClassType):
        name = reference.class_name or ""
        return ResourceReference("Class", class_title(name.removeprefix("::")))
    if type(reference) is ResourceReference:
        return reference
    assert isinstance(reference, ResourceType)
    return ResourceReference(reference.type_name, reference.title or "")


def check_named(reference: CatalogEntryType) -> None:
    """Raise Puppet's error for a reference that names no class, or not even a resource type."""
    if isinstance(reference, ClassType):
        if reference.class_name is None:
            raise issues.no_title("class")
    elif not isinstance(reference, ResourceType):
        raise issues.neither_class_nor_resource()
    elif reference.type_name is None:
        raise no_method("include?", None)


def class_title(name: str) -> str:
    """Return the title of a class: ``A::B`` for ``a::b``, ``main`` for the top scope."""
    return capitalize_segments(name) if name else "main"


def type_title(name: str) -> str:
    """Return the capitalized name of a resource type."""
    return capitalize_segments(name)


def reference_text(reference: Value) -> str:
    """Return a reference as the catalog format writes it: ``File[/x]``; other values as text."""
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
    return to_text(reference)


def of_unknown_type(reference: ResourceReference) -> str:
    """Return what a catalog has for a reference to a resource of an unknown type.

    Puppet takes its title for a reference, or else for the name of a class.
    """
    title = reference.title or ""
    opening = title.find("[")
    if 0 < opening < len(title) - 2 and title[-1] == "]" and "]" not in title[:opening]:
        return reference_text(ResourceType(title[:opening], title[opening + 1 : -1]))
    return f"Class[{class_title(title)}]"


def quoted_reference(text: str) -> str:
    """Return ``Type['title']`` for a text like ``Type[title]``, with the name of a class."""
    type_name, title = split_reference(text)
    return str(ResourceType(type_name, title.lower() if type_name == "Class" else title))


def split_reference(text: str) -> tuple[str, str]:
    """Return type and title of ``Type[title]``; raise where the text has another form."""
    opening = text.find("[")
    if opening < 1 or len(text) < opening + 3 or text[-1] != "]" or "]" in text[:opening]:
        raise issues.no_title(text)
    return text[:opening], text[opening + 1 : -1]
