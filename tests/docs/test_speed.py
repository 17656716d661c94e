"""The page about speed: its plots, and that the newest run is on it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from docutils import nodes

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_ext"
if str(EXTENSIONS) not in sys.path:
    sys.path.append(str(EXTENSIONS))

from plots import Bar, bar_plot, chart, scale_of, sparkline  # noqa: E402 - beside the site
from speed_report import table_of  # noqa: E402

from tests.benchmarks.history import Entry  # noqa: E402
from tests.benchmarks.machine import Machine  # noqa: E402
from tests.benchmarks.rows import Row  # noqa: E402

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


def cells(*rows: Row) -> list[list[str]]:
    """Return the texts of a table of rows, its head first."""
    run = Entry("2026-01-31", "abc1234", Machine("a processor", 2, "3.11"), 0.5, rows)
    made = table_of(rows[0].beside, list(rows), [run])
    return [[cell.astext() for cell in row.children] for row in made.findall(nodes.row)]


@pytest.mark.parametrize("beside", ["", "Puppet 8"])
def test_what_misses_a_limit_is_marked(beside: str) -> None:
    row = Row("keys", "a key", 0.02, 1.0 if beside else None, beside, limit=0.01)
    head, slow, fast, free = cells(row, row._replace(ours=0.01), row._replace(limit=None))
    column = head.index("limit")
    assert [each[column] for each in (slow, fast, free)] == ["10\xa0ms\xa0missed", "10\xa0ms", ""]


def test_what_misses_a_goal_is_marked() -> None:
    row = Row("programs", "fib", 0.02, 1.0, "Puppet 8", goal=60)
    head, slow, fast = cells(row, row._replace(ours=0.01))
    column = head.index("goal")
    assert (slow[column], fast[column], "limit" in head) == ("60\xa0missed", "60", False)
    assert len(head) == len(slow)
