"""Functions of stdlib about Internet addresses: enclose_ipv6, stdlib::ip_in_range."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function
from puppet_repl.language.ruby_library.ip_address import AddressFailure, IPAddress, parse_ip_address
from puppet_repl.language.values import array
from puppet_repl.language.values.ruby import ruby_class, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_ZONE = re.compile(r"%\w+", re.ASCII)
_EMBEDDED_VERSION_4 = re.compile(r"::(ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})")


@stdlib_legacy_function(
    "enclose_ipv6",
    "Variant[String, Array[String]] $addresses",
    returns="Array[String]",
    examples=("enclose_ipv6(['127.0.0.1', '::1', '*'])  # => ['127.0.0.1', '[::1]', '*']",),
    counts=False,
)
def enclose_ipv6(values: tuple[Value, ...]) -> Value:
    """Return addresses as an array, those of IPv6 in their shortest form and in brackets.

    An asterisk stays an asterisk, and repeated addresses are returned once.

    @param addresses an address, or an array of them
    """
    if len(values) != 1:
        raise RuntimeFailure(f"enclose_ipv6(): Wrong number of arguments given {len(values)} for 1")
    given = values[0]
    if type(given) is not str and type(given) is not tuple:
        raise RuntimeFailure(
            f"enclose_ipv6(): Wrong argument type given {ruby_class(given)} "
            "expected String or Array"
        )
    enclosed: dict[str, None] = {}
    for address in array.flatten((given,)):
        if address is not None:
            enclosed[_enclosed(address)] = None
    return tuple(enclosed)


def _enclosed(text: Value) -> str:
    if text == "*":
        return "*"
    try:
        address = parse_ip_address(text)
    except AddressFailure:
        raise RuntimeFailure(
            f"enclose_ipv6(): Wrong argument given {ruby_text(text)} is not an ip address."
        ) from None
    given = ruby_text(text)
    if address.family == 4:
        return given
    zone = _ZONE.search(given)
    return f"[{_shortest(address, zone[0] if zone else '')}]"


def _shortest(address: IPAddress, zone: str) -> str:
    """Return an IPv6 address as Ruby writes it; ``zone`` is empty or begins with %."""
    digits = f"{address.address:032x}"
    groups = [digits[start : start + 4].lstrip("0") or "0" for start in range(0, 32, 4)]
    text = ":".join(groups)
    if text == "0:0:0:0:0:0:0:0":
        text = "::"
    else:
        for count in range(7, 1, -1):
            zeros = re.search(rf"\b0(?::0){{{count - 1}}}\b", text)
            if zeros is not None:
                text = f"{text[: zeros.start()]}:{text[zeros.end() :]}"
                break
    text = re.sub(":{3,}", "::", text, count=1) + zone
    embedded = _EMBEDDED_VERSION_4.fullmatch(text)
    if embedded is None:
        return text
    high, low = int(embedded[2], 16), int(embedded[3], 16)
    octets = f"{high >> 8}.{high & 255}.{low >> 8}.{low & 255}"
    return f"::{embedded[1] or ''}{octets}"


@stdlib_function(
    "stdlib::ip_in_range",
    "String $ipaddress, Variant[String, Array] $range",
    returns="Boolean",
    examples=(
        "stdlib::ip_in_range('10.0.0.7', '10.0.0.0/24')  # => true",
        "stdlib::ip_in_range('10.0.0.7', ['::1', '10.1.0.0/255.255.0.0'])  # => false",
    ),
)
def ip_in_range(ipaddress: str, range_: Value) -> bool:
    """Tell whether an address is in a network, or in one of several.

    A network is an address with the length of its prefix, or with a mask, after a slash.

    @param ipaddress the address
    @param range a network, or an array of them
    """
    address = parse_ip_address(ipaddress)
    networks = range_ if type(range_) is tuple else (range_,)
    parsed = [parse_ip_address(network) for network in networks]
    return any(network.includes(address) for network in parsed)
