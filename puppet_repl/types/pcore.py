"""``Pcore::*``: the types that describe types, and the aliases that describe names."""

from __future__ import annotations

from puppet_repl.types.alias import TypeAliasType
from puppet_repl.types.base import PuppetType
from puppet_repl.types.builtin_objects import builtin

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
    "Object": ("Any", "_pcore_init_hash => Hash"),
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
    "URI": ("Any", "parameters => Optional[Variant[String[1], Hash[String[1], Any]]]"),
    "Variant": ("Any", "types => Array[Type]"),
}
_ALIASES = {
    "MemberName": r"Pattern[/\A[a-z_]\w*\z/]",
    "QRef": r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]",
    "SimpleTypeName": r"Pattern[/\A[A-Z]\w*\z/]",
    "TypeName": r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]",
    "URI": r"Pattern[/\A[a-zA-Z][\-+.a-zA-Z\d]*:/]",
    "URI_RX": r"Regexp[/\A[a-zA-Z][\-+.a-zA-Z\d]*:/]",
}
_OTHERS = {
    "Pcore": "{}",
    "RubyMethod": "{parent => Annotation, attributes => {body => String, "
    "parameters => Optional[String[1]]}}",
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
    "cached_value => Callable[[Optional[Scalar]], Any]}}",
}


def lookup_pcore(name: str) -> PuppetType | None:
    """The type with a lower-case qualified name; None where there is none."""
    return _KNOWN.get(name)


def _alias(name: str, text: str) -> PuppetType:
    def resolve() -> PuppetType:
        from puppet_repl.types.parse import parse_type

        return parse_type(text)

    return TypeAliasType(f"Pcore::{name}", resolve)


def _meta(name: str, parent: str, attributes: str) -> PuppetType:
    entries = [f"parent => {'Any' if name == 'Any' else f'Pcore::{parent}Type'}"]
    if attributes:
        entries.append(f"attributes => {{{attributes}}}")
    return builtin(f"Pcore::{name}Type", f"{{{', '.join(entries)}}}")


_KNOWN: dict[str, PuppetType] = {
    **{f"pcore::{name.lower()}": _alias(name, text) for name, text in _ALIASES.items()},
    **{f"pcore::{name.lower()}type": _meta(name, *spec) for name, spec in _META.items()},
    **{name.lower(): builtin(name, text) for name, text in _OTHERS.items()},
}
