"""Conversion of strings to numbers where a number is needed."""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.values.integers import integer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_BLANK = "[ \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]*"
# Sign; whole number; hexadecimal; integer part; fraction, exponent.
_NUMERIC = LatePattern(
    rf"{_BLANK}([-+]?){_BLANK}"
    r"((0[xX][0-9A-Fa-f]+)|(0?[0-9]+)((?:\.[0-9]+)?(?:[eE]-?[0-9]+)?))"
    rf"{_BLANK}\Z"
)


def to_number(value: Value) -> int | float | None:
    """Convert a String in Puppet's notation to a number; return numbers unchanged.

    Return None for anything else: also for octal digits 8 and 9, for ``0e5`` (a zero to any power)
    and for a Float that is too large.
    """
    found = to_number_with_radix(value)
    return None if found is None else found[0]


def to_number_with_radix(value: Any) -> tuple[int | float, int] | None:
    """Convert like to_number, and return the radix (8, 10, 16) in which it was written, too."""
    kind = type(value)
    if kind is int or kind is float:
        return value, 10
    if kind is not str:
        return None
    match = _NUMERIC.match(value[2:] if value.startswith("::") else value)
    if match is None:
        return None
    sign, digits, hexadecimal, whole, rest = match.groups()
    number: int | float
    if rest:
        number = _to_float(digits, whole, rest)
        if number != number:
            return None
        return (-number if sign == "-" else number), 10
    radix = 16 if hexadecimal else 8 if len(whole) > 1 and whole[0] == "0" else 10
    try:
        number = integer_of(digits, radix)
    except ValueError:
        return None
    return (-number if sign == "-" else number), radix


def _to_float(digits: str, whole: str, rest: str) -> float:
    """Convert the text of a Float; return NaN where Puppet refuses it."""
    if len(whole) > 1 and whole[0] == "0" and not set(whole) <= set("01234567"):
        return float("nan")
    if (
        not set(whole) - {"0"}
        and "e" in rest.lower()
        and not set(rest.lower().split("e")[0])
        - {
            ".",
            "0",
        }
    ):
        return float("nan")
    number = float(digits)
    return number if number - number == 0.0 else float("nan")
