"""Functions of stdlib that parse older formats of data."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.stdlib.declaring import stdlib_function
from puppet_repl.functions.stdlib.deprecation import deprecate
from puppet_repl.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context
    from puppet_repl.values.protocols import Value


@stdlib_function(
    "parsepson",
    "String[1] $pson_string, Any $default?",
    examples=("parsepson('[1]', 'none')  # => 'none'",),
    versions=(9,),
)
def parsepson(text: str, default: Value = UNSET, *, context: Context) -> Value:
    """Do nothing but warn: PSON was removed from Puppet 8.

    With the setting strict = error the result is the second argument, or the warning is an error.
    """
    try:
        deprecate(
            context,
            "parsepson",
            "This method is deprecated. From Puppet 8, PSON is no longer natively supported. "
            "Please use JSON.parse().",
        )
    except RuntimeFailure as error:
        return _instead(error, default, context)
    return None


@stdlib_function(
    "parsepson",
    "String[1] $pson_string, Any $default?",
    examples=("parsepson('[1]', 'none')  # => 'none'",),
    versions=(8,),
)
def parsepson_8(text: str, default: Value = UNSET, *, context: Context) -> Value:
    """Return the second argument: PSON was removed from Puppet 8, so parsing always fails."""
    error = RuntimeFailure(
        "uninitialized constant Puppet::Pops::Loader::RubyFunctionInstantiator::PSON"
    )
    return _instead(error, default, context)


def _instead(error: RuntimeFailure, default: Value, context: Context) -> Value:
    context.log("debug", f"Parsing PSON failed with error: {error.message}")
    if default is UNSET:
        raise error
    return default
