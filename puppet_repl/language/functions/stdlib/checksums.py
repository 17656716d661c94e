"""Checksums of stdlib: stdlib::crc32, stdlib::sha256."""

from __future__ import annotations

import hashlib
import zlib

from puppet_repl.language.functions.stdlib.declaring import stdlib_function
from puppet_repl.language.values.ruby import ruby_text
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_DATA = "Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data"


def _bytes(data: Value) -> bytes:
    return ruby_text(data.value if type(data) is Sensitive else data).encode()


@stdlib_function(
    "stdlib::crc32",
    _DATA,
    returns="String",
    examples=("stdlib::crc32('my string')  # => '18fbd270'",),
    versions=(9,),
)
def crc32(data: Value) -> str:
    """Return the checksum CRC-32 of a value in hexadecimal digits.

    The checksum is of the value's text in UTF-8; for a Sensitive, of its secret; for a Binary, of
    its text in Base64.

    @param my_data a value, or a Sensitive
    """
    return format(zlib.crc32(_bytes(data)), "x")


@stdlib_function(
    "stdlib::sha256",
    _DATA,
    returns="String",
    examples=(
        "stdlib::sha256('my string')"
        "  # => '2f7e2089add0288a309abd71ffcc3b3567e2d4215e20e6ed3b74d6042f7ef8e5'",
    ),
    versions=(9,),
)
def sha256(data: Value) -> str:
    """Return the digest SHA-256 of a value in hexadecimal digits.

    The digest is of the value's text in UTF-8; for a Sensitive, of its secret; for a Binary, of its
    text in Base64.

    @param my_data a value, or a Sensitive
    """
    return hashlib.sha256(_bytes(data)).hexdigest()
