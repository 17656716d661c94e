"""Types made of other types: Optional, NotUndef, Variant, Type, Sensitive, Iterable, Iterator."""

from __future__ import annotations

from puppet_repl.language.types.model.base import (
    ANY,
    UNDEF,
    AnyType,
    CompositeType,
    PuppetType,
    times_in,
)
from puppet_repl.language.types.model.inference import inferred
from puppet_repl.language.types.model.scalar import EnumType, IntegerType, StringType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.quote import quote
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.predicate_code import PredicateCode
    from puppet_repl.language.values.protocols import Value


class WrappingType(CompositeType):
    """A type around at most one other ``type`` (None without it)."""

    __slots__ = ("type",)
    type: PuppetType | None

    def __init__(self, inner: PuppetType | None = None) -> None:
        self.type = inner

    def parts(self) -> tuple[object, ...]:
        return (self.type,)

    def contained(self) -> tuple[PuppetType, ...]:
        return () if self.type is None else (self.type,)

    def with_type(self, inner: PuppetType) -> PuppetType:
        """Return the same kind of type around ``inner``."""
        return self.__class__(inner)

    def generalized(self) -> PuppetType:
        if self.type is None:
            return self.default
        general = self.type.generalize()
        return self if general is self.type else self.with_type(general)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [] if self.type is None else [self.type.text(expansion)]

    def literal_texts(self, expansion: Expansion | None) -> list[str]:
        """Return the parameters of Optional and NotUndef, a String of one value as that value."""
        inner = self.type
        if isinstance(inner, StringType) and inner.value is not None:
            return [quote(inner.value)]
        return [] if inner is None else [inner.text(expansion)]


class OptionalType(WrappingType):
    """undef or a T. Alone only undef is an instance, yet every type is assignable."""

    __slots__ = ()
    kind = "Optional"

    @property
    def default(self) -> PuppetType:
        return OPTIONAL

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return self.literal_texts(expansion)

    def _compile(self) -> Predicate:
        if self.type is None:
            return UNDEF.predicate()
        inner = self.type.predicate()
        return lambda value: value is None or inner(value)

    def write_test(self, code: PredicateCode, subject: str) -> None:
        if self.type is None:
            super().write_test(code, subject)
            return
        code.add(f"if {subject} is not None:")
        code.depth += 1
        self.type.write_test(code, subject)
        code.add("pass")
        code.depth -= 1

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return self.type is None or other == UNDEF or self.type.accepts_type(other, guard)

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        guard = None if guard is None else guard.of_optional()
        return target.accepts_type(UNDEF, guard) and (
            self.type is None or target.accepts_type(self.type, guard)
        )

    def is_callable_kind(self) -> bool:
        return self.type is not None and self.type.is_callable_kind()


class NotUndefType(WrappingType):
    """A T, but not undef."""

    __slots__ = ()
    kind = "NotUndef"

    def __init__(self, inner: PuppetType | None = None) -> None:
        self.type = None if isinstance(inner, AnyType) else inner

    @property
    def default(self) -> PuppetType:
        return NOT_UNDEF

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return self.literal_texts(expansion)

    def _compile(self) -> Predicate:
        if self.type is None:
            return lambda value: value is not None
        inner = self.type.predicate()
        return lambda value: value is not None and inner(value)

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return not other.accepts_type(UNDEF, guard) and (
            self.type is None or self.type.accepts_type(other, guard)
        )

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        if self.type is not None and not self.type.accepts_type(UNDEF):
            return target.accepts_type(self.type, guard)
        return target._accepts(self, guard)

    def accepts_type(self, other: PuppetType, guard: Guard | None = None) -> bool:
        if isinstance(other, VariantType) and not other.types:
            return self._accepts(other, guard)
        return super().accepts_type(other, guard)


class VariantType(CompositeType):
    """The instances of any of several types; without types there are no instances."""

    __slots__ = ("types",)
    kind = "Variant"

    def __init__(self, types: tuple[PuppetType, ...] = ()) -> None:
        self.types = types

    @property
    def default(self) -> PuppetType:
        return VARIANT

    def contained(self) -> tuple[PuppetType, ...]:
        return self.types

    def parts(self) -> tuple[object, ...]:
        return (len(self.types), frozenset(self.types))

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [one.text(expansion) for one in self.types]

    def _compile(self) -> Predicate:
        checks = tuple([one.predicate() for one in self.types])
        if len(checks) == 2:
            first, second = checks
            return lambda value: first(value) or second(value)

        def check(value: object) -> bool:
            for is_one in checks:  # noqa: SIM110 - faster than any()
                if is_one(value):
                    return True
            return False

        return check

    def accepts_type(self, other: PuppetType, guard: Guard | None = None) -> bool:
        if not self.types and other == UNDEF:
            return False
        if not isinstance(other, VariantType):
            return super().accepts_type(other, guard)
        if not self.types:
            return True
        return bool(other.types) and all(
            PuppetType.accepts_type(self, one, guard) for one in other.types
        )

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        for one in self.types:  # noqa: SIM110  (any() takes room on the C stack)
            if one.accepts_type(other, guard):
                return True
        return False

    def _offered_to(self, target: PuppetType, guard: Guard | None) -> bool:
        if type(target) is AnyType:
            return True
        for one in self.types:
            if not target.accepts_type(one, guard):
                return False
        return bool(self.types)

    def generalized(self) -> PuppetType:
        general = tuple([one.generalize() for one in self.types])
        if all(new is old for new, old in zip(general, self.types, strict=True)):
            return self
        return variant(general)

    def is_callable_kind(self) -> bool:
        return all(one.is_callable_kind() for one in self.types)


class TypeType(WrappingType):
    """The types that are assignable to T."""

    __slots__ = ()
    kind = "Type"

    @property
    def default(self) -> PuppetType:
        return TYPE

    def _compile(self) -> Predicate:
        inner = self.type
        if inner is None:
            return lambda value: isinstance(value, PuppetType)
        from puppet_repl.language.types.model.guard import guard_of_value

        return lambda value: (
            isinstance(value, PuppetType) and inner.accepts_type(value, guard_of_value())
        )

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if not isinstance(other, TypeType):
            return False
        if self.type is None:
            return True
        return other.type is not None and self.type.accepts_type(other.type, guard)

    def is_iterable(self) -> bool:
        return self.element_type() is not None

    def element_type(self) -> PuppetType | None:
        inner = self.type
        if isinstance(inner, EnumType) or (isinstance(inner, IntegerType) and inner.is_finite):
            return inner
        return None


class SensitiveType(WrappingType):
    """Sensitive values of a T.

    T is always generalized, so that no match tells more about a secret than its kind; of an Enum
    the lengths are left.
    """

    __slots__ = ()
    kind = "Sensitive"
    type: PuppetType

    def __init__(self, inner: PuppetType | None = None) -> None:
        self.type = ANY if inner is None else inner.generalize()

    @property
    def default(self) -> PuppetType:
        return SENSITIVE

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [] if self.type == ANY else [self.type.text(expansion)]

    def _compile(self) -> Predicate:
        if self.type == ANY:
            return lambda value: type(value) is Sensitive

        inner = self.type

        def check(value: Value) -> bool:
            return type(value) is Sensitive and inner.accepts_value(value.value)

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, SensitiveType) and self.type.accepts_type(other.type, guard)


class IterableType(WrappingType):
    """Values that can be iterated over, with elements of a T."""

    __slots__ = ()
    kind = "Iterable"

    @property
    def default(self) -> PuppetType:
        return ITERABLE

    def _compile(self) -> Predicate:
        if self.type is None or self.type.accepts_type(ANY):
            return _is_iterable
        from puppet_repl.language.types.model.guard import guard_of_value

        def check(value: object) -> bool:
            return self.accepts_type(inferred(value), guard_of_value())

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if self.type is None or self.type.accepts_type(ANY, guard):
            return other.is_iterable()
        element = other.element_type()
        return element is not None and self.type.accepts_type(element, guard)

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        return self.type


class IteratorType(WrappingType):
    """The lazy results of step, reverse_each and tree_each that give Ts."""

    __slots__ = ()
    kind = "Iterator"

    @property
    def default(self) -> PuppetType:
        return ITERATOR

    def _compile(self) -> Predicate:
        inner = self.type
        from puppet_repl.language.types.model.guard import guard_of_value

        def check(value: object) -> bool:
            if type(value) is not PuppetIterator:
                return False
            return inner is None or inner.accepts_type(value.element_type or ANY, guard_of_value())

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, IteratorType) and (
            self.type is None or self.type.accepts_type(other.type or ANY, guard)
        )

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        return self.type


def _is_iterable(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is str or kind is PuppetHash:
        return True
    if kind is int:
        return bool(value >= 0)
    if isinstance(value, PuppetType):
        value = value.resolved()
        return isinstance(value, EnumType) or (isinstance(value, IntegerType) and value.is_finite)
    return kind is PuppetIterator


def variant(types: tuple[PuppetType, ...]) -> PuppetType:
    """Return a Variant of the types, each once; a single one stands for itself."""
    flat: list[PuppetType] = []
    for one in types:
        if isinstance(one, VariantType):
            flat.extend(one.types)
        else:
            flat.append(one)
    unique = tuple(dict.fromkeys(flat))
    if len(unique) < len(flat) and any(map(times_in, unique)):
        unique = tuple({one.puppet_key(): one for one in flat}.values())
    return unique[0] if len(unique) == 1 else VariantType(unique)


OPTIONAL = OptionalType()
NOT_UNDEF = NotUndefType()
VARIANT = VariantType()
TYPE = TypeType()
SENSITIVE = SensitiveType()
ITERABLE = IterableType()
ITERATOR = IteratorType()
