"""Functions of stdlib that parse HOCON, and PSON, which is gone."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_function
from puppet_repl.language.functions.stdlib.deprecation import deprecate
from puppet_repl.language.ruby_library.hocon import parse_hocon
from puppet_repl.language.ruby_library.hocon_tokens import HoconError, HoconTypeError
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


@stdlib_function(
    "stdlib::parsehocon",
    "String $hocon_string, Any $default?",
    examples=(
        "stdlib::parsehocon('a { b: [1, x] }')  # => {'a' => {'b' => [1, 'x']}}",
        "stdlib::parsehocon('a: {', 'none')  # => 'none'",
    ),
    versions=(9,),
)
def parsehocon(text: str, default: Value = UNSET, *, context: Context) -> Value:
    """Return the value of a text in HOCON, the format of configuration files of Lightbend.

    A text that is wrong is an error, or gives the second argument.

    @param hocon_string the HOCON
    @param default the result where the text cannot be read
    """
    return _parse(text, default, context)


@stdlib_function(
    "parsehocon",
    "String $hocon_string, Any $default?",
    examples=("parsehocon('a { b: [1, x] }')  # => {'a' => {'b' => [1, 'x']}}",),
    versions=(8,),
)
def parsehocon_8(text: str, default: Value = UNSET, *, context: Context) -> Value:
    """Return the value of a text in HOCON, the format of configuration files of Lightbend.

    A text that is wrong is an error, or gives the second argument.

    @param hocon_string the HOCON
    @param default the result where the text cannot be read
    """
    return _parse(text, default, context)


def _parse(text: str, default: Value, context: Context) -> Value:
    try:
        return parse_hocon(text)
    except HoconTypeError as error:
        raise RuntimeFailure(str(error)) from None
    except HoconError as error:
        context.log("debug", f"Parsing hocon failed with error: {error}")
        if default is UNSET:
            raise RuntimeFailure(str(error)) from None
        return default


@stdlib_function(
    "parsepson",
    "String[1] $pson_string, Any $default?",
    examples=("parsepson('[1]', 'none')  # => 'none'",),
    versions=(9,),
)
def parsepson(text: str, default: Value = UNSET, *, context: Context) -> Value:
    """Do nothing but warn: PSON was removed from Puppet 8.

    With the setting strict = error the result is the second argument, or the warning is an error.

    @param pson_string the text, which is ignored
    @param default the result
    @return [Any] the second argument
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
    """Return the second argument: PSON was removed from Puppet 8, so parsing always fails.

    @param pson_string the text, which is ignored
    @param default the result
    @return [Any] the second argument
    """
    error = RuntimeFailure(
        "uninitialized constant Puppet::Pops::Loader::RubyFunctionInstantiator::PSON"
    )
    return _instead(error, default, context)


def _instead(error: RuntimeFailure, default: Value, context: Context) -> Value:
    context.log("debug", f"Parsing PSON failed with error: {error.message}")
    if default is UNSET:
        raise error
    return default
