"""Merging of ranges of numbers, times and versions."""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")


def merged_ranges(ranges: list[T], union: Callable[[T, T], T | None]) -> list[T]:
    """Let the last range swallow all that it meets, then the next of those that are left.

    ``union`` returns one range for two, or None for two that are apart.
    """
    result = []
    while ranges:
        widest = ranges.pop()
        apart = []
        for candidate in ranges:
            merged = union(widest, candidate)
            if merged is None:
                apart.append(candidate)
            else:
                widest = merged
        result.append(widest)
        ranges = apart
    return result
