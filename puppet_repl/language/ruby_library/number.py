"""Conversions to numbers by Ruby's Integer(), Float(), to_i and to_f, with Ruby's errors."""

from __future__ import annotations

import math
import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.language.values.integers import integer_of
from puppet_repl.language.values.ruby import ruby_inspect, ruby_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_DIGITS = "[0-9]+(?:_[0-9]+)*"
_LEADING_INTEGER = re.compile(rf"[ \t\n\v\f\r]*([+-]?{_DIGITS})")
_INTEGER = re.compile(
    "([+-]?)(0[xX](?=[0-9a-fA-F])|0[bB](?=[01])|0[oO](?=[0-7])|0[dD](?=[0-9])|0_?(?=[0-9])|)"
    "([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)"
)
_HEXADECIMAL = re.compile(
    r"[+-]?0[xX][0-9a-fA-F](?:[0-9a-fA-F]|(?<=[0-9])_(?=[0-9]))*"
    rf"(?:(?:\.[0-9a-fA-F]+)?[pP][+-]?{_DIGITS})?"
)
_SIGNED_HEXADECIMAL = re.compile(rf"[ \t\n\v\f\r]*(?=[+-])(?:({_HEXADECIMAL.pattern})|[+-]0[xX])")
_LEADING_FLOAT = re.compile(
    rf"[ \t\n\v\f\r]*([+-]?(?:{_DIGITS}(?:\.{_DIGITS})?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?)"
)


def to_integer(value: Value) -> int:
    """Convert a number or a string, with prefixes 0x 0b 0o 0 and underscores between digits."""
    if type(value) is int:
        return value
    if type(value) is float:
        if not is_finite(value):
            raise RuntimeFailure(float_text(value))
        return int(value)
    if type(value) is str:
        number = _parse_integer(value)
        if number is None:
            raise _invalid("Integer", value)
        return number
    raise _inconvertible(value, "Integer")


def to_float(value: Value) -> float:
    """Convert a number or a string to a Float."""
    if type(value) is float:
        return value
    if type(value) is int:
        return float(value)
    if type(value) is str:
        number = parse_float(value)
        if number is None:
            raise _no_float(value)
        return number
    raise _inconvertible(value, "Float")


def parse_float(text: str) -> float | None:
    """Return the result of Float(text), None if that raises an error."""
    plain = text.strip(" \t\n\v\f\r")
    if _HEXADECIMAL.fullmatch(plain):
        return _of_hexadecimal(plain)
    digits = r"[0-9]+(?:_[0-9]+)*"
    if re.fullmatch(
        rf"[+-]?(?:{digits})?(?:(?<=[0-9])|\.(?=[0-9]){digits})(?:[eE][+-]?{digits})?", plain
    ):
        return float(plain.replace("_", ""))
    return None


def leading_integer(text: str) -> int:
    """Return the result of to_i: the Integer that a string begins with, or 0."""
    found = _LEADING_INTEGER.match(text)
    return integer_of(found.group(1).replace("_", "")) if found is not None else 0


def leading_float(text: str) -> float:
    """Return the result of to_f: the number that a string begins with, or 0.0."""
    signed = _SIGNED_HEXADECIMAL.match(text)
    if signed is not None:
        # Ruby reads hexadecimal digits here, but only after a sign.
        return _of_hexadecimal(signed.group(1)) if signed.group(1) else 0.0
    found = _LEADING_FLOAT.match(text)
    return float(found.group(1).replace("_", "")) if found is not None else 0.0


def _parse_integer(text: str) -> int | None:
    found = _INTEGER.fullmatch(text.strip(" \t\n\v\f\r"))
    if found is None:
        return None
    sign, prefix, digits = found.groups()
    base = {"x": 16, "b": 2, "o": 8, "d": 10}.get(prefix[1:2].lower(), 8 if prefix else 10)
    try:
        number = integer_of(digits.replace("_", ""), base)
    except ValueError:
        return None
    return -number if sign == "-" else number


def _invalid(kind: str, text: str) -> RuntimeFailure:
    return RuntimeFailure(f"invalid value for {kind}(): {ruby_inspect(text)}")


def _of_hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text.replace("_", ""))
    except OverflowError:
        return -math.inf if text.startswith("-") else math.inf


def _no_float(text: str) -> RuntimeFailure:
    """Return the error of Float(text), which shows bytes for characters outside of ASCII."""
    if "\0" in text:
        return RuntimeFailure("string for Float contains null byte")
    pieces = re.split(r"([^ -~\a-\r\x1b]+)", text)
    shown = "".join(
        [
            _shown_bytes(piece) if index % 2 else ruby_inspect(piece)[1:-1]
            for index, piece in enumerate(pieces)
        ]
    )
    return RuntimeFailure(f'invalid value for Float(): "{shown}"')


def _shown_bytes(text: str) -> str:
    return "".join([f"\\x{byte:02X}" for byte in text.encode("utf-8", "surrogatepass")])


def _inconvertible(value: Value, target: str) -> RuntimeFailure:
    return RuntimeFailure(f"can't convert {ruby_kind(value)} into {target}")
