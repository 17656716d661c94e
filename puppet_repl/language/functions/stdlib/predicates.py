"""The tests of stdlib 8 that stdlib 9 dropped: is_string(), is_ip_address() and the like.

A match with a type alias replaces most of them. Texts that look like numbers count as such.
"""

from __future__ import annotations

from itertools import pairwise

from puppet_repl.base.errors import ParseFailure
from puppet_repl.base.float_text import float_text
from puppet_repl.language.functions.paths import warn_of_path
from puppet_repl.language.functions.stdlib.superseded import (
    superseded_function,
    use_a_match,
    use_validate_legacy,
)
from puppet_repl.language.ruby_library.ip_address import AddressFailure, parse_ip_address
from puppet_repl.language.ruby_library.number import leading_float, leading_integer
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import IGNORECASE, Regexp
from puppet_repl.language.values.ruby import no_conversion, no_method
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.time import TimeValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_INTEGER = Regexp(r"^-?(?:(?:[1-9]\d*)|0)$")
_NUMBER = Regexp(r"^-?(?:(?:[1-9]\d*)|0)(?:\.\d+)?(?:[eE]-?\d+)?$")
_TOP_DOMAIN = Regexp(r"\.[A-Za-z]+$")
_LABEL = Regexp(r"^[a-z\d-]+$", IGNORECASE)
_EMAIL_DOMAIN = Regexp(r"\A[a-z\d\-]+(\.[a-z]+)*\.[a-z]+\z")
_MAC = Regexp(r"^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){5}$", IGNORECASE)
_INFINIBAND_MAC = Regexp(r"^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){19}$", IGNORECASE)
_POSIX_PATH = Regexp("^/")
_WINDOWS_PATH = Regexp(r"^(?:[A-Z]:[\\/]|[\\/]{2}(?:[^\\/]+[\\/]|\?[\\/])[^\\/]+)", IGNORECASE)
_MAX_NAME, _MAX_LABEL = 255, 63


def _only(name: str, values: tuple[Value, ...]) -> Value:
    """Return the one argument of a function whose message has no parentheses."""
    if len(values) != 1:
        raise ParseFailure(f"{name}(): Wrong number of arguments given {len(values)} for 1")
    return values[0]


def _first(name: str, values: tuple[Value, ...], most: int | None = 1) -> Value:
    """Return the first argument; with ``most`` None further arguments are allowed."""
    if not values or (most is not None and len(values) > most):
        raise ParseFailure(f"{name}(): Wrong number of arguments given ({len(values)} for 1)")
    return values[0]


@superseded_function(
    "is_array",
    "Any $value",
    sample="[]",
    notice=use_validate_legacy("Stdlib::Compat::Array", 27),
    warning=use_a_match("Array"),
)
def is_array(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is an array.

    @param value the value
    """
    return type(_first("is_array", values, None)) is tuple


@superseded_function(
    "is_bool",
    "Any $value",
    sample="true",
    notice=use_validate_legacy("Stdlib::Compat::Bool", 26),
    warning=use_a_match("Bool"),
)
def is_bool(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is true or false.

    @param value the value
    """
    return type(_first("is_bool", values)) is bool


@superseded_function("is_hash", "Any $value", examples=("is_hash({})  # => true",))
def is_hash(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is a hash.

    @param value the value
    """
    return type(_first("is_hash", values)) is PuppetHash


@superseded_function(
    "is_string",
    "Any $value",
    sample="'a'",
    notice=use_validate_legacy("Stdlib::Compat::String", 26),
    warning=use_a_match("String"),
)
def is_string(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is a string, but not one that looks like a number.

    @param value the value
    """
    value = _first("is_string", values, None)
    if type(value) is str:
        return value not in (float_text(leading_float(value)), str(leading_integer(value)))
    return value is None


@superseded_function(
    "is_float",
    "Any $value",
    sample="'1.5'",
    notice=use_validate_legacy("Stdlib::Compat::Float", 26),
    warning=use_a_match("Float"),
)
def is_float(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is a Float, or the text of one.

    @param value the value
    """
    value = _only("is_float", values)
    if isinstance(value, SemVer):
        raise no_method("to_f", value)
    if type(value) is str:
        return value == float_text(leading_float(value))
    return type(value) is float


@superseded_function(
    "is_integer",
    "Any $value",
    examples=("is_integer('7')  # => true", "is_integer(7.5)  # => false"),
    notice=use_validate_legacy("Stdlib::Compat::Integer", 28),
)
def is_integer(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is an Integer, or the text of one in decimal digits.

    @param value the value
    """
    value = _only("is_integer", values)
    return _INTEGER.matches(value) if type(value) is str else type(value) is int


@superseded_function(
    "is_numeric",
    "Any $value",
    sample="1",
    notice=use_validate_legacy("Stdlib::Compat::Numeric", 26),
    warning=use_a_match("Numeric"),
)
def is_numeric(values: tuple[Value, ...]) -> bool:
    """Tell whether a value is a number, or the text of one in decimal digits.

    @param value the value
    """
    value = _only("is_numeric", values)
    if type(value) is str:
        return _NUMBER.matches(value)
    # In Ruby versions and times are numbers too.
    return type(value) is int or type(value) is float or isinstance(value, SemVer | TimeValue)


@superseded_function(
    "is_absolute_path",
    "Any $path",
    sample="'/tmp'",
    counts=True,
    notice=use_validate_legacy("Stdlib::Compat::Absolute_path", 27),
    warning=use_a_match("Absolute_Path"),
)
def is_absolute_path(values: tuple[Value, ...], *, context: Context) -> bool:
    """Tell whether a text is an absolute path, of Windows or of any other system.

    @param path the text
    """
    path = values[0]
    if type(path) is str:
        return _POSIX_PATH.matches(path) or _WINDOWS_PATH.matches(path)
    warn_of_path(path, context)
    return False


def _family(value: Value) -> int | None:
    """Return 4 or 6, the kind of an internet address, None for anything else."""
    try:
        return parse_ip_address(value).family
    except AddressFailure:
        return None


@superseded_function(
    "is_ip_address",
    "Any $address",
    sample="'::1'",
    notice=use_validate_legacy("Stdlib::Compat::Ip_address", 27),
    warning=use_a_match("Ip_address"),
)
def is_ip_address(values: tuple[Value, ...]) -> bool:
    """Tell whether a text is an internet address, or a network.

    @param address the text
    """
    return _family(_only("is_ip_address", values)) is not None


@superseded_function(
    "is_ipv4_address",
    "Any $address",
    sample="'127.0.0.1'",
    notice=use_validate_legacy("Stdlib::Compat::Ipv4", 28),
    warning=use_a_match("Ipv4"),
)
def is_ipv4_address(values: tuple[Value, ...]) -> bool:
    """Tell whether a text is an IPv4 address, or a network.

    @param address the text
    """
    return _family(_only("is_ipv4_address", values)) == 4


@superseded_function(
    "is_ipv6_address",
    "Any $address",
    sample="'::1'",
    notice=use_validate_legacy("Stdlib::Compat::Ipv6", 28),
    warning=use_a_match("Ipv6"),
    key="is_ipv4_address",  # so stdlib has it
)
def is_ipv6_address(values: tuple[Value, ...]) -> bool:
    """Tell whether a text is an IPv6 address, or a network.

    @param address the text
    """
    return _family(_only("is_ipv6_address", values)) == 6


@superseded_function(
    "is_domain_name",
    "Any $name",
    examples=("is_domain_name('www.example.com')  # => true", "is_domain_name('a_b')  # => false"),
)
def is_domain_name(values: tuple[Value, ...]) -> bool:
    """Tell whether a text is a valid domain name: labels of letters, digits and hyphens.

    @param name the text
    """
    domain = _only("is_domain_name", values)
    if type(domain) is not str:
        return False
    if domain == ".":
        return True
    domain = domain.removesuffix(".")
    if not domain or len(domain) > _MAX_NAME:
        return False
    if "." in domain and not _TOP_DOMAIN.matches(domain):
        return False
    return all(_is_label(label) for label in domain.rstrip(".").split("."))


def _is_label(label: str) -> bool:
    return (
        1 <= len(label) <= _MAX_LABEL
        and not label.startswith("-")
        and not label.endswith("-")
        and _LABEL.matches(label)
    )


@superseded_function(
    "is_email_address",
    "Any $address",
    examples=(
        "is_email_address('someone@example.com')  # => true",
        "is_email_address('example.com')  # => false",
    ),
)
def is_email_address(values: tuple[Value, ...]) -> bool:
    """Tell whether a text is a valid e-mail address, as far as a short pattern can say.

    @param address the text
    """
    address = _only("is_email_address", values)
    if address is None or address is DEFAULT:
        return False
    if type(address) is not str:
        raise no_method("=~", address)
    # The pattern of stdlib, ``([\w+\-].?)+`` before the last @, tries its ways one by one. It
    # means: the first character, and one of any two neighbours, is a letter, digit, _ + or -.
    local, at, domain = address.rpartition("@")
    if not at or not local or "\n" in local or not _EMAIL_DOMAIN.matches(domain):
        return False
    plain = [
        character.isascii() and (character.isalnum() or character in "_+-") for character in local
    ]
    return plain[0] and all(one or other for one, other in pairwise(plain))


@superseded_function(
    "is_mac_address",
    "Any $address",
    examples=("is_mac_address('00:0a:02:b3:04:c5')  # => true",),
)
def is_mac_address(values: tuple[Value, ...]) -> bool:
    """Tell whether a text is a hardware address: 6 or 20 pairs of hexadecimal digits.

    @param address the text
    """
    address = _only("is_mac_address", values)
    if address is None or address is DEFAULT:
        return False
    if type(address) is not str:
        raise no_conversion(address, "String")
    return _MAC.matches(address) or _INFINIBAND_MAC.matches(address)
