"""Internet addresses: what Ruby's IPAddr makes of a text, recorded from Ruby 3.1."""

from __future__ import annotations

import pytest

from puppet_repl.language.ruby_library.ip_address import AddressFailure, parse_ip_address

ALL = (1 << 128) - 1
ACCEPTED = [
    ("1.2.3.4", 4, 0x01020304, 0xFFFFFFFF),
    ("1.2.3.4/24", 4, 0x01020300, 0xFFFFFF00),
    ("1.2.3.4/0", 4, 0, 0),
    ("1.2.3.4/255.255.0.0", 4, 0x01020000, 0xFFFF0000),
    ("1.2.3.4/255.255.255.0/3", 4, 0, 0xE0000000),
    ("::", 6, 0, ALL),
    ("::1", 6, 1, ALL),
    ("[::1]/128", 6, 1, ALL),
    ("::/::", 6, 0, 0),
    ("1::", 6, 1 << 112, ALL),
    ("1:2:3:4:5:6:7::", 6, 0x00010002000300040005000600070000, ALL),
    ("1:2:3:4:5:6:7:8", 6, 0x00010002000300040005000600070008, ALL),
    ("1:2:3:4:5:6:1.2.3.4", 6, 0x00010002000300040005000601020304, ALL),
    ("1:2::1.2.3.4", 6, 0x00010002000000000000000001020304, ALL),
    ("fe80::1%eth0/64", 6, 0xFE80 << 112, ALL >> 64 << 64),
]
REFUSED = [
    ("", "invalid address: "),
    ("/", "invalid address: "),
    ("foo", "invalid address: "),
    ("1.2.3", "invalid address: "),
    ("1.2.3.256", "invalid address: "),
    ("1.2.3.4\n", "invalid address: "),
    ("[1.2.3.4]", "invalid address: "),
    ("1:2:3:4:5:6:7::8:9", "invalid address: "),
    ("::1.2.3.400", "invalid address: "),
    ("1.2.3.4/", "invalid address: "),
    ("1.2.3.4/x", "invalid address: "),
    ("01.2.3.4", "zero-filled number in IPv4 address is ambiguous: "),
    ("1.2.3.4/33", "invalid length: 16909060"),
    ("1.2.3.4/08", "leading zeros in prefix"),
    ("1.2.3.4/255.0.255.0", "invalid mask 255.0.255.0: 16909060"),
    ("::1/1.2.3.4", "address family is not same: 1"),
    (7, "address family must be specified"),
]


@pytest.mark.parametrize(("text", "family", "address", "mask"), ACCEPTED)
def test_accepted(text: str, family: int, address: int, mask: int) -> None:
    found = parse_ip_address(text)
    assert (found.family, found.address, found.mask) == (family, address, mask)


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(AddressFailure) as raised:
        parse_ip_address(text)
    assert raised.value.message == message


@pytest.mark.parametrize(
    ("network", "address", "expected"),
    [
        ("10.0.0.0/8", "10.255.0.1", True),
        ("10.0.0.0/8", "11.0.0.1", False),
        ("10.0.0.0/8", "10.1.0.0/16", True),
        ("10.1.0.0/16", "10.0.0.0/8", False),
        ("::/0", "10.0.0.1", False),
        ("::/0", "fe80::1", True),
    ],
)
def test_includes(network: str, address: str, expected: bool) -> None:
    assert parse_ip_address(network).includes(parse_ip_address(address)) is expected
