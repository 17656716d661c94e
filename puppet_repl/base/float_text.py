"""Numbers as Ruby prints them, and the limits of Puppet's Integer."""

from __future__ import annotations

MIN_INTEGER = -(2**63)
MAX_INTEGER = 2**63 - 1


def float_text(value: float) -> str:
    """Write a Float as Ruby's Float#to_s does: 1.0, 1.0e+20, 1.5e-07.

    Python changes to exponents at 1e16, Ruby without fraction at 1e15; Python leaves out ".0".
    """
    text = repr(value)
    if "e" in text:
        mantissa, exponent = text.split("e")
        return text if "." in mantissa else f"{mantissa}.0e{exponent}"
    if text[-1] in "fn":
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[text]
    if len(text) > 17 and text.endswith(".0") and abs(value) >= 1e15:
        sign = "-" if value < 0 else ""
        digits = text.lstrip("-").removesuffix(".0")
        return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}e+15"
    return text


def code_float(value: float) -> str:
    """Write a Float as Puppet code, which reads 1.0e20 but not 1.0e+20."""
    return float_text(value).replace("e+", "e")


def is_finite(value: float) -> bool:
    """Tell whether a Float is neither infinite nor NaN."""
    return value - value == 0.0
