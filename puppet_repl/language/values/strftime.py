"""Ruby's Time#strftime, with all its directives and flags."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.calendar import (
    MONTHS,
    WEEKDAYS,
    civil_from_days,
    days_from_civil,
    iso_week,
    weekday,
)
from puppet_repl.language.values.timezones import parse_zone

_COMBINED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "R": "%H:%M",
    "r": "%I:%M:%S %p",
    "T": "%H:%M:%S",
    "v": "%e-%^b-%4Y",
    "X": "%H:%M:%S",
    "x": "%m/%d/%y",
}
# A wider directive is left as text. The others share a buffer, which grows with the format.
_MAX_WIDTH = 2**31 - 1
_BUFFER = 2**20
_TOO_MANY_COLONS = 4


def offset_of(timezone: str) -> int:
    """Return the offset from UTC, in seconds to the east, of a timezone argument."""
    if timezone.lower() == "current":
        import time

        return time.localtime().tm_gmtoff
    offset = parse_zone(timezone)
    if offset is None:
        raise RuntimeFailure(f"Illegal timezone '{timezone}'")
    return offset


class Moment:
    """The fields of a moment in a zone; without ``offset`` the zone is UTC itself."""

    __slots__ = ("day", "days", "hour", "minute", "month", "ns", "offset", "second", "year", "zone")

    def __init__(self, ns: int, offset: int | None) -> None:
        self.zone = "UTC" if offset is None else ""
        self.offset = offset or 0
        seconds, self.ns = divmod(ns, 1_000_000_000)
        self.days, rest = divmod(seconds + self.offset, 86400)
        self.year, self.month, self.day = civil_from_days(self.days)
        self.hour, rest = divmod(rest, 3600)
        self.minute, self.second = divmod(rest, 60)


def format_timestamp(ns: int, format_: str, offset: int | None = None) -> str:
    """Write a moment, given in nanoseconds since the epoch, under a format."""
    return _format(Moment(ns, offset), ns, format_)


def _format(moment: Moment, ns: int, format_: str) -> str:
    parts = []
    at = 0
    while True:
        percent = format_.find("%", at)
        if percent < 0:
            parts.append(format_[at:])
            return "".join(parts)
        parts.append(format_[at:percent])
        end, flags, width, colons = _scan(format_, percent + 1)
        if end >= len(format_):
            raise RuntimeFailure(f"invalid format: {format_}")
        text = _directive(moment, ns, format_[end], flags, width, colons)
        parts.append(format_[percent : end + 1] if text is None else text)
        at = end + 1


def _scan(format_: str, at: int) -> tuple[int, str, int | None, int]:
    """Read flags, width, colons and the modifiers E and O; return the directive's position."""
    flags = ""
    while format_[at : at + 1] in ("-", "_", "0", "^", "#"):
        flags += format_[at]
        at += 1
    start = at
    while format_[at : at + 1].isdigit():
        at += 1
    width = int(format_[start:at]) if at > start else None
    if width is not None and 2 * width > len(format_.encode("utf-8", "replace")) * _BUFFER:
        if width > _MAX_WIDTH:
            return at, flags, None, _TOO_MANY_COLONS
        raise RuntimeFailure(f"Numerical result out of range - {format_}")
    colons = 0
    while format_[at : at + 1] == ":":
        colons += 1
        at += 1
    if format_[at : at + 1] == "E" and format_[at + 1 : at + 2] in tuple("cCxXyY"):
        at += 1
    elif format_[at : at + 1] == "O" and format_[at + 1 : at + 2] in tuple("deHkIlmMSuUVwWy"):
        at += 1
    return at, flags, width, colons


def _directive(
    moment: Moment, ns: int, letter: str, flags: str, width: int | None, colons: int
) -> str | None:
    """Write one directive; return None if Ruby copies it unchanged."""
    if letter == "z":
        return (
            _zone_offset(moment.offset, flags, width, colons) if colons < _TOO_MANY_COLONS else None
        )
    if colons:
        return None
    if letter in _COMBINED:
        return _pad_text(_format(moment, ns, _COMBINED[letter]), flags, width)
    if letter in "NL":
        digits = width or (3 if letter == "L" else 9)
        return f"{moment.ns:09}"[:digits].ljust(digits, "0")
    number = _number(moment, ns, letter)
    if number is not None:
        value, padding, least = number
        return _pad_number(value, padding, least, flags, width)
    text = _name(moment, letter)
    if text is None:
        return None
    if letter == "p" and "#" in flags:
        text = text.lower()
    elif letter == "Z" and "#" in flags:
        text = text.lower()
    elif "^" in flags or "#" in flags:
        text = text.upper()
    return _pad_text(text, flags, width)


def _number(moment: Moment, ns: int, letter: str) -> tuple[int, str, int] | None:
    """Return value, padding and minimum width of a numeric directive."""
    if letter == "Y":
        return moment.year, "0", 5 if moment.year < 0 else 4
    if letter == "C":
        return moment.year // 100, "0", 2
    if letter == "y":
        return moment.year % 100, "0", 2
    if letter == "m":
        return moment.month, "0", 2
    if letter == "d":
        return moment.day, "0", 2
    if letter == "e":
        return moment.day, " ", 2
    if letter == "H":
        return moment.hour, "0", 2
    if letter == "k":
        return moment.hour, " ", 2
    if letter in "Il":
        return moment.hour % 12 or 12, "0" if letter == "I" else " ", 2
    if letter == "M":
        return moment.minute, "0", 2
    if letter == "S":
        return moment.second, "0", 2
    if letter == "s":
        return ns // 1_000_000_000, "0", 1
    return _number_of_week(moment, letter)


def _number_of_week(moment: Moment, letter: str) -> tuple[int, str, int] | None:
    day = weekday(moment.days)
    yday = moment.days - days_from_civil(moment.year, 1, 1)
    if letter == "j":
        return yday + 1, "0", 3
    if letter == "u":
        return day or 7, "0", 1
    if letter == "w":
        return day, "0", 1
    if letter == "U":
        return (yday + 7 - day) // 7, "0", 2
    if letter == "W":
        return (yday + 7 - (day + 6) % 7) // 7, "0", 2
    if letter in "GgV":
        year, week = iso_week(moment.days)
        if letter == "V":
            return week, "0", 2
        return (year, "0", 4) if letter == "G" else (year % 100, "0", 2)
    return None


def _name(moment: Moment, letter: str) -> str | None:
    if letter in "Aa":
        name = WEEKDAYS[weekday(moment.days)]
        return name if letter == "A" else name[:3]
    if letter in "Bbh":
        name = MONTHS[moment.month - 1]
        return name if letter == "B" else name[:3]
    if letter == "p":
        return "AM" if moment.hour < 12 else "PM"
    if letter == "P":
        return "am" if moment.hour < 12 else "pm"
    if letter == "Z":
        return moment.zone
    return {"n": "\n", "t": "\t", "%": "%"}.get(letter)


def _pad_number(value: int, padding: str, least: int, flags: str, width: int | None) -> str:
    for flag in flags:
        if flag == "-":
            return str(value)
        if flag in "_0":
            padding = " " if flag == "_" else "0"
    wide = least if width is None else width
    if padding == "0":
        sign = "-" if value < 0 else ""
        return sign + str(abs(value)).rjust(wide - len(sign), "0")
    return str(value).rjust(wide)


def _pad_text(text: str, flags: str, width: int | None) -> str:
    if width is None or "-" in flags:
        return text
    return text.rjust(width, "0" if "0" in flags else " ")


def _zone_offset(offset: int, flags: str, width: int | None, colons: int) -> str:
    sign = "-" if offset < 0 or (offset == 0 and "-" in flags) else "+"
    hours, rest = divmod(abs(offset), 3600)
    minutes, seconds = divmod(rest, 60)
    if colons == 0:
        tail = f"{minutes:02}"
    elif colons == 1:
        tail = f":{minutes:02}"
    elif colons == 2:
        tail = f":{minutes:02}:{seconds:02}"
    else:
        tail = f":{minutes:02}:{seconds:02}" if seconds else f":{minutes:02}" if minutes else ""
    wide = max((width or 0) - len(tail) - 1, 2)
    if "_" in flags:
        return (sign + str(hours)).rjust(wide + 1) + tail
    return sign + str(hours).rjust(wide, "0") + tail
