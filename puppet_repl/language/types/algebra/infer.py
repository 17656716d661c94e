"""The type of a value: reduced to one element type (infer), or in detail (infer_set)."""

from __future__ import annotations

from puppet_repl.base.modules import import_name
from puppet_repl.base.sharing import once_alike, walk
from puppet_repl.language.types.model.base import DEFAULT_TYPE, UNDEF, PuppetType
from puppet_repl.language.types.model.collection import (
    EMPTY_ARRAY,
    EMPTY_HASH,
    ArrayType,
    HashType,
    StructElement,
    StructType,
    TupleType,
    exactly,
)
from puppet_repl.language.types.model.scalar import (
    FALSE,
    TRUE,
    EnumType,
    FloatType,
    IntegerType,
    StringType,
)
from puppet_repl.language.types.model.wrapper import IteratorType, SensitiveType, TypeType, variant
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.protocols import CallableValue, PuppetValue, Typed
from puppet_repl.language.values.sensitive import Sensitive

_MANY = 64
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def infer(value: Any) -> PuppetType:
    """Return the narrowest type of a value; arrays and hashes have one type of elements."""
    kind = type(value)
    if kind is str:
        return StringType(None, value)
    if kind is int:
        return IntegerType(value, value)
    if kind is tuple:
        if not value:
            return EMPTY_ARRAY
        steps = walk.steps
        if steps > 0:  # as once_alike() does it, which would be a call more
            walk.steps = steps - len(value) or -1
            return ArrayType(infer_common(value), exactly(len(value)))
        return once_alike(_infer_array, value, len(value))
    if kind is PuppetHash:
        if not len(value):
            return EMPTY_HASH
        steps = walk.steps
        if steps > 0:
            walk.steps = steps - len(value) or -1
            return _infer_hash(value)
        return once_alike(_infer_hash, value, len(value))
    if value is None:
        return UNDEF
    if kind is bool:
        return TRUE if value else FALSE
    if kind is float:
        return FloatType(value, value)
    if isinstance(value, PuppetType):
        return TypeType(value)
    return _infer_other(value)


def _infer_array(value: tuple[Any, ...]) -> PuppetType:
    return ArrayType(infer_common(value), exactly(len(value)))


def _infer_hash(value: PuppetHash) -> PuppetType:
    keys = infer_common(value.keys())
    return HashType(keys, infer_common(value.values()), exactly(len(value)))


def _infer_other(value: Value) -> PuppetType:
    if value is DEFAULT:
        return DEFAULT_TYPE
    if isinstance(value, Typed):
        return value.puppet_type
    if isinstance(value, CallableValue):
        return value.signature()
    if type(value) is Sensitive:
        return SensitiveType(infer(value.value))
    if type(value) is PuppetIterator and value.runtime_class is None:
        return IteratorType(value.element_type)
    path = _RARE.get(value.data_type) if isinstance(value, PuppetValue) else None
    if path is None:
        from puppet_repl.language.types.model.ruby import RuntimeType
        from puppet_repl.language.values.ruby import ruby_class

        return RuntimeType("ruby", ruby_class(value))
    type_: PuppetType = import_name(f"puppet_repl.language.types.{path}")(value)
    return type_


# Functions that return the type of a value of a rare class; loaded with the first such value.
_RARE = {
    "Binary": "model.binary.binary_type",
    "Regexp": "model.scalar.regexp_type",
    "SemVer": "model.version.version_type",
    "SemVerRange": "model.version.version_range_type",
    "Timespan": "model.time.timespan_type",
    "Timestamp": "model.time.timestamp_type",
    "URI": "model.uri.uri_type",
}


def infer_common(values: Collection[Any]) -> PuppetType:
    """Return the narrowest type that covers the inferred types of all values, at least one."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return IntegerType(min(values), max(values))
    if kinds == {str}:
        return _common_string(values)
    if len(values) == 1:  # a comprehension may count as a level more
        return infer(next(iter(values)))
    types = list(dict.fromkeys([infer(value) for value in values]))
    from puppet_repl.language.types.algebra.common import common_type

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
    """Return the type of a value in detail: arrays are Tuples, hashes Structs."""
    kind = type(value)
    if kind is tuple:
        return once_alike(_infer_set_array, value, len(value)) if value else EMPTY_ARRAY
    if kind is PuppetHash:
        return once_alike(_infer_set_hash, value, len(value))
    if isinstance(value, PuppetValue) and value.data_type == "SemVer":
        from puppet_repl.language.types.model.version import exact_version_type

        version: Any = value
        return exact_version_type(version)
    return infer(value)


def _infer_set_array(value: tuple[Any, ...]) -> PuppetType:
    return TupleType(tuple([infer_set(item) for item in value]))


def _infer_set_hash(value: PuppetHash) -> PuppetType:
    if not len(value):
        return EMPTY_HASH
    if all(type(key) is str and key != "" for key in value.keys()):
        return StructType(
            tuple([StructElement(key, False, infer_set(item)) for key, item in value.items()])
        )
    keys = variant(tuple([infer_set(key) for key in value.keys()]))
    items = variant(tuple([infer_set(item) for item in value.values()]))
    return HashType(keys, items, exactly(len(value)))
