"""Integers from text, of any length that Python can convert in a reasonable time."""

from __future__ import annotations

import math

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import MAX_INTEGER, MIN_INTEGER
from puppet_repl.base.limits import MAX_DIGITS
from puppet_repl.language.values.sprintf import Directive, format_integer

TOO_LONG = f"an Integer of more than {MAX_DIGITS} digits is too long"


def integer_of(text: str, base: int = 10) -> int:
    """Return the Integer that a text stands for, as ``int(text, base)``.

    Raises ValueError for other texts, and RuntimeFailure for more than MAX_DIGITS digits.
    """
    if len(text) > MAX_DIGITS:
        raise RuntimeFailure(TOO_LONG)
    return int(text, base)


def float_of(number: float) -> float:
    """Return a number as a Float; an Integer that is too large becomes an infinity."""
    try:
        return float(number)
    except OverflowError:
        return -math.inf if number < 0 else math.inf


def check_long(number: int) -> int:
    """Return an index or a size; raise Ruby's error for one of more than 64 bits."""
    if MIN_INTEGER <= number <= MAX_INTEGER:
        return number
    raise RuntimeFailure("bignum too big to convert into `long'")


def within_range(number: int) -> int:
    """Return an Integer; raise an error if it has more than 64 bits, as converted ones can have."""
    if MIN_INTEGER <= number <= MAX_INTEGER:
        return number
    side = "max" if number > 0 else "min"
    digits = format_integer(number, Directive(), "x")
    raise RuntimeFailure(
        f"Use of a Ruby Integer outside of Puppet Integer {side} range, got '0x{digits}'"
    )
