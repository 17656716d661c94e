"""The rows of the table of ``make bench``.

A module of benchmarks has a function that yields rows. What a row needs and this machine does not
have (Puppet, modules, Ruby) is said by an ``Absent``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from statistics import geometric_mean
from typing import NamedTuple

MEAN = "geometric mean"
WRONG = " (not equal)"
"""The end of the name of a row whose answer was not that of Puppet."""


class Row(NamedTuple):
    """One measurement, and the same work done by something else in the same run.

    Attributes:
        group: the heading under which it is shown.
        name: what was measured; unique for its group and reference.
        ours: seconds, or bytes where the unit says so; less is better.
        reference: the same of the other program; None where there is nothing to compare with.
        beside: the name of the other program, with its version where results depend on it.
        goal: the ratio that is wanted at least.
        limit: what ``ours`` may be at most.
        unit: ``s`` or ``bytes``.
    """

    group: str
    name: str
    ours: float
    reference: float | None = None
    beside: str = ""
    goal: float | None = None
    limit: float | None = None
    unit: str = "s"

    @property
    def ratio(self) -> float | None:
        """How many times as fast (or as small) ours is; more is better."""
        return None if self.reference is None else self.reference / self.ours

    @property
    def misses_goal(self) -> bool:
        """Whether it is not as many times as fast as is wanted."""
        return self.goal is not None and self.ratio is not None and self.ratio < self.goal

    @property
    def misses_limit(self) -> bool:
        """Whether it takes more than it may."""
        return self.limit is not None and self.ours > self.limit

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a row in all runs."""
        return self.group, self.name, self.beside


class Absent(NamedTuple):
    """Rows that cannot be measured here, and why."""

    group: str
    reason: str


Rows = Iterator[Row | Absent]
Benchmark = Callable[[], Rows]


def with_mean(rows: Iterable[Row], goal: float | None = None) -> Iterator[Row]:
    """Yield rows that share a reference, and their geometric mean."""
    rows = list(rows)
    yield from rows
    if rows:
        ours = geometric_mean([row.ours for row in rows])
        reference = geometric_mean([row.reference for row in rows if row.reference is not None])
        yield rows[0]._replace(name=MEAN, ours=ours, reference=reference, goal=goal)
