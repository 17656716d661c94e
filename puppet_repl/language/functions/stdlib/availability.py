"""Functions of stdlib that tell whether a function exists."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.registry import BUILTINS, LegacyFunction
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# Functions of Puppet that are also of the older kind: functions that log, and functions that only
# name their replacement.
_SUPERSEDED = frozenset(
    (
        "alert",
        "assert_type",
        "binary_file",
        "break",
        "contain",
        "crit",
        "debug",
        "defined",
        "dig",
        "each",
        "emerg",
        "epp",
        "err",
        "filter",
        "find_file",
        "hiera",
        "hiera_array",
        "hiera_hash",
        "hiera_include",
        "include",
        "info",
        "inline_epp",
        "lest",
        "lookup",
        "map",
        "match",
        "new",
        "next",
        "notice",
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
        "warning",
        "with",
    )
)
# Functions that stdlib 8 has in the older kind too, although those of Puppet or of the newer kind
# count.
_SUPERSEDED_IN_STDLIB = frozenset(
    (
        "abs",
        "camelcase",
        "capitalize",
        "ceiling",
        "chomp",
        "chop",
        "downcase",
        "empty",
        "ensure_packages",
        "flatten",
        "floor",
        "getvar",
        "join",
        "keys",
        "lstrip",
        "max",
        "merge",
        "min",
        "round",
        "rstrip",
        "size",
        "sort",
        "strip",
        "unique",
        "upcase",
        "values",
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
    """Tell whether there is a function of a name, in Puppet or in a module.

    @param function_name the name
    """
    return context.lookup_function(function_name.lower()) is not None


@stdlib_legacy_function(
    "is_function_available",
    "String $name",
    returns="Boolean",
    examples=(
        "is_function_available('template')  # => true",
        "is_function_available('any')  # => false",
    ),
    counts=False,
    versions=(8,),
)
def is_function_available(values: tuple[Value, ...], *, context: Context) -> bool:
    """Tell whether there is a function of the older kind (3.x) of a name.

    @param name the name
    """
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
    if name in environment.legacy_functions:
        return True
    if environment.stdlib is not None and name in _SUPERSEDED_IN_STDLIB:
        return True
    return environment.native_legacy_function(name) is not None
