"""Arrays, hashes, tuples and structs."""

from __future__ import annotations

from puppet_repl.base.sharing import once, walk
from puppet_repl.language.types.model.base import (
    ANY,
    UNDEF,
    UNIT,
    CompositeType,
    PuppetType,
    type_text,
)
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.types.model.scalar import (
    ANY_SIZE,
    INFINITY,
    STRING,
    IntegerType,
    StringType,
    bounds_test,
    size_texts,
)
from puppet_repl.language.types.model.wrapper import OptionalType, variant
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.predicate_code import PredicateCode
    from puppet_repl.language.values.protocols import Value


class CollectionType(CompositeType):
    """Arrays and hashes of some sizes."""

    __slots__ = ("size",)
    kind = "Collection"

    def __init__(self, size: IntegerType | None = None) -> None:
        self.size = size if size is None else size.as_size()

    @property
    def default(self) -> PuppetType:
        return COLLECTION

    def generalized(self) -> PuppetType:
        return COLLECTION

    @property
    def size_or_any(self) -> IntegerType:
        """The size constraint; all sizes for a type without one."""
        return self.size or ANY_SIZE

    @property
    def is_empty(self) -> bool:
        """Tell whether only empty collections are instances."""
        return self.size is not None and self.size.low == 0 and self.size.high == 0

    def parts(self) -> tuple[object, ...]:
        return (self.size,)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return size_texts(self.size)

    def _compile(self) -> Predicate:
        fits = size_check(self.size)

        def check(value: Any) -> bool:
            kind = type(value)
            return (kind is tuple or kind is PuppetHash) and (fits is None or fits(len(value)))

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if isinstance(other, CollectionType):
            return self.size_or_any.accepts_type(other.size_or_any)
        if isinstance(other, TupleType):
            return self.size_or_any.accepts_type(other.size or exactly(len(other.types)))
        if isinstance(other, StructType):
            return self.size_or_any.accepts_type(exactly(len(other.elements)))
        return False

    def is_iterable(self) -> bool:
        return True


class ArrayType(CollectionType):
    """Arrays whose elements are all of one type."""

    __slots__ = ("element",)
    kind = "Array"
    element: PuppetType

    def __init__(self, element: PuppetType = ANY, size: IntegerType | None = None) -> None:
        self.size = size if size is None else size.as_size()
        self.element = UNIT if self.is_empty else element

    @property
    def default(self) -> PuppetType:
        return ARRAY

    def contained(self) -> tuple[PuppetType, ...]:
        return (self.element,)

    def parts(self) -> tuple[object, ...]:
        return (self.element, self.size)

    def generalized(self) -> PuppetType:
        if self.element == ANY:
            return ARRAY
        general = self.element.generalize()
        if self.size is None and general is self.element:
            return self
        return ArrayType(general)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if self.is_empty:
            return ["0", "0"]
        if self.size is None and self.element == ANY:
            return []
        return [self.element.text(expansion), *size_texts(self.size)]

    def _compile(self) -> Predicate:
        fits = size_check(self.size)
        if self.element == ANY:
            if fits is None:
                return lambda value: type(value) is tuple
            return lambda value: type(value) is tuple and fits(len(value))
        element = self.element.predicate()

        def check(value: Value) -> bool:
            if type(value) is not tuple or not (fits is None or fits(len(value))):
                return False
            return all(map(element, value))

        return _shared(self, check)

    def write_test(self, code: PredicateCode, subject: str) -> None:
        code.require(f"type({subject}) is tuple")
        _write_size_test(code, self.size, subject)
        _write_element_tests(code, self.element, subject)

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if isinstance(other, TupleType):
            size = other.size or exactly(len(other.types))
            return self.size_or_any.accepts_type(size) and all(
                self.element.accepts_type(one, guard) for one in other.types
            )
        return (
            isinstance(other, ArrayType)
            and self.size_or_any.accepts_type(other.size_or_any)
            and self.element.accepts_type(other.element, guard)
        )

    def element_type(self) -> PuppetType | None:
        return None if self.element == ANY else self.element


class HashType(CollectionType):
    """Hashes whose keys are all of one type, and whose values are."""

    __slots__ = ("key", "value")
    kind = "Hash"
    key: PuppetType
    value: PuppetType

    def __init__(
        self,
        key: PuppetType = ANY,
        value: PuppetType = ANY,
        size: IntegerType | None = None,
    ) -> None:
        self.size = size if size is None else size.as_size()
        self.key = UNIT if self.is_empty else key
        self.value = UNIT if self.is_empty else value

    @property
    def default(self) -> PuppetType:
        return HASH

    def contained(self) -> tuple[PuppetType, ...]:
        return (self.key, self.value)

    def parts(self) -> tuple[object, ...]:
        return (self.key, self.value, self.size)

    def generalized(self) -> PuppetType:
        if self in (HASH, EMPTY_HASH):
            return self
        return HashType(self.key.generalize(), self.value.generalize())

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if self.is_empty:
            return ["0", "0"]
        if self == HASH:
            return []
        return [self.key.text(expansion), self.value.text(expansion), *size_texts(self.size)]

    def _compile(self) -> Predicate:
        fits = size_check(self.size)
        if self.key == ANY and self.value == ANY:
            if fits is None:
                return lambda value: type(value) is PuppetHash
            return lambda value: type(value) is PuppetHash and fits(len(value))
        is_key = None if self.key == ANY else self.key.predicate()
        is_value = None if self.value == ANY else self.value.predicate()

        def check(value: object) -> bool:
            if type(value) is not PuppetHash or not (fits is None or fits(len(value))):
                return False
            if is_key is not None:
                for key in value.keys():
                    if not is_key(key):
                        return False
            if is_value is not None:
                for item in value.values():
                    if not is_value(item):
                        return False
            return True

        return _shared(self, check)

    def write_test(self, code: PredicateCode, subject: str) -> None:
        code.require(f"type({subject}) is PuppetHash")
        _write_size_test(code, self.size, subject)
        _write_element_tests(code, self.key, f"{subject}.keys()")
        _write_element_tests(code, self.value, f"{subject}._values.values()")

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if isinstance(other, HashType):
            if (self.size is None or self.size.low == 0) and other == EMPTY_HASH:
                return True
            return (
                self.key.accepts_type(other.key, guard)
                and self.value.accepts_type(other.value, guard)
                and self.size_or_any.accepts_type(other.size_or_any)
            )
        if isinstance(other, StructType):
            return self.size_or_any.accepts_value(len(other.elements)) and all(
                self.key.accepts_value(one.name) and self.value.accepts_type(one.value, guard)
                for one in other.elements
            )
        return False

    def element_type(self) -> PuppetType | None:
        return pair(UNIT, UNIT) if self in (HASH, EMPTY_HASH) else pair(self.key, self.value)


class TupleType(CompositeType):
    """Arrays with a type for each position; the last type may repeat, as the size says."""

    __slots__ = ("size", "types")
    kind = "Tuple"

    def __init__(self, types: tuple[PuppetType, ...] = (), size: IntegerType | None = None) -> None:
        self.types = types
        self.size = size if size is None else size.as_size()

    @property
    def default(self) -> PuppetType:
        return TUPLE

    def contained(self) -> tuple[PuppetType, ...]:
        return self.types

    def ruby_array(self) -> tuple[PuppetType, ...]:
        return self.types

    def parts(self) -> tuple[object, ...]:
        return (self.types, self.size)

    @property
    def size_range(self) -> IntegerType:
        """How many elements an instance can have."""
        if self.size is not None:
            return self.size
        return exactly(len(self.types)) if self.types else ANY_SIZE

    def type_at(self, index: int) -> PuppetType:
        """Return the type of the element at ``index``; the last one repeats."""
        types = self.types
        return types[index] if index < len(types) else types[-1]

    def with_types(self, types: tuple[PuppetType, ...]) -> PuppetType:
        """Return the type with other element types; itself if the types are the same objects."""
        if all(new is old for new, old in zip(types, self.types, strict=True)):
            return self
        return TupleType(types, self.size)

    def generalized(self) -> PuppetType:
        return self.with_types(tuple([one.generalize() for one in self.types]))

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if not self.types:
            return []
        return [*[one.text(expansion) for one in self.types], *size_texts(self.size)]

    def _compile(self) -> Predicate:
        types = self.types
        size = self.size_range if self.size is not None or types else None
        fits = size_check(size)
        checks = tuple([one.predicate() for one in types])
        if not checks:
            return lambda value: type(value) is tuple and (fits is None or fits(len(value)))
        last = checks[-1]
        count = len(checks)

        def check(value: Value) -> bool:
            if type(value) is not tuple or not (fits is None or fits(len(value))):
                return False
            for is_one, item in zip(checks, value, strict=False):
                if not is_one(item):
                    return False
            return len(value) <= count or all(map(last, value[count:]))

        return _shared(self, check)

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if self == other:
            return True
        if isinstance(other, TupleType):
            if not self.size_range.accepts_type(other.size_range):
                return False
            if self.types and not other.types:
                return self.size_range.low == 0
            return not self.types or all(
                self.type_at(index).accepts_type(one, guard)
                for index, one in enumerate(other.types)
            )
        if isinstance(other, ArrayType):
            size = other.size_or_any
            if not self.size_range.accepts_type(size):
                return False
            places = min(len(self.types), size.high)
            return all(
                self.types[index].accepts_type(other.element, guard) for index in range(int(places))
            )
        return False

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        return variant(self.types)


class StructElement:
    """One key of a Struct. An ``optional`` key may be absent."""

    __slots__ = ("name", "optional", "value")

    def __init__(self, name: str, optional: bool, value: PuppetType) -> None:
        self.name = name
        self.optional = optional
        self.value = value

    @property
    def key(self) -> PuppetType:
        """The key as a type: a String of one value, or Optional of that."""
        literal = StringType(None, self.name)
        return OptionalType(literal) if self.optional else literal

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StructElement)
            and self.name == other.name
            and self.optional == other.optional
            and self.value == other.value
        )

    def __hash__(self) -> int:
        return hash((self.name, self.optional, self.value))

    def text(self, expansion: Expansion | None) -> str:
        """Return ``'a' => Integer``; the key has a type if the value's type does not imply it."""
        key = type_text(self.name, expansion)
        if self.optional != self.value.accepts_type(UNDEF):
            key = f"{'Optional' if self.optional else 'NotUndef'}[{key}]"
        return f"{key} => {self.value.text(expansion)}"


class StructType(CompositeType):
    """Hashes with given keys and no others. Without elements only the empty hash is one."""

    __slots__ = ("_named", "elements")
    kind = "Struct"
    _named: dict[str, StructElement]

    def __init__(self, elements: tuple[StructElement, ...] = ()) -> None:
        self.elements = elements

    @property
    def default(self) -> PuppetType:
        return STRUCT

    @property
    def named(self) -> dict[str, StructElement]:
        """The elements by their names."""
        try:
            return self._named
        except AttributeError:
            self._named = {one.name: one for one in self.elements}
            return self._named

    def contained(self) -> tuple[PuppetType, ...]:
        return tuple([one.value for one in self.elements])

    def parts(self) -> tuple[object, ...]:
        return (self.elements,)

    def with_values(self, values: list[PuppetType]) -> PuppetType:
        """Return the type with other types of values; itself if the types are the same objects."""
        elements = self.elements
        if all(new is old.value for new, old in zip(values, elements, strict=True)):
            return self
        altered = zip(values, elements, strict=True)
        return StructType(tuple([StructElement(it.name, it.optional, new) for new, it in altered]))

    def generalized(self) -> PuppetType:
        return self.with_values([one.value.generalize() for one in self.elements])

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if not self.elements:
            return []
        entries = [one.text(expansion) for one in self.elements]
        return [f"{{{', '.join(entries)}}}"]

    def _compile(self) -> Predicate:
        if not self.elements:
            return lambda value: type(value) is PuppetHash and len(value) == 0
        checks = [(it.name, it.optional, it.value.predicate()) for it in self.elements]

        from puppet_repl.language.types.model.predicate_code import MISSING, adaptive

        def check(value: Value) -> bool:
            if type(value) is not PuppetHash:
                return False
            matched = 0
            get = value.get
            for name, optional, is_value in checks:
                item = get(name, MISSING)
                if item is MISSING:
                    if not optional:
                        return False
                elif is_value(item):
                    matched += 1
                else:
                    return False
            return matched == len(value)

        return _shared(self, adaptive(self, check))

    def write_test(self, code: PredicateCode, subject: str) -> None:
        if not self.elements:
            super().write_test(code, subject)
            return
        items, get, seen = code.fresh(), code.fresh(), code.fresh()
        required = sum(not element.optional for element in self.elements)
        all_required = required == len(self.elements)
        code.require(f"type({subject}) is PuppetHash")
        code.add(f"{items} = {subject}._values")
        if all_required:
            code.require(f"len({items}) == {required}")
        else:
            code.add(f"{seen} = {required}")
        code.add(f"{get} = {items}.get")
        for element in self.elements:
            item = code.fresh()
            code.add(f"{item} = {get}({element.name!r}, _MISSING)")
            if element.optional:
                code.add(f"if {item} is not _MISSING:")
                code.depth += 1
                code.test_part(element.value, item)
                code.add(f"{seen} += 1")
                code.depth -= 1
            else:
                code.require(f"{item} is not _MISSING")
                code.test_part(element.value, item)
        if not all_required:
            code.require(f"{seen} == len({items})")

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if isinstance(other, StructType):
            return self._accepts_struct(other, guard)
        return isinstance(other, HashType) and self._accepts_hash(other, guard)

    def _accepts_struct(self, other: StructType, guard: Guard | None) -> bool:
        matched = 0
        for one in self.elements:
            theirs = other.named.get(one.name)
            if theirs is None:
                if not one.optional:
                    return False
                continue
            matched += 1
            if theirs.optional and not one.optional:
                return False
            if not one.value.accepts_type(theirs.value, guard):
                return False
        return matched == len(other.elements)

    def _accepts_hash(self, other: HashType, guard: Guard | None) -> bool:
        required = [one for one in self.elements if not one.optional]
        return all(
            one.value.accepts_type(other.value, guard) and STRING.accepts_type(other.key)
            for one in required
        ) and IntegerType(len(required), len(self.elements)).accepts_type(other.size_or_any)

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        if not self.elements:
            return pair(UNIT, UNIT)
        keys = variant(tuple([element.key for element in self.elements]))
        return pair(keys, variant(tuple([element.value for element in self.elements])))


def _shared(kind: CompositeType, check: Predicate) -> Predicate:
    """Return a predicate that tests a shared part once, where parts of values may have parts."""
    if not any(_has_parts(part) and _is_deep(part) for part in kind.contained()):
        return check

    def test(value: object) -> bool:
        native = type(value)
        if native is not tuple and native is not PuppetHash:
            return False
        steps = walk.steps
        if steps > 0:  # as once() does it, which would be a call more
            walk.steps = steps - 1 or -1
            return check(value)
        return once(check, value)

    return test


def _has_parts(part: PuppetType) -> bool:
    return isinstance(part.unnamed(), CompositeType | DefinedType)


def _is_deep(part: PuppetType) -> bool:
    part = part.unnamed()
    return isinstance(part, DefinedType) or any(map(_has_parts, part.contained()))


def pair(key: PuppetType, value: PuppetType) -> PuppetType:
    """Return the type of the pairs of a hash."""
    return TupleType((key, value), exactly(2))


def _write_size_test(code: PredicateCode, size: IntegerType | None, subject: str) -> None:
    if size is not None:
        code.require(f"({bounds_test(f'len({subject})', size.low, size.high)})")


def _write_element_tests(code: PredicateCode, element: PuppetType, source: str) -> None:
    if element == ANY:
        return
    item = code.fresh()
    code.add(f"for {item} in {source}:")
    code.depth += 1
    code.test_part(element, item)
    code.depth -= 1


def exactly(count: int) -> IntegerType:
    """Return the size constraint for one size."""
    return IntegerType(count, count)


def size_check(size: IntegerType | None) -> Predicate | None:
    """Return a test of a length, None if every length is right."""
    if size is None or (size.low <= 0 and size.high == INFINITY):
        return None
    return size.predicate()


COLLECTION = CollectionType()
ARRAY = ArrayType()
EMPTY_ARRAY = ArrayType(UNIT, exactly(0))
HASH = HashType()
EMPTY_HASH = HashType(UNIT, UNIT, exactly(0))
TUPLE = TupleType()
STRUCT = StructType()
