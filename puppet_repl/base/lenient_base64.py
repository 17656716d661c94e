"""Base64 as Ruby's ``Base64.decode64`` reads it: no text is an error."""

from __future__ import annotations

import binascii
import re

_DIGIT_OR_END = re.compile("[A-Za-z0-9+/=]")


def decode_leniently(text: str) -> bytes:
    """Return the bytes of a Base64 text; characters that are not digits of Base64 are left out."""
    digits: list[str] = []
    for sign in _DIGIT_OR_END.findall(text):
        if sign != "=":
            digits.append(sign)
        elif len(digits) % 4 >= 2:
            # Only there it ends the text.
            break
    if len(digits) % 4 == 1:
        # A single digit at the end holds no whole byte.
        del digits[-1]
    return binascii.a2b_base64("".join(digits) + "=" * (-len(digits) % 4))
