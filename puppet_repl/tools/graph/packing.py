"""Boxes without edges between them, packed so that they take little room."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Size: TypeAlias = tuple[float, float]
    Point: TypeAlias = tuple[float, float]


def grid(sizes: Sequence[Size], max_width: float, gap: float) -> list[Point]:
    """Return the corners of boxes in rows, their columns aligned.

    There are as many columns as fit into the width, but not more than make a square of boxes twice
    as wide as high.
    """
    count = len(sizes)
    columns = min(count, max(3, round((2 * count) ** 0.5)))
    while columns > 1 and sum(_columns(sizes, columns)) + gap * (columns - 1) > max_width:
        columns -= 1
    if not count:
        return []
    widths = _columns(sizes, columns)
    lefts = [sum(widths[:column]) + gap * column for column in range(columns)]
    corners: list[Point] = []
    top = 0.0
    for start in range(0, count, columns):
        row = sizes[start : start + columns]
        corners += [(left, top) for left, _ in zip(lefts, row, strict=False)]
        top += max(height for _, height in row) + gap
    return corners


def _columns(sizes: Sequence[Size], columns: int) -> list[float]:
    return [max(width for width, _ in sizes[column::columns]) for column in range(columns)]


def shelves(sizes: Sequence[Size], max_width: float, gap: float) -> list[Point]:
    """Return the corners of boxes in rows, each as high as its highest box."""
    corners: list[Point] = []
    left = top = height = 0.0
    for width, high in sizes:
        if left and left + width > max_width:
            top += height + gap
            left = height = 0.0
        corners.append((left, top))
        left += width + gap
        height = max(height, high)
    return corners


def extent(corners: Sequence[Point], sizes: Sequence[Size]) -> Size:
    """Return the width and the height that boxes take together."""
    return (
        max((x + width for (x, _), (width, _) in zip(corners, sizes, strict=True)), default=0.0),
        max((y + height for (_, y), (_, height) in zip(corners, sizes, strict=True)), default=0.0),
    )
