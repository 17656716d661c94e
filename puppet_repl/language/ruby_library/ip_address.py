"""Internet addresses as Ruby's IPAddr reads them, with its refusals."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from puppet_repl.language.values.protocols import Value

    Family = Literal[4, 6]

_BITS = {4: 32, 6: 128}
_DOTTED = r"(\d+)\.(\d+)\.(\d+)\.(\d+)"
_GROUP = "[0-9a-f]{1,4}"
_FLAGS = re.ASCII | re.IGNORECASE
_VERSION_4 = re.compile(_DOTTED, _FLAGS)
_FULL = re.compile(rf"((?:{_GROUP}:){{6}})(?:({_GROUP}:{_GROUP})|{_DOTTED})", _FLAGS)
_COMPRESSED = re.compile(
    rf"((?:(?:{_GROUP}:)*{_GROUP})?)::((?:((?:{_GROUP}:)*)(?:{_GROUP}|{_DOTTED}))?)", _FLAGS
)
_BRACKETS = re.compile(r"\[(.*)\]")
_ZONE = re.compile(r"(.*)%\w+", re.ASCII)


class AddressFailure(RuntimeFailure):
    """An error of IPAddr; some functions answer false instead."""


class IPAddress:
    """An address, or a network: the lowest of its addresses, and its mask.

    ``family`` is 4 or 6; ``address`` and ``mask`` are numbers of 32 or 128 bits.
    """

    __slots__ = ("address", "family", "mask")

    def __init__(self, family: Family, address: int) -> None:
        self.family = family
        self.address = address
        self.mask = (1 << _BITS[family]) - 1

    def includes(self, other: IPAddress) -> bool:
        """Tell whether an address, or a whole network, is in this network."""
        return (
            self.family == other.family
            and other.address & self.mask == self.address
            and self.mask & other.mask == self.mask
        )


def parse_ip_address(text: Value) -> IPAddress:
    """Return the address of ``IPAddr.new``: with an optional ``/length`` or ``/mask``.

    Raises AddressFailure with Ruby's words, which name at most the number of the address.
    """
    if type(text) is not str:
        raise AddressFailure("address family must be specified")
    plain, slash, mask = text.partition("/")
    bracketed = _BRACKETS.fullmatch(plain)
    if bracketed is not None:
        plain = bracketed.group(1)
    zoned = _ZONE.fullmatch(plain)
    if zoned is not None:
        plain = zoned.group(1)
    number = None if bracketed or zoned else _version_4(plain)
    if number is None:
        found = IPAddress(6, _version_6(plain))
    else:
        found = IPAddress(4, number)
    if slash:
        _apply_mask(found, mask)
    return found


def _version_4(text: str) -> int | None:
    dotted = _VERSION_4.fullmatch(text)
    return None if dotted is None else _of_octets(dotted.groups())


def _of_octets(octets: tuple[str, ...]) -> int:
    number = 0
    for octet in octets:
        if int(octet) > 255:
            raise AddressFailure("invalid address: ")
        if len(octet) > 1 and octet[0] == "0":
            raise AddressFailure("zero-filled number in IPv4 address is ambiguous: ")
        number = number << 8 | int(octet)
    return number


def _version_6(text: str) -> int:
    """Return the number of eight groups, of which a ``::`` stands for those that are missing."""
    full = _FULL.fullmatch(text)
    if full is not None:
        left, right, *octets = full.groups()
        return _of_groups(left, right or "0:0", octets)
    compressed = _COMPRESSED.fullmatch(text)
    if compressed is None:
        raise AddressFailure("invalid address: ")
    left, right, before, *octets = compressed.groups()
    if octets[0] is not None:
        most, right = 6, f"{before}0:0"
    else:
        most = 7 if left and right else 8
    if text.count(":") > most:
        raise AddressFailure("invalid address: ")
    return _of_groups(left, right, octets)


def _of_groups(left: str, right: str, octets: list[str]) -> int:
    groups = [group for group in left.split(":") if group]
    last = [group for group in right.split(":") if group]
    groups += ["0"] * (8 - len(groups) - len(last)) + last
    number = 0
    for group in groups:
        number = number << 16 | int(group, 16)
    return number if octets[0] is None else number | _of_octets(tuple(octets))


def _apply_mask(found: IPAddress, mask: str) -> None:
    """Make an address a network; the mask is a number of bits, or an address itself."""
    bits = _BITS[found.family]
    if re.fullmatch("0|[1-9][0-9]*", mask):
        if int(mask) > bits:
            raise AddressFailure(f"invalid length: {found.address}")
        found.mask = found.mask >> (bits - int(mask)) << (bits - int(mask))
    elif re.fullmatch("[0-9]+", mask):
        raise AddressFailure("leading zeros in prefix")
    else:
        parsed = parse_ip_address(mask)
        if parsed.family != found.family:
            raise AddressFailure(f"address family is not same: {found.address}")
        hole = parsed.address ^ parsed.mask
        if hole & (hole + 1):
            raise AddressFailure(f"invalid mask {mask}: {found.address}")
        found.mask = parsed.address
    found.address &= found.mask
