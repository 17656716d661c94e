"""The simplest type with the same instances, by the rules that Puppet has for it."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.base.sharing import once_alike
from puppet_repl.language.types.model.base import ANY, UNDEF, PuppetType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import (
    ARRAY,
    COLLECTION,
    EMPTY_HASH,
    HASH,
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
)
from puppet_repl.language.types.model.ranges import merged_ranges
from puppet_repl.language.types.model.scalar import EnumType, PatternType, StringType
from puppet_repl.language.types.model.wrapper import (
    NotUndefType,
    OptionalType,
    VariantType,
    WrappingType,
    variant,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def normalize(target: PuppetType) -> PuppetType:
    """Return the simplest type with the same instances."""
    for kind in type(target).__mro__:
        rule = _RULES.get(kind)
        if rule is not None:
            return once_alike(rule, target)
    return target


def _array(target: ArrayType) -> PuppetType:
    # Puppet forgets the size of an Array[Any] here.
    if target.element == ANY:
        return ARRAY
    normal = normalize(target.element)
    return target if normal is target.element else ArrayType(normal, target.size)


def _hash(target: HashType) -> PuppetType:
    if target in (HASH, EMPTY_HASH):
        return target
    return HashType(normalize(target.key), normalize(target.value), target.size)


def _tuple(target: TupleType) -> PuppetType:
    return target.with_types(tuple(map(normalize, target.types)))


def _struct(target: StructType) -> PuppetType:
    return target.with_values([normalize(element.value) for element in target.elements])


def _wrapping(target: WrappingType) -> PuppetType:
    if target.type is None:
        return target.default
    normal = normalize(target.type)
    return target if normal is target.type else target.with_type(normal)


def _optional(target: OptionalType) -> PuppetType:
    normal = _wrapping(target)
    inner = normal.type if isinstance(normal, OptionalType) else None
    if inner is None:
        return normal
    if isinstance(inner, NotUndefType):
        return normalize(OptionalType(inner.type))
    return inner if inner.accepts_type(UNDEF) else normal


def _not_undef(target: NotUndefType) -> PuppetType:
    normal = _wrapping(target)
    inner = normal.type if isinstance(normal, NotUndefType) else None
    if inner is None:
        return normal
    if isinstance(inner, OptionalType):
        return normalize(NotUndefType(inner.type))
    return normal if inner.accepts_type(UNDEF) else inner


def _variant(target: VariantType) -> PuppetType:
    """Turn a Variant with undef into Optional; merge Enums, Patterns and ranges."""
    if not target.types:
        return target
    types = tuple([normalize(one) for one in target.types])
    if len(types) == 1:
        return types[0]
    if any(one == UNDEF or isinstance(one, OptionalType) for one in types):
        return _as_optional(types)
    modified = any(new is not old for new, old in zip(types, target.types, strict=True))
    flat = _flat(types)
    merged = flat
    for merge in _MERGES:
        if len(merged) > 1:
            merged = merge(merged)
    if len(merged) == 1:
        return merged[0]
    # Merging reorders ranges even without a merge; then Puppet keeps the original order.
    if not modified and len(merged) == len(flat):
        return target
    return variant(tuple(merged))


def _as_optional(types: tuple[PuppetType, ...]) -> PuppetType:
    rest: list[PuppetType] = []
    for one in types:
        if isinstance(one, OptionalType):
            rest.append(one.type if one.type is not None else UNDEF)
        elif one != UNDEF:
            rest.append(one)
    return normalize(OptionalType(variant(tuple(rest))))


def _flat(types: tuple[PuppetType, ...]) -> list[PuppetType]:
    flat: list[PuppetType] = []
    for one in types:
        flat.extend(one.types if isinstance(one, VariantType) else (one,))
    return flat


def _split(
    types: list[PuppetType], belongs: Callable[[PuppetType], bool]
) -> tuple[list[Any], list[PuppetType]]:
    chosen = [one for one in types if belongs(one)]
    return chosen, [one for one in types if not belongs(one)]


def _merge_not_undef(types: list[PuppetType]) -> list[PuppetType]:
    chosen, others = _split(types, lambda one: isinstance(one, NotUndefType))
    if len(chosen) < 2:
        return types
    inner = variant(tuple([one.type for one in chosen if one.type is not None]))
    return [*others, NotUndefType(normalize(inner))]


def _is_exact_text(one: PuppetType) -> bool:
    if isinstance(one, EnumType):
        return bool(one.values) and not one.ignores_case
    return isinstance(one, StringType) and one.value is not None


def _merge_enums(types: list[PuppetType]) -> list[PuppetType]:
    chosen, others = _split(types, _is_exact_text)
    if len(chosen) < 2:
        return types
    values: list[str] = []
    for one in chosen:
        values.extend(one.values if isinstance(one, EnumType) else (one.value,))
    return [*others, EnumType(tuple(values))]


def _merge_folded_enums(types: list[PuppetType]) -> list[PuppetType]:
    chosen, others = _split(
        types, lambda one: isinstance(one, EnumType) and bool(one.values) and one.ignores_case
    )
    if len(chosen) < 2:
        return types
    values = [value.lower() for one in chosen for value in one.values]
    return [*others, EnumType(tuple(values), True)]


def _merge_patterns(types: list[PuppetType]) -> list[PuppetType]:
    chosen, others = _split(types, lambda one: isinstance(one, PatternType))
    if len(chosen) < 2:
        return types
    return [*others, PatternType(tuple([one for some in chosen for one in some.patterns]))]


def _has_kind(kind: str) -> Callable[[PuppetType], bool]:
    return lambda one: one.kind == kind


def _merge_versions(types: list[PuppetType]) -> list[PuppetType]:
    chosen, others = _split(types, _has_kind("SemVer"))
    if len(chosen) < 2:
        return types
    ranges = tuple([one for some in chosen for one in some.ranges])
    return [type(chosen[0])(ranges), *others]


def _merge_ranges(types: list[PuppetType]) -> list[PuppetType]:
    for kind in ("Integer", "Float", "Timespan", "Timestamp"):
        chosen, others = _split(types, _has_kind(kind))
        if len(chosen) > 1:
            types = [*merged_ranges(chosen, type(chosen[0]).merged), *others]
    return types


_MERGES: tuple[Callable[[list[PuppetType]], list[PuppetType]], ...] = (
    _merge_not_undef,
    _merge_enums,
    _merge_folded_enums,
    _merge_patterns,
    _merge_versions,
    _merge_ranges,
)
_RULES: dict[type, Callable[[Any], PuppetType]] = {
    CollectionType: lambda target: COLLECTION,
    ArrayType: _array,
    HashType: _hash,
    TupleType: _tuple,
    StructType: _struct,
    CallableType: lambda target: target.mapped(normalize),
    WrappingType: _wrapping,
    OptionalType: _optional,
    NotUndefType: _not_undef,
    VariantType: _variant,
}
