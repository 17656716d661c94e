"""Numbers: valid ones with their values, and Puppet's errors for the others."""

from __future__ import annotations

import sys

from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax import issues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.source import Source

# Ruby's \b knows all letters, its \d only ASCII.
_NUMBER = LatePattern(r"(?:0[xX][0-9A-Fa-f]+|0?[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)\b")
_WORD = LatePattern(r"(?a)\w+")
_HEXADECIMAL = LatePattern("0[xX][0-9A-Fa-f]+")
_OCTAL = LatePattern("0[0-7]+")
_WITH_FRACTION = LatePattern(r"(?a)\d+[eE.]")
_DECIMAL = LatePattern(r"(?a)\d+(?:\.\d+)?(?:[eE]-?\d+)?")
_DIGITS = "0123456789"


def lex_number(text: str, pos: int, source: Source) -> int:
    """Return the end of the number that begins with the digit at ``pos``."""
    match = _NUMBER.match(text, pos)
    if match is not None:
        _check(match[0], source, pos)
        return match.end()
    word = _WORD.match(text, pos)
    assert word is not None  # a digit is there
    begin = pos
    if pos > 1 and text[pos - 1] == ".":  # the fraction of a number whose whole part was taken
        begin = pos - 1
        while begin > 0 and text[begin - 1] in _DIGITS:
            begin -= 1
        if begin == pos - 1:
            begin = pos
    value = text[begin : word.end()]
    _check(value, source, begin)
    raise issues.illegal_number(value, source, begin + 1)


def _check(value: str, source: Source, at: int) -> None:
    if value[:2] in ("0x", "0X"):
        if not _HEXADECIMAL.fullmatch(value):
            raise issues.invalid_number("hex", value, source, at)
    elif value[0] == "0" and len(value) > 1 and value[1] != ".":
        if not _OCTAL.fullmatch(value):
            raise issues.invalid_number("octal", value, source, at)
    elif _WITH_FRACTION.match(value):
        if not _DECIMAL.fullmatch(value):
            raise issues.invalid_number("decimal", value, source, at)
    elif not value.isdecimal():
        raise issues.illegal_number(value, source, at)


def number_value(text: str) -> tuple[int | float, int]:
    """Return the value of a number and its radix."""
    if text[0] == "0" and len(text) > 1:
        if text[1] in "xX":
            return int(text, 16), 16
        if text.isdecimal():
            return int(text, 8), 8
    if text.isdecimal():
        limit = sys.get_int_max_str_digits()
        if limit and len(text) > limit:  # far beyond what the validator takes
            return 10**400, 10
        return int(text), 10
    return float(text), 10
