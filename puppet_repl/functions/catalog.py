"""Classes and resources: include, contain, require, realize, create_resources, tags, defined.

The work is done by the compiler of the catalog, which the context holds.
"""

from __future__ import annotations

from puppet_repl.functions.registry import Function, LegacyFunction, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context

include = Function(
    "include",
    theme="catalog",
    statement=True,
    doc="""Declare classes, each once however often it is included.

    Classes are named by strings (case does not count), by references such as Class['a'], or
    by arrays of these. The result is an Array of references.
    """,
    examples=("class greeting { notice('hello') }\ninclude greeting  # => [Class[greeting]]",),
)


@include.dispatch("Any +$names", returns="Array[Type[Class]]")
def _include(*names: Any, context: Context) -> Any:
    return context.catalog.include(context.scope, names)


contain = Function(
    "contain",
    theme="catalog",
    statement=True,
    doc="""Declare classes as include() does, and hold them inside the class that calls this.

    What is ordered before or after the calling class is then ordered so for these classes too.
    """,
    examples=(
        "class inner { }\nclass outer { contain inner }\ninclude outer  # => [Class[outer]]",
    ),
)


@contain.dispatch("Any +$names", returns="Array[Type[Class]]")
def _contain(*names: Any, context: Context) -> Any:
    return context.catalog.contain(context.scope, names)


require = Function(
    "require",
    theme="catalog",
    statement=True,
    doc="""Declare classes as include() does, and order them before the class that calls this.""",
    examples=("class base { }\nclass app { require base }\ninclude app  # => [Class[app]]",),
)


@require.dispatch("Any +$names", returns="Array[Type[Class]]")
def _require(*names: Any, context: Context) -> Any:
    return context.catalog.require(context.scope, names)


realize = LegacyFunction(
    "realize",
    -2,
    theme="catalog",
    statement=True,
    doc="""Make virtual resources real, by reference: now, or as soon as they are declared.

    It is an error if one of them never is.
    """,
    examples=("@notify { 'later': }\nrealize(Notify['later'])  # => undef",),
)


@realize.body("Any +$references", returns="Undef")
def _realize(values: tuple[Any, ...], *, context: Context) -> Any:
    return context.catalog.realize(context.scope, values)


create_resources = LegacyFunction(
    "create_resources",
    -3,
    theme="catalog",
    statement=True,
    doc="""Declare a resource for each entry of a Hash from titles to hashes of attributes.

    The first argument names the type (with @ or @@ in front for virtual or exported ones, or
    'class'), an optional third one holds attributes for all.
    """,
    examples=("create_resources('notify', {'a' => {message => 'hi'}})  # => undef",),
)


@create_resources.body("String $type, Hash $resources, Hash $defaults?", returns="Undef")
def _create_resources(values: tuple[Any, ...], *, context: Context) -> Any:
    return context.catalog.create_resources(context.scope, values)


tag = LegacyFunction(
    "tag",
    -2,
    theme="catalog",
    statement=True,
    doc="""Add tags to the class or defined resource that is being evaluated.

    All that is declared in it from then on inherits them.
    """,
    examples=("class web { tag('public') notice(tagged('public')) }\ninclude web  # notice: true",),
)


@tag.body("String +$names", returns="Undef")
def _tag(values: tuple[Any, ...], *, context: Context) -> Any:
    return context.catalog.tag(context.scope, values)


tagged = LegacyFunction(
    "tagged",
    -2,
    theme="catalog",
    doc="""Tell whether all of the given tags are there.

    A tag counts if the class or defined resource that is being evaluated has it, or the whole
    catalog, which has the names of all classes so far.
    """,
    examples=("class web { }\ninclude web\ntagged('web')  # => true",),
)


@tagged.body("String +$names", returns="Boolean")
def _tagged(values: tuple[Any, ...], *, context: Context) -> Any:
    return context.catalog.tagged(context.scope, values)


defined = Function(
    "defined",
    theme="catalog",
    doc="""Tell whether at least one of the given things is there.

    A text with $ in front names a variable, any other a class, a define or a resource type.
    A reference such as File['/x'] or Class['a'] asks whether that is declared so far, a type
    such as File, or Type[Class['a']], whether it exists.
    """,
    examples=(
        "$port = undef defined('$port')  # => true",
        "defined('$no_such_variable')  # => false",
        "defined('file')  # => true",
        "defined(File['/x'])  # => false",
    ),
)


@defined.dispatch(
    "Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals", returns="Boolean"
)
def _defined(*values: Any, context: Context) -> Any:
    return context.catalog.defined(context.scope, values)


FUNCTIONS = by_name(include, contain, require, realize, create_resources, tag, tagged, defined)
