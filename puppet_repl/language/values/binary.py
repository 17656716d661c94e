"""The Binary: bytes that need not be text."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.lenient_base64 import decode_leniently
from puppet_repl.language.values.protocols import Container, Indexable, Operand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Slice, Value


class Binary(Operand, Container, Indexable):
    """An immutable sequence of bytes, written in base64."""

    __slots__ = ("data",)
    data_type = "Binary"

    puppet_label = "Binary"
    ruby_class = "Puppet::Pops::Types::PBinaryType::Binary"

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def __bool__(self) -> bool:
        """Return True: an empty Binary is not undef."""
        return True

    def puppet_text(self) -> str:
        """Write the bytes in strict base64: one line."""
        from binascii import b2a_base64

        return b2a_base64(self.data, newline=False).decode()

    def relaxed_text(self) -> str:
        """Write the bytes in base64, in lines of 60 characters."""
        text = self.puppet_text()
        return "".join(f"{text[at : at + 60]}\n" for at in range(0, len(text), 60))

    def url_safe_text(self) -> str:
        """Write the bytes in the base64 that URLs may contain."""
        return self.puppet_text().replace("+", "-").replace("/", "_")

    def puppet_plain(self) -> str:
        """Decode the bytes as UTF-8. Raises RuntimeFailure if they are not UTF-8."""
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            byte = self.data[error.start]
            raise RuntimeFailure(f'"\\x{byte:02X}" from ASCII-8BIT to UTF-8') from None

    def puppet_program(self) -> str:
        """Write the call that makes an equal value."""
        return f'Binary("{self.puppet_text()}")'

    def puppet_literal(self) -> str:
        """Return Puppet's words for the value inside an object's attributes."""
        return "Instance of Binary"

    def puppet_arithmetic(self, operator: str, other: Value) -> Value:
        """Join two Binaries with ``+``, the only operator."""
        if operator != "+":
            return NotImplemented
        if type(other) is not Binary:
            raise RuntimeFailure("Can only append Binary to a Binary")
        return Binary(self.data + other.data)

    def puppet_access(self, keys: tuple[Value, ...], part: Slice) -> Binary:
        """Return the bytes at an index or in a slice."""
        return Binary(part(self.data, keys))

    def puppet_includes(self, value: Value) -> bool:
        """Tell whether bytes, a string or one byte given as a number occur."""
        if type(value) is Binary:
            return value.data in self.data
        if type(value) is str:
            return value.encode() in self.data
        if type(value) is int or type(value) is float:
            return any(byte == value for byte in self.data)
        return False

    def puppet_equals(self, other: Value) -> bool:
        """Compare the bytes."""
        return type(other) is Binary and self.data == other.data

    def puppet_key(self) -> bytes:
        """Return the bytes."""
        return self.data

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash((Binary, self.data))

    def __repr__(self) -> str:
        return f"Binary({self.data!r})"


def decode_base64(text: str, format_: str) -> Binary:
    """Decode base64: strict (%B), relaxed (%b) or for URLs (%u).

    Raises RuntimeFailure where a strict format is violated; the relaxed one skips characters that
    are not base64.
    """
    import binascii
    import re

    if format_ == "%b":
        return Binary(decode_leniently(text))
    if format_ == "%u":
        text = text.replace("-", "+").replace("_", "/")
        if not text.endswith("=") and len(text) % 4:
            text += "=" * (-len(text) % 4)
    if not re.fullmatch("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text):
        raise RuntimeFailure("invalid base64")
    try:
        data = binascii.a2b_base64(text)
    except binascii.Error:
        raise RuntimeFailure("invalid base64") from None
    if binascii.b2a_base64(data, newline=False).decode() != text:
        raise RuntimeFailure("invalid base64")
    return Binary(data)
