"""Parsing of moments by formats, like Ruby's DateTime._strptime."""

from __future__ import annotations

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.calendar import MONTHS, WEEKDAYS, days_from_civil
from puppet_repl.language.values.ruby import no_conversion
from puppet_repl.language.values.strftime import offset_of
from puppet_repl.language.values.time import Timestamp
from puppet_repl.language.values.timezones import PATTERN, zone_offset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

FORMATS_WITHOUT_ZONE = ("%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F")
FORMATS = (
    "%FT%T.%N %Z",
    "%FT%T %Z",
    "%F %T.%N %Z",
    "%F %T %Z",
    "%F %Z",
    *FORMATS_WITHOUT_ZONE,
)
_COMBINED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "x": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "R": "%H:%M",
    "r": "%I:%M:%S %p",
    "T": "%H:%M:%S",
    "X": "%H:%M:%S",
    "v": "%e-%b-%Y",
    "+": "%a %b %e %H:%M:%S %Z %Y",
    "n": " ",
    "t": " ",
}
# Directives of fixed width: field, maximum digits, minimum, maximum, may begin with a blank.
_FIXED = {
    "d": ("day", 2, 1, 31, True),
    "e": ("day", 2, 1, 31, True),
    "H": ("hour", 2, 0, 24, True),
    "k": ("hour", 2, 0, 24, True),
    "I": ("hour", 2, 1, 12, True),
    "l": ("hour", 2, 1, 12, True),
    "j": ("yday", 3, 1, 366, False),
    "M": ("minute", 2, 0, 59, False),
    "m": ("month", 2, 1, 12, False),
    "S": ("second", 2, 0, 60, False),
    "U": ("week", 2, 0, 53, False),
    "W": ("week", 2, 0, 53, False),
    "V": ("week", 2, 1, 53, False),
    "u": ("weekday", 1, 1, 7, False),
    "w": ("weekday", 1, 0, 6, False),
}
_NUMERIC = frozenset("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy")
_SPACES = " \t\n\v\f\r"


class Reader:
    """Parses one string; ``fields`` are the results."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.fields: dict[str, int] = {}
        self.fraction: Fraction | int | None = None
        self.zone: str | None = None

    def read(self, format_: str) -> bool:
        """Parse by a format; return False where the string does not match it."""
        at = 0
        while at < len(format_):
            character = format_[at]
            at += 1
            if character in _SPACES:
                self._skip_spaces()
                continue
            if character == "%" and at < len(format_):
                at = self._skip_modifier(format_, at)
                letter = format_[at]
                at += 1
                if not self._directive(letter, format_[at:]):
                    return False
            elif not self._literal(character):
                return False
        return True

    def _skip_spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in _SPACES:
            self.at += 1

    @staticmethod
    def _skip_modifier(format_: str, at: int) -> int:
        if format_[at] == "E" and format_[at + 1 : at + 2] in tuple("cCxXyY"):
            return at + 1
        if format_[at] == "O" and format_[at + 1 : at + 2] in tuple("deHImMSuUVwWy"):
            return at + 1
        end = at
        while format_[end : end + 1] == ":":
            end += 1
        return end if end - at in (1, 2, 3) and format_[end : end + 1] == "z" else at

    def _literal(self, character: str) -> bool:
        if self.text[self.at : self.at + 1] != character:
            return False
        self.at += 1
        return True

    def _directive(self, letter: str, rest: str) -> bool:
        if letter in _COMBINED:
            return self.read(_COMBINED[letter])
        if letter in _FIXED:
            return self._fixed(letter)
        if letter in "Aa":
            return self._choice("weekday", WEEKDAYS, 0)
        if letter in "Bbh":
            return self._choice("month", MONTHS, 1)
        if letter in "CGYsQ":
            return self._signed(letter, rest)
        if letter in "yg":
            return self._two_digit_year()
        if letter in "LN":
            return self._fraction(3 if letter == "L" else 9, rest)
        if letter in "pP":
            return self._meridian()
        if letter in "zZ":
            return self._zone()
        if letter == "%":
            return self._literal("%")
        return self._literal("%") and self._literal(letter)

    def _digits(self, most: int | None) -> str:
        end = self.at
        limit = len(self.text) if most is None else min(len(self.text), self.at + most)
        while end < limit and "0" <= self.text[end] <= "9":
            end += 1
        found = self.text[self.at : end]
        self.at = end
        return found

    def _fixed(self, letter: str) -> bool:
        field, most, least, greatest, blank = _FIXED[letter]
        if blank and self.text[self.at : self.at + 1] == " ":
            self.at += 1
            most = 1
        digits = self._digits(most)
        if not digits or not least <= int(digits) <= greatest:
            return False
        self.fields[field] = int(digits)
        return True

    def _choice(self, field: str, names: list[str], first: int) -> bool:
        rest = self.text[self.at :].lower()
        for index, name in enumerate(names):
            for form in (name.lower(), name[:3].lower()):
                if rest.startswith(form):
                    self.at += len(form)
                    self.fields[field] = index + first
                    return True
        return False

    def _signed(self, letter: str, rest: str) -> bool:
        sign = self.text[self.at : self.at + 1]
        if sign in ("+", "-"):
            self.at += 1
        most = None
        if letter in "CGY" and _is_numeric(rest):
            most = 2 if letter == "C" else 4
        digits = self._digits(most)
        if not digits:
            return False
        field = {"C": "century", "G": "week year", "Y": "year", "s": "seconds", "Q": "ms"}[letter]
        self.fields[field] = -int(digits) if sign == "-" else int(digits)
        return True

    def _two_digit_year(self) -> bool:
        digits = self._digits(2)
        if not digits:
            return False
        self.fields["year"] = int(digits)
        self.fields.setdefault("century", 19 if int(digits) >= 69 else 20)
        return True

    def _fraction(self, width: int, rest: str) -> bool:
        from fractions import Fraction

        sign = self.text[self.at : self.at + 1]
        if sign in ("+", "-"):
            self.at += 1
        digits = self._digits(width if _is_numeric(rest) else None)
        if not digits:
            return False
        self.fraction = Fraction(int(digits), 10 ** len(digits))
        if sign == "-":
            self.fraction = -self.fraction
        return True

    def _meridian(self) -> bool:
        import re

        match = re.compile(r"([ap])(?:m\b|\.m\.)", re.IGNORECASE).match(self.text, self.at)
        if match is None:
            return False
        self.fields["meridian"] = 12 if match[1] in "pP" else 0
        self.at = match.end()
        return True

    def _zone(self) -> bool:
        import re

        match = re.compile(PATTERN, re.IGNORECASE).match(self.text, self.at)
        if match is None:
            return False
        self.zone = match[0]
        self.at = match.end()
        return True

    def finish(self) -> None:
        """Apply century and meridian to the fields."""
        fields = self.fields
        if "century" in fields:
            if "year" not in fields:
                warn_of_difference("time_without_year")
            fields["year"] = fields.get("year", 0) + fields["century"] * 100
        if "meridian" in fields and "hour" in fields:
            fields["hour"] = fields["hour"] % 12 + fields["meridian"]


def _is_numeric(rest: str) -> bool:
    """Tell whether the next directive of a format matches digits."""
    if rest[:1].isdigit():
        return True
    if rest[:1] != "%":
        return False
    letter = rest[1:2]
    if letter in ("E", "O"):
        letter = rest[2:3]
    return letter.isdigit() or letter in _NUMERIC


def _read(text: str, format_: str) -> Reader | None:
    reader = Reader(text)
    if not reader.read(format_) or reader.at < len(text):
        return None
    reader.finish()
    return reader


def parse_timestamp(
    text: str,
    formats: str | tuple[str, ...] | None = None,
    timezone: str | None = None,
) -> Timestamp:
    """Parse a Timestamp; several formats are tried in order, None means the default ones.

    A timezone cannot be combined with formats that contain one. Raises RuntimeFailure with
    Puppet's words.
    """
    has_timezone = bool(timezone)
    if formats is None:
        formats = FORMATS_WITHOUT_ZONE if has_timezone else FORMATS
    found: Reader | None = None
    if isinstance(formats, tuple):
        for format_ in formats:
            found = _read(text, format_)
            if found is not None and not (has_timezone and found.zone is not None):
                break
            found = None
        if found is None:
            raise RuntimeFailure(
                f"Unable to parse '{text}' using any of the formats {', '.join(formats)}"
            )
    else:
        found = _read(text, formats)
        if found is None:
            raise RuntimeFailure(f"Unable to parse '{text}' using format '{formats}'")
        if has_timezone and found.zone is not None:
            raise RuntimeFailure(
                "Using a Timezone designator in format specification is mutually exclusive to"
                " providing an explicit timezone argument"
            )
    return _to_timestamp(found, timezone if has_timezone else found.zone)


def _to_timestamp(found: Reader, zone: str | None) -> Timestamp:
    fields = found.fields
    fraction = int((found.fraction or 0) * 1_000_000_000)
    if "year" not in fields and ("seconds" in fields or "ms" in fields):
        warn_of_difference("time_without_year")
        seconds = fields.get("seconds", 0) * 1_000_000_000 + fields.get("ms", 0) * 1_000_000
        return Timestamp(seconds + fraction)
    if "year" not in fields:
        raise no_conversion(None, "Integer")
    hour, minute = fields.get("hour", 0), fields.get("minute", 0)
    second = fields.get("second", 0)
    if hour == 24 and (minute or second):
        raise RuntimeFailure(f"{'min' if minute else 'sec'} out of range")
    days = days_from_civil(fields["year"], fields.get("month", 1), fields.get("day", 1))
    total = days * 86400 + hour * 3600 + minute * 60 + second
    if zone:
        total -= zone_offset(zone) or offset_of(zone)
    return Timestamp(total * 1_000_000_000 + fraction)
