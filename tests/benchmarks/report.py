"""The table of ``make bench`` as text."""

from __future__ import annotations

from collections.abc import Iterable

from tests.benchmarks.history import is_slower
from tests.benchmarks.rows import Absent, Row

HEAD = ("", "ours", "reference", "ratio", "usual")


def lines(rows: Iterable[Row | Absent], usual: dict[tuple[str, ...], float]) -> Iterable[str]:
    """Yield the lines of the table, a heading before each group."""
    before = None
    for row in rows:
        heading = (
            row.group
            if isinstance(row, Absent) or not row.beside
            else f"{row.group}, beside {row.beside}"
        )
        if heading != before:
            yield f"\n{heading:44}" + "".join([f"{name:>11}" for name in HEAD[1:]])
            before = heading
        if isinstance(row, Absent):
            yield f"  {row.reason}"
        else:
            yield _line(row, usual)


def quantity(value: float, unit: str = "s") -> str:
    """Return seconds or bytes with a unit that suits them."""
    units = {
        "s": ((1, "s"), (1e-3, "ms"), (1e-6, "us")),
        "bytes": ((1e6, "MB"), (1e3, "kB"), (1, "B")),
    }
    size, name = next((each for each in units[unit] if value >= each[0]), units[unit][-1])
    return f"{value / size:.3g} {name}"


def ratio(value: float) -> str:
    """Return how many times as fast, as 1/N where it is slower; with three digits at most."""
    if value < 1:
        return f"1/{1 / value:.3g}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _line(row: Row, usual: dict[tuple[str, ...], float]) -> str:
    cells = [
        quantity(row.ours, row.unit),
        "" if row.reference is None else quantity(row.reference, row.unit),
        "" if row.ratio is None else ratio(row.ratio),
        ratio(usual[row.key]) if row.key in usual else "",
    ]
    notes = []
    if is_slower(row, usual):
        notes.append("SLOWER")
    if row.goal is not None and row.misses_goal:
        notes.append(f"goal {ratio(row.goal)}")
    if row.limit is not None and row.misses_limit:
        notes.append(f"limit {quantity(row.limit, row.unit)}")
    text = f"  {row.name:42}" + "".join([f"{cell:>11}" for cell in cells])
    return f"{text}   {', '.join(notes)}".rstrip()
