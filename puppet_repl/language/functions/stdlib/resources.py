"""Functions of stdlib that declare resources unless they are there, and that find resources."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once_for_both
from puppet_repl.language.functions.legacy import ResourceArgument
from puppet_repl.language.functions.stdlib.declaring import (
    revised_function,
    stdlib_function,
    stdlib_legacy_function,
)
from puppet_repl.language.functions.stdlib.deprecation import warn_of_old_name
from puppet_repl.language.types.model.resource import CatalogEntryType, capitalize_segments
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_class, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_INSTALLED = PuppetHash.of_strings({"ensure": "installed"})
_PRESENT = PuppetHash.of_strings({"ensure": "present"})


# Whether a resource is there


@stdlib_legacy_function(
    "defined_with_params",
    "Variant[String, Type[CatalogEntry]] $reference, Hash $attributes?",
    returns="Boolean",
    examples=(
        "user { 'dan': uid => 5 }\ndefined_with_params(User['dan'], {uid => 5})  # => true",
        "user { 'dan': uid => 5 }\ndefined_with_params('User[dan]', {uid => 6})  # => false",
    ),
    counts=False,
)
def defined_with_params(values: tuple[Value, ...], *, context: Context) -> bool:
    """Tell whether a resource with these attributes has been declared.

    The resource is given by a reference, or by a text such as ``User[dan]`` without quotes. It may
    have further attributes. The answer depends on the order of evaluation.

    @param reference the resource
    @param attributes the attributes that it must have
    """
    reference = values[0] if values else None
    if reference is None or reference is False:
        raise RuntimeFailure("Must specify a reference")
    given = values[1] if len(values) > 1 else None
    attributes = PuppetHash.EMPTY if given is None or given is False or given == "" else given
    return any(
        _has_attributes(resource, attributes) for resource in _candidates(context, reference)
    )


def _candidates(context: Context, reference: Value) -> Iterator[Resource]:
    """Yield the declared resources that a reference or its text stands for."""
    catalog = context.catalog
    found: Iterable[Resource | None]
    if type(reference) is str:
        found = (catalog.resources.find_by_text(reference, makes_tag=False),)
    elif type(reference) is ResourceArgument:
        kind = reference.type_name or ""
        if reference.title:
            found = (catalog.resources.find(kind, reference.title),)
        else:
            found = [each for each in catalog.tables.members if each.type == kind]
    else:
        raise RuntimeFailure(f"Reference is not understood: '{ruby_class(reference)}'")
    current = catalog.resources.resource_of(context.scope)
    for resource in found:
        # A defined type that asks would find itself.
        if resource is not None and resource is not current:
            yield resource


def _has_attributes(resource: Resource, attributes: Value) -> bool:
    for name, expected in _pairs(attributes):
        if type(name) is not str:
            raise no_method("intern", name)
        if not _is_same(resource.value(name), expected):
            return False
    return True


def _pairs(attributes: Value) -> Iterable[tuple[Value, Value]]:
    if type(attributes) is PuppetHash:
        return attributes.items()
    if type(attributes) is not tuple:
        raise no_method("map", attributes)
    # Ruby's blocks take the items of an array apart.
    items = [item if type(item) is tuple else (item,) for item in attributes]
    return [(*item[:2], None, None)[:2] for item in items]


def _is_same(actual: object, expected: Value) -> bool:
    """Tell whether Ruby's ``==`` holds for a value in the catalog and an argument."""
    if actual is None or expected is None:
        return actual is expected
    if type(expected) is ResourceArgument:
        return isinstance(actual, CatalogEntryType) and ruby_text(actual) == ruby_text(expected)
    if type(expected) is tuple:
        if type(actual) is not tuple or len(actual) != len(expected):
            return False
        return once_for_both(_are_same, actual, expected, len(expected))
    return exact_equals(actual, expected)


def _are_same(actual: tuple[Value, ...], expected: tuple[Value, ...]) -> bool:
    return all(map(_is_same, actual, expected))


# Declaring missing resources


@stdlib_legacy_function(
    "ensure_resource",
    "String $type, Variant[String, Array[String]] $title, Hash $attributes?",
    returns="Undef",
    examples=(
        "ensure_resource('user', 'dan', {ensure => present})\nUser['dan']['ensure']"
        "  # => 'present'",
        "notify { 'a': }\nensure_resource('notify', ['a', 'b'])  # => undef",
    ),
    counts=False,
)
def ensure_resource(values: tuple[Value, ...], *, context: Context) -> None:
    """Declare resources of a type, unless they have been declared with these attributes.

    A resource that was declared with other attributes is an error, like any second declaration. The
    title may be an array of titles.

    @param type the name of the resource type
    @param title the title, or an array of titles
    @param attributes the attributes of each
    """
    type_name, title, given = _type_title_attributes(values)
    attributes = PuppetHash.EMPTY if given is None or given is False else given
    for item in flatten((title,)):
        _ensure(context, type_name, item, attributes)


def _type_title_attributes(values: tuple[Value, ...]) -> tuple[Value, Value, Value]:
    type_name, title, attributes = (*values[:3], None, None, None)[:3]
    if type_name is None or type_name is False:
        raise RuntimeFailure("Must specify a type")
    if title is None or title is False:
        raise _no_title()
    return type_name, title, attributes


def _no_title() -> RuntimeFailure:
    return RuntimeFailure("Must specify a title")


def _ensure(context: Context, type_name: Value, title: Value, attributes: Value) -> None:
    text = f"{ruby_text(type_name)}[{ruby_text(title)}]"
    if defined_with_params.call(context, (text, attributes)):
        return
    if type(type_name) is not str:
        raise no_method("capitalize", type_name)
    resources = PuppetHash([(title, attributes)])
    context.catalog.statements.create_resources(context.scope, (type_name, resources))


@stdlib_legacy_function(
    "ensure_resources",
    "String $type, Hash $resources, Hash $defaults?",
    returns="Undef",
    examples=(
        "ensure_resources('user', {'dan' => {uid => 5}, 'eva' => {}}, {gid => 7})\n"
        "[User['dan']['uid'], User['eva']['gid']]  # => [5, 7]",
    ),
    counts=False,
)
def ensure_resources(values: tuple[Value, ...], *, context: Context) -> None:
    """Declare a resource for each title of a hash, unless it has been declared like that.

    The values of the hash are the attributes; the third argument has attributes for all.

    @param type the name of the resource type
    @param resources the attributes of each resource, by its title
    @param defaults attributes of resources that do not set them
    """
    type_name, resources, given = _type_title_attributes(values)
    defaults = PuppetHash.EMPTY if given is None or given is False else given
    if type(resources) is not PuppetHash:
        raise RuntimeFailure("ensure_resources(): Requires second argument to be a Hash")
    for title, attributes in resources.items():
        if title is None or title is False:
            raise _no_title()
        if attributes is None or attributes is False:
            merged = defaults
        elif type(defaults) is not PuppetHash:
            raise no_method("merge", defaults)
        else:
            merged = _merged(defaults, attributes)
        for item in flatten((title,)):
            _ensure(context, type_name, item, merged)


def _merged(defaults: PuppetHash, attributes: Value) -> PuppetHash:
    if type(attributes) is not PuppetHash:
        raise no_conversion(attributes, "Hash")
    return defaults.merge(attributes)


# Packages


@stdlib_function(
    "ensure_packages",
    "Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages,"
    " Hash $default_attributes?",
    returns="Undef",
    examples=(
        "ensure_packages(['vim'], {ensure => latest})\nPackage['vim']['ensure']  # => 'latest'",
    ),
    versions=(8,),
)
def ensure_packages_8(
    packages: Value, default_attributes: PuppetHash = PuppetHash.EMPTY, *, context: Context
) -> None:
    """Declare packages, unless they have been declared with these attributes.

    The packages are named by a string, an array, or a hash from names to their attributes; the
    second argument has attributes for all of them. Without another value of ensure they are
    installed.

    @param packages the names, or a hash from names to attributes
    @param default_attributes attributes of all of them
    """
    defaults = _INSTALLED.merge(default_attributes)
    if defaults["ensure"] == "present":
        defaults = defaults.merge(_INSTALLED)
    if type(packages) is PuppetHash:
        ensure_resources.call(context, ("package", packages, defaults))
        return
    ensure_resource.call(context, ("package", packages, defaults))


@stdlib_function(
    "stdlib::ensure_packages",
    "Variant[String[1], Array[String[1]]] $packages, Hash $default_attributes?",
    returns="Undef",
    examples=(
        "stdlib::ensure_packages(['vim', 'less'])\nPackage['vim']['ensure']  # => 'installed'",
        "package { 'vim': ensure => present }\nstdlib::ensure_packages('vim')  # => undef",
    ),
    versions=(9,),
)
def ensure_packages_9(
    packages: Value, default_attributes: PuppetHash = PuppetHash.EMPTY, *, context: Context
) -> None:
    """Declare packages, unless they have been declared with these attributes.

    The packages are named by a string, an array, or a hash from names to their attributes; the
    second argument has attributes for all of them. Without another value of ensure they are
    installed; 'present' and 'installed' count as the same.

    @param packages the names, or a hash from names to attributes
    @param default_attributes attributes of all of them
    """
    attributes = _INSTALLED.merge(default_attributes)
    either = attributes["ensure"] in ("present", "installed")
    for package in packages if type(packages) is tuple else (packages,):
        if either:
            is_present = defined_with_params.call(context, (f"Package[{package}]", _PRESENT))
            attributes = attributes.merge(_PRESENT if is_present else _INSTALLED)
        ensure_resource.call(context, ("package", package, attributes))


@ensure_packages_9.dispatch("Hash[String[1], Any] $packages, Hash $default_attributes?", "Undef")
def _ensure_packages_of_hash(
    packages: PuppetHash, default_attributes: PuppetHash = PuppetHash.EMPTY, *, context: Context
) -> None:
    for package, attributes in packages.items():
        merged = _merged(default_attributes, attributes)
        ensure_packages_9.call(context, (package, merged))


@revised_function(
    "ensure_packages",
    "Variant[String[1], Array[String[1]]] $packages, Hash $default_attributes?",
    returns="Undef",
    since=6,
)
def ensure_packages_8_6(
    packages: Value, default_attributes: PuppetHash = PuppetHash.EMPTY, *, context: Context
) -> None:
    """Declare packages, unless they have been declared with these attributes.

    The packages are named by a string, an array, or a hash from names to their attributes; the
    second argument has attributes for all of them. Without another value of ensure they are
    installed; 'present' and 'installed' count as the same.

    @param packages the names, or a hash from names to attributes
    @param default_attributes attributes of all of them
    """
    ensure_packages_9.call(context, (packages, default_attributes))


@ensure_packages_8_6.dispatch("Hash[String[1], Any] $packages, Hash $default_attributes?", "Undef")
def _packages_of_hash_8_6(
    packages: PuppetHash, default_attributes: PuppetHash = PuppetHash.EMPTY, *, context: Context
) -> None:
    ensure_packages_9.call(context, (packages, default_attributes))


@stdlib_function(
    "ensure_packages",
    "Any *$args",
    returns="Undef",
    examples=("ensure_packages('vim')\nPackage['vim']['ensure']  # => 'installed'",),
    versions=(9,),
)
def ensure_packages_deprecated(*args: Value, context: Context) -> Value:
    """Declare packages: the older name of stdlib::ensure_packages().

    @param args what stdlib::ensure_packages() takes
    """
    warn_of_old_name("ensure_packages", context)
    return ensure_packages_9.call(context, args)


# References


@stdlib_function(
    "stdlib::str2resource",
    "String $res_string",
    returns="Any",
    examples=("notify { 'a': }\nstdlib::str2resource('Notify[a]') == Notify['a']  # => true",),
)
def str2resource(text: str, *, context: Context) -> Value:
    """Return the reference to a declared resource that a text such as ``File[/foo]`` names.

    The title has no quotes. The resource has to be declared before: the order of evaluation counts.

    @param res_string the reference as text
    @return [Type[Resource]]
    """
    catalog = context.catalog
    resource = catalog.resources.find_by_text(text)
    if resource is None:
        type_name, _, title = text[:-1].partition("[")
        type_name = capitalize_segments(type_name)
        if type_name == "Class":
            title = capitalize_segments(title)
        raise RuntimeFailure(
            f"stdlib::str2resource(): could not find {type_name}[{title}], this is parse order"
            " dependent and values should not be quoted"
        )
    return catalog.resources.reference(resource)
