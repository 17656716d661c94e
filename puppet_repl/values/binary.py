"""Bytes that are no text."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.errors import RuntimeFailure


class Binary:
    """An immutable run of bytes, written in base64."""

    __slots__ = ("data",)

    puppet_label = "Binary"
    ruby_class = "Puppet::Pops::Types::PBinaryType::Binary"

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def __bool__(self) -> bool:
        """Empty or not, it is no undef."""
        return True

    def puppet_text(self) -> str:
        """Write it in strict base64: one line."""
        from binascii import b2a_base64

        return b2a_base64(self.data, newline=False).decode()

    def relaxed_text(self) -> str:
        """Write it in base64 in lines of 60 characters."""
        text = self.puppet_text()
        return "".join(f"{text[at : at + 60]}\n" for at in range(0, len(text), 60))

    def url_safe_text(self) -> str:
        """Write it in the base64 that goes into URLs."""
        return self.puppet_text().replace("+", "-").replace("/", "_")

    def puppet_plain(self) -> str:
        """Write it as the UTF-8 text that it holds. Raises RuntimeFailure if it holds none."""
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            byte = self.data[error.start]
            raise RuntimeFailure(f'"\\x{byte:02X}" from ASCII-8BIT to UTF-8') from None

    def puppet_program(self) -> str:
        """Write a call that makes it again."""
        return f'Binary("{self.puppet_text()}")'

    def puppet_literal(self) -> str:
        """Write it inside an object's attributes."""
        return self.puppet_program()

    def puppet_arithmetic(self, operator: str, other: object) -> object:
        """Join two with ``+``; nothing else is defined."""
        if operator != "+":
            return NotImplemented
        if type(other) is not Binary:
            raise RuntimeFailure("Can only append Binary to a Binary")
        return Binary(self.data + other.data)

    def puppet_access(
        self, keys: tuple[object, ...], part: Callable[[bytes, tuple[object, ...]], bytes]
    ) -> Binary:
        """Answer the bytes at an index or in a slice; ``part`` is how strings are accessed."""
        return Binary(part(self.data, keys))

    def puppet_includes(self, other: object) -> bool:
        """Say whether bytes, a text or one byte given as Integer occur."""
        if type(other) is Binary:
            return other.data in self.data
        if type(other) is str:
            return other.encode() in self.data
        if type(other) is int or type(other) is float:
            return any(byte == other for byte in self.data)
        return False

    def puppet_equals(self, other: object) -> bool:
        """Two are equal if they hold the same bytes."""
        return type(other) is Binary and self.data == other.data

    def puppet_key(self) -> bytes:
        """Tell apart by the bytes."""
        return self.data

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash((Binary, self.data))

    def __repr__(self) -> str:
        return f"Binary({self.data!r})"


def decode_base64(text: str, format_: str) -> Binary:
    """Read base64: strict (%B), relaxed (%b) or for URLs (%u).

    Raises RuntimeFailure where a strict form is not kept to; the relaxed one skips what it does
    not know.
    """
    import base64
    import binascii
    import re

    if format_ == "%b":
        kept = re.sub("[^A-Za-z0-9+/=]", "", text).split("=")[0]
        kept = kept[: len(kept) - 1] if len(kept) % 4 == 1 else kept
        return Binary(base64.b64decode(kept + "=" * (-len(kept) % 4)))
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
