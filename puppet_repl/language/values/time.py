"""Timespan and Timestamp: nanoseconds, and the arithmetic that Puppet defines on them."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text
from puppet_repl.base.wording import capitalized, with_article
from puppet_repl.language.values.calendar import DAY, SECOND
from puppet_repl.language.values.compare import NotComparableError
from puppet_repl.language.values.issues import (
    division_by_zero,
    operator_not_applicable,
    result_is_infinity,
)
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.protocols import Comparable, NumberLike
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.strftime import format_timestamp, offset_of
from puppet_repl.language.values.timespan_format import parse_format, parse_timespan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


class TimeValue(Comparable, NumberLike):
    """The base of both: a number of nanoseconds, and an order."""

    __slots__ = ("ns",)

    compares_with_numbers = True
    literal_is_string = True
    ns: int

    def __init__(self, ns: int) -> None:
        self.ns = ns

    @property
    def seconds(self) -> float:
        """Seconds as a Float."""
        return self.ns / SECOND

    @property
    def whole_seconds(self) -> int:
        """Seconds as an Integer, rounded down."""
        return self.ns // SECOND

    def puppet_equals(self, other: Any) -> bool:
        """Compare with values of the same class, and with numbers of seconds, exactly."""
        kind = type(other)
        if kind is int or kind is float:
            return self.puppet_compare(other) == 0
        return kind is type(self) and self.ns == other.ns

    def puppet_compare(self, other: Any) -> int:
        """Compare with values of the same class, and with numbers of seconds."""
        kind = type(other)
        if kind is type(self):
            return int(self.ns > other.ns) - int(self.ns < other.ns)
        if kind is int:
            return int(self.ns > other * SECOND) - int(self.ns < other * SECOND)
        if kind is float:
            return int(self.seconds > other) - int(self.seconds < other)
        name = self.data_type
        raise NotComparableError(f"{name}s are only comparable to {name}s, Integers, and Floats")

    def puppet_text(self) -> str:
        """Write the value; both classes override this."""
        return f"{self.ns} ns"

    def puppet_program(self) -> str:
        """Write the call that makes an equal value."""
        return f"{self.data_type}('{self.puppet_text()}')"

    def __eq__(self, other: Any) -> bool:
        # As keys and types see it: a number is another value.
        return type(other) is type(self) and self.ns == other.ns

    def __hash__(self) -> int:
        return hash((type(self), self.ns))

    def __repr__(self) -> str:
        return f"{self.data_type}({self.ns})"


class Timespan(TimeValue):
    """A length of time, positive or negative."""

    __slots__ = ()
    data_type = "Timespan"

    puppet_label = "Timespan"
    ruby_class = "Puppet::Pops::Time::Timespan"

    @classmethod
    def from_seconds(cls, seconds: int | float) -> Timespan:
        """Make one from a number of seconds; below a nanosecond is cut off."""
        return cls(to_ns(seconds))

    @classmethod
    def parse(cls, text: str, formats: str | tuple[str, ...] | None = None) -> Timespan:
        """Read one under a format, or under the first that fits; None means the usual ones.

        Raises RuntimeFailure with Puppet's words.
        """
        return cls(parse_timespan(text, formats))

    def puppet_text(self) -> str:
        """Write days-hours:minutes:seconds.fraction."""
        ns = abs(self.ns)
        rest = ns % DAY
        seconds = rest // SECOND
        fraction = f"{ns % SECOND:09}".rstrip("0") or "0"
        return (
            f"{'-' if self.ns < 0 else ''}{ns // DAY}-{seconds // 3600:02}"
            f":{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction}"
        )

    def format(self, format_: str) -> str:
        """Write it under a format of ``%D %H %M %S %L %N``."""
        return parse_format(format_).format(self.ns)

    def puppet_arithmetic(self, operator: str, other: Value) -> Value:
        """Calculate; return NotImplemented for other operators."""
        if operator == "+":
            return self._plus(other)
        if operator == "-":
            return self._minus(other)
        if operator == "*":
            return self._times(other)
        if operator == "/":
            return self._divided_by(other)
        return self._modulo(other) if operator == "%" else NotImplemented

    def puppet_negate(self) -> Timespan:
        """Return the length with the opposite sign."""
        return Timespan(-self.ns)

    def _plus(self, other: Any) -> TimeValue:
        """Add a Timespan, a number of seconds, or a Timestamp, which gives a Timestamp."""
        kind = type(other)
        if kind is Timestamp:
            return Timestamp(self.ns + other.ns)
        return Timespan(self.ns + self._operand(other, "added to"))

    def _minus(self, other: Value) -> Timespan:
        """Subtract a Timespan or a number of seconds."""
        return Timespan(self.ns - self._operand(other, "subtracted from"))

    def _operand(self, other: Value, what: str) -> int:
        if type(other) is Timespan:
            return other.ns
        if type(other) is int or type(other) is float:
            return to_ns(other)
        raise RuntimeFailure(f"{_article(other, True)} cannot be {what} a Timespan")

    def _times(self, other: Value) -> Timespan:
        """Multiply by a number."""
        if type(other) is int or type(other) is float:
            return Timespan(whole(self.ns * other))
        raise RuntimeFailure(f"A Timestamp cannot be multiplied by {_article(other)}")

    def _divided_by(self, other: Any) -> Timespan | float:
        """Divide by a number (rounding down) or by a Timespan, which gives a Float."""
        kind = type(other)
        if kind is Timespan:
            if other.ns == 0:
                raise result_is_infinity("/")
            quotient: float = self.ns / other.ns
            return quotient
        if kind is not int and kind is not float:
            raise RuntimeFailure(f"A Timespan cannot be divided by {_article(other)}")
        if other == 0:
            raise division_by_zero()
        return Timespan(whole(self.ns // other))

    def _modulo(self, other: Any) -> int | float:
        """Return the remainder of the seconds divided by a number."""
        if other == 0:
            raise division_by_zero()
        if type(other) is int:
            return self.whole_seconds % other
        if type(other) is float:
            return self.seconds % other
        # The article comes twice in Puppet's message.
        raise RuntimeFailure(f"Can not do modulus on a Timespan using a {_article(other)}")


class Timestamp(TimeValue):
    """A moment: nanoseconds since the beginning of 1970 in UTC."""

    __slots__ = ()
    data_type = "Timestamp"

    puppet_label = "Timestamp"
    ruby_class = "Puppet::Pops::Time::Timestamp"

    @classmethod
    def from_seconds(cls, seconds: int | float) -> Timestamp:
        """Make one from seconds since the epoch; below a nanosecond is cut off."""
        return cls(to_ns(seconds))

    @classmethod
    def now(cls) -> Timestamp:
        """Read the clock."""
        import time

        return cls(time.time_ns())

    def puppet_text(self) -> str:
        """Write date, time and nanoseconds in UTC."""
        return format_timestamp(self.ns, "%FT%T.%N %Z")

    def format(self, format_: str, timezone: str | None = None) -> str:
        """Write it under a format of Ruby's Time#strftime, in UTC or a given zone."""
        # Offsets are of whole minutes here.
        offset = offset_of(timezone) // 60 * 60 if timezone else None
        return format_timestamp(self.ns, format_, offset)

    def puppet_arithmetic(self, operator: str, other: Value) -> Value:
        """Calculate; return NotImplemented for other operators."""
        if operator == "+":
            return self._plus(other)
        return self._minus(other) if operator == "-" else NotImplemented

    def puppet_negate(self) -> Timestamp:
        """Raise: a moment has no negation."""
        raise operator_not_applicable("-", "Timestamp")

    def _plus(self, other: Value) -> Timestamp:
        """Add a Timespan or a number of seconds."""
        return Timestamp(self.ns + self._operand(other, "added to"))

    def _minus(self, other: Value) -> TimeValue:
        """Subtract a Timespan or seconds, or a Timestamp, which gives a Timespan."""
        if type(other) is Timestamp:
            return Timespan(self.ns - other.ns)
        return Timestamp(self.ns - self._operand(other, "subtracted from"))

    def _operand(self, other: Value, what: str) -> int:
        if type(other) is Timespan:
            return other.ns
        if type(other) is int or type(other) is float:
            return to_ns(other)
        raise RuntimeFailure(f"{_article(other, True)} cannot be {what} a Timestamp")


def to_ns(seconds: int | float) -> int:
    """Turn seconds into nanoseconds, towards zero."""
    return whole(seconds * SECOND)


def whole(number: int | float) -> int:
    """Truncate like Ruby's to_i; infinities and NaN raise with Ruby's words."""
    try:
        return int(number)
    except (OverflowError, ValueError):
        raise RuntimeFailure(float_text(float(number))) from None


def _article(value: Value, upper: bool = False) -> str:
    """Return the class of a value with its article, as in messages of time arithmetic."""
    name = "Version" if type(value) is SemVer else value_label(value)
    return capitalized(name) if upper else with_article(name)
