"""Formatting and parsing of Timespans: ``%D %H %M %S %L %N`` with flags and widths.

The directive of the highest magnitude in a format includes all higher magnitudes.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.calendar import DAY, HOUR, MINUTE, SECOND

DEFAULT_FORMATS = (
    "%D-%H:%M:%S.%-N",
    "%H:%M:%S.%-N",
    "%M:%S.%-N",
    "%S.%-N",
    "%D-%H:%M:%S",
    "%H:%M:%S",
    "%D-%H:%M",
    "%S",
)
_MAGNITUDES = "NLSMHD"
_UNITS = {"D": DAY, "H": HOUR, "M": MINUTE, "S": SECOND}
_WRAPS = {"D": None, "H": 24, "M": 60, "S": 60}
_WIDTHS = {"D": 1, "H": 2, "M": 2, "S": 2, "L": 3, "N": 9}
_MAX_WIDTH = 2**31 - 1


class Segment:
    """One directive; ``padding`` is "0", " " or "" for none."""

    __slots__ = ("letter", "padding", "total", "width")

    def __init__(self, letter: str, padding: str, width: int | None) -> None:
        self.letter = letter
        self.padding = padding
        self.width = width
        self.total = False

    def write(self, ns: int) -> str:
        """Format this part of a non-negative number of nanoseconds."""
        if self.letter in "LN":
            return self._write_fraction(ns)
        value = ns // _UNITS[self.letter]
        wraps = _WRAPS[self.letter]
        if wraps is not None and not self.total:
            value %= wraps
        width = self.width or _WIDTHS[self.letter]
        return str(value).rjust(width, self.padding) if self.padding else str(value)

    def _write_fraction(self, ns: int) -> str:
        """Format the fraction, or a count if the format has no larger directive."""
        width = self.width or _WIDTHS[self.letter]
        unit_width = 3 if self.letter == "L" else min(width, 9)
        value = ns // 10 ** (9 - unit_width)
        if self.total:
            text = str(value)
            return text.rjust(width, "0") if self.padding == "0" else text
        digits = f"{value % 10**unit_width:0{unit_width}}"
        if self.padding == "0":
            return digits.ljust(width)
        digits = digits.rstrip("0") or "0"
        return digits.ljust(width) if self.padding else digits

    def pattern(self) -> str:
        """Return the regular expression that matches this part."""
        default = _WIDTHS[self.letter]
        if self.width is None:
            if self.padding == " ":
                return "\\s*([0-9]+)" if self.total else f"([0-9\\s]{{1,{default}}})"
            return "([0-9]+)" if self.total else f"([0-9]{{1,{default}}})"
        if self.padding == " ":
            return f"([0-9\\s]{{{self.width}}})"
        return f"([0-9]{{{'' if self.padding else '1,'}{self.width}}})"

    def read(self, digits: str) -> int:
        """Return the nanoseconds that digits at this position mean."""
        if self.letter not in "LN":
            return int(digits) * _UNITS[self.letter]
        if self.total:
            raise RuntimeFailure(
                "Format specifiers %L and %N denotes fractions and must be used together with a"
                " specifier of higher magnitude"
            )
        missing = 9 - len(digits)
        return int(digits) * 10**missing if missing > 0 else int(digits)


class TimespanFormat:
    """A parsed format: literal strings and Segments."""

    def __init__(self, text: str, parts: list[str | Segment]) -> None:
        self.text = text
        self.parts = parts

    def format(self, ns: int) -> str:
        """Write a number of nanoseconds."""
        size = abs(ns)
        texts = [part if isinstance(part, str) else part.write(size) for part in self.parts]
        return ("-" if ns < 0 else "") + "".join(texts)

    def parse(self, text: str) -> int | None:
        """Return the nanoseconds of a string; None if the string does not follow the format."""
        pattern = "".join(
            re.escape(part) if isinstance(part, str) else part.pattern() for part in self.parts
        )
        match = re.fullmatch(f"-?{pattern}", text, re.ASCII)
        if match is None:
            return None
        ns = 0
        segments = [part for part in self.parts if not isinstance(part, str)]
        for segment, group in zip(segments, match.groups(), strict=True):
            digits = group.lstrip()
            if not digits.isdigit():
                return None
            ns += segment.read(digits)
        return -ns if text.startswith("-") else ns


def parse_format(format_: str) -> TimespanFormat:
    """Parse a format. Raises RuntimeFailure with Puppet's words."""
    parts: list[str | Segment] = []
    at = 0
    while at < len(format_):
        character = format_[at]
        if character != "%":
            _append(parts, character)
            at += 1
            continue
        start = at
        at += 1
        padding, width = "0", None
        flag = format_[at : at + 1]
        if flag in ("-", "_"):
            padding = "" if flag == "-" else " "
            at += 1
        elif flag == "0":
            at += 1
        digits = at
        while "0" <= format_[at : at + 1] <= "9":
            at += 1
        if at > digits:
            width = int(format_[digits:at])
        letter = format_[at : at + 1]
        if letter == "%":
            _append(parts, "%")
        elif letter and letter in _MAGNITUDES:
            if (width or 0) > _MAX_WIDTH:
                raise RuntimeFailure("width too big")
            parts.append(Segment(letter, padding, width))
        else:
            position = at if letter else len(format_) - 1
            raise RuntimeFailure(
                f"Bad format specifier '{format_[start:position]}' in '{format_}',"
                f" at position {position}"
            )
        at += 1
    segments = [part for part in parts if not isinstance(part, str)]
    if segments:
        max(segments, key=_magnitude).total = True
    return TimespanFormat(format_, parts)


def _magnitude(segment: Segment) -> int:
    return _MAGNITUDES.index(segment.letter)


def _append(parts: list[str | Segment], character: str) -> None:
    if parts and isinstance(parts[-1], str):
        parts[-1] += character
    else:
        parts.append(character)


def parse_timespan(text: str, formats: str | tuple[str, ...] | None = None) -> int:
    """Return the nanoseconds of a string under a format, or under the first that fits."""
    if formats is None:
        formats = DEFAULT_FORMATS
    if isinstance(formats, tuple):
        for format_ in formats:
            parsed = parse_format(format_)
            try:
                found = parsed.parse(text)
            except RuntimeFailure:
                continue
            if found is not None:
                return found
        raise RuntimeFailure(
            f"Unable to parse '{text}' using any of the formats {', '.join(formats)}"
        )
    found = parse_format(formats).parse(text)
    if found is None:
        raise RuntimeFailure(f"Unable to parse '{text}' using format '{formats}'")
    return found
