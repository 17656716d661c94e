"""Values as rich data: JSON, with ``__ptype`` for values that JSON lacks.

Types are written as ``{"__ptype": "Pcore::IntegerType", "from": 1, "to": 2}``; default parameters
are left out, as Puppet leaves them out. A repeated object can be a reference to the first one:
``{"__ptype": "LocalRef", "__pvalue": "$['a'][0]"}``.
"""

from __future__ import annotations

from puppet_repl.language.types.data_types import DATA_TYPES
from puppet_repl.language.types.making.init import InitType
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.types.model.alias import BuiltinAliasType, TypeAliasType
from puppet_repl.language.types.model.base import AnyType, PuppetType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import (
    ArrayType,
    CollectionType,
    HashType,
    StructElement,
    StructType,
    TupleType,
)
from puppet_repl.language.types.model.object import ObjectExtensionType, ObjectType
from puppet_repl.language.types.model.object_text import initialiser
from puppet_repl.language.types.model.resource import CatalogEntryType, ClassType, ResourceType
from puppet_repl.language.types.model.ruby import RuntimeType
from puppet_repl.language.types.model.scalar import (
    EnumType,
    FloatType,
    IntegerType,
    NumericType,
    PatternType,
    RegexpType,
    StringType,
)
from puppet_repl.language.types.model.time import TimeDataType, TimespanType, TimestampType
from puppet_repl.language.types.model.typeset import TypeSetType
from puppet_repl.language.types.model.version import SemVerType
from puppet_repl.language.types.model.wrapper import (
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    TypeType,
    VariantType,
    WrappingType,
)
from puppet_repl.language.values.array import may_be_literal
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.default import DEFAULT, UNSET
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.language.values.quote import literal_text
from puppet_repl.language.values.sensitive import REDACTED, Sensitive
from puppet_repl.language.values.symbol import RubySymbol
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from puppet_repl.language.values.protocols import Value

    Json: TypeAlias = object
    Parts: TypeAlias = dict[str, Value]
    JsonObject: TypeAlias = dict[str, Json]

_NATIVE = frozenset((str, int, bool, float, type(None)))
_INFINITE = (float("inf"), float("-inf"))


class RichDataWriter:
    """Writes one value as rich data.

    ``reference_text`` returns the text of a reference to a resource or class; without it references
    are written as types, and symbols of Ruby are not written as strings. With ``local_references``
    a repeated object is written once, and aliases of types are written with their types.
    ``bytes_of`` returns the bytes of a string that is to be written as a Binary, None for text.
    With ``redacted`` a Sensitive is written as the text that Puppet prints for it.
    """

    def __init__(
        self,
        reference_text: Callable[[Value], str] | None = None,
        *,
        local_references: bool = False,
        bytes_of: Callable[[str], bytes | None] | None = None,
        redacted: bool = False,
    ) -> None:
        self._reference_text = reference_text
        self._local_references = local_references
        self._bytes_of = bytes_of
        self._redacted = redacted
        self._path: list[Value] = []
        # The Object types whose definitions are being written.
        self._open: list[ObjectType] = []
        # The path where an object was written, by its identity, and the object to keep it alive.
        self._written: dict[int, tuple[Value, str | None]] = {}

    def write(self, value: Value) -> Json:
        """Return a value as rich data."""
        if type(value) in _NATIVE:
            data = self._bytes_of(value) if type(value) is str and self._bytes_of else None
            return value if data is None else self.write(Binary(data))
        if value is DEFAULT:
            return {"__ptype": "Default"}
        if isinstance(value, PuppetValue) and value.data_type and type(value) is not Sensitive:
            write = DATA_TYPES[value.data_type.lower()].rich_data
            assert write is not None, f"{value.data_type} has no rich data"
            return {"__ptype": value.data_type, "__pvalue": write(value)}
        if self._reference_text is not None and isinstance(value, CatalogEntryType):
            return self._reference_text(value)
        if isinstance(value, RubySymbol):
            if self._reference_text is not None:
                return value.name
            return {"__ptype": "Symbol", "__pvalue": value.name}
        if not self._local_references:
            return self._object(value)
        if may_be_literal(value):
            check_extent(value)
        else:
            known = self._written.get(id(value))
            if known is None:
                self._written[id(value)] = (value, _json_path(self._path))
            elif known[1] is not None:
                return {"__ptype": "LocalRef", "__pvalue": known[1]}
        return self._object(value)

    def _object(self, value: Value) -> Json:
        if isinstance(value, tuple):
            return self._items(value)
        if isinstance(value, PuppetHash):
            return self._hash(value)
        if isinstance(value, Sensitive):
            if self._redacted:
                return REDACTED
            return {"__ptype": "Sensitive", "__pvalue": self.write(value.value)}
        if isinstance(value, StructElement):
            parts = {"key_type": value.key, "value_type": value.value}
            return {"__ptype": "Pcore::StructElement", **self._parts(parts)}
        if isinstance(value, PuppetType):
            return self._type(value)
        if isinstance(value, PuppetObject):
            return {"__ptype": value.object_name, **self._parts(dict(value.init_hash().items()))}
        return to_text(value)

    def _at(self, key: Value, value: Value) -> Json:
        self._path.append(key)
        written = self.write(value)
        self._path.pop()
        return written

    def _items(self, items: tuple[Value, ...]) -> Json:
        return [self._at(index, item) for index, item in enumerate(items)]

    def _parts(self, parts: Mapping[str, Value]) -> JsonObject:
        return {name: self._at(name, part) for name, part in parts.items() if part is not UNSET}

    def _hash(self, value: PuppetHash) -> JsonObject:
        if all(type(key) is str for key in value.keys()) and "__ptype" not in value.keys():
            return {key: self._at(key, item) for key, item in value.items()}
        flat = []
        for key, item in value.items():
            written = self.write(key)
            flat += [written, self._at(written, item)]
        return {"__ptype": "Hash", "__pvalue": flat}

    def _type(self, value: PuppetType) -> JsonObject:
        """Return a type with its parameters as rich data."""
        if isinstance(value, TypeAliasType) and (self._local_references or not value.is_recursive):
            alias = {"name": value.name, "type_expr": None, "resolved_type": value.resolved()}
            return {"__ptype": "Pcore::TypeAliasType", **self._parts(alias)}
        if isinstance(value, ObjectExtensionType):
            base: Parts = {"base_type": value.base, "init_parameters": value.parameters()}
            return {"__ptype": "Pcore::ObjectTypeExtenType", **self._parts(base)}
        if isinstance(value, ObjectType) and not any(one is value for one in self._open):
            self._open.append(value)
            definition: Parts = {"_pcore_init_hash": initialiser(value)}
            written = {"__ptype": "Pcore::ObjectType", **self._parts(definition)}
            self._open.pop()
            return written
        if isinstance(value, _WRITTEN_AS_TEXT):
            # Puppet itself fails on these.
            return {"__ptype": "Pcore::TypeReferenceType", "type_string": str(value)}
        parameters_of = _PARAMETERS.get(type(value))
        parts = {} if parameters_of is None else self._parts(parameters_of(value))
        return {"__ptype": f"Pcore::{value.kind}Type", **parts}


def _json_path(path: list[Value]) -> str | None:
    """Return a path of keys and indexes as text, None if a key is neither string nor number."""
    parts = ["$"]
    for key in path:
        if key is None:
            parts.append("[null]")
        elif type(key) in _NATIVE:
            parts.append(f"[{literal_text(key)}]")
        else:
            return None
    return "".join(parts)


# What the types say about themselves: UNSET is left out.


def _optional(value: Value) -> Value:
    """Return a part, or UNSET for undef, which is left out."""
    return UNSET if value is None else value


def _typed(value: PuppetType | None) -> Value:
    """Return a type, or UNSET for Any, which is left out."""
    return UNSET if value is None or type(value) is AnyType else value


def _range(value: NumericType) -> Parts:
    low, high = value.low, value.high
    ends: Parts = {}
    if low not in _INFINITE:
        ends["from"] = low
    elif high not in _INFINITE:
        ends["from"] = None
    if high not in _INFINITE:
        ends["to"] = high
    return ends


def _times(value: TimeDataType) -> Parts:
    return {"from": _optional(value.low), "to": _optional(value.high)}


def _string(value: StringType) -> Parts:
    if value.value is not None:
        return {"size_type_or_value": value.value}
    return {"size_type_or_value": _optional(value.size)}


def _enum(value: EnumType) -> Parts:
    data: Parts = {"values": value.values}
    if value.ignores_case:
        data["case_insensitive"] = True
    return data


def _regexp(value: RegexpType) -> Parts:
    return {"pattern": UNSET if value.pattern is None else value.pattern}


def _pattern(value: PatternType) -> Parts:
    return {"patterns": value.patterns}


def _collection(value: CollectionType) -> Parts:
    return {"size_type": _optional(value.size)}


def _array(value: ArrayType) -> Parts:
    return {"element_type": _typed(value.element), "size_type": _optional(value.size)}


def _hash(value: HashType) -> Parts:
    return {
        "key_type": _typed(value.key),
        "value_type": _typed(value.value),
        "size_type": _optional(value.size),
    }


def _tuple(value: TupleType) -> Parts:
    return {"types": value.types, "size_type": _optional(value.size)}


def _struct(value: StructType) -> Parts:
    return {"elements": value.elements}


def _variant(value: VariantType) -> Parts:
    return {"types": value.types}


def _wrapped(value: WrappingType) -> Parts:
    return {"type": _typed(value.type)}


def _callable(value: CallableType) -> Parts:
    return {
        "param_types": value.params,
        "block_type": value.block,
        "return_type": value.returns,
    }


def _runtime(value: RuntimeType) -> Parts:
    return {"runtime": _optional(value.runtime), "name_or_pattern": _optional(value.class_name)}


def _version(value: SemVerType) -> Parts:
    return {"ranges": value.ranges or UNSET}


def _class(value: ClassType) -> Parts:
    return {"class_name": _optional(value.class_name)}


def _resource(value: ResourceType) -> Parts:
    return {"type_name": _optional(value.type_name), "title": _optional(value.title)}


_WRITTEN_AS_TEXT = (
    BuiltinAliasType,
    ObjectType,
    TypeAliasType,
    TypeSetType,
)
_PARAMETERS: dict[type[PuppetType], Callable[[Any], Parts]] = {
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
    ClassType: _class,
    ResourceType: _resource,
    TimestampType: _times,
    TimespanType: _times,
}
