"""Functions of stdlib that read attributes of resources: getparam."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


@stdlib_legacy_function(
    "getparam",
    "Variant[Type[CatalogEntry], String] $reference, String $parameter",
    examples=(
        "notify { 'a': message => 'hi' } getparam(Notify['a'], 'message')  # => 'hi'",
        "getparam(Notify['no such'], 'message')  # => ''",
    ),
    counts=False,
)
def getparam(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the value of a parameter of a resource that is declared already.

    The resource is a reference, or its text. The result is an empty string if there is no such
    resource, or if the parameter is not set.

    @param reference the resource
    @param parameter the name of the parameter
    """
    reference, parameter = (*values, None, None)[:2]
    if reference is None or reference is False:
        raise RuntimeFailure("Must specify a reference")
    if type(parameter) is not str:
        raise RuntimeFailure("Must specify name of a parameter")
    if not parameter:
        return ""
    catalog = context.catalog
    resource = catalog.resources.find_by_text(ruby_text(reference))
    value = None if resource is None else catalog.attribute_value(resource, parameter)
    return "" if value is None else value
