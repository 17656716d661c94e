"""The type of a value: reduced to one element type (infer), or in detail (infer_set)."""

from __future__ import annotations

from puppet_repl.types.model.base import DEFAULT_TYPE, UNDEF, PuppetType
from puppet_repl.types.model.collection import (
    EMPTY_ARRAY,
    EMPTY_HASH,
    ArrayType,
    HashType,
    StructElement,
    StructType,
    TupleType,
    exactly,
)
from puppet_repl.types.model.scalar import (
    FALSE,
    TRUE,
    EnumType,
    FloatType,
    IntegerType,
    RegexpType,
    StringType,
)
from puppet_repl.types.model.wrapper import IteratorType, SensitiveType, TypeType, variant
from puppet_repl.values.default import DEFAULT
from puppet_repl.values.hash import PuppetHash

_MANY = 64
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any


def infer(value: Any) -> PuppetType:
    """The narrowest type of a value; elements of arrays and hashes are reduced to one type."""
    kind = type(value)
    if kind is str:
        return StringType(None, value)
    if kind is int:
        return IntegerType(value, value)
    if kind is tuple:
        if not value:
            return EMPTY_ARRAY
        return ArrayType(infer_common(value), exactly(len(value)))
    if kind is PuppetHash:
        if not len(value):
            return EMPTY_HASH
        keys = infer_common(value.keys())
        return HashType(keys, infer_common(value.values()), exactly(len(value)))
    if value is None:
        return UNDEF
    if kind is bool:
        return TRUE if value else FALSE
    if kind is float:
        return FloatType(value, value)
    if isinstance(value, PuppetType):
        return TypeType(value)
    return _infer_other(value)


def _infer_other(value: Any) -> PuppetType:
    if value is DEFAULT:
        return DEFAULT_TYPE
    own = getattr(value, "puppet_type", None)
    if own is not None:
        made: PuppetType = own
        return made
    signature = getattr(value, "signature", None)
    if signature is not None:
        callable_type: PuppetType = signature()
        return callable_type
    name = type(value).__name__
    if name == "Sensitive":
        return SensitiveType(infer(value.value))
    if name == "Regexp":
        return RegexpType(value.flagged_source())
    if name == "PuppetIterator":
        return IteratorType(value.element_type)
    return _infer_rare(value, name)


def _infer_rare(value: Any, name: str) -> PuppetType:
    if name in ("Timespan", "Timestamp"):
        from puppet_repl.types.model.time import TimespanType, TimestampType

        return (TimespanType if name == "Timespan" else TimestampType)(value, value)
    if name == "SemVer":
        from puppet_repl.types.model.version import SEM_VER

        return SEM_VER
    if name == "SemVerRange":
        from puppet_repl.types.model.version import SEM_VER_RANGE

        return SEM_VER_RANGE
    if name == "Binary":
        from puppet_repl.types.model.binary import BINARY

        return BINARY
    if name == "URI":
        from puppet_repl.types.model.uri import URIType

        return URIType.of(value)
    from puppet_repl.types.model.ruby import RuntimeType

    return RuntimeType("ruby", name)


def infer_common(values: Collection[Any]) -> PuppetType:
    """The one type that covers the inferred types of all values; there is at least one."""
    from puppet_repl.types.algebra.common import common_type

    kinds = set(map(type, values))
    if kinds == {int}:
        return IntegerType(min(values), max(values))
    if kinds == {str}:
        return _common_string(values)
    types = list(dict.fromkeys(map(infer, values)))
    while len(types) > _MANY:
        # Halving keeps the Enums of many strings from being built again for each one of them.
        halves = [common_type(one, two) for one, two in zip(types[::2], types[1::2], strict=False)]
        types = list(dict.fromkeys([*halves, *types[len(halves) * 2 :]]))
    reduced = types[0]
    for one in types[1:]:
        reduced = common_type(reduced, one)
    return reduced


def _common_string(values: Collection[str]) -> PuppetType:
    unique = tuple(dict.fromkeys(values))
    return StringType(None, unique[0]) if len(unique) == 1 else EnumType(unique)


def infer_set(value: Any) -> PuppetType:
    """The type of a value in detail: arrays are Tuples, hashes Structs."""
    kind = type(value)
    if kind is tuple:
        return TupleType(tuple(map(infer_set, value))) if value else EMPTY_ARRAY
    if kind is PuppetHash:
        return _infer_set_hash(value)
    if kind.__name__ == "SemVer":
        from puppet_repl.types.model.version import exact_version_type

        return exact_version_type(value)
    return infer(value)


def _infer_set_hash(value: PuppetHash) -> PuppetType:
    if not len(value):
        return EMPTY_HASH
    if all(type(key) is str and key != "" for key in value.keys()):
        return StructType(
            tuple([StructElement(key, False, infer_set(item)) for key, item in value.items()])
        )
    keys = variant(tuple(map(infer_set, value.keys())))
    return HashType(keys, variant(tuple(map(infer_set, value.values()))), exactly(len(value)))
