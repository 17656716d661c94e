"""Versions and intervals of them, by the rules of the semantic_puppet library."""

from __future__ import annotations

import re
from functools import cache

from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.compare import NotComparableError
from puppet_repl.values.protocols import Comparable, Matcher, NumberLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import TypeAlias

    Prerelease: TypeAlias = tuple[int | str, ...] | None

PARTS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_NUMBER = "(0|[1-9][0-9]*)"


class SemVer(Comparable, NumberLike, Matcher):
    """A version: three numbers, identifiers of a prerelease and of a build."""

    __slots__ = ("build", "major", "minor", "patch", "prerelease")
    data_type = "SemVer"

    puppet_label = "Semver"
    ruby_class = "SemanticPuppet::Version"
    literal_is_string = True

    def __init__(
        self,
        major: int,
        minor: int,
        patch: int,
        prerelease: Prerelease = None,
        build: tuple[str, ...] | None = None,
    ) -> None:
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
        self.build = build

    @classmethod
    def parse(cls, text: str) -> SemVer:
        """Read a version. Raises RuntimeFailure with the library's words."""
        match = _version_pattern().match(text)
        if match is None:
            raise RuntimeFailure(f"Unable to parse '{text}' as a semantic version identifier")
        major, minor, patch, prerelease, build = match.groups()
        return cls(
            int(major), int(minor), int(patch), parse_prerelease(prerelease), parse_build(build)
        )

    @property
    def is_stable(self) -> bool:
        """Whether there is no prerelease."""
        return not self.prerelease

    @property
    def numbers(self) -> tuple[int, int, int]:
        """Major, minor and patch."""
        return self.major, self.minor, self.patch

    def order(self, other: SemVer) -> int:
        """Return a number below, at or above zero; builds do not count."""
        if self.numbers != other.numbers:
            return 1 if self.numbers > other.numbers else -1
        mine, yours = self.prerelease, other.prerelease
        if mine is None or yours is None:
            return int(mine is None) - int(yours is None)
        for one, two in zip(mine, yours, strict=False):
            if one != two:
                if isinstance(one, int) and isinstance(two, int):
                    return 1 if one > two else -1
                if isinstance(one, str) and isinstance(two, str):
                    return 1 if one > two else -1
                return -1 if isinstance(one, int) else 1
        return (len(mine) > len(yours)) - (len(mine) < len(yours))

    def puppet_text(self) -> str:
        """Write it as major.minor.patch-prerelease+build."""
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.prerelease is not None:
            text += "-" + ".".join(map(str, self.prerelease))
        if self.build is not None:
            text += "+" + ".".join(self.build)
        return text

    def puppet_arithmetic(self, operator: str, other: object) -> object:
        """Return NotImplemented: there is no arithmetic of versions."""
        return NotImplemented

    def puppet_negate(self) -> SemVer:
        """Raise Ruby's error."""
        raise RuntimeFailure("can't convert SemanticPuppet::Version into Float")

    def puppet_compare(self, other: object) -> int:
        """Order among versions only."""
        if type(other) is SemVer:
            return self.order(other)
        raise NotComparableError("Versions not comparable to non Versions")

    def puppet_matches(self, value: object) -> bool:
        """Tell whether a version, or a String that holds one, is this version."""
        if type(value) is str:
            try:
                value = SemVer.parse(value)
            except RuntimeFailure:
                return False
        return self.puppet_equals(value)

    def puppet_equals(self, other: object) -> bool:
        """Compare: two versions are equal if all of their parts are, builds as well."""
        return type(other) is SemVer and self.puppet_key() == other.puppet_key()

    def puppet_key(self) -> Hashable:
        """Return what tells values apart: all parts."""
        return self.major, self.minor, self.patch, self.prerelease, self.build

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash(self.puppet_key())

    def __repr__(self) -> str:
        return f"SemVer({self.puppet_text()})"


class Bounds:
    """An interval of versions; None as an end is no limit.

    ``empty`` marks the interval that holds nothing. ``exact`` is a single version, which is
    matched with its build.
    """

    __slots__ = ("empty", "high", "high_open", "low", "low_open")

    def __init__(
        self,
        low: SemVer | None = None,
        low_open: bool = False,
        high: SemVer | None = None,
        high_open: bool = False,
        empty: bool = False,
    ) -> None:
        self.low = low
        self.low_open = low_open
        self.high = high
        self.high_open = high_open
        self.empty = empty

    def key(self) -> Hashable:
        """Return what tells values apart: the ends."""
        return self.low, self.low_open, self.high, self.high_open, self.empty

    def holds(self, version: SemVer) -> bool:
        """Tell whether a version lies between the ends, prerelease or not."""
        if self.empty:
            return False
        low, high = self.low, self.high
        if low is not None and low is high:
            return version == low
        if low is not None:
            order = version.order(low)
            if order < 0 or (order == 0 and self.low_open):
                return False
        if high is not None:
            order = version.order(high)
            if order > 0 or (order == 0 and self.high_open):
                return False
        return True

    def admits_prerelease(self, version: SemVer) -> bool:
        """Tell whether a prerelease counts: an end has to be one of the same three numbers."""
        if self.low is None and self.high is None:
            return not self.empty
        return any(
            end is not None and not end.is_stable and end.numbers == version.numbers
            for end in (self.low, self.high)
        )

    def includes(self, version: SemVer) -> bool:
        """Tell whether a version belongs to the range."""
        return self.holds(version) and (version.is_stable or self.admits_prerelease(version))

    def intersection(self, other: Bounds) -> Bounds | None:
        """Return what is in both; None if nothing is."""
        if self.empty or other.empty:
            return None
        low, low_open = self.low, self.low_open
        if other.low is not None:
            order = 1 if low is None else other.low.order(low)
            if order > 0 or (order == 0 and other.low_open):
                low, low_open = other.low, other.low_open
        high, high_open = self.high, self.high_open
        if other.high is not None:
            order = -1 if high is None else other.high.order(high)
            if order < 0 or (order == 0 and other.high_open):
                high, high_open = other.high, other.high_open
        if low is not None and high is not None:
            order = low.order(high)
            if order > 0 or (order == 0 and (low_open or high_open)):
                return None
            if order == 0:
                return Bounds(low, False, low, False)
        return Bounds(low, low_open, high, high_open)

    def merge(self, other: Bounds) -> Bounds | None:
        """Return one interval for both if they overlap or touch; None otherwise."""
        if self.empty or other.empty:
            return None
        first, second = (self, other) if _starts_before(self, other) else (other, self)
        if first.high is not None:
            start = second.low
            if start is not None and not first.holds(start) and not _touch(first, second):
                return None
        high, high_open = first.high, first.high_open
        if high is not None:
            order = 1 if second.high is None else second.high.order(high)
            if order > 0 or (order == 0 and high_open):
                high, high_open = second.high, second.high_open
        return Bounds(first.low, first.low_open, high, high_open)

    def text(self) -> str:
        """Write the interval with comparison signs."""
        if self.empty:
            return "<0.0.0"
        if self.low is not None and self.low is self.high:
            return self.low.puppet_text()
        parts = []
        if self.low is not None:
            parts.append(f">{'' if self.low_open else '='}{self.low.puppet_text()}")
        if self.high is not None:
            parts.append(f"<{'' if self.high_open else '='}{self.high.puppet_text()}")
        return " ".join(parts) or "*"


def _starts_before(one: Bounds, two: Bounds) -> bool:
    if one.low is None:
        return True
    if two.low is None:
        return False
    order = one.low.order(two.low)
    return order < 0 or (order == 0 and not one.low_open)


def _touch(first: Bounds, second: Bounds) -> bool:
    """Tell whether an interval begins where another one ends, or with the patch after it."""
    end, start = first.high, second.low
    if end is None or start is None or second.low_open:
        return False
    if first.high_open:
        return end == start
    return SemVer(end.major, end.minor, end.patch + 1) == start


def parse_prerelease(text: str | None) -> Prerelease:
    """Read the identifiers of a prerelease; those of digits are numbers."""
    if not text:
        return None
    parts: list[int | str] = []
    for part in text.split("."):
        if part.isascii() and part.isdigit():
            if len(part) > 1 and part[0] == "0":
                raise RuntimeFailure(
                    "Numeric pre-release identifiers MUST NOT contain leading zeroes"
                )
            parts.append(int(part))
        else:
            parts.append(part)
    return tuple(parts)


def parse_build(text: str | None) -> tuple[str, ...] | None:
    """Read the identifiers of a build."""
    return None if text is None else tuple(text.split("."))


@cache
def _version_pattern() -> re.Pattern[str]:
    return re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({PARTS}))?(?:\+({PARTS}))?(?=\n?\Z)")
