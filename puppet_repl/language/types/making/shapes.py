"""The types that definitions of Object types, of TypeSets and of URI types are checked against."""

from __future__ import annotations

from puppet_repl.language.types.model.base import ANY, UNDEF, PuppetType
from puppet_repl.language.types.model.callable import CALLABLE
from puppet_repl.language.types.model.collection import (
    ArrayType,
    HashType,
    StructElement,
    StructType,
)
from puppet_repl.language.types.model.name_types import (
    MEMBER_NAME,
    PCORE_URI,
    SIMPLE_TYPE_NAME,
    TYPE_NAME,
)
from puppet_repl.language.types.model.object import ANNOTATION
from puppet_repl.language.types.model.scalar import (
    BOOLEAN,
    ENUM,
    NON_EMPTY_STRING,
    NOT_EMPTY,
    PATTERN,
    REGEXP,
    EnumType,
    IntegerType,
    StringType,
)
from puppet_repl.language.types.model.version import SEM_VER, SEM_VER_RANGE
from puppet_repl.language.types.model.wrapper import (
    NOT_UNDEF,
    TYPE,
    OptionalType,
    TypeType,
    VariantType,
)


def _struct(**members: PuppetType) -> StructType:
    """Return a Struct; a name that ends in ``_or_none`` is a key that may be absent."""
    return StructType(
        tuple(
            [
                StructElement(name.removesuffix("_or_none"), name.endswith("_or_none"), kind)
                for name, kind in members.items()
            ]
        )
    )


CALLABLE_TYPE = TypeType(CALLABLE)
_ANNOTATIONS = OptionalType(HashType(TypeType(ANNOTATION), HashType(MEMBER_NAME, ANY)))
OBJECT_SHAPE = _struct(
    name_or_none=TYPE_NAME,
    parent_or_none=TYPE,
    type_parameters_or_none=HashType(MEMBER_NAME, NOT_UNDEF),
    attributes_or_none=HashType(MEMBER_NAME, NOT_UNDEF),
    constants_or_none=HashType(MEMBER_NAME, ANY),
    functions_or_none=HashType(VariantType((MEMBER_NAME, StringType(value="[]"))), NOT_UNDEF),
    equality_or_none=VariantType((MEMBER_NAME, ArrayType(MEMBER_NAME))),
    equality_include_type_or_none=BOOLEAN,
    checks_or_none=ANY,
    annotations_or_none=_ANNOTATIONS,
)
FUNCTION_SHAPE = _struct(
    type=CALLABLE_TYPE,
    final_or_none=BOOLEAN,
    override_or_none=BOOLEAN,
    annotations_or_none=_ANNOTATIONS,
)
ATTRIBUTE_SHAPE = _struct(
    type=TYPE,
    final_or_none=BOOLEAN,
    override_or_none=BOOLEAN,
    kind_or_none=EnumType(("constant", "derived", "given_or_derived", "reference")),
    value_or_none=ANY,
    annotations_or_none=_ANNOTATIONS,
)
_ANY_VERSION = VariantType((NON_EMPTY_STRING, SEM_VER))
TYPE_SET_SHAPE = _struct(
    pcore_uri_or_none=PCORE_URI,
    pcore_version=_ANY_VERSION,
    name_authority_or_none=PCORE_URI,
    name_or_none=TYPE_NAME,
    version_or_none=_ANY_VERSION,
    types_or_none=HashType(SIMPLE_TYPE_NAME, VariantType((TYPE, OBJECT_SHAPE)), NOT_EMPTY),
    references_or_none=HashType(
        SIMPLE_TYPE_NAME,
        _struct(
            name=TYPE_NAME,
            version_range=VariantType((NON_EMPTY_STRING, SEM_VER_RANGE)),
            name_authority_or_none=PCORE_URI,
            annotations_or_none=_ANNOTATIONS,
        ),
        NOT_EMPTY,
    ),
    annotations_or_none=_ANNOTATIONS,
)
_UNSET_OR_SET = (TypeType(NOT_UNDEF), TypeType(UNDEF))
_COMPONENT = OptionalType(
    VariantType((NON_EMPTY_STRING, REGEXP, TypeType(PATTERN), TypeType(ENUM), *_UNSET_OR_SET))
)
_PORT = OptionalType(VariantType((IntegerType(0), *_UNSET_OR_SET)))
URI_SHAPE = VariantType(
    (
        NON_EMPTY_STRING,
        _struct(
            scheme_or_none=_COMPONENT,
            userinfo_or_none=_COMPONENT,
            host_or_none=_COMPONENT,
            port_or_none=_PORT,
            path_or_none=_COMPONENT,
            query_or_none=_COMPONENT,
            fragment_or_none=_COMPONENT,
            opaque_or_none=_COMPONENT,
        ),
    )
)
