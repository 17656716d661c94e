"""Types as rich data: ``{"__ptype": "Pcore::IntegerType", "from": 1, "to": 2}``.

What a type says by default is left out, as Puppet leaves it out.
"""

from __future__ import annotations

from puppet_repl.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.types.model.base import PuppetType

_INFINITE = (float("inf"), float("-inf"))


def type_data(value: PuppetType) -> dict[str, Any]:
    """A type with its parameters."""
    kind = type(value).__name__
    if kind in _NAMED:
        # Puppet itself fails on these, or writes their whole definition out.
        return {"__ptype": "Pcore::TypeReferenceType", "type_string": str(value)}
    data: dict[str, Any] = {"__ptype": f"Pcore::{kind}"}
    maker = _MAKERS.get(kind)
    if maker is not None:
        for key, part in maker(value).items():
            if part is not UNSET:
                data[key] = part
    return data


def _data(value: Any) -> Any:
    from puppet_repl.catalog.json import value_data

    return value_data(value)


def _optional(value: Any) -> Any:
    """A part that is left out where it is not given."""
    return UNSET if value is None else _data(value)


def _range(value: Any) -> dict[str, Any]:
    low, high = value.low, value.high
    given: dict[str, Any] = {}
    if low not in _INFINITE:
        given["from"] = low
    elif high not in _INFINITE:
        given["from"] = None
    if high not in _INFINITE:
        given["to"] = high
    return given


def _temporal(value: Any) -> dict[str, Any]:
    return {"from": _optional(value.low), "to": _optional(value.high)}


def _size(value: Any) -> Any:
    return UNSET if value.size is None else type_data(value.size)


def _string(value: Any) -> dict[str, Any]:
    if value.value is not None:
        return {"size_type_or_value": value.value}
    return {"size_type_or_value": _size(value)}


def _enum(value: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"values": list(value.values)}
    if value.ignores_case:
        given["case_insensitive"] = True
    return given


def _regexp(value: Any) -> dict[str, Any]:
    return {"pattern": UNSET if value.pattern is None else value.pattern}


def _pattern(value: Any) -> dict[str, Any]:
    return {"patterns": [_data(one) for one in value.patterns]}


def _array(value: Any) -> dict[str, Any]:
    return {"element_type": _typed(value.element), "size_type": _size(value)}


def _typed(value: Any) -> Any:
    """A type that is left out where it is Any."""
    return UNSET if value is None or type(value).__name__ == "AnyType" else type_data(value)


def _hash(value: Any) -> dict[str, Any]:
    return {
        "key_type": _typed(value.key),
        "value_type": _typed(value.value),
        "size_type": _size(value),
    }


def _tuple(value: Any) -> dict[str, Any]:
    return {"types": [_data(one) for one in value.types], "size_type": _size(value)}


def _struct(value: Any) -> dict[str, Any]:
    return {
        "elements": [
            {
                "__ptype": "Pcore::StructElement",
                "key_type": type_data(one.key),
                "value_type": _data(one.value),
            }
            for one in value.elements
        ]
    }


def _types(value: Any) -> dict[str, Any]:
    return {"types": [_data(one) for one in value.types]}


def _wrapped(value: Any) -> dict[str, Any]:
    return {"type": _typed(value.type)}


def _callable(value: Any) -> dict[str, Any]:
    return {
        "param_types": _data(value.params),
        "block_type": _data(value.block),
        "return_type": _data(value.returns),
    }


_NAMED = frozenset(
    ("BuiltinAliasType", "ObjectExtensionType", "ObjectType", "TypeAliasType", "TypeSetType")
)
_MAKERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "IntegerType": _range,
    "FloatType": _range,
    "StringType": _string,
    "EnumType": _enum,
    "RegexpType": _regexp,
    "PatternType": _pattern,
    "CollectionType": lambda value: {"size_type": _size(value)},
    "ArrayType": _array,
    "HashType": _hash,
    "TupleType": _tuple,
    "StructType": _struct,
    "VariantType": _types,
    "OptionalType": _wrapped,
    "NotUndefType": _wrapped,
    "TypeType": _wrapped,
    "IterableType": _wrapped,
    "IteratorType": _wrapped,
    "InitType": _wrapped,
    "CallableType": _callable,
    "RuntimeType": lambda value: {
        "runtime": _optional(value.runtime),
        "name_or_pattern": _optional(value.class_name),
    },
    "SemVerType": lambda value: {
        "ranges": [_data(one) for one in value.ranges] if value.ranges else UNSET
    },
    "TimestampType": _temporal,
    "TimespanType": _temporal,
}
