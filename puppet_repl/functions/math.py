"""Numbers: abs, ceiling, floor, round."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.registry import Function, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context

_NO_PLACE = "\n   (file & line not available)"

abs_ = Function(
    "abs",
    theme="math",
    doc="""Answer a number without its sign.

    A String that holds a decimal number is converted, with a deprecation warning.
    """,
    examples=("abs(-5)  # => 5", "(-2.5).abs  # => 2.5"),
)


@abs_.dispatch("Numeric $val")
def _abs(number: Any) -> Any:
    return abs(number)


@abs_.dispatch("String $val")
def _abs_text(text: str, *, context: Context) -> Any:
    import re

    context.warn_once(
        "abs_function_numeric_coerce_string",
        "The abs() function's auto conversion of String to Numeric is deprecated - "
        f"change to convert input before calling{_NO_PLACE}",
    )
    from puppet_repl.functions.ruby_number import leading_float, leading_integer

    if re.search(r"^-?[0-9]+\.[0-9]+$", text, re.MULTILINE):
        return abs(leading_float(text))
    if re.search(r"^-?[0-9]+$", text, re.MULTILINE):
        return abs(leading_integer(text))
    raise RuntimeFailure(
        "abs(): Requires float or integer to work with - was given non decimal string"
    )


ceiling = Function(
    "ceiling",
    theme="math",
    doc="""Answer the smallest Integer that is not below a number.

    A String that holds a number is converted, with a deprecation warning.
    """,
    examples=("ceiling(1.2)  # => 2", "(-1.7).ceiling  # => -1"),
)

floor = Function(
    "floor",
    theme="math",
    doc="""Answer the largest Integer that is not above a number.

    A String that holds a number is converted, with a deprecation warning.
    """,
    examples=("floor(1.7)  # => 1", "(-1.2).floor  # => -2"),
)


def _text_to_float(text: str, name: str, context: Context) -> float:
    """What Ruby's ``Float(text)`` answers; the warning comes first."""
    context.warn_once(
        f"{name}_function_numeric_coerce_string",
        f"The {name}() function's auto conversion of String to Float is deprecated - "
        f"change to convert input before calling{_NO_PLACE}",
    )
    from puppet_repl.functions.ruby_number import parse_float

    number = parse_float(text)
    if number is not None:
        return number
    raise RuntimeFailure(f"{name}(): cannot convert given value to a floating point value.")


@ceiling.dispatch("Numeric $val", returns="Integer")
def _ceiling(number: Any) -> int:
    from math import ceil

    upper: int = ceil(number)
    return upper


@ceiling.dispatch("String $val", returns="Integer")
def _ceiling_text(text: str, *, context: Context) -> int:
    from math import ceil

    return ceil(_text_to_float(text, "ceiling", context))


@floor.dispatch("Numeric $val", returns="Integer")
def _floor(number: Any) -> int:
    from math import floor as down

    lower: int = down(number)
    return lower


@floor.dispatch("String $val", returns="Integer")
def _floor_text(text: str, *, context: Context) -> int:
    from math import floor as down

    return down(_text_to_float(text, "floor", context))


round_ = Function(
    "round",
    theme="math",
    doc="""Answer the nearest Integer; a half goes away from zero.""",
    examples=("round(2.5)  # => 3", "round(-2.5)  # => -3", "(2.4).round  # => 2"),
)


@round_.dispatch("Numeric $val", returns="Integer")
def _round(number: Any) -> int:
    return int(number + 0.5) if number > 0 else int(number - 0.5)


FUNCTIONS = by_name(abs_, ceiling, floor, round_)
