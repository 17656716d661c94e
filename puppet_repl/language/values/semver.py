"""Versions and intervals of them, by the rules of the semantic_puppet library."""

from __future__ import annotations

import re
from functools import cache

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.compare import NotComparableError
from puppet_repl.language.values.protocols import Comparable, Matcher, NumberLike

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
        """Whether the version has no prerelease."""
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
        """Return NotImplemented: versions have no arithmetic."""
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
    """An interval of versions; None as an end is not a limit.

    ``empty`` marks the empty interval, ``everything`` the interval of a wild card, the only
    interval without ends that contains prereleases. If both ends are the same object, the interval
    is a single version, which is matched with its build; ``doubled`` marks such a version that was
    cut out of an interval, which the library distinguishes from the version itself.
    """

    __slots__ = ("doubled", "empty", "everything", "high", "high_open", "low", "low_open")

    def __init__(
        self,
        low: SemVer | None = None,
        low_open: bool = False,
        high: SemVer | None = None,
        high_open: bool = False,
        *,
        empty: bool = False,
        everything: bool = False,
        doubled: bool = False,
    ) -> None:
        self.low = low
        self.low_open = low_open
        self.high = high
        self.high_open = high_open
        self.empty = empty
        self.everything = everything
        self.doubled = doubled

    @classmethod
    def only(cls, version: SemVer) -> Bounds:
        """Return the interval that holds one version."""
        return cls(version, False, version)

    def key(self) -> Hashable:
        """Return what tells values apart: the ends, and how they came about."""
        marks = (self.empty, self.everything, self.doubled)
        return self.low, self.low_open, self.high, self.high_open, marks

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
        """Tell whether a prerelease is allowed: an end must be one with the same numbers."""
        return self.everything or any(
            end is not None and not end.is_stable and end.numbers == version.numbers
            for end in (self.low, self.high)
        )

    def includes(self, version: SemVer) -> bool:
        """Tell whether a version belongs to the range."""
        return self.holds(version) and (version.is_stable or self.admits_prerelease(version))

    def intersection(self, other: Bounds) -> Bounds | None:
        """Return the common versions; None without overlap.

        If ends differ only in their builds, the end of ``other`` is taken, as in the library.
        """
        if self.everything:
            return other
        if self.empty or other.empty or other.high is LEAST:
            return None
        for one, two in ((self, other), (other, self)):
            if one.low is not None and two.high is not None:
                order = one.low.order(two.high)
                if order > 0 or (order == 0 and (one.low_open or two.high_open)):
                    return None
                if order == 0:
                    return Bounds.only(one.low)
        lower = self if _is_above(self, other) else other
        upper = self if _is_below(self, other) else other
        if lower.low is None and upper.high is None:
            return other
        low, high = lower.low, upper.high
        is_single = low is not None and low is high
        return Bounds(low, lower.low_open, high, upper.high_open, doubled=is_single)

    def merge(self, other: Bounds) -> Bounds | None:
        """Return one interval for both if they overlap or touch; None otherwise."""
        if self.everything:
            return self
        if self._reaches(other) or other._reaches(self):
            first, last = self, self
            order = order_of_ends(self.low, other.low, -1)
            if order > 0 or (order == 0 and self.low_open):
                first = other
            order = order_of_ends(self.high, other.high, 1) if not other.empty else 1
            if order == 0:
                warn_of_difference("version_range")
            if self.empty or order < 0 or (order == 0 and self.high_open):
                last = other
            return _spanning(first, last)
        if self.empty or other.empty:
            return None
        for one, two in ((self, other), (other, self)):
            if _touch(one, two):
                return _spanning(one, two)
        return None

    def _reaches(self, other: Bounds) -> bool:
        """Tell whether the beginning of an interval lies in this one."""
        if other.low is None:
            return self.low is None and not self.empty
        return self.holds(other.low)

    def text(self) -> str:
        """Write the interval with comparison signs."""
        if self.empty:
            return "<0.0.0"
        if self.everything:
            return "*"
        if self.low is None and self.high is None:
            return "<=Infinity.0.0"
        if self.low is not None and self.low is self.high:
            return " ".join([self.low.puppet_text()] * (2 if self.doubled else 1))
        parts = []
        if self.low is not None:
            parts.append(f">{'' if self.low_open else '='}{self.low.puppet_text()}")
        if self.high is not None:
            parts.append(f"<{'' if self.high_open else '='}{self.high.puppet_text()}")
        return " ".join(parts)


LEAST = SemVer(0, 0, 0, ())
"""The version before all others, which cannot be written as text."""


def order_of_ends(one: SemVer | None, other: SemVer | None, of_none: int) -> int:
    """Return the order of two ends, where no end is the lowest or the highest: -1 or 1."""
    if one is None or other is None:
        return of_none * ((one is None) - (other is None))
    return one.order(other)


def _is_above(one: Bounds, other: Bounds) -> bool:
    """Tell whether an interval begins after another one."""
    order = order_of_ends(one.low, other.low, -1)
    return order > 0 or (order == 0 and one.low_open)


def _is_below(one: Bounds, other: Bounds) -> bool:
    """Tell whether an interval ends before another one."""
    order = order_of_ends(one.high, other.high, 1)
    return order < 0 or (order == 0 and one.high_open)


def _spanning(first: Bounds, last: Bounds) -> Bounds:
    """Return the interval from the beginning of one to the end of the other."""
    low, high = first.low, last.high
    if low is not None and high is not None and low.order(high) == 0:
        return Bounds.only(low)
    return Bounds(low, first.low_open, high, last.high_open)


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
