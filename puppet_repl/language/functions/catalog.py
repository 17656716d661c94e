"""Classes and resources: include, contain, require, realize, create_resources, tags, defined.

The catalog of the context implements them.
"""

from __future__ import annotations

from puppet_repl.language.functions.registry import function, legacy_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


@function(
    "include",
    "Any +$names",
    returns="Array[Type[Class]]",
    examples=("class greeting { notice('hello') }\ninclude greeting  # => [Class[greeting]]",),
)
def include(*names: Value, context: Context) -> Value:
    """Declare classes; a class that is included again is declared only once.

    Classes are named by strings (case does not count), by references such as Class['a'], or
    by arrays of these. The result is an Array of references to the classes.

    @param names classes, by name or by reference
    """
    return context.catalog.classes.include(context.scope, names)


@function(
    "contain",
    "Any +$names",
    returns="Array[Type[Class]]",
    examples=(
        "class inner { }\nclass outer { contain inner }\ninclude outer  # => [Class[outer]]",
    ),
)
def contain(*names: Value, context: Context) -> Value:
    """Declare classes like include(), and contain them in the calling class.

    Relationships of the calling class then apply to the contained classes too.

    @param names classes, by name or by reference
    """
    return context.catalog.classes.contain(context.scope, names)


@function(
    "require",
    "Any +$names",
    returns="Array[Type[Class]]",
    examples=("class base { }\nclass app { require base }\ninclude app  # => [Class[app]]",),
)
def require(*names: Value, context: Context) -> Value:
    """Declare classes like include(), and order them before the calling class.

    @param names classes, by name or by reference
    """
    return context.catalog.classes.require(context.scope, names)


@legacy_function(
    "realize",
    "Any +$references",
    returns="Undef",
    examples=("@notify { 'later': }\nrealize(Notify['later'])  # => undef",),
    keeps_references=True,
)
def realize(values: tuple[Value, ...], *, context: Context) -> None:
    """Realize virtual resources by reference: at once, or as soon as they are declared.

    A resource that is never declared is an error.

    @param references references to resources
    """
    context.catalog.realize(context.scope, values)


@legacy_function(
    "create_resources",
    "String $type, Hash $resources, Hash $defaults?",
    returns="Undef",
    examples=("create_resources('notify', {'a' => {message => 'hi'}})  # => undef",),
    keeps_references=True,
)
def create_resources(values: tuple[Value, ...], *, context: Context) -> None:
    """Declare a resource for each entry of a Hash from titles to hashes of attributes.

    The first argument is the name of the type, or 'class'; @ before it declares virtual, @@
    exported resources. An optional third argument is a Hash of attributes for all of them.

    @param type the name of a resource type, or 'class'
    @param resources the attributes of each resource, by its title
    @param defaults attributes of resources that do not set them
    """
    context.catalog.statements.create_resources(context.scope, values)


@legacy_function(
    "tag",
    "String +$names",
    returns="Undef",
    examples=("class web { tag('public') notice(tagged('public')) }\ninclude web  # notice: true",),
    keeps_references=True,
)
def tag(values: tuple[Value, ...], *, context: Context) -> None:
    """Add tags to the class or defined resource that is being evaluated.

    Everything that is declared in it afterwards inherits them.

    @param names the tags
    """
    context.catalog.tag(context.scope, values)


@legacy_function(
    "tagged",
    "String +$names",
    returns="Boolean",
    examples=("class web { }\ninclude web\ntagged('web')  # => true",),
    keeps_references=True,
)
def tagged(values: tuple[Value, ...], *, context: Context) -> Value:
    """Tell whether all of the given tags are set.

    They may be tags of the class or defined resource that is being evaluated, or of the catalog,
    whose tags are the names of all classes that have been declared.

    @param names the tags, all of which have to be set
    """
    return context.catalog.tagged(context.scope, values)


@function(
    "defined",
    "Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals",
    returns="Boolean",
    examples=(
        "$port = undef defined('$port')  # => true",
        "defined('$no_such_variable')  # => false",
        "defined('file')  # => true",
        "defined(File['/x'])  # => false",
    ),
)
def defined(*values: Value, context: Context) -> Value:
    """Tell whether at least one of the given things is defined.

    A String that begins with $ is the name of a variable; any other is the name of a class, a
    defined type or a resource type. A reference such as File['/x'] or Class['a'] asks whether
    that has been declared; a type such as File or Type[Class['a']] asks whether it exists.

    @param vals names and references, of which one is enough
    """
    return context.catalog.defined(context.scope, values)
