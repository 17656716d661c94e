"""``Pcore::*``: the types that describe types, and the aliases that describe names."""

from __future__ import annotations

from puppet_repl.language.types.making.ast_types import lookup_ast
from puppet_repl.language.types.making.builtin_objects import builtin
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.name_types import MEMBER_NAME, PCORE_ALIASES, TYPE_NAME
from puppet_repl.language.types.model.object import ObjectType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_OBJECT_INITIALISER = (
    f"Struct[{{Optional[name] => {TYPE_NAME}, Optional[parent] => Type, "
    f"Optional[type_parameters] => Hash[{MEMBER_NAME}, NotUndef], "
    f"Optional[attributes] => Hash[{MEMBER_NAME}, NotUndef], "
    f"Optional[constants] => Hash[{MEMBER_NAME}, Any], "
    f"Optional[functions] => Hash[Variant[{MEMBER_NAME}, String], NotUndef], "
    f"Optional[equality] => Variant[{MEMBER_NAME}, Array[{MEMBER_NAME}]], "
    "Optional[equality_include_type] => Boolean, checks => Any, "
    f"annotations => Optional[Hash[Type[Annotation], Hash[{MEMBER_NAME}, Any]]]}}]"
)
_PART = (
    "Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]]"
)
_PORT = "Optional[Variant[Integer[0], Type[NotUndef], Type[Undef]]]"
_URI_PARTS = ", ".join(
    [
        f"{part} => {_PORT if part == 'port' else _PART}"
        for part in ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")
    ]
)
# Name of the type: the name of its parent, and the attributes that it adds.
_META = {
    "Any": ("Any", ""),
    "Array": ("Collection", "element_type => {type => Optional[Type], value => Any}"),
    "Binary": ("Any", ""),
    "Boolean": ("ScalarData", ""),
    "Callable": (
        "Any",
        "param_types => {type => Optional[Type[Tuple]], value => undef}, "
        "block_type => {type => Optional[Type[Callable]], value => undef}, "
        "return_type => {type => Optional[Type], value => Any}",
    ),
    "CatalogEntry": ("Any", ""),
    "Class": ("CatalogEntry", "class_name => Optional[String[1]]"),
    "Collection": ("Any", "size_type => Optional[Type[Integer]]"),
    "Default": ("Any", ""),
    "Enum": (
        "ScalarData",
        "values => Array[String[1]], case_insensitive => {type => Boolean, value => false}",
    ),
    "Float": ("Numeric", ""),
    "Hash": (
        "Collection",
        "key_type => {type => Optional[Type], value => Any}, "
        "value_type => {type => Optional[Type], value => Any}",
    ),
    "Init": ("Any", "type => Optional[Type], init_args => {type => Array, value => []}"),
    "Integer": ("Numeric", ""),
    "Iterable": ("Any", "type => Optional[Type]"),
    "Iterator": ("Any", "type => Optional[Type]"),
    "NotUndef": ("Any", "type => Optional[Type]"),
    "Numeric": ("ScalarData", "from => Optional[Numeric], to => Optional[Numeric]"),
    "Object": ("Any", f"_pcore_init_hash => {_OBJECT_INITIALISER}"),
    "ObjectTypeExten": ("Any", "base_type => Type, init_parameters => Array"),
    "Optional": ("Any", "type => Optional[Type]"),
    "Pattern": ("ScalarData", "patterns => Array[Regexp]"),
    "Regexp": (
        "Scalar",
        "pattern => {type => Variant[Undef, String, Regexp], value => undef}",
    ),
    "Resource": (
        "CatalogEntry",
        "type_name => Optional[String[1]], title => Optional[String[1]]",
    ),
    "Runtime": (
        "Any",
        "runtime => Optional[String[1]], "
        "name_or_pattern => Optional[Variant[String[1], Tuple[Regexp, String[1]]]]",
    ),
    "Scalar": ("Any", ""),
    "ScalarData": ("Scalar", ""),
    "SemVer": (
        "Scalar",
        "ranges => {type => Array[Variant[SemVerRange, String[1]]], value => []}",
    ),
    "SemVerRange": ("Any", ""),
    "Sensitive": ("Any", ""),
    "String": ("ScalarData", "size_type_or_value => Optional[Variant[String, Type[Integer]]]"),
    "Struct": ("Any", "elements => Array[Pcore::StructElement]"),
    "Timespan": ("Scalar", "from => Optional[Timespan], to => Optional[Timespan]"),
    "Timestamp": ("Scalar", "from => Optional[Timestamp], to => Optional[Timestamp]"),
    "Tuple": ("Any", "types => Array[Type], size_type => Optional[Type[Integer]]"),
    "Type": ("Any", "type => Optional[Type]"),
    "TypeAlias": (
        "Any",
        "name => String[1], type_expr => Any, resolved_type => Optional[Type]",
    ),
    "TypeReference": ("Any", "type_string => String[1]"),
    "TypeSet": ("Any", "_pcore_init_hash => Hash"),
    "Undef": ("Any", ""),
    "Unit": ("Any", ""),
    "URI": (
        "Any",
        f"parameters => {{type => Optional[Variant[String[1], Struct[{{{_URI_PARTS}}}]]], "
        "value => undef}",
    ),
    "Variant": ("Any", "types => Array[Type]"),
}
_OTHERS = {
    "Pcore::StructElement": "{attributes => {key_type => Type, value_type => Type}}",
    "Puppet::Resource::Param": "{attributes => {type => Type, name => String[1], "
    "name_var => {type => Boolean, value => false}}, equality => [name]}",
    "Puppet::Resource::ResourceType3": "{attributes => {name => String[1], "
    "properties => {type => Array[Puppet::Resource::Param], value => []}, "
    "parameters => {type => Array[Puppet::Resource::Param], value => []}, "
    "title_patterns_hash => Optional[Hash[Regexp, Array[String[1]]]], "
    "isomorphic => {type => Boolean, value => true}, "
    "capability => {type => Boolean, value => false}}, equality => [name]}",
    "Puppet::LookupContext": "{parent => Any, attributes => {"
    "environment_name => {type => String[1], kind => derived}, "
    "module_name => {type => Variant[String[1], Undef]}}, functions => {"
    "not_found => Callable[[0, 0], Undef], explain => Callable[[0, 0, Callable[0, 0]], Undef], "
    "interpolate => Callable[1, 1], cache => Callable[[Optional[Scalar], Any], Any], "
    "cache_all => Callable[[Hash[Optional[Scalar], Any]], Undef], "
    "cache_has_key => Callable[[Optional[Scalar]], Boolean], "
    "cached_value => Callable[[Optional[Scalar]], Any], cached_entries => Variant["
    "Callable[[0, 0, Callable[1, 1]], Undef], Callable[[0, 0, Callable[2, 2]], Undef], "
    "Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]], "
    "cached_file_data => Callable[String, Optional[Callable[Array[Integer]]]]}}",
}


def lookup_pcore(name: str) -> PuppetType | None:
    """Return the type with a lower-case qualified name; None for an unknown name."""
    return lookup_ast(name) if name.startswith("puppet::ast") else _KNOWN.get(name)


def attribute_values(value: Any) -> list[tuple[str, Any]]:
    """Return the attributes that the Pcore type of a type adds, with the values of one type."""
    if value.kind == "TypeAlias":
        # A recursive alias would never end.
        target = None if value.is_recursive else value.target()
        return [("name", value.name), ("type_expr", None), ("resolved_type", target)]
    if value.kind == "Struct":
        return [("elements", tuple([_element(one) for one in value.elements]))]
    names = _FIELDS.get(value.kind, ())
    return [(name, getattr(value, field)) for name, field in names]


def _element(one: Any) -> Value:
    kind = _KNOWN["pcore::structelement"]
    assert isinstance(kind, ObjectType)
    return PuppetObject(kind, {"key_type": one.key, "value_type": one.value})


_TYPE = (("type", "type"),)
_RANGE = (("from", "lower"), ("to", "upper"))
_TIMES = (("from", "low"), ("to", "high"))
# Attributes of the Pcore type, each with the attribute of the class here.
_FIELDS: dict[str, tuple[tuple[str, str], ...]] = {
    "Array": (("element_type", "element"),),
    "Callable": (("param_types", "params"), ("block_type", "block"), ("return_type", "returns")),
    "Class": (("class_name", "class_name"),),
    "Collection": (("size_type", "size"),),
    "Enum": (("values", "values"), ("case_insensitive", "ignores_case")),
    "Hash": (("key_type", "key"), ("value_type", "value")),
    "Init": (("type", "type"), ("init_args", "arguments")),
    "Iterable": _TYPE,
    "Iterator": _TYPE,
    "NotUndef": _TYPE,
    "Numeric": _RANGE,
    "Optional": _TYPE,
    "Pattern": (("patterns", "patterns"),),
    "Regexp": (("pattern", "pattern"),),
    "Resource": (("type_name", "type_name"), ("title", "title")),
    "Runtime": (("runtime", "runtime"), ("name_or_pattern", "class_name")),
    "SemVer": (("ranges", "ranges"),),
    "String": (("size_type_or_value", "size_or_value"),),
    "Timespan": _TIMES,
    "Timestamp": _TIMES,
    "Tuple": (("types", "types"), ("size_type", "size")),
    "Type": _TYPE,
    "TypeReference": (("type_string", "type_string"),),
    "URI": (("parameters", "components"),),
    "Variant": (("types", "types"),),
}


def _meta(name: str, parent: str, attributes: str) -> PuppetType:
    entries = [f"parent => {'Any' if name == 'Any' else f'Pcore::{parent}Type'}"]
    if attributes:
        entries.append(f"attributes => {{{attributes}}}")
    return builtin(f"Pcore::{name}Type", f"{{{', '.join(entries)}}}")


_KNOWN: dict[str, PuppetType] = {
    **{name.lower(): alias for name, alias in PCORE_ALIASES.items()},
    **{f"pcore::{name.lower()}type": _meta(name, *spec) for name, spec in _META.items()},
    **{name.lower(): builtin(name, text) for name, text in _OTHERS.items()},
}
PCORE = builtin("Pcore", "{}")
RUBY_METHOD = builtin(
    "RubyMethod",
    "{parent => Annotation, attributes => {body => String, parameters => Optional[String[1]]}}",
)
