"""How arguments reach functions of the older kind (3.x): as Puppet converts them for Ruby.

The rules are those of Puppet's Runtime3Converter: undef becomes an empty string (inside a
collection it stays undef), values that older functions know nothing of become strings, and an
iterator is refused.
"""

from __future__ import annotations

from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.model.resource import (
    CatalogEntryType,
    ClassType,
    ResourceType,
    capitalize_segments,
)
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import PuppetValue
from puppet_repl.values.ruby import ruby_class
from puppet_repl.values.sprintf import Directive, format_integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PLAIN = frozenset((str, float, bool))
_AS_TEXT = frozenset(("SemVer", "SemVerRange", "Binary", "Timespan", "Timestamp"))


def converted(value: Any, *, keep_references: bool = False) -> Any:
    """An argument as a 3.x function sees it.

    References to resources become their text, unless the function works on the catalog.
    """
    if type(value) is str:
        return value
    if value is None:
        return ""
    return (
        value if keep_references and isinstance(value, CatalogEntryType) else _converted_item(value)
    )


def _checked(number: int) -> int:
    """Integers as large as some functions make them are no values for others."""
    if MIN_INTEGER <= number <= MAX_INTEGER:
        return number
    side = "max" if number > 0 else "min"
    digits = format_integer(number, Directive(), "x")
    raise RuntimeFailure(
        f"Use of a Ruby Integer outside of Puppet Integer {side} range, got '0x{digits}'"
    )


class ResourceArgument(PuppetValue):
    """A reference to a resource, as older functions get it; a type alone has an empty title."""

    __slots__ = ("kind", "title")
    ruby_class = "Puppet::Resource"

    def __init__(self, reference: CatalogEntryType) -> None:
        if isinstance(reference, ClassType):
            if reference.class_name is None:
                raise RuntimeFailure(
                    'No title provided and "class" is not a valid resource reference'
                )
            self.kind, self.title = "Class", capitalize_segments(reference.class_name)
        elif isinstance(reference, ResourceType):
            self.kind = capitalize_segments(reference.type_name or "Resource")
            self.title = reference.title or ""
        else:
            raise RuntimeFailure(
                f"Cannot split the type {ruby_class(reference)}, it represents neither"
                " a PClassType, nor a PResourceType."
            )

    def puppet_text(self) -> str:
        """Write it without quotes around the title."""
        return f"{self.kind}[{self.title}]"

    def ruby_inspect(self) -> str:
        """What Ruby's inspect shows: the attribute that the title stands for is added."""
        name = "path" if self.kind == "File" else "name"
        if self.kind == "File" and not self.title:
            raise RuntimeFailure('No set of title patterns matched the title "".')
        return f'{self.puppet_text()}{{:{name}=>"{self.title}"}}'


def _converted_item(value: Any) -> Any:
    kind = type(value)
    if kind is int:
        return _checked(value)
    if kind in _PLAIN or value is None:
        return value
    if kind is tuple:
        return tuple([_converted_item(item) for item in value])
    if kind is PuppetHash:
        return PuppetHash([(_converted_item(key), _converted_item(v)) for key, v in value.items()])
    name = kind.__name__
    if name == "PuppetIterator":
        raise RuntimeFailure("Use of an Iterator is not supported here")
    if name == "Regexp" or name in _AS_TEXT:
        return str(value.puppet_text())
    return ResourceArgument(value) if isinstance(value, CatalogEntryType) else value
