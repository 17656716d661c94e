"""Ruby's ``scanf``: values that are read from a string by a format of directives."""

from __future__ import annotations

import re

from puppet_repl.language.values.integers import integer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Scanned = str | int | float

_DIRECTIVE = re.compile(r"%(\*?)([0-9]*)(\[\^?\]?[^\]]*\]|[diuoxXfgeEasc%])|(\s+)|([^%\s]+|%)")
_SHAPES = {
    "d": "[+-]?[0-9]+",
    "u": "[+-]?[0-9]+",
    "i": "[+-]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)",
    "o": "[+-]?[0-7]+",
    "x": "[+-]?(?:0[xX])?[0-9a-fA-F]+",
    "f": r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    "s": r"\S+",
}
_SAME = {"X": "x", "e": "f", "E": "f", "g": "f", "a": "f"}


def scan(data: str, text: str) -> tuple[Scanned, ...]:
    """Return the values before the first directive that does not match."""
    values: list[Scanned] = []
    position = 0
    for directive in _DIRECTIVE.finditer(text):
        dropped, width, letter, space, literal = directive.groups()
        if space is not None:
            position = _after_space(data, position)
            continue
        if literal is not None or letter == "%":
            expected = "%" if literal is None else literal
            position = position if literal is not None else _after_space(data, position)
            if not data.startswith(expected, position):
                break
            position += len(expected)
            continue
        if letter == "c":
            found = data[position : position + int(width or 1)]
        else:
            if not letter.startswith("["):
                position = _after_space(data, position)
            shape = letter + "+" if letter.startswith("[") else _SHAPES[_SAME.get(letter, letter)]
            end = position + int(width) if width else len(data)
            matched = re.compile(shape).match(data, position, end)
            found = matched.group() if matched is not None else ""
        if not found:
            break
        position += len(found)
        if not dropped:
            values.append(_value(found, letter))
    return tuple(values)


def _after_space(data: str, position: int) -> int:
    while position < len(data) and data[position].isspace():
        position += 1
    return position


def _value(found: str, letter: str) -> Scanned:
    if letter in "du":
        return integer_of(found)
    if letter == "i":
        digits = found.lstrip("+-")
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits.startswith("0") else 10
        return integer_of(found, base)
    if letter == "o":
        return integer_of(found, 8)
    if letter in "xX":
        return integer_of(found, 16)
    return float(found) if letter in "fgeEa" else found
