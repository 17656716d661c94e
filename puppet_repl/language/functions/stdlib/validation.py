"""The validations of stdlib 8 that look at the kind of a value, or match it with a pattern.

Each takes any number of values, returns nothing, and is an error for the first wrong one. The
types of parameters replace them.
"""

from __future__ import annotations

from puppet_repl.base.errors import ParseFailure
from puppet_repl.language.functions.stdlib.predicates import (
    is_absolute_path,
    is_bool,
    is_domain_name,
    is_email_address,
)
from puppet_repl.language.functions.stdlib.ruby_values import new_regexp
from puppet_repl.language.functions.stdlib.superseded import (
    superseded_function,
    use_validate_legacy,
)
from puppet_repl.language.ruby_library.ip_address import AddressFailure, parse_ip_address
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_method, ruby_class, ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def _some(name: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the arguments; raise ParseFailure for a call without arguments."""
    if not values:
        raise ParseFailure(f"{name}(): wrong number of arguments (0; must be > 0)")
    return values


def _wrong_kind(value: Value, expected: str) -> ParseFailure:
    return ParseFailure(
        f"{ruby_inspect(value)} is not {expected}.  It looks to be a {ruby_class(value)}"
    )


def _texts(name: str, values: tuple[Value, ...]) -> Iterator[str]:
    """Yield the arguments, which have to be strings."""
    for value in _some(name, values):
        if type(value) is not str:
            raise ParseFailure(f"{ruby_inspect(value)} is not a string.")
        yield value


@superseded_function(
    "validate_array",
    "Any +$values",
    sample="[]",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Array", 6),
    warning=use_validate_legacy("Stdlib::Compat::Array"),
)
def validate_array(values: tuple[Value, ...]) -> None:
    """Fail unless all arguments are arrays.

    @param values the values
    """
    for value in _some("validate_array", values):
        if type(value) is not tuple:
            raise _wrong_kind(value, "an Array")


@superseded_function(
    "validate_hash",
    "Any +$values",
    sample="{}",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Hash", 26),
    warning=use_validate_legacy("Stdlib::Compat::Hash"),
)
def validate_hash(values: tuple[Value, ...]) -> None:
    """Fail unless all arguments are hashes.

    @param values the values
    """
    for value in _some("validate_hash", values):
        if type(value) is not PuppetHash:
            raise _wrong_kind(value, "a Hash")


@superseded_function(
    "validate_bool",
    "Any +$values",
    sample="true, false",
    returns="Undef",
    warning=use_validate_legacy("Stdlib::Compat::Bool"),
)
def validate_bool(values: tuple[Value, ...], *, context: Context) -> None:
    """Fail unless all arguments are true or false.

    @param values the values
    """
    for value in _some("validate_bool", values):
        if not is_bool.run((value,), context):
            raise _wrong_kind(value, "a boolean")


@superseded_function(
    "validate_string",
    "Any +$values",
    sample="'a'",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::String", 28),
    warning=use_validate_legacy("Stdlib::Compat::String"),
)
def validate_string(values: tuple[Value, ...]) -> None:
    """Fail unless all arguments are strings or undef.

    @param values the values
    """
    for value in _some("validate_string", values):
        if type(value) is not str and value is not None:
            raise _wrong_kind(value, "a string")


@superseded_function(
    "validate_absolute_path",
    "Any +$paths",
    sample="'/tmp'",
    returns="Undef",
    warning=use_validate_legacy("Stdlib::Compat::Absolute_Path"),
)
def validate_absolute_path(values: tuple[Value, ...], *, context: Context) -> None:
    """Fail unless all arguments are absolute paths, or arrays of such.

    @param paths the paths, or arrays of them
    """
    for value in _some("validate_absolute_path", values):
        for path in value if type(value) is tuple else (value,):
            if not is_absolute_path.run((path,), context):
                raise ParseFailure(f"{ruby_inspect(path)} is not an absolute path.")


def _validate_addresses(
    name: str, values: tuple[Value, ...], families: tuple[int, ...], kind: str
) -> None:
    for text in _texts(name, values):
        try:
            is_valid = parse_ip_address(text).family in families
        except AddressFailure:
            is_valid = False
        if not is_valid:
            raise ParseFailure(f"{ruby_inspect(text)} is not a valid {kind} address.")


@superseded_function(
    "validate_ip_address",
    "String +$addresses",
    sample="'::1'",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Ip_address", 28),
    warning=use_validate_legacy("Stdlib::Compat::Ip_Address"),
)
def validate_ip_address(values: tuple[Value, ...]) -> None:
    """Fail unless all arguments are internet addresses, or networks.

    @param addresses the addresses
    """
    _validate_addresses("validate_ip_address", values, (4, 6), "IP")


@superseded_function(
    "validate_ipv4_address",
    "String +$addresses",
    sample="'127.0.0.1'",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Ipv4", 28),
    warning=use_validate_legacy("Stdlib::Compat::Ipv4_Address"),
)
def validate_ipv4_address(values: tuple[Value, ...]) -> None:
    """Fail unless all arguments are IPv4 addresses, or networks.

    @param addresses the addresses
    """
    _validate_addresses("validate_ipv4_address", values, (4,), "IPv4")


@superseded_function(
    "validate_ipv6_address",
    "String +$addresses",
    sample="'::1'",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Ipv6", 28),
    warning=use_validate_legacy("Stdlib::Compat::Ipv6_address"),
)
def validate_ipv6_address(values: tuple[Value, ...]) -> None:
    """Fail unless all arguments are IPv6 addresses, or networks.

    @param addresses the addresses
    """
    _validate_addresses("validate_ipv6_address", values, (6,), "IPv6")


@superseded_function(
    "validate_domain_name",
    "String +$names",
    returns="Undef",
    examples=(
        "validate_domain_name('example.com', 'www.example.com')  # => undef",
        "validate_domain_name('-')  # error: Evaluation Error: Error while evaluating a"
        ' Function Call, "-" is not a syntactically correct domain name',
    ),
)
def validate_domain_name(values: tuple[Value, ...], *, context: Context) -> None:
    """Fail unless all arguments are valid domain names.

    @param names the names
    """
    for text in _texts("validate_domain_name", values):
        if not is_domain_name.run((text,), context):
            raise ParseFailure(f"{ruby_inspect(text)} is not a syntactically correct domain name")


@superseded_function(
    "validate_email_address",
    "String +$addresses",
    returns="Undef",
    examples=(
        "validate_email_address('someone@example.com')  # => undef",
        "validate_email_address('@')  # error: Evaluation Error: Error while evaluating a"
        ' Function Call, "@" is not a valid email address',
    ),
)
def validate_email_address(values: tuple[Value, ...], *, context: Context) -> None:
    """Fail unless all arguments are valid e-mail addresses.

    @param addresses the addresses
    """
    for text in _texts("validate_email_address", values):
        if not is_email_address.run((text,), context):
            raise ParseFailure(f"{ruby_inspect(text)} is not a valid email address")


@superseded_function(
    "validate_re",
    "String $text, Variant[String, Array[String]] $patterns, String $message?",
    sample="'ab', '^a'",
    returns="Undef",
    notice=use_validate_legacy("Stdlib::Compat::Re", 28),
    warning=use_validate_legacy("Pattern[]"),
)
def validate_re(values: tuple[Value, ...]) -> None:
    """Fail unless a text matches a regular expression, or one of several.

    The third argument is the message of the error.

    @param text the text
    @param patterns a regular expression, or an array of them
    @param message the message of the error
    """
    if not 2 <= len(values) <= 3:
        raise ParseFailure(
            f"validate_re(): wrong number of arguments ({len(values)}; must be 2 or 3)"
        )
    text, patterns = values[:2]
    if type(text) is not str:
        raise ParseFailure(f"validate_re(): input needs to be a String, not a {ruby_class(text)}")
    for pattern in _flattened(patterns):
        if new_regexp(pattern).matches(text):
            return
    message = values[2] if len(values) > 2 else None
    if message is None or message is False:
        shown = ruby_inspect(patterns)
        message = f"validate_re(): {ruby_inspect(text)} does not match {shown}"
    if type(message) is not str:
        raise no_method("scrub", message)
    raise ParseFailure(message)


def _flattened(value: Value) -> Iterator[Value]:
    if type(value) is tuple:
        for item in value:
            yield from _flattened(item)
    else:
        yield value
