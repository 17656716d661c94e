"""Functions of stdlib that tell whether a function exists."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.registry import BUILTINS, LegacyFunction
from puppet_repl.functions.stdlib.declaring import (
    TABLES,
    stdlib_function,
    stdlib_legacy_function,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context
    from puppet_repl.values.protocols import Value

# Functions of Puppet that it has as ones of the older kind too, which only say what took their
# place.
_SUPERSEDED = frozenset(
    (
        "assert_type",
        "binary_file",
        "break",
        "contain",
        "defined",
        "dig",
        "each",
        "epp",
        "filter",
        "find_file",
        "hiera",
        "hiera_array",
        "hiera_hash",
        "hiera_include",
        "include",
        "inline_epp",
        "lest",
        "lookup",
        "map",
        "match",
        "new",
        "next",
        "reduce",
        "regsubst",
        "require",
        "return",
        "reverse_each",
        "scanf",
        "slice",
        "split",
        "step",
        "strftime",
        "then",
        "type",
        "versioncmp",
        "with",
    )
)


@stdlib_function(
    "stdlib::has_function",
    "String[1] $function_name",
    returns="Boolean",
    examples=(
        "stdlib::has_function('upcase')  # => true",
        "stdlib::has_function('no_such_function')  # => false",
    ),
    versions=(9,),
)
def has_function(function_name: str, *, context: Context) -> bool:
    """Tell whether there is a function of a name, in Puppet or in a module."""
    return context.lookup_function(function_name.lower()) is not None


@stdlib_legacy_function(
    "is_function_available",
    "String $name",
    returns="Boolean",
    examples=(
        "is_function_available('template')  # => true",
        "is_function_available('upcase')  # => false",
    ),
    counts=False,
    versions=(8,),
)
def is_function_available(values: tuple[Value, ...], *, context: Context) -> bool:
    """Tell whether there is a function of the older kind (3.x) of a name."""
    if len(values) != 1:
        raise RuntimeFailure(
            f"is_function_available?(): Wrong number of arguments given {len(values)} for 1"
        )
    name = values[0]
    if type(name) is not str or not name:
        return False
    if name in _SUPERSEDED or isinstance(BUILTINS.find(name), LegacyFunction):
        return True
    environment = context.environment
    if environment is None:
        return False
    path = environment.ruby_functions.get(name)
    if path is not None and "/parser/functions/" in path.replace("\\", "/"):
        return True
    stdlib = environment.stdlib
    return stdlib is not None and TABLES[8].find(name) is not None
