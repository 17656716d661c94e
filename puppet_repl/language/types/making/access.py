"""``T[...]``: types from types and their parameters (Puppet's AccessOperator)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.base import UNDEF, UNIT, PuppetType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import (
    ArrayType,
    CollectionType,
    HashType,
    StructElement,
    StructType,
    TupleType,
)
from puppet_repl.language.types.model.ruby import ruby_type
from puppet_repl.language.types.model.scalar import (
    FALSE,
    TRUE,
    BooleanType,
    EnumType,
    FloatType,
    IntegerType,
    PatternType,
    RegexpType,
    StringType,
    is_regexp,
)
from puppet_repl.language.types.model.wrapper import (
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
    WrappingType,
    variant,
)
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def integer_range(low: Any, high: Any = DEFAULT) -> IntegerType:
    """Return the range between two Integers or defaults."""
    bottom = None if low is DEFAULT else low
    top = None if high is DEFAULT else high
    if bottom is not None and top is not None and bottom > top:
        raise issues.range_backwards(str(bottom), str(top))
    return IntegerType(bottom, top)


def type_of(value: Value) -> PuppetType:
    """Return what a parameter that should be a type stands for: strings name Ruby classes."""
    if isinstance(value, PuppetType):
        return value
    if type(value) is str:
        return ruby_type(value)
    return infer(value).generalize()


def _check(
    target: PuppetType,
    keys: tuple[Value, ...],
    most: int,
    expected: str,
    fits: Callable[[Any], bool],
) -> None:
    """Check that there is at least one parameter, and at most ``most`` unless that is -1."""
    if not keys or (most != -1 and len(keys) > most):
        raise issues.type_arity(target, 1, most, len(keys))
    for index, key in enumerate(keys):
        if not fits(key):
            raise issues.wrong_key(target, key, expected, index)


def is_type(value: Value) -> bool:
    """Tell whether a parameter is a type."""
    return isinstance(value, PuppetType)


def _is_string(value: Any) -> bool:
    return type(value) is str


def is_bound(value: Value) -> bool:
    """Tell whether a parameter may be the end of a range of Integers."""
    return type(value) is int or value is DEFAULT


def _size(start: int, *keys: Value) -> IntegerType:
    if len(keys) == 1 and isinstance(keys[0], IntegerType):
        return keys[0]
    for index, key in enumerate(keys):
        if not is_bound(key):
            raise issues.bad_size(key, start + index)
    return integer_range(*keys)


def _integer(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    if not 1 <= len(keys) <= 2:
        raise issues.integer_arity(len(keys))
    for index, key in enumerate(keys):
        if not is_bound(key):
            raise issues.integer_bound(key, index)
    return integer_range(*keys)


def _float(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    if not 1 <= len(keys) <= 2:
        raise issues.float_arity(len(keys))
    for index, key in enumerate(keys):
        if not (is_bound(key) or type(key) is float):
            raise issues.float_bound(key, index)
    bounds = [None if key is DEFAULT else float(key) for key in keys]
    made = FloatType(*bounds)
    if made.low > made.high:
        raise issues.range_backwards(*_float_texts(made))
    return made


def _float_texts(made: FloatType) -> tuple[str, str]:
    return float_text(made.low), float_text(made.high)


def _string(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    if not 1 <= len(keys) <= 2:
        raise issues.string_arity(len(keys))
    return StringType(_size(0, *keys))


def _boolean(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    _check(target, keys, 1, "TrueClass or FalseClass", lambda key: type(key) is bool)
    return TRUE if keys[0] else FALSE


def _enum(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    ignores_case = False
    if keys and type(keys[-1]) is bool:
        ignores_case = keys[-1]
        keys = keys[:-1]
    _check(target, keys, -1, "String", _is_string)
    return EnumType(keys, ignores_case)


def _pattern(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    def fits(key: Value) -> bool:
        return _is_string(key) or is_regexp(key) or isinstance(key, (PatternType, RegexpType))

    _check(target, keys, -1, "String or Regexp or Pattern-Type or Regexp-Type", fits)
    patterns: list[RegexpType] = []
    for key in keys:
        if isinstance(key, PatternType):
            patterns.extend(key.patterns)
        elif isinstance(key, RegexpType):
            patterns.append(key)
        elif is_regexp(key):
            patterns.append(RegexpType.of(key))
        else:
            patterns.append(RegexpType(key).checked())
    return PatternType(tuple(patterns))


def _regexp(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    if len(keys) != 1:
        blame = ("keys", 1) if keys else None
        raise issues.type_arity(target, 1, None, len(keys), blame)
    _check(target, keys, 1, "String or Regexp", lambda key: _is_string(key) or is_regexp(key))
    return RegexpType(keys[0]) if _is_string(keys[0]) else RegexpType.of(keys[0])


def _variant(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    _check(target, keys, -1, "Any-Type", is_type)
    return variant(keys)


def _collection(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    if not 1 <= len(keys) <= 2:
        raise issues.arity("Collection-Type", 1, 2, len(keys))
    return CollectionType(_size(0, *keys))


def _array(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    count = len(keys)
    if not 1 <= count <= 3:
        raise issues.arity("Array-Type", 1, 3, count)
    if count == 2 and not is_type(keys[0]):
        return ArrayType(size=_size(0, *keys))
    if not is_type(keys[0]):
        raise issues.not_a_type("Array-Type", keys[0], 0)
    return ArrayType(keys[0], _size(1, *keys[1:]) if count > 1 else None)


def _hash(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    if len(keys) == 2 and type(keys[0]) is int and type(keys[1]) is int:
        return HashType(size=integer_range(*keys))
    for index, key in enumerate(keys[:2]):
        if not is_type(key):
            raise issues.not_a_type("Hash-Type", key, index)
    if not 2 <= len(keys) <= 4:
        raise issues.arity("Hash-Type", 2, 4, len(keys))
    size = None
    if len(keys) == 3:
        size = keys[2]
        if not isinstance(size, IntegerType):
            if not is_bound(size):
                ruby = ruby_class(size)
                raise RuntimeFailure(f"comparison of {ruby} with Infinity failed")
            size = integer_range(size)
    elif len(keys) == 4:
        size = _size(2, *keys[2:])
    return HashType(keys[0], keys[1], size)


def trailing_size(keys: tuple[Value, ...]) -> tuple[tuple[Any, ...], IntegerType | None]:
    """Return the types at the front of the keys, and the size that one or two last keys give."""
    if len(keys) > 1 and is_bound(keys[-2]) and is_bound(keys[-1]):
        return keys[:-2], integer_range(keys[-2], keys[-1])
    if keys and is_bound(keys[-1]):
        return keys[:-1], integer_range(keys[-1])
    return keys, None


def _tuple(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    types, size = trailing_size(keys)
    _check(target, types, -1, "Any-Type", is_type)
    return TupleType(types, size)


def callable_from(params: tuple[Any, ...]) -> PuppetType:
    """Return a Callable from the keys between its brackets."""
    returns = None
    if len(params) == 2 and type(params[0]) is tuple:
        returns = type_of(params[1])
        params = params[0]
    block = None
    if params and is_type(params[-1]) and params[-1].is_callable_kind():
        block = params[-1]
        params = params[:-1]
    kinds, size = trailing_size(params)
    types = tuple(map(type_of, kinds))
    if not types and size is not None and size.high > 0:
        types = (UNIT,)
    return CallableType(TupleType(types, size), block, returns)


def _callable(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    if keys and type(keys[0]) is tuple:
        if len(keys) != 2:
            raise issues.type_arity(target, 2, 2, len(keys))
        if not is_type(keys[1]):
            raise RuntimeFailure("undefined local variable or method `k'")
    return callable_from(keys)


def _struct(target: PuppetType, keys: tuple[Any, ...]) -> PuppetType:
    _check(target, keys, 1, "Hash", lambda key: type(key) is PuppetHash)
    return struct_from(keys[0])


def struct_from(members: PuppetHash) -> StructType:
    """Return a Struct from a hash of keys and types."""
    return StructType(tuple([_element(key, type_of(item)) for key, item in members.items()]))


def _element(key: Any, value: PuppetType) -> StructElement:
    if type(key) is str:
        if not key:
            raise RuntimeFailure("Struct element key cannot be an empty String")
        return StructElement(key, value.accepts_type(UNDEF), value)
    literal = key.type if isinstance(key, (OptionalType, NotUndefType)) else key
    if isinstance(key, EnumType) and len(key.values) == 1:
        literal = StringType(None, key.values[0])
    elif not isinstance(key, (OptionalType, NotUndefType, StringType, EnumType)):
        raise RuntimeFailure(
            "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. "
            f"Got: {ruby_class(key)}"
        )
    if not isinstance(literal, StringType) or literal.value is None:
        raise RuntimeFailure(
            f"Unable to extract a non-empty literal string from Struct member key type {key}"
        )
    return StructElement(literal.value, isinstance(key, OptionalType), value)


def _wrapping(make: type[WrappingType], takes_string: bool = False) -> _Access:
    """Access of a type that takes one other type."""

    def access_one(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
        label = f"{target.kind}-Type"
        if len(keys) != 1:
            raise issues.arity(label, 1, None, len(keys))
        inner = keys[0]
        if takes_string and type(inner) is str:
            inner = StringType(None, inner)
        if not isinstance(inner, PuppetType):
            raise issues.not_a_type(label, inner, 0)
        return make(inner)

    return access_one


def _not_undef(target: PuppetType, keys: tuple[Value, ...]) -> PuppetType:
    if len(keys) > 1:
        raise issues.arity("NotUndef-Type", 0, 1, len(keys))
    if not keys:
        return target.default
    inner = StringType(None, keys[0]) if type(keys[0]) is str else keys[0]
    if not isinstance(inner, PuppetType):
        raise issues.not_type_or_string("NotUndef-Type", inner)
    return NotUndefType(inner)


if TYPE_CHECKING:
    from typing import TypeAlias

    _Access: TypeAlias = Callable[[PuppetType, tuple[Any, ...]], PuppetType]

_ACCESS: dict[type[PuppetType], _Access] = {
    IntegerType: _integer,
    FloatType: _float,
    StringType: _string,
    BooleanType: _boolean,
    EnumType: _enum,
    PatternType: _pattern,
    RegexpType: _regexp,
    VariantType: _variant,
    CollectionType: _collection,
    ArrayType: _array,
    HashType: _hash,
    TupleType: _tuple,
    StructType: _struct,
    OptionalType: _wrapping(OptionalType, takes_string=True),
    SensitiveType: _wrapping(SensitiveType),
    TypeType: _wrapping(TypeType),
    IterableType: _wrapping(IterableType),
    IteratorType: _wrapping(IteratorType),
    NotUndefType: _not_undef,
}


# Types whose parameters are checked against types of their own: kind -> function.
_RARE = {
    "Object": "object_definition.object_access",
    "TypeSet": "type_set_definition.type_set_access",
    "URI": "uri_access.uri_access",
}


def access(target: PuppetType, keys: tuple[Value, ...], context: Value = None) -> Any:
    """Return ``target[keys...]``: a type, an array of types, or a parameter of a resource."""
    kind = type(target)
    if kind is CallableType:
        return _callable(target, keys)
    if kind is StructType:
        return _struct(target, keys)
    known = _ACCESS.get(kind)
    if known is not None:
        return known(target, flatten(keys))
    if isinstance(target, TypeReferenceType):
        raise issues.unknown_resource_type(target.type_string)
    path = _RARE.get(target.kind)
    if path is not None:
        module, _, name = path.rpartition(".")
        return getattr(import_module(f"puppet_repl.language.types.making.{module}"), name)(
            target, keys, context
        )
    if type(target).access is PuppetType.access:
        raise issues.not_applicable(target)
    return target.access(keys, context)
