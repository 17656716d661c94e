"""What ``make bench`` has measured before: one entry a line, as JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.machine import Machine
from tests.benchmarks.rows import Row

HISTORY = Path(__file__).with_name("history.jsonl")
RECENT = 3
SLOWER = 0.9
"""A row is slower where its ratio is less than this share of the usual one."""


class Entry(NamedTuple):
    """The rows of one run."""

    date: str
    commit: str
    machine: Machine
    load: float
    rows: tuple[Row, ...]


def read(path: Path = HISTORY) -> list[Entry]:
    """Return the entries, the oldest first."""
    if not path.exists():
        return []
    return [_entry(line) for line in path.read_text(encoding="utf-8").splitlines()]


def append(entry: Entry, path: Path = HISTORY) -> None:
    """Add an entry at the end."""
    fields = entry._asdict()
    fields["machine"] = entry.machine._asdict()
    fields["rows"] = [_without_defaults(row) for row in entry.rows]
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(fields) + "\n")


def usual_ratios(entries: Iterable[Entry], machine: Machine) -> dict[tuple[str, ...], float]:
    """Return the median ratio that each row had in the last runs on machines of that kind."""
    ratios: dict[tuple[str, ...], list[float]] = {}
    for entry in entries:
        if entry.machine == machine:
            for row in entry.rows:
                if row.ratio is not None:
                    ratios.setdefault(row.key, []).append(row.ratio)
    return {key: statistics.median(its[-RECENT:]) for key, its in ratios.items()}


def is_slower(row: Row, usual: dict[tuple[str, ...], float]) -> bool:
    """Return whether a row's ratio is more than a tenth below the usual one."""
    return row.ratio is not None and row.key in usual and row.ratio < SLOWER * usual[row.key]


def _entry(line: str) -> Entry:
    fields = json.loads(line)
    fields["machine"] = Machine(**fields["machine"])
    fields["rows"] = tuple([Row(**row) for row in fields["rows"]])
    return Entry(**fields)


def _without_defaults(row: Row) -> dict[str, object]:
    """Return the fields of a row, seconds with four digits that count."""
    fields = {
        name: float(f"{value:.4g}") if isinstance(value, float) else value
        for name, value in row._asdict().items()
    }
    return {
        name: value for name, value in fields.items() if value != Row._field_defaults.get(name, ...)
    }
