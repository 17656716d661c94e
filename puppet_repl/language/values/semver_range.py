"""Version ranges in npm's grammar, as the semantic_puppet library reads them."""

from __future__ import annotations

import re
from functools import cache

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.protocols import ValueRange
from puppet_repl.language.values.semver import (
    PARTS,
    Bounds,
    SemVer,
    parse_build,
    parse_prerelease,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

EVERYTHING = Bounds(everything=True)
_ANY = r"(x|X|\*|0|[1-9][0-9]*)"


class SemVerRange(ValueRange):
    """A set of versions: a union of intervals, and the text it was made from."""

    __slots__ = ("ranges", "source")
    data_type = "SemVerRange"

    puppet_label = "SemverRange"
    ruby_class = "SemanticPuppet::VersionRange"
    literal_is_string = True

    def __init__(self, ranges: tuple[Bounds, ...], source: str | None = None) -> None:
        self.ranges = _merged(ranges) or (Bounds(empty=True),)
        if source is None:
            source = " || ".join(one.text() for one in self.ranges)
        self.source = source

    @classmethod
    def parse(cls, text: str) -> SemVerRange:
        """Read a range. Raises RuntimeFailure with the library's words."""
        return parse_range(text)

    @classmethod
    def between(
        cls, low: SemVer | None, high: SemVer | None, exclude_high: bool = False
    ) -> SemVerRange:
        """Return the range between two versions, None for no limit; its text swaps them."""
        low_text = "0.0.0-" if low is None else low.puppet_text()
        high_text = "Infinity.0.0" if high is None else high.puppet_text()
        if exclude_high:
            source = f">={high_text} <{low_text}"
        else:
            source = f"{high_text} - {low_text}"
        bounds = Bounds(low).intersection(Bounds(None, False, high, exclude_high))
        return cls(() if bounds is None else (bounds,), source)

    def includes(self, version: SemVer) -> bool:
        """Tell whether a version belongs to the range."""
        return any(one.includes(version) for one in self.ranges)

    def includes_text(self, text: str) -> bool:
        """Tell the same of a version in a String; False for a text that is not a version."""
        try:
            return self.includes(SemVer.parse(text))
        except RuntimeFailure:
            return False

    def puppet_includes(self, value: object) -> bool:
        """Tell whether a version, or a String that holds one, belongs to the range."""
        if type(value) is SemVer:
            return self.includes(value)
        return type(value) is str and self.includes_text(value)

    def intersection(self, other: SemVerRange) -> SemVerRange:
        """Return the versions that are in both."""
        found: list[Bounds] = []
        for one in self.ranges:
            for two in other.ranges:
                both = one.intersection(two)
                if both is not None and all(both.key() != known.key() for known in found):
                    found.append(both)
        return SemVerRange(tuple(found))

    @property
    def is_empty(self) -> bool:
        """Whether no version belongs to it."""
        return all(one.empty for one in self.ranges)

    def puppet_text(self) -> str:
        """Write the text it was made from."""
        return self.source

    def puppet_program(self) -> str:
        """Write the intervals, not the text they were made from (Ruby's inspect)."""
        return " || ".join(one.text() for one in self.ranges)

    def ruby_inspect(self) -> str:
        """Write the intervals."""
        return self.puppet_program()

    def puppet_equals(self, other: object) -> bool:
        """Compare: two ranges are equal if their intervals are, however they were written."""
        return type(other) is SemVerRange and self.puppet_key() == other.puppet_key()

    def puppet_key(self) -> Hashable:
        """Return what tells values apart: the intervals."""
        return tuple(one.key() for one in self.ranges)

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash(self.puppet_key())

    def __repr__(self) -> str:
        return f"SemVerRange({self.source!r})"


def _merged(ranges: tuple[Bounds, ...]) -> tuple[Bounds, ...]:
    """Join intervals that overlap or touch, until none do.

    The order is that of the library: the later one of two that are joined keeps its place.
    """
    rest = list(ranges)
    has_changed = True
    while len(rest) > 1 and has_changed:
        has_changed = False
        done: list[Bounds] = []
        while rest:
            current = rest.pop()
            apart: list[Bounds] = []
            for other in rest:
                joined = current.merge(other)
                if joined is None:
                    apart.append(other)
                else:
                    current, has_changed = joined, True
            done.append(current)
            rest = apart
        rest = done[::-1]
    return tuple(rest)


@cache
def _partial_pattern() -> re.Pattern[str]:
    return re.compile(rf"{_ANY}(?:\.{_ANY}(?:\.{_ANY}(?:-({PARTS}))?(?:\+({PARTS}))?)?)?\Z")


class Partial:
    """A version whose numbers may be missing or wild cards."""

    __slots__ = ("build", "major", "minor", "patch", "prerelease")

    def __init__(self, text: str, whole: str) -> None:
        match = _partial_pattern().match(text)
        if match is None:
            raise RuntimeFailure(f'Unparsable version range: "{whole}"')
        numbers = [
            None if one is None or one in "xX*" else int(one) for one in match.group(1, 2, 3)
        ]
        self.major, self.minor, self.patch = numbers
        self.prerelease = match[4]
        self.build = match[5]

    def version(self) -> SemVer:
        """Return the version with zeroes where numbers are missing."""
        return SemVer(
            self.major or 0,
            self.minor or 0,
            self.patch or 0,
            parse_prerelease(self.prerelease),
            parse_build(self.build),
        )

    def span(self) -> Bounds:
        """Return the interval of versions that the wild cards match."""
        if self.major is None:
            return EVERYTHING
        if self.minor is None:
            return Bounds(SemVer(self.major, 0, 0), False, SemVer(self.major + 1, 0, 0), True)
        return Bounds(
            SemVer(self.major, self.minor, 0), False, SemVer(self.major, self.minor + 1, 0), True
        )

    def least_of_caret(self) -> SemVer:
        """Return the least version after ``^``: a build counts with a prerelease only."""
        if self.minor is None:
            return SemVer(self.major or 0, 0, 0)
        if self.patch is None or self.prerelease is None:
            return SemVer(self.major or 0, self.minor, self.patch or 0)
        return self.version()


def parse_range(text: str) -> SemVerRange:
    """Read a range. Raises RuntimeFailure with the library's words."""
    normal = re.sub(r"([><=~^])(?:\s+|\s*v)", r"\1", text)
    alternatives = re.split(r"\s*\|\|\s*", normal)
    while alternatives and not alternatives[-1]:
        alternatives.pop()
    if not alternatives:
        return SemVerRange((EVERYTHING,), "*")
    ranges: list[Bounds] = []
    for alternative in alternatives:
        found = _parse_alternative(alternative, text)
        if found is not None and all(found.key() != known.key() for known in ranges):
            ranges.append(found)
    return SemVerRange(tuple(ranges), text)


def _parse_alternative(text: str, whole: str) -> Bounds | None:
    ends = re.split(r"\s+-\s+", text)
    if len(ends) == 2 and all(_partial_pattern().match(end) for end in ends):
        low, high = (Partial(end, whole).version() for end in ends)
        return Bounds(low).intersection(Bounds(None, False, high))
    simples = re.split(r"\s+", text)
    while simples and not simples[-1]:
        simples.pop()
    result: Bounds | None = None
    for index, simple in enumerate(simples):
        bounds = _parse_simple(simple, whole)
        if index == 0:
            result = bounds
        elif result is not None:
            result = result.intersection(bounds)
        else:
            warn_of_difference("version_range")
    return result


_SIGNS = ("<=", ">=", "~>", "~=", "<", ">", "=", "~", "^")


def _parse_simple(text: str, whole: str) -> Bounds:
    written = next((sign for sign in _SIGNS if text.startswith(sign)), "")
    sign = written or "="
    partial = Partial(text.removeprefix(written), whole)
    if sign in (">=", "<"):
        version = partial.version()
        return Bounds(version) if sign == ">=" else Bounds(None, False, version, True)
    if sign == ">":
        return _above(partial)
    if partial.major is None:
        if sign in ("<=", "^"):
            warn_of_difference("version_range")
        return EVERYTHING
    if sign == "<=":
        if partial.minor is None or partial.patch is None:
            return Bounds(None, False, partial.span().high, True)
        return Bounds(None, False, partial.version())
    if sign == "^" and partial.major != 0:
        return Bounds(partial.least_of_caret(), False, SemVer(partial.major + 1, 0, 0), True)
    if partial.minor is None or partial.patch is None:
        return partial.span()
    version = partial.version()
    if sign == "=":
        return Bounds.only(version)
    return Bounds(version, False, SemVer(partial.major, partial.minor + 1, 0), True)


def _above(partial: Partial) -> Bounds:
    if partial.major is None:
        return Bounds(empty=True)
    if partial.minor is None:
        return Bounds(SemVer(partial.major + 1, 0, 0))
    if partial.patch is None:
        return Bounds(SemVer(partial.major, partial.minor + 1, 0))
    return Bounds(partial.version(), True)
