"""How aliases refer to themselves: for the same value, and where their names are read again."""

from __future__ import annotations

from puppet_repl.language.types.model.base import each_type
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from puppet_repl.language.types.model.guard import Seen, answered_for_value, guard_of_value
from puppet_repl.language.types.model.wrapper import (
    NotUndefType,
    OptionalType,
    SensitiveType,
    VariantType,
    WrappingType,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeGuard

    from puppet_repl.language.types.model.alias import TypeAliasType
    from puppet_repl.language.types.model.base import Predicate, PuppetType

# Types that are looked at; more are assumed to refer to themselves.
_MAX_STEPS = 10_000
# Whose contents Puppet reads again where the name of an alias is evaluated.
_READ_AGAIN = (ArrayType, CallableType, HashType, StructType, TupleType, WrappingType)
# Their instances are instances of a type inside.
_SAME_VALUE = (VariantType, OptionalType, NotUndefType)
_OF_PARTS = (ArrayType, HashType, TupleType, StructType, SensitiveType)


def is_alias(one: PuppetType) -> TypeGuard[TypeAliasType]:
    """Tell whether a type is an alias."""
    return one.kind == "TypeAlias"


def set_guards(alias: TypeAliasType) -> None:
    """Find out, as Puppet does, whether an alias that has been read refers to itself.

    If so, the aliases inside are looked at again: some could not tell while it was read.
    """

    def look_again(one: TypeAliasType) -> None:
        if not one.is_guarded:
            one._is_guarded = True
            one._is_guarded = _finds_itself(one)

    alias._is_guarded = _finds_itself(alias)
    if alias.is_guarded:
        _finds_itself(alias, look_again)


def _finds_itself(
    alias: TypeAliasType, visit: Callable[[TypeAliasType], None] = lambda alias: None
) -> bool:
    """Tell whether Puppet finds an alias inside of itself.

    As soon as another one comes again, the rest of that is passed over.
    """
    seen, again = Seen(), set[int]()
    steps = _MAX_STEPS

    def walk(one: PuppetType) -> None:
        nonlocal steps
        steps -= 1
        if steps < 0 or id(one) in path:
            return
        is_guarded = is_alias(one) and one.is_guarded
        if is_guarded and seen.again:
            return
        if is_guarded and not seen.enter(one):
            again.add(id(one))
            return
        if is_alias(one):
            visit(one)
        if not is_guarded:
            path.add(id(one))
        for part in one.contained():
            walk(part)
        path.discard(id(one))
        if is_guarded:
            seen.leave(one)

    path: set[int] = set()
    walk(alias)
    return steps < 0 or id(alias) in again


def guarded_predicate(alias: TypeAliasType, check: Predicate) -> Predicate:
    """Return the predicate of a recursive alias; ``check`` tests its definition."""
    is_plain = not _may_ask_twice(alias)

    def test(value: object) -> bool:
        guard = guard_of_value()
        if guard is not None:
            return guard.holds(alias, value, check)
        if is_plain:
            return check(value)
        return answered_for_value(alias, value, check)

    return test


def _may_ask_twice(alias: TypeAliasType) -> bool:
    """Tell whether Puppet may ask twice about one value.

    It does where an alias is only another name for a recursive one, or a Variant with such a name.
    Types of types bring the aliases themselves as values.
    """

    def for_same_value(one: PuppetType) -> tuple[PuppetType, ...]:
        is_name = is_alias(one) and not one.is_guarded
        return one.contained() if is_name or isinstance(one, _SAME_VALUE) else ()

    for one in each_type(alias, lambda part: part.contained()):
        if is_alias(one):
            for name in each_type(one.target(), for_same_value):
                if one.is_guarded and is_alias(name) and name.is_guarded:
                    return True
        elif not isinstance(one, (*_SAME_VALUE, *_OF_PARTS)) and one.contained():
            return True
    return False


def asks_itself(alias: TypeAliasType) -> bool:
    """Tell whether an alias leads back to itself for the same value."""

    def for_same_value(one: PuppetType) -> tuple[PuppetType, ...]:
        return one.contained() if is_alias(one) or isinstance(one, _SAME_VALUE) else ()

    return any(one == alias for one in each_type(alias.target(), for_same_value))


def is_read_without_end(alias: TypeAliasType) -> bool:
    """Tell whether Puppet never ends when the name of an alias is evaluated again.

    It reads the definition again, and the types inside of it, except for those of a Variant.
    """
    finished: set[int] = set()
    path: set[int] = set()

    def leads_back(one: PuppetType) -> bool:
        key = id(one)
        if key in path:
            return True
        if key in finished:
            return False
        path.add(key)
        if is_alias(one):
            found = leads_back(one.target())
        else:
            found = isinstance(one, _READ_AGAIN) and any(map(leads_back, one.contained()))
        path.discard(key)
        finished.add(key)
        return found

    return leads_back(alias)
