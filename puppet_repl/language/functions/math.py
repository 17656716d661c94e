"""Functions on numbers: abs, ceiling, floor, round."""

from __future__ import annotations

import re
from math import ceil as round_up
from math import floor as round_down

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.registry import function
from puppet_repl.language.ruby_library.number import leading_float, leading_integer, parse_float
from puppet_repl.language.runtime.call_location import NO_LOCATION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context


@function(
    "abs",
    "Numeric $val",
    examples=("abs(-5)  # => 5", "(-2.5).abs  # => 2.5"),
)
def abs_(number: float) -> float:
    """Return the absolute value of a number.

    A String with a decimal number is converted, with a deprecation warning.

    @param val the number, or a String that is one
    @return [Numeric]
    """
    return abs(number)


@abs_.dispatch("String $val")
def _abs_text(text: str, *, context: Context) -> float:
    context.warn_once(
        "abs_function_numeric_coerce_string",
        "The abs() function's auto conversion of String to Numeric is deprecated - "
        f"change to convert input before calling{NO_LOCATION}",
    )
    if re.search(r"^-?[0-9]+\.[0-9]+$", text, re.MULTILINE):
        return abs(leading_float(text))
    if re.search(r"^-?[0-9]+$", text, re.MULTILINE):
        return abs(leading_integer(text))
    raise RuntimeFailure(
        "abs(): Requires float or integer to work with - was given non decimal string"
    )


def _text_to_float(text: str, name: str, context: Context) -> float:
    """Convert a string as Ruby's ``Float(text)`` does, after a deprecation warning."""
    context.warn_once(
        f"{name}_function_numeric_coerce_string",
        f"The {name}() function's auto conversion of String to Float is deprecated - "
        f"change to convert input before calling{NO_LOCATION}",
    )
    number = parse_float(text)
    if number is not None:
        return number
    raise RuntimeFailure(f"{name}(): cannot convert given value to a floating point value.")


@function(
    "ceiling",
    "Numeric $val",
    returns="Integer",
    examples=("ceiling(1.2)  # => 2", "(-1.7).ceiling  # => -1"),
)
def ceiling(number: float) -> int:
    """Return the smallest Integer that is not less than a number.

    A String with a number is converted, with a deprecation warning.

    @param val the number, or a String that is one
    """
    return round_up(number)


@ceiling.dispatch("String $val", returns="Integer")
def _ceiling_text(text: str, *, context: Context) -> int:
    return round_up(_text_to_float(text, "ceiling", context))


@function(
    "floor",
    "Numeric $val",
    returns="Integer",
    examples=("floor(1.7)  # => 1", "(-1.2).floor  # => -2"),
)
def floor(number: float) -> int:
    """Return the largest Integer that is not greater than a number.

    A String with a number is converted, with a deprecation warning.

    @param val the number, or a String that is one
    """
    return round_down(number)


@floor.dispatch("String $val", returns="Integer")
def _floor_text(text: str, *, context: Context) -> int:
    return round_down(_text_to_float(text, "floor", context))


@function(
    "round",
    "Numeric $val",
    returns="Integer",
    examples=("round(2.5)  # => 3", "round(-2.5)  # => -3", "(2.4).round  # => 2"),
)
def round_(number: float) -> int:
    """Round a number to the nearest Integer, halves away from zero.

    @param val the number
    """
    return int(number + 0.5) if number > 0 else int(number - 0.5)
