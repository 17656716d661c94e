"""The directives of Ruby's ``sprintf``, one at a time: flags, width, precision and a letter.

Negative numbers in bases of two are written as endless two's complement (``..f``).
"""

from __future__ import annotations

from math import copysign

from puppet_repl.base.errors import RuntimeFailure

LONGEST = 50_000_000
"""No directive may make a text longer than this; Ruby's own limit is 2 ** 31."""

_BASES = {"x": 16, "X": 16, "o": 8, "b": 2, "B": 2}
_DIGITS = "0123456789abcdef"


class Directive:
    """Flags, width and precision of one directive; None if missing."""

    __slots__ = ("flags", "precision", "width")

    def __init__(
        self, flags: str = "", width: int | None = None, precision: int | None = None
    ) -> None:
        self.flags = flags
        self.width = width
        self.precision = precision


def character_of(code: int) -> str:
    """Return the character of a code (``%c``)."""
    if not -(1 << 31) <= code < 1 << 31:
        size = "small" if code < 0 else "big"
        raise RuntimeFailure(f"integer {code} too {size} to convert to `int'")
    if not 0 <= code <= 0x10FFFF:
        raise RuntimeFailure("invalid character")
    return chr(code)


def pad_text(text: str, directive: Directive) -> str:
    """Cut a string to the precision and pad it to the width (``%s``)."""
    if directive.precision is not None:
        text = text[: directive.precision]
    width = directive.width or 0
    return text.ljust(width) if "-" in directive.flags else text.rjust(width)


def _sign(negative: bool, flags: str) -> str:
    if negative:
        return "-"
    return "+" if "+" in flags else " " if " " in flags else ""


def format_integer(number: int, directive: Directive, letter: str) -> str:
    """Write an Integer under one of ``d i u x X o b B``."""
    if letter in _BASES:
        return _in_base(number, directive, letter)
    return _decimal(number, directive)


def _decimal(number: int, directive: Directive) -> str:
    digits = str(abs(number))
    return _assembled(_sign(number < 0, directive.flags), "", digits, "0", directive)


def _in_base(number: int, directive: Directive, letter: str) -> str:
    base = _BASES[letter]
    flags = directive.flags
    prefix = ""
    if "#" in flags and number != 0:
        prefix = "0" if letter == "o" else f"0{letter}"
    elif "#" in flags and letter == "o" and directive.precision == 0:
        prefix = "0"
    if number >= 0 or "+" in flags or " " in flags:
        digits = _digits_of(abs(number), base)
        sign = _sign(number < 0, flags)
        if letter == "o" and prefix and (directive.precision or 0) > len(digits):
            prefix = ""
        filler = "0"
    else:
        digits = _complement(number, base)
        sign = ""
        filler = _DIGITS[base - 1]
        if letter == "o":
            prefix = ""
        prefix += ".."
    if letter == "X":
        digits, filler = digits.upper(), filler.upper()
    return _assembled(sign, prefix, digits, filler, directive)


def _digits_of(number: int, base: int) -> str:
    form = {16: "x", 8: "o", 2: "b"}[base]
    return format(number, form)


def _complement(number: int, base: int) -> str:
    """Return the digits of a negative number that follow endless highest digits."""
    bits = {16: 4, 8: 3, 2: 1}[base]
    places = (-number).bit_length() // bits + 2
    highest = _DIGITS[base - 1]
    digits = _digits_of(number + (1 << (bits * places)), base)
    return highest + digits.lstrip(highest)


def _assembled(sign: str, prefix: str, digits: str, filler: str, directive: Directive) -> str:
    """Join sign, prefix and digits, with zeros up to the precision or width."""
    flags = directive.flags
    precision = directive.precision
    dots = 2 if prefix.endswith("..") else 0
    room = (directive.width or 0) - len(sign) - len(prefix)
    if precision is None and "0" in flags and "-" not in flags:
        digits = digits.rjust(room, filler)
    elif precision is not None:
        if precision == 0 and digits == "0" and prefix in ("", "0"):
            digits = ""
        digits = digits.rjust(precision - dots, filler)
    text = sign + prefix + digits
    width = directive.width or 0
    return text.ljust(width) if "-" in flags else text.rjust(width)


def format_float(value: int | float, directive: Directive, letter: str) -> str:
    """Write a number under one of ``f g G e E a A``."""
    flags = directive.flags
    precision = directive.precision
    if type(value) is int and letter == "f":
        places = 6 if precision is None else precision
        digits = str(abs(value)) + ("." + "0" * places if places else "")
        return _float_assembled(_sign(value < 0, flags), "", digits, directive)
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):
        name = "NaN" if number != number else "Inf"
        text = _sign(number < 0, flags) + name
        width = directive.width or 0
        return text.ljust(width) if "-" in flags else text.rjust(width)
    negative = copysign(1.0, number) < 0
    sign = _sign(negative, flags)
    if letter in "aA":
        digits = _hexadecimal(abs(number), precision, "#" in flags)
        prefix, digits = ("0X", digits.upper()) if letter == "A" else ("0x", digits)
        return _float_assembled(sign, prefix, digits, directive)
    places = 6 if precision is None else precision
    tie = None if "#" in flags else _tie(abs(number), places, letter)
    if tie is not None:
        digits = tie
    else:
        digits = f"%{'#' if '#' in flags else ''}.{places}{letter}" % abs(number)
    return _float_assembled(sign, "", digits, directive)


def _tie(number: float, precision: int, letter: str) -> str | None:
    """Return the digits if the shortest text of a number ends in a 5 to be rounded, else None.

    Up to 14 digits Ruby rounds that as an exact half, to the even digit, even if the binary
    fraction is not one: 2.55 becomes 2.6, 6.65 becomes 6.6.
    """
    mantissa, _, exponent = float.__repr__(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0") if fraction else ""
    if not (fraction or whole.rstrip("0")).endswith("5"):
        return None
    from decimal import ROUND_HALF_EVEN, Decimal

    exact = Decimal(f"{whole}.{fraction}").scaleb(int(exponent or "0")).normalize()
    magnitude = exact.adjusted()
    if letter in "eE":
        kept, places = precision + 1, precision - magnitude
    elif letter in "gG":
        kept, places = max(precision, 1), max(precision, 1) - 1 - magnitude
    else:
        kept, places = precision + 1 + magnitude, precision
    if not 0 < kept <= 14 or -int(exact.as_tuple().exponent) != places + 1:
        return None
    rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
    if letter == "f":
        return f"{rounded:.{precision}f}"
    if letter in "gG" and rounded < exact and rounded.as_tuple().digits[-1] == 0:
        return (f"%#.{precision}{letter}" % float(rounded)).removesuffix(".")
    return f"%.{precision}{letter}" % float(rounded)


def _float_assembled(sign: str, prefix: str, digits: str, directive: Directive) -> str:
    width = directive.width or 0
    if "-" in directive.flags:
        return (sign + prefix + digits).ljust(width)
    if "0" in directive.flags:
        return sign + prefix + digits.rjust(width - len(sign) - len(prefix), "0")
    return (sign + prefix + digits).rjust(width)


def _hexadecimal(number: float, precision: int | None, point: bool) -> str:
    """Format like C's ``%a``, without sign and 0x: ``1.8p+0``."""
    mantissa, _, exponent = number.hex().removeprefix("0x").partition("p")
    whole, _, fraction = mantissa.partition(".")
    if precision is None:
        fraction = fraction.rstrip("0")
    elif precision < 13:
        bits = 4 * (13 - precision)
        scaled = int(whole + fraction.ljust(13, "0"), 16)
        kept, rest = scaled >> bits, scaled & ((1 << bits) - 1)
        half = 1 << (bits - 1)
        kept += rest > half or (rest == half and kept & 1)
        shown = format(kept, "x").rjust(precision + 1, "0")
        whole, fraction = shown[: len(shown) - precision], shown[len(shown) - precision :]
        if whole == "2":
            whole = "1"
            exponent = str(int(exponent) + 1)
    else:
        fraction = fraction.ljust(precision, "0")
    power = int(exponent)
    return f"{whole}{'.' if fraction or point else ''}{fraction}p{power:+d}"
