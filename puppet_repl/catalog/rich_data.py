"""Values as rich data: JSON, with ``__ptype`` where JSON has no word for a value.

Types are written as ``{"__ptype": "Pcore::IntegerType", "from": 1, "to": 2}``; what a type says by
default is left out, as Puppet leaves it out.
"""

from __future__ import annotations

from puppet_repl.catalog.references import reference_text
from puppet_repl.types.data_types import DATA_TYPES
from puppet_repl.types.making.init import InitType
from puppet_repl.types.making.puppet_object import PuppetObject
from puppet_repl.types.model.alias import BuiltinAliasType, TypeAliasType
from puppet_repl.types.model.base import AnyType, PuppetType
from puppet_repl.types.model.callable import CallableType
from puppet_repl.types.model.collection import (
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
)
from puppet_repl.types.model.object import ObjectExtensionType, ObjectType
from puppet_repl.types.model.resource import CatalogEntryType
from puppet_repl.types.model.ruby import RuntimeType
from puppet_repl.types.model.scalar import (
    EnumType,
    FloatType,
    IntegerType,
    NumericType,
    PatternType,
    RegexpType,
    StringType,
)
from puppet_repl.types.model.time import TimeDataType, TimespanType, TimestampType
from puppet_repl.types.model.typeset import TypeSetType
from puppet_repl.types.model.version import SemVerType
from puppet_repl.types.model.wrapper import (
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    TypeType,
    VariantType,
    WrappingType,
)
from puppet_repl.values.default import DEFAULT, UNSET
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import PuppetValue
from puppet_repl.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    from puppet_repl.values.protocols import Value

    Json: TypeAlias = object
    JsonObject: TypeAlias = dict[str, Json]

_NATIVE = frozenset((str, int, bool, float, type(None)))
_INFINITE = (float("inf"), float("-inf"))


def value_data(value: Value) -> Json:
    """Return a value as rich data."""
    if type(value) in _NATIVE:
        return value
    if type(value) is tuple:
        return [value_data(item) for item in value]
    if type(value) is PuppetHash:
        return _hash_data(value)
    if type(value) is Sensitive:
        return {"__ptype": "Sensitive", "__pvalue": value_data(value.value)}
    if isinstance(value, CatalogEntryType):
        return reference_text(value)
    if isinstance(value, PuppetType):
        return type_data(value)
    return _other_data(value)


def _hash_data(value: PuppetHash) -> JsonObject:
    if all(type(key) is str for key in value.keys()) and "__ptype" not in value.keys():
        return {key: value_data(item) for key, item in value.items()}
    flat = []
    for key, item in value.items():
        flat += [value_data(key), value_data(item)]
    return {"__ptype": "Hash", "__pvalue": flat}


def _other_data(value: Value) -> Json:
    if value is DEFAULT:
        return {"__ptype": "Default"}
    if isinstance(value, PuppetValue) and value.data_type:
        write = DATA_TYPES[value.data_type.lower()].rich_data
        assert write is not None, f"{value.data_type} has no rich data"
        return {"__ptype": value.data_type, "__pvalue": write(value)}
    if isinstance(value, PuppetObject):
        attributes = {key: value_data(item) for key, item in value.init_hash().items()}
        return {"__ptype": value.object_name, **attributes}
    return reference_text(value)


# Types


def type_data(value: PuppetType) -> JsonObject:
    """Return a type with its parameters as rich data."""
    if isinstance(value, _WRITTEN_AS_TEXT):
        # Puppet itself fails on these, or writes their whole definition out.
        return {"__ptype": "Pcore::TypeReferenceType", "type_string": str(value)}
    data: JsonObject = {"__ptype": f"Pcore::{value.kind}Type"}
    parameters_of = _PARAMETERS.get(type(value))
    if parameters_of is not None:
        data.update((key, part) for key, part in parameters_of(value).items() if part is not UNSET)
    return data


def _optional(value: Value) -> Json:
    """Return a part that is left out where it is undef."""
    return UNSET if value is None else value_data(value)


def _typed(value: PuppetType | None) -> Json:
    """Return a type that is left out where it is Any."""
    return UNSET if value is None or type(value) is AnyType else type_data(value)


def _size(size: IntegerType | None) -> Json:
    return UNSET if size is None else type_data(size)


def _items(values: Iterable[Value]) -> list[Json]:
    return [value_data(item) for item in values]


def _range(value: NumericType) -> JsonObject:
    low, high = value.low, value.high
    ends: JsonObject = {}
    if low not in _INFINITE:
        ends["from"] = low
    elif high not in _INFINITE:
        ends["from"] = None
    if high not in _INFINITE:
        ends["to"] = high
    return ends


def _times(value: TimeDataType) -> JsonObject:
    return {"from": _optional(value.low), "to": _optional(value.high)}


def _string(value: StringType) -> JsonObject:
    if value.value is not None:
        return {"size_type_or_value": value.value}
    return {"size_type_or_value": _size(value.size)}


def _enum(value: EnumType) -> JsonObject:
    data: JsonObject = {"values": list(value.values)}
    if value.ignores_case:
        data["case_insensitive"] = True
    return data


def _regexp(value: RegexpType) -> JsonObject:
    return {"pattern": UNSET if value.pattern is None else value.pattern}


def _pattern(value: PatternType) -> JsonObject:
    return {"patterns": _items(value.patterns)}


def _collection(value: CollectionType) -> JsonObject:
    return {"size_type": _size(value.size)}


def _array(value: ArrayType) -> JsonObject:
    return {"element_type": _typed(value.element), "size_type": _size(value.size)}


def _hash(value: HashType) -> JsonObject:
    return {
        "key_type": _typed(value.key),
        "value_type": _typed(value.value),
        "size_type": _size(value.size),
    }


def _tuple(value: TupleType) -> JsonObject:
    return {"types": _items(value.types), "size_type": _size(value.size)}


def _struct(value: StructType) -> JsonObject:
    return {
        "elements": [
            {
                "__ptype": "Pcore::StructElement",
                "key_type": type_data(element.key),
                "value_type": value_data(element.value),
            }
            for element in value.elements
        ]
    }


def _variant(value: VariantType) -> JsonObject:
    return {"types": _items(value.types)}


def _wrapped(value: WrappingType) -> JsonObject:
    return {"type": _typed(value.type)}


def _callable(value: CallableType) -> JsonObject:
    return {
        "param_types": value_data(value.params),
        "block_type": value_data(value.block),
        "return_type": value_data(value.returns),
    }


def _runtime(value: RuntimeType) -> JsonObject:
    return {"runtime": _optional(value.runtime), "name_or_pattern": _optional(value.class_name)}


def _version(value: SemVerType) -> JsonObject:
    return {"ranges": _items(value.ranges) if value.ranges else UNSET}


_WRITTEN_AS_TEXT = (
    BuiltinAliasType,
    ObjectExtensionType,
    ObjectType,
    TypeAliasType,
    TypeSetType,
)
_PARAMETERS: dict[type[PuppetType], Callable[[Any], JsonObject]] = {
    IntegerType: _range,
    FloatType: _range,
    StringType: _string,
    EnumType: _enum,
    RegexpType: _regexp,
    PatternType: _pattern,
    CollectionType: _collection,
    ArrayType: _array,
    HashType: _hash,
    TupleType: _tuple,
    StructType: _struct,
    VariantType: _variant,
    OptionalType: _wrapped,
    NotUndefType: _wrapped,
    TypeType: _wrapped,
    IterableType: _wrapped,
    IteratorType: _wrapped,
    InitType: _wrapped,
    CallableType: _callable,
    RuntimeType: _runtime,
    SemVerType: _version,
    TimestampType: _times,
    TimespanType: _times,
}
