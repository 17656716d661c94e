"""The types of versions and version ranges."""

from __future__ import annotations

from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.ranges import merged_ranges
from puppet_repl.language.types.model.scalar import ScalarType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.quote import quote
from puppet_repl.language.values.semver import LEAST, SemVer, order_of_ends
from puppet_repl.language.values.semver_range import SemVerRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard


class SemVerType(ScalarType):
    """All versions, or the versions in any of some ranges."""

    __slots__ = ("ranges",)
    kind = "SemVer"

    def __init__(self, ranges: tuple[SemVerRange, ...] = ()) -> None:
        self.ranges = ranges
        if len(ranges) > 1:
            self.ranges = tuple(reversed(merged_ranges(list(ranges), _union)))

    @property
    def default(self) -> PuppetType:
        return SEM_VER

    def parts(self) -> tuple[object, ...]:
        return (self.ranges,)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [quote(one.puppet_text()) for one in self.ranges]

    def _compile(self) -> Predicate:
        ranges = self.ranges

        def check(value: object) -> bool:
            return type(value) is SemVer and (
                not ranges or any(one.includes(value) for one in ranges)
            )

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if not isinstance(other, SemVerType):
            return False
        if not self.ranges:
            return True
        return bool(other.ranges) and all(
            any(_covers(mine, theirs) for mine in self.ranges) for theirs in other.ranges
        )

    def access(self, keys: tuple[Any, ...], context: Any) -> PuppetType:
        """``SemVer['>=1.0.0']``."""
        keys = flatten(keys)
        if not keys:
            raise issues.type_arity(self, 1, -1, 0)
        for index, key in enumerate(keys):
            if type(key) is not str and type(key) is not SemVerRange:
                expected = "String or SemanticPuppet::VersionRange"
                raise issues.wrong_key(self, key, expected, index)
        ranges = [SemVerRange.parse(key) if type(key) is str else key for key in keys]
        return SemVerType(tuple(ranges))


class SemVerRangeType(PuppetType):
    """Version ranges. Only the type itself is assignable; still, Scalar takes it."""

    __slots__ = ()
    kind = "SemVerRange"

    @property
    def default(self) -> PuppetType:
        return SEM_VER_RANGE

    def _compile(self) -> Predicate:
        return lambda value: type(value) is SemVerRange

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, SemVerRangeType)


def version_type(value: SemVer) -> PuppetType:
    """Return the type of a version."""
    return SEM_VER


def version_range_type(value: SemVerRange) -> PuppetType:
    """Return the type of a range of versions."""
    return SEM_VER_RANGE


def exact_version_type(version: SemVer) -> PuppetType:
    """Return the type of one version."""
    return SemVerType((SemVerRange.between(version, version),))


def _ends(one: SemVerRange) -> tuple[SemVer, SemVer | None, bool]:
    """Lowest and highest version of a range, and whether the highest one is left out.

    None means no limit. An empty range begins and ends below all versions.
    """
    first, last = one.ranges[0], one.ranges[-1]
    if one.is_empty:
        return LEAST, LEAST, True
    return first.low or LEAST, last.high, last.high_open


def _covers(outer: SemVerRange, inner: SemVerRange) -> bool:
    low, high, excluded = _ends(outer)
    other_low, other_high, other_excluded = _ends(inner)
    if low.order(other_low) > 0:
        return False
    order = order_of_ends(high, other_high, 1)
    return order > 0 or (order == 0 and (not excluded or other_excluded))


def _union(one: SemVerRange, other: SemVerRange) -> SemVerRange | None:
    """One range for two that overlap or follow on one another."""
    low, high, excluded = _ends(one)
    other_low, other_high, other_excluded = _ends(other)
    if one.includes(other_low) or other.includes(low):
        order = order_of_ends(high, other_high, 1)
        top = high if order >= 0 else other_high
        if excluded:  # the high end of the other one is then never left out, in Puppet either
            out = order > 0 or (order == 0 and other_excluded)
        else:
            out = other_excluded and order < 0
        return _between(low if low.order(other_low) <= 0 else other_low, top, out)
    if excluded and high == other_low:
        return _between(low, other_high, other_excluded)
    if other_excluded and other_high == low:
        return _between(other_low, high, excluded)
    return None


def _between(low: SemVer, high: SemVer | None, excluded: bool) -> SemVerRange:
    return SemVerRange.between(None if low is LEAST else low, high, excluded)


SEM_VER = SemVerType()
SEM_VER_RANGE = SemVerRangeType()
