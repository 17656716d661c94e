"""The conversion of arguments for functions of the older kind (3.x).

The rules are those of Puppet's Runtime3Converter: undef becomes an empty string (inside a
collection it stays undef), values that older functions do not know become strings, and an
iterator is an error.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.base.sharing import once, once_alike
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.language.types.model.resource import (
    CatalogEntryType,
    ClassType,
    ResourceType,
    capitalize_segments,
)
from puppet_repl.language.types.model.scalar import is_regexp
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import within_range
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.language.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_PLAIN = frozenset((str, float, bool, type(None)))
# The data types whose values become strings.
_CONVERTED_TO_STRING = frozenset(
    ("Regexp", "SemVer", "SemVerRange", "Binary", "Timespan", "Timestamp")
)


def converted_arguments(
    args: tuple[Value, ...], *, keep_references: bool = False
) -> tuple[Value, ...]:
    """Return the arguments of a call as a 3.x function gets them, the same where none changes.

    References to resources become ResourceArguments, unless the function works on the catalog.
    """
    converted: list[Value] | None = None
    for index, arg in enumerate(args):
        if type(arg) is str or (arg is not None and _stays(arg)):
            continue
        if converted is None:
            converted = [*args]
        if arg is None:
            converted[index] = ""
        elif not (keep_references and isinstance(arg, CatalogEntryType)):
            converted[index] = _converted_item(arg)
    return args if converted is None else tuple(converted)


def _stays(value: Any) -> bool:
    """Tell whether a value is the same for functions of both kinds, in all places."""
    kind = type(value)
    if kind is int:
        return bool(MIN_INTEGER <= value <= MAX_INTEGER)
    if kind is tuple:
        return once(_all_stay, value, len(value))
    if kind is PuppetHash:
        return once(_entries_stay, value, len(value))
    return kind in _PLAIN


def _entries_stay(value: PuppetHash) -> bool:
    return _all_stay(value.values()) and _all_stay(value.keys())


def _all_stay(values: Collection[Any]) -> bool:
    if _PLAIN.issuperset(map(type, values)):
        return True
    for value in values:
        kind = type(value)
        if kind is int:
            if not MIN_INTEGER <= value <= MAX_INTEGER:
                return False
        elif kind not in _PLAIN and not _stays(value):
            return False
    return True


def look_up_variable(context: Context, name: str) -> Value:
    """Return a variable as functions of the older kind look it up: undef for an unknown variable.

    The setting strict decides whether that is an error, a warning or nothing.
    """
    if context.scope.exists(name):
        return context.scope.lookup(name)
    message = f"Undefined variable '{name}'; "
    if context.options.strict == "error":
        raise RuntimeFailure(message)
    if context.options.strict == "warning":
        context.warn_once(f"Variable: {name}", message + NO_LOCATION)
    return None


class ResourceArgument(ResourceType):
    """A reference to a resource, as an older function gets and returns it.

    Without a title its title is empty, and its text has no quotes.
    """

    __slots__ = ()
    ruby_class = "Puppet::Resource"

    def puppet_text(self) -> str:
        """Return the reference without quotes around the title."""
        return f"{self.type_name}[{self.title}]"

    puppet_literal = puppet_text
    puppet_program = puppet_text
    puppet_plain = puppet_text

    def ruby_inspect(self) -> str:
        """Return Ruby's inspect text: the attribute whose value is the title is added."""
        name = "path" if self.type_name == "File" else "name"
        if self.type_name == "File" and not self.title:
            raise RuntimeFailure('No set of title patterns matched the title "".')
        return f'{self.puppet_text()}{{:{name}=>"{self.title}"}}'


def _resource_argument(reference: CatalogEntryType) -> ResourceArgument:
    if isinstance(reference, ResourceArgument):
        return reference
    if isinstance(reference, ClassType):
        if reference.class_name is None:
            raise RuntimeFailure('No title provided and "class" is not a valid resource reference')
        return ResourceArgument("Class", capitalize_segments(reference.class_name))
    if isinstance(reference, ResourceType):
        kind = capitalize_segments(reference.type_name or "Resource")
        return ResourceArgument(kind, reference.title or "")
    raise not_split(reference)


def not_split(reference: CatalogEntryType) -> RuntimeFailure:
    """Return the error for a type that has neither classes nor resources below it."""
    return RuntimeFailure(
        f"Cannot split the type {ruby_class(reference)}, it represents neither"
        " a PClassType, nor a PResourceType."
    )


def _converted_array(value: tuple[Value, ...]) -> Value:
    return tuple(map(_converted_item, value))


def _converted_hash(value: PuppetHash) -> Value:
    return PuppetHash(
        [(_converted_item(key), _converted_item(item)) for key, item in value.items()]
    )


def _converted_item(value: Value) -> Value:
    if type(value) is int:
        return within_range(value)
    if type(value) in _PLAIN:
        return value
    if type(value) is tuple:
        return once_alike(_converted_array, value, len(value))
    if type(value) is PuppetHash:
        return once_alike(_converted_hash, value, len(value))
    if isinstance(value, PuppetIterator):
        raise RuntimeFailure("Use of an Iterator is not supported here")
    if isinstance(value, PuppetValue) and value.data_type in _CONVERTED_TO_STRING:
        return value.ruby_inspect() if is_regexp(value) else value.puppet_text()
    return _resource_argument(value) if isinstance(value, CatalogEntryType) else value
