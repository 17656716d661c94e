"""Values as rich data: JSON, with ``__ptype`` for values that JSON lacks.

Types are written as ``{"__ptype": "Pcore::IntegerType", "from": 1, "to": 2}``; default parameters
are left out, as Puppet leaves them out. A repeated object can be a reference to the first one:
``{"__ptype": "LocalRef", "__pvalue": "$['a'][0]"}``.
"""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, RuntimeFailure
from puppet_repl.language.types.data_types import DATA_TYPES
from puppet_repl.language.types.making.init import InitType
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.types.model.alias import TypeAliasType, TypeReferenceType
from puppet_repl.language.types.model.base import ANY, PuppetType
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
from puppet_repl.language.types.model.time import TimespanType, TimestampType
from puppet_repl.language.types.model.typeset import TypeSetType
from puppet_repl.language.types.model.uri import URIType
from puppet_repl.language.types.model.version import SemVerType
from puppet_repl.language.types.model.wrapper import (
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    TypeType,
    VariantType,
)
from puppet_repl.language.values.array import may_be_literal
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.default import DEFAULT
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

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.language.values.protocols import Value

    Json: TypeAlias = object
    Parts: TypeAlias = dict[str, Value]
    JsonObject: TypeAlias = dict[str, Json]

_NATIVE = frozenset((str, int, bool, float, type(None)))
_INFINITE = (float("inf"), float("-inf"))


class RichDataWriter:
    """Writes one value as rich data.

    ``reference_text`` returns what a catalog has for the reference that an attribute holds, None
    for other types. With it symbols of Ruby are written as strings; without it a repeated object is
    written once. A writer that ``refuses`` raises where Puppet fails: at a type set, and at a type
    that contains itself; other writers write these as text. ``bytes_of`` returns the bytes of a
    string that is to be written as a Binary, None for text. With ``redacted`` a Sensitive is
    written as the text that Puppet prints for it.
    """

    def __init__(
        self,
        reference_text: Callable[[CatalogEntryType], str | None] | None = None,
        *,
        refuses: bool = False,
        bytes_of: Callable[[str], bytes | None] | None = None,
        redacted: bool = False,
    ) -> None:
        self._reference_text = reference_text
        self._refuses = refuses
        self._bytes_of = bytes_of
        self._redacted = redacted
        self._path: list[Value] = []
        # The types whose definitions are being written.
        self._open: list[PuppetType] = []
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
        if isinstance(value, RubySymbol):
            if self._reference_text is not None:
                return value.name
            return {"__ptype": "Symbol", "__pvalue": value.name}
        if self._reference_text is not None:
            text = self._text_of(value)
            return self._object(value) if text is None else text
        if may_be_literal(value):
            check_extent(value)
        else:
            known = self._written.get(id(value))
            if known is None:
                self._written[id(value)] = (value, _json_path(self._path))
            elif known[1] is not None:
                return {"__ptype": "LocalRef", "__pvalue": known[1]}
        return self._object(value)

    def _text_of(self, value: Value) -> str | None:
        """Return the text of a reference in a catalog, None for other values."""
        if self._reference_text is None or not isinstance(value, CatalogEntryType):
            return None
        return self._reference_text(value)

    def _object(self, value: Value) -> Json:
        if isinstance(value, tuple):
            return self._items(value)
        if isinstance(value, PuppetHash):
            return self._hash(value)
        if isinstance(value, Sensitive):
            inner = self.write(value.value) if self._refuses or not self._redacted else None
            return REDACTED if self._redacted else {"__ptype": "Sensitive", "__pvalue": inner}
        if isinstance(value, StructElement):
            parts = {"key_type": value.key, "value_type": value.value}
            return {"__ptype": "Pcore::StructElement", **self._parts(parts)}
        if isinstance(value, PuppetType):
            return self._type(value)
        if isinstance(value, PuppetObject):
            return {"__ptype": value.object_name, **self._parts(dict(value.written_hash().items()))}
        return to_text(value)

    def _at(self, key: Value, value: Value) -> Json:
        self._path.append(key)
        written = self.write(value)
        self._path.pop()
        return written

    def _items(self, items: tuple[Value, ...]) -> Json:
        return [self._at(index, item) for index, item in enumerate(items)]

    def _parts(self, parts: Mapping[str, Value]) -> JsonObject:
        return {name: self._at(name, part) for name, part in parts.items()}

    def _hash(self, value: PuppetHash) -> JsonObject:
        entries = [(self._text_of(key) or key, item) for key, item in value.items()]
        if all(type(key) is str and key != "__ptype" for key, _ in entries):
            return {key: self._at(key, item) for key, item in entries}
        flat = []
        for key, item in entries:
            written = self.write(key)
            flat += [written, self._at(written, item)]
        return {"__ptype": "Hash", "__pvalue": flat}

    def _type(self, value: PuppetType) -> JsonObject:
        """Return a type with its parameters as rich data."""
        name = f"Pcore::{value.kind}Type"
        if isinstance(value, TypeSetType):
            return self._unwritable(value, _type_set_without_data())
        if any(one is value for one in self._open) or self._is_endless(value):
            return self._unwritable(value, _contains_itself(value))
        if not isinstance(value, TypeAliasType | ObjectType | ObjectExtensionType):
            parameters_of = _PARAMETERS.get(type(value))
            parts = {} if parameters_of is None else _without_defaults(parameters_of(value))
            return {"__ptype": name, **self._parts(parts)}
        self._open.append(value)
        written = {"__ptype": name, **self._parts(_definition(value))}
        self._open.pop()
        return written

    def _is_endless(self, value: PuppetType) -> bool:
        """Tell whether a type contains itself and is better written as text from the beginning."""
        if self._refuses or self._reference_text is None:
            return False
        return isinstance(value, TypeAliasType) and value.is_recursive

    def _unwritable(self, value: PuppetType, error: PuppetError) -> JsonObject:
        """Return the text of a type that Puppet cannot write, or raise Puppet's error."""
        if self._refuses:
            raise error
        return {"__ptype": "Pcore::TypeReferenceType", "type_string": str(value)}


def _definition(value: TypeAliasType | ObjectType | ObjectExtensionType) -> Parts:
    """Return the parts of a type that has a definition of its own."""
    if isinstance(value, TypeAliasType):
        return {"name": value.name, "type_expr": None, "resolved_type": value.target()}
    if isinstance(value, ObjectExtensionType):
        return {"base_type": value.base, "init_parameters": value.parameters()}
    return {"_pcore_init_hash": initialiser(value)}


def _contains_itself(value: PuppetType) -> EvaluationIssue:
    return EvaluationIssue(
        "Endless recursion detected when attempting to serialize value of class "
        f"{value.ruby_class}",
        "SERIALIZATION_ENDLESS_RECURSION",
    )


def _type_set_without_data() -> RuntimeFailure:
    return RuntimeFailure(
        "Initializer for class Puppet::Pops::Types::PTypeSetType parameter 'name_or_init_hash' "
        "does not match any of the attributes of type Pcore::TypeSetType"
    )


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


# What the types say about themselves, in the order of Puppet's parameters.


def _range(value: NumericType) -> Parts:
    return {
        "from": None if value.low in _INFINITE else value.low,
        "to": None if value.high in _INFINITE else value.high,
    }


def _fields(**names: str) -> Callable[[Any], Parts]:
    """Return a function that takes parameters from the attributes of these names."""
    return lambda value: {name: getattr(value, field) for name, field in names.items()}


def _without_defaults(parts: Parts) -> Parts:
    """Return the parameters up to the last one that is not the default, as Puppet writes them."""
    names = list(parts)
    while names and _is_default(names[-1], parts[names[-1]]):
        names.pop()
    return {name: parts[name] for name in names}


def _is_default(name: str, value: Value) -> bool:
    return bool(value == _DEFAULTS.get(name))


# Defaults other than undef. Callable never has Any, but undef in its place.
_DEFAULTS: dict[str, Value] = {
    "case_insensitive": False,
    "element_type": ANY,
    "init_args": (),
    "key_type": ANY,
    "ranges": (),
    "return_type": ANY,
    "value_type": ANY,
}
_wrapped = _fields(type="type")
_times = _fields(**{"from": "low", "to": "high"})
_PARAMETERS: dict[type[PuppetType], Callable[[Any], Parts]] = {
    IntegerType: _range,
    FloatType: _range,
    StringType: _fields(size_type_or_value="size_or_value"),
    EnumType: _fields(values="values", case_insensitive="ignores_case"),
    RegexpType: _fields(pattern="pattern"),
    PatternType: _fields(patterns="patterns"),
    CollectionType: _fields(size_type="size"),
    ArrayType: _fields(element_type="element", size_type="size"),
    HashType: _fields(key_type="key", value_type="value", size_type="size"),
    TupleType: _fields(types="types", size_type="size"),
    StructType: _fields(elements="elements"),
    VariantType: _fields(types="types"),
    OptionalType: _wrapped,
    NotUndefType: _wrapped,
    TypeType: _wrapped,
    IterableType: _wrapped,
    IteratorType: _wrapped,
    InitType: _fields(type="type", init_args="arguments"),
    CallableType: _fields(param_types="params", block_type="block", return_type="returns"),
    RuntimeType: _fields(runtime="runtime", name_or_pattern="class_name"),
    SemVerType: _fields(ranges="ranges"),
    ClassType: _fields(class_name="class_name"),
    ResourceType: _fields(type_name="type_name", title="title"),
    TimestampType: _times,
    TimespanType: _times,
    TypeReferenceType: _fields(type_string="type_string"),
    URIType: _fields(parameters="components"),
}
