"""The common type of two types: the type algebra, rule by rule as Puppet 8.11 applies it."""

from __future__ import annotations

from puppet_repl.language.types.model.base import ANY, UNDEF, UNIT, PuppetType
from puppet_repl.language.types.model.callable import CALLABLE, CallableType
from puppet_repl.language.types.model.collection import ArrayType, HashType
from puppet_repl.language.types.model.data import DATA, RICH_DATA
from puppet_repl.language.types.model.resource import CLASS, RESOURCE, ClassType, ResourceType
from puppet_repl.language.types.model.scalar import (
    ENUM,
    NUMERIC,
    REGEXP,
    SCALAR,
    SCALAR_DATA,
    STRING,
    EnumType,
    FloatType,
    IntegerType,
    PatternType,
    RegexpType,
    StringType,
)
from puppet_repl.language.types.model.wrapper import TypeType, VariantType, variant


def common_type(left: PuppetType, right: PuppetType) -> PuppetType:
    """Return the result of the first rule that fits; Undef is ignored, Unit is the other one."""
    if left == UNDEF or right == UNDEF:
        return right if left == UNDEF else left
    if left == UNIT or right == UNIT:
        return right if left == UNIT else left
    if left.accepts_type(right):
        return left
    if right.accepts_type(left):
        return right
    return _common_of_kind(left, right) or _common_abstract(left, right)


def _common_of_kind(left: PuppetType, right: PuppetType) -> PuppetType | None:
    """Rules for two types of the same kind."""
    if isinstance(left, (StringType, EnumType)) and isinstance(right, (StringType, EnumType)):
        return _common_text(left, right)
    kind = type(left)
    if kind is not type(right):
        return None
    match left, right:
        case ArrayType(), ArrayType():
            return ArrayType(common_type(left.element, right.element))
        case HashType(), HashType():
            key = common_type(left.key, right.key)
            return HashType(key, common_type(left.value, right.value))
        case IntegerType(), IntegerType():
            return IntegerType(min(left.low, right.low), max(left.high, right.high))
        case FloatType(), FloatType():
            return FloatType(min(left.low, right.low), max(left.high, right.high))
        case ResourceType(), ResourceType():
            return ResourceType(left.type_name) if left.type_name == right.type_name else RESOURCE
        case PatternType(), PatternType():
            return PatternType(left.patterns + right.patterns)
        case VariantType(), VariantType():
            return variant(left.types + right.types)
    return {ClassType: CLASS, RegexpType: REGEXP, CallableType: CALLABLE}.get(kind)


def _common_text(left: StringType | EnumType, right: StringType | EnumType) -> PuppetType:
    """Strings of one value become an Enum; sizes become one range."""
    if isinstance(left, StringType) and isinstance(right, StringType):
        if left.size is not None and right.size is not None:
            size = common_type(left.size, right.size)
            return StringType(size if isinstance(size, IntegerType) else None)
        if left.value is None or right.value is None:
            return STRING
        return EnumType((left.value, right.value))
    values: list[str] = []
    for one in (left, right):
        if isinstance(one, EnumType):
            values.extend(one.values)
        elif one.value is None:
            return ENUM
        else:
            values.append(one.value)
    return EnumType(tuple(values))


def _common_abstract(left: PuppetType, right: PuppetType) -> PuppetType:
    """Return the narrowest of the general types that takes both."""
    for general in (NUMERIC, SCALAR_DATA, SCALAR, DATA):
        if general.accepts_type(left) and general.accepts_type(right):
            return general
    if isinstance(left, TypeType) and isinstance(right, TypeType):
        # A Type of any type would accept the other one.
        assert left.type is not None and right.type is not None
        return TypeType(common_type(left.type, right.type))
    if RICH_DATA.accepts_type(left) and RICH_DATA.accepts_type(right):
        return RICH_DATA
    return ANY
