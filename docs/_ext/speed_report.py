"""``{speed-report}``: the last run of ``make bench``, from tests/benchmarks/history.jsonl."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.nodes import Node
from plots import Bar, bar_plot, chart, scale_of, sparkline
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables import section, table

from tests.benchmarks.history import HISTORY, Entry, read
from tests.benchmarks.report import quantity, ratio
from tests.benchmarks.rows import MEAN, Row

# The column that is left out where no row has a limit.
_LIMIT = 6


class SpeedReport(SphinxDirective):
    """Say where it was measured, plot the means, and write a section for each group of rows."""

    def run(self) -> list[Node]:
        """Return the nodes, for the newest entry."""
        self.env.note_dependency(str(HISTORY))
        entries = read()
        if not entries:
            raise self.error(f"{HISTORY} has no runs: make bench KEEP=1")
        newest = entries[-1]
        alike = [entry for entry in entries if entry.machine == newest.machine]
        groups: dict[str, list[Row]] = {}
        for row in newest.rows:
            groups.setdefault(row.group, []).append(row)
        sections = [_section(group, rows, alike) for group, rows in groups.items()]
        return [_measured(newest, len(alike)), _means(newest), *sections]


def _measured(entry: Entry, runs: int) -> Node:
    text = (
        f"Measured on {entry.date} at commit {entry.commit}, on {entry.machine}, when the machine "
        f"had a load of {entry.load}. It is run {runs} on such a machine."
    )
    return nodes.paragraph("", text)


def _means(entry: Entry) -> Node:
    bars = [
        Bar(f"{row.group}", row.ratio, row.goal)
        for row in entry.rows
        if row.name == MEAN and row.ratio is not None and row.beside.startswith("Puppet")
    ]
    return _raw(chart("Geometric means: how many times as fast as Puppet", bars))


def _section(group: str, rows: list[Row], entries: list[Entry]) -> Node:
    """Return a section with a table for each program that the rows stand beside."""
    by_program: dict[str, list[Row]] = {}
    for row in rows:
        by_program.setdefault(row.beside, []).append(row)
    tables = [table_of(program, its, entries) for program, its in by_program.items()]
    return section(group[0].upper() + group[1:], *tables)


def table_of(program: str, rows: list[Row], entries: list[Entry]) -> nodes.table:
    """Return the table of the rows beside a program; "" for none."""
    if not program:
        return table(("", "ours", "limit"), [_plain(row) for row in rows])
    bars = {row: Bar(row.name, row.ratio, row.goal) for row in rows if row.ratio is not None}
    scale = scale_of(list(bars.values()))
    cells: list[list[list[Node]]] = []
    for row, bar in bars.items():
        before = [its.ratio for e in entries for its in e.rows if its.key == row.key and its.ratio]
        cells.append(
            [
                *_plain(row)[:2],
                [nodes.Text(_quantity(row.reference or 0, row.unit))],
                [nodes.Text(ratio(bar.ratio))],
                [_raw(bar_plot(bar, scale))],
                _aim("" if row.goal is None else ratio(row.goal), is_missed=row.misses_goal),
                _plain(row)[2],
                [_raw(sparkline(f"{row.name}, run by run", before))],
            ]
        )
    heads = ["", "ours", program, "times as fast", "", "goal", "limit", "run by run"]
    if all(row.limit is None for row in bars):
        heads.remove("limit")
        for cell in cells:
            del cell[_LIMIT]
    return table(heads, cells)


def _plain(row: Row) -> list[list[Node]]:
    limit = "" if row.limit is None else _quantity(row.limit, row.unit)
    texts = row.name, _quantity(row.ours, row.unit)
    return [*([nodes.Text(text)] for text in texts), _aim(limit, is_missed=row.misses_limit)]


def _aim(text: str, *, is_missed: bool) -> list[Node]:
    """Return a goal or a limit, which is marked where it is missed."""
    if not is_missed:
        return [nodes.Text(text)]
    return [nodes.strong(text, text), nodes.Text("\N{NO-BREAK SPACE}missed")]


def _quantity(value: float, unit: str) -> str:
    """Return a number with its unit, in one line."""
    return quantity(value, unit).replace(" ", "\N{NO-BREAK SPACE}")


def _raw(svg: str) -> Node:
    return nodes.raw("", svg, format="html")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("speed-report", SpeedReport)
    return {"parallel_read_safe": True}
