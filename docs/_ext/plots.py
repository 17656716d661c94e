"""Plots of ratios as SVG that takes its colours from the page (``_static/site.css``).

Bars begin at the ratio 1 and have a logarithmic scale: twice as fast and half as fast are as long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

BAR_WIDTH, BAR_HEIGHT = 160, 14
LINE_WIDTH, LINE_HEIGHT = 90, 18
LABEL_WIDTH, CHART_WIDTH, ROW_HEIGHT = 270, 680, 26


class Bar(NamedTuple):
    """A ratio with its label, and the ratio that is its goal."""

    label: str
    ratio: float
    goal: float | None = None


class Scale(NamedTuple):
    """A logarithmic scale from the lowest ratio to the highest, over a width."""

    lowest: float
    highest: float
    width: float

    def at(self, ratio: float) -> float:
        """Return how far right a ratio is."""
        span = math.log(self.highest / self.lowest)
        return self.width * math.log(ratio / self.lowest) / span


def scale_of(bars: Sequence[Bar], width: float = BAR_WIDTH) -> Scale:
    """Return the scale that has room for all bars, their goals and the ratio 1."""
    ratios = [1.0, *(bar.ratio for bar in bars), *(bar.goal for bar in bars if bar.goal)]
    return Scale(min(ratios) / 1.1, max(ratios) * 1.1, width)


def bar_plot(bar: Bar, scale: Scale) -> str:
    """Return one bar, for the cell of a table."""
    return _svg(scale.width, BAR_HEIGHT, bar.label, _bar(bar, scale, BAR_HEIGHT))


def chart(title: str, bars: Sequence[Bar]) -> str:
    """Return bars below each other, with labels before and ratios behind them."""
    scale = scale_of(bars, CHART_WIDTH - LABEL_WIDTH - 70)
    parts = []
    for number, bar in enumerate(bars):
        end = scale.at(max(bar.ratio, 1))
        parts.append(
            f'<g transform="translate({LABEL_WIDTH} {number * ROW_HEIGHT + 5})">'
            f'<text x="-10" y="13" text-anchor="end">{escape(bar.label)}</text>'
            f"{_bar(bar, scale, 16)}"
            f'<text x="{end + 8:.1f}" y="13">{_times(bar.ratio)}</text></g>'
        )
    return _svg(CHART_WIDTH, ROW_HEIGHT * len(bars) + 10, title, "".join(parts))


def sparkline(label: str, ratios: Sequence[float]) -> str:
    """Return how a ratio changed from run to run, the newest at the right as a dot."""
    lowest, highest = min(ratios), max(ratios)
    # A change of a tenth is half of the height: noise does not look like a mountain.
    span = max(highest - lowest, 0.2 * highest)
    middle = (highest + lowest) / 2
    step = (LINE_WIDTH - 8) / max(len(ratios) - 1, 1)
    points = [
        (
            LINE_WIDTH - 4 - step * (len(ratios) - 1 - number),
            LINE_HEIGHT / 2 - (ratio - middle) / span * (LINE_HEIGHT - 6),
        )
        for number, ratio in enumerate(ratios)
    ]
    path = " ".join([f"{x:.1f},{y:.1f}" for x, y in points])
    x, y = points[-1]
    content = (
        f'<polyline class="plot-line" points="{path}"/>'
        f'<circle class="plot-bar" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
    )
    return _svg(LINE_WIDTH, LINE_HEIGHT, label, content)


def _bar(bar: Bar, scale: Scale, height: float) -> str:
    one, end = scale.at(1), scale.at(bar.ratio)
    drawn = (
        f'<rect class="plot-bar" x="{min(one, end):.1f}" y="1" width="{max(abs(end - one), 1):.1f}"'
        f' height="{height - 2}"/>{_mark("plot-one", one, height)}'
    )
    return drawn if bar.goal is None else drawn + _mark("plot-goal", scale.at(bar.goal), height)


def _mark(name: str, x: float, height: float) -> str:
    return f'<line class="{name}" x1="{x:.1f}" x2="{x:.1f}" y1="-1" y2="{height + 1}"/>'


def _times(ratio: float) -> str:
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def _svg(width: float, height: float, label: str, content: str) -> str:
    return (
        f'<svg class="plot" role="img" aria-label="{escape(label)}" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}">{content}</svg>'
    )
