"""The page about speed: its plots, and that the newest run is on it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_ext"
if str(EXTENSIONS) not in sys.path:
    sys.path.append(str(EXTENSIONS))

from plots import Bar, bar_plot, chart, scale_of, sparkline  # noqa: E402 - beside the site

FAST, SLOW = Bar("fib", 100, 10), Bar("start", 0.5)


def widths(svg: str) -> list[tuple[float, float]]:
    """The bars of a plot: where each begins, and how long it is."""
    found = re.findall(r'class="plot-bar" x="([\d.]+)" y="1" width="([\d.]+)"', svg)
    return [(float(x), float(width)) for x, width in found]


def test_bars_have_a_logarithmic_scale_from_1() -> None:
    scale = scale_of([FAST, SLOW])
    ((x, width),) = widths(bar_plot(FAST, scale))
    assert x == pytest.approx(scale.at(1), abs=0.1)
    assert width == pytest.approx(2 * (scale.at(10) - scale.at(1)), abs=0.1)
    ((x, width),) = widths(bar_plot(SLOW, scale))
    assert x + width == pytest.approx(scale.at(1), abs=0.1)
    assert 0 < x < x + width < scale.width


def test_a_goal_is_marked() -> None:
    scale = scale_of([FAST])
    assert f'class="plot-goal" x1="{scale.at(10):.1f}"' in bar_plot(FAST, scale)
    assert "plot-goal" not in bar_plot(SLOW, scale)


def test_a_chart_has_labels_and_ratios() -> None:
    svg = chart("Means", [FAST, Bar("a < b", 2.5)])
    assert re.findall(r">([^<>]+)</text>", svg) == ["fib", "100×", "a &lt; b", "2.5×"]
    assert 'aria-label="Means"' in svg
    assert not re.search(r"#[0-9a-f]{3}|(?:fill|stroke)=", svg), "colours are those of the page"


@pytest.mark.parametrize("ratios", [[5.0], [5.0, 5.0], [1.0, 4.0, 2.0]])
def test_a_line_stays_inside_and_ends_at_the_right(ratios: list[float]) -> None:
    svg = sparkline("fib", ratios)
    points = re.search(r'points="([^"]+)"', svg)
    assert points is not None
    places = [tuple(map(float, each.split(","))) for each in points[1].split()]
    assert len(places) == len(ratios)
    assert all(0 <= x <= 90 and 0 <= y <= 18 for x, y in places)
    assert max(places) == places[-1]
    assert sorted(ratios, reverse=True) == [
        ratio for _, ratio in sorted(zip((y for _, y in places), ratios, strict=True))
    ]
