"""The part of README.md that says how fast it is."""

from __future__ import annotations

from collections.abc import Iterable

from tests.benchmarks import evaluation, parsing, start, terminals
from tests.benchmarks.report import quantity, ratio
from tests.benchmarks.rows import MEAN, Row
from tests.readme import table, write_section


def write_readme(rows: Iterable[Row]) -> None:
    """Write the bench programs, parsing, the start and the first prompt of a run beside Puppet."""
    rows = list(rows)
    by_hand = {row.name: row for row in rows if row.beside == evaluation.BY_HAND}
    by_hand.pop(MEAN, None)  # of other programs than beside Puppet
    beside_puppet = [row for row in rows if row.group in (evaluation.GROUP, parsing.GROUP)]
    beside_puppet = [row for row in beside_puppet if row.beside.startswith("Puppet")]
    head = ("program", f"CPU time, {beside_puppet[0].beside}", "here", "faster", "Python by hand")
    cells = [_cells(row, by_hand.get(row.name)) for row in beside_puppet]
    begun = next(row for row in rows if row.group == start.GROUP)
    prompt = next(row for row in rows if row.group == terminals.GROUP)
    write_section(
        "speed",
        f"{table(head, cells)}\n\n"
        f"`puppet-repl {begun.name}` takes {quantity(begun.ours)}, {1 / (begun.ratio or 1):.1f} "
        f"times as long as an empty Python.\n{prompt.beside} takes {ratio(prompt.ratio or 1)} "
        "times as long to its first prompt. [docs/speed.md](docs/speed.md) has the rest.",
    )


def _cells(row: Row, by_hand: Row | None) -> tuple[str, ...]:
    assert row.reference is not None and row.ratio is not None
    hand = "" if by_hand is None or by_hand.reference is None else quantity(by_hand.reference)
    return row.name, quantity(row.reference), quantity(row.ours), f"{ratio(row.ratio)} times", hand
