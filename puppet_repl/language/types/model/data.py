"""The built-in aliases: Data, RichData and RichDataKey."""

from __future__ import annotations

from puppet_repl.base.sharing import once
from puppet_repl.language.types.model.alias import BuiltinAliasType
from puppet_repl.language.types.model.base import DEFAULT_TYPE, UNDEF, PuppetType
from puppet_repl.language.types.model.binary import BINARY
from puppet_repl.language.types.model.collection import ArrayType, HashType
from puppet_repl.language.types.model.object import OBJECT
from puppet_repl.language.types.model.scalar import NUMERIC, SCALAR, SCALAR_DATA, STRING
from puppet_repl.language.types.model.typeset import TYPE_SET
from puppet_repl.language.types.model.uri import URI_TYPE
from puppet_repl.language.types.model.version import SEM_VER_RANGE
from puppet_repl.language.types.model.wrapper import SENSITIVE, TYPE, VariantType
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import FLAT, PuppetHash
from puppet_repl.language.values.protocols import PuppetValue, Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _data() -> PuppetType:
    return VariantType((SCALAR_DATA, UNDEF, HashType(STRING, DATA), ArrayType(DATA)))


def _is_data(value: Any) -> bool:
    kind = type(value)
    if kind in FLAT:
        return True
    if kind is tuple:
        return FLAT.issuperset(map(type, value)) or once(_is_data_array, value, len(value))
    if kind is PuppetHash:
        if FLAT.issuperset(map(type, value.values())):
            return _has_string_keys(value)
        return once(_is_data_hash, value, len(value))
    return False


def _is_data_array(value: tuple[Any, ...]) -> bool:
    return all(map(_is_data, value))


def _is_data_hash(value: PuppetHash) -> bool:
    return _has_string_keys(value) and all(map(_is_data, value.values()))


def _has_string_keys(value: PuppetHash) -> bool:
    return {str}.issuperset(map(type, value.keys()))


def _rich_data_key() -> PuppetType:
    return VariantType((STRING, NUMERIC))


def _rich_data() -> PuppetType:
    return VariantType(
        (
            SCALAR,
            SEM_VER_RANGE,
            BINARY,
            SENSITIVE,
            TYPE,
            TYPE_SET,
            URI_TYPE,
            OBJECT,
            UNDEF,
            DEFAULT_TYPE,
            HashType(RICH_DATA_KEY, RICH_DATA),
            ArrayType(RICH_DATA),
        )
    )


def _is_rich_data(value: Any) -> bool:
    kind = type(value)
    if kind in FLAT or value is DEFAULT or isinstance(value, PuppetType):
        return True
    if kind is tuple:
        return once(_is_rich_data_array, value, len(value))
    if kind is PuppetHash:
        return once(_is_rich_data_hash, value, len(value))
    return isinstance(value, Typed) or (isinstance(value, PuppetValue) and value.data_type != "")


def _is_rich_data_array(value: tuple[Any, ...]) -> bool:
    return all(map(_is_rich_data, value))


def _is_rich_data_hash(value: PuppetHash) -> bool:
    is_key = RICH_DATA_KEY.predicate()
    return all(map(is_key, value.keys())) and all(map(_is_rich_data, value.values()))


DATA = BuiltinAliasType("Data", _data, _is_data)
RICH_DATA_KEY = BuiltinAliasType("RichDataKey", _rich_data_key)
RICH_DATA = BuiltinAliasType("RichData", _rich_data, _is_rich_data)
LOOKUP_KEY = BuiltinAliasType("Puppet::LookupKey", lambda: RICH_DATA_KEY)
LOOKUP_VALUE = BuiltinAliasType("Puppet::LookupValue", lambda: RICH_DATA, _is_rich_data)
