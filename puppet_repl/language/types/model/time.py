"""The types of points and lengths of time, with their ranges."""

from __future__ import annotations

from math import inf

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.scalar import ScalarType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.calendar import SECOND
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_class
from puppet_repl.language.values.strptime import parse_timestamp
from puppet_repl.language.values.time import Timespan, Timestamp, TimeValue, to_ns
from puppet_repl.language.values.timespan_fields import timespan_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.values.protocols import Value


class TimeDataType(ScalarType):
    """A range of times; None is an open end."""

    __slots__ = ("high", "low")
    value_class: type[TimeValue] = TimeValue

    def __init__(self, low: TimeValue | None = None, high: TimeValue | None = None) -> None:
        self.low = low
        self.high = high
        if low is not None and high is not None and low.ns > high.ns:
            raise issues.range_backwards(low.puppet_text(), high.puppet_text())

    def parts(self) -> tuple[object, ...]:
        return (self.low, self.high)

    def times(self) -> tuple[Value, ...]:
        if self.low is self.high:
            return ()  # Ruby joins the hashes of both ends by XOR
        return tuple([end for end in (self.low, self.high) if end is not None])

    def generalize(self) -> PuppetType:
        return self.default

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if self.low is None and self.high is None:
            return []
        texts = ["default" if self.low is None else f"'{self.low.puppet_text()}'"]
        if self.high is not None and self.high != self.low:
            texts.append(f"'{self.high.puppet_text()}'")
        return texts

    def _compile(self) -> Predicate:
        value_class = self.value_class
        low = None if self.low is None else self.low.ns
        high = None if self.high is None else self.high.ns

        def check(value: Value) -> bool:
            return (
                type(value) is value_class
                and (low is None or value.ns >= low)
                and (high is None or value.ns <= high)
            )

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if type(other) is not type(self) or not isinstance(other, TimeDataType):
            return False
        low_fits = self.low is None or (other.low is not None and self.low.ns <= other.low.ns)
        return low_fits and (
            self.high is None or (other.high is not None and self.high.ns >= other.high.ns)
        )

    def merged(self, other: Self) -> Self | None:
        """Return one range for both; None without overlap."""
        if _is_before(self.high, other.low) or _is_before(other.high, self.low):
            return None
        lows = [one for one in (self.low, other.low) if one is not None]
        highs = [one for one in (self.high, other.high) if one is not None]
        low = min(lows, key=lambda one: one.ns) if len(lows) == 2 else None
        high = max(highs, key=lambda one: one.ns) if len(highs) == 2 else None
        return type(self)(low, high)

    def access(self, keys: tuple[Value, ...], context: Value) -> PuppetType:
        """Return a range from texts, numbers of seconds, hashes, or values."""
        keys = flatten(keys)
        if len(keys) > 2:
            raise issues.type_arity(self, 0, 2, len(keys))
        bounds = [self._bound(key, is_low=index == 0) for index, key in enumerate(keys)]
        return type(self)(*bounds)

    def _bound(self, key: Any, *, is_low: bool) -> TimeValue | None:
        if key is None or key is DEFAULT:
            return None
        kind = type(key)
        if kind is self.value_class:
            bound: TimeValue = key
            return bound
        if kind is str:
            return self.parsed(key)
        if kind is int or kind is float:
            if key * SECOND == (-inf if is_low else inf):
                return None
            return self.value_class(to_ns(key))
        if kind is PuppetHash:
            return self.from_hash(key)
        raise RuntimeFailure(
            f"Unable to create a Puppet::Pops::Time::{self.kind} from a {ruby_class(key)}"
        )

    def parsed(self, text: str) -> TimeValue:
        """Return a time from its text under the usual formats."""
        raise NotImplementedError

    def from_hash(self, fields: PuppetHash) -> TimeValue:
        """Return a time from named parts."""
        raise NotImplementedError


class TimespanType(TimeDataType):
    """Lengths of time."""

    __slots__ = ()
    kind = "Timespan"
    value_class = Timespan

    @property
    def default(self) -> PuppetType:
        return TIMESPAN

    def parsed(self, text: str) -> TimeValue:
        return Timespan.parse(text)

    def from_hash(self, fields: PuppetHash) -> TimeValue:
        if not fields.has("string"):
            return timespan_of(fields)
        text, formats = fields.get("string"), fields.get("format")
        for format_ in formats if type(formats) is tuple else (formats,):
            if type(format_) is not str and formats is not None:
                raise RuntimeFailure("Format must be a String")
        return Timespan.parse("" if text is None else _string(text), formats)


class TimestampType(TimeDataType):
    """Points in time."""

    __slots__ = ()
    kind = "Timestamp"
    value_class = Timestamp

    @property
    def default(self) -> PuppetType:
        return TIMESTAMP

    def parsed(self, text: str) -> TimeValue:
        return parse_timestamp(text)

    def from_hash(self, fields: PuppetHash) -> TimeValue:
        timezone, formats = fields.get("timezone"), fields.get("format")
        is_sized = type(timezone) in (str, tuple, PuppetHash)
        if timezone is DEFAULT or (is_sized and len(timezone) == 0):
            timezone = None
        elif timezone is not None and not is_sized:
            raise no_method("empty?", timezone)
        if formats is DEFAULT:
            formats = None
        for format_ in formats if type(formats) is tuple else (formats,):
            if formats is not None:
                _string(format_)
        text = _string(fields.get("string"))
        return parse_timestamp(text, formats, None if timezone is None else _string(timezone))


def _string(value: Value) -> str:
    """Return a string; anything else raises with Ruby's words."""
    if type(value) is not str:
        raise no_conversion(value, "String")
    return value


def timespan_type(value: Timespan) -> PuppetType:
    """Return the type of a length of time."""
    return TimespanType(value, value)


def timestamp_type(value: Timestamp) -> PuppetType:
    """Return the type of a point in time."""
    return TimestampType(value, value)


def _is_before(end: TimeValue | None, start: TimeValue | None) -> bool:
    return end is not None and start is not None and end.ns < start.ns


TIMESPAN = TimespanType()
TIMESTAMP = TimestampType()
