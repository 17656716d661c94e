"""User-defined types in running code."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue
from puppet_repl.language.types.model.base import PuppetType, each_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


class TypeCell:
    """A type that is evaluated at the first use, and again after types were defined."""

    __slots__ = ("accepts", "type", "version")

    def __init__(self) -> None:
        self.version = -1
        self.type: Any = None
        self.accepts: Callable[[Any], bool] = bool

    def refresh(self, context: Context, make: Callable[[], Any]) -> Callable[[Any], bool]:
        """Evaluate the type and return its predicate."""
        made = make()
        self.type = made
        if isinstance(made, PuppetType):
            self.accepts = made.predicate()
            if _is_read_without_end(made):
                return self.accepts  # Puppet evaluates the name each time
        else:
            from puppet_repl.language.runtime.comparison import is_found, match

            self.accepts = lambda value: is_found(match(value, made))
        self.version = context.types_version
        return self.accepts


def _is_read_without_end(made: PuppetType) -> bool:
    """Tell whether Puppet never ends when a type is evaluated again, because of an alias in it."""
    from puppet_repl.language.types.model.alias import TypeAliasType
    from puppet_repl.language.types.model.defined import DefinedType

    written = each_type(made, lambda one: () if isinstance(one, DefinedType) else one.contained())
    return any(isinstance(one, TypeAliasType) and one.is_read_without_end for one in written)


def type_named(context: Context, written: str) -> PuppetType:
    """Return the type of a name that is not built-in: user-defined, of a module, a resource."""
    found = context.lookup_type(written)
    if found is not None:
        return settled(found)
    key = written.removeprefix("::").lower()
    definitions = context.catalog.definitions
    is_resource_type = definitions.find_resource_type(key) is not None or (
        # An unknown name with colons may as well be that of a type alias.
        definitions.is_assumed(key) or ("::" not in key and definitions.assumed_type(key))
    )
    if is_resource_type:
        from puppet_repl.language.types.model.resource import ResourceType

        return ResourceType(key)
    from puppet_repl.language.types.model.issues import unknown_resource_type

    raise unknown_resource_type(written)


def type_or_reference(context: Context, written: str) -> PuppetType:
    """Return the type of a name, or a reference to an unknown type."""
    try:
        return type_named(context, written)
    except EvaluationIssue:
        from puppet_repl.language.types.model.alias import TypeReferenceType

        return TypeReferenceType(written)


def settled(type_: Any) -> PuppetType:
    """Return a user-defined type after reading its definition, so that errors in it are raised."""
    settled_type: PuppetType = type_.settled()
    return settled_type


def is_instance(value: Value, expected: PuppetType | None) -> bool:
    """Tell whether a value is an instance; None stands for Any."""
    return expected is None or expected.predicate()(value)


def fits_rest(values: tuple[Value, ...], expected: PuppetType | None) -> bool:
    """Tell whether values fit a captures-rest parameter: as elements, or as its Array."""
    if expected is None:
        return True
    from puppet_repl.language.types.model.collection import ArrayType

    if isinstance(expected, ArrayType):
        return expected.predicate()(values)
    accepts = expected.predicate()
    return all(accepts(value) for value in values)
