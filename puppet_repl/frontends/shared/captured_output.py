"""What an input would have shown, for a variable instead: the cell magic ``%%capture``."""

from __future__ import annotations

from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.outcome import NOTHING
from puppet_repl.tools.reports.parts import OnMachines, Ran, Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome
    from puppet_repl.tools.reports.parts import MachineRow, Part, Report


class Captured:
    """Messages with their levels, the last value, and the text that commands have printed."""

    __slots__ = ("logs", "output", "value")

    def __init__(self) -> None:
        self.logs: list[tuple[str, str]] = []
        self.output: list[str] = []
        self.value: Value = NOTHING

    def bind(self, session: Session, name: str) -> Outcome:
        """Bind all of it to a variable, as a hash with ``value``, ``messages`` and ``output``."""
        value = None if self.value is NOTHING else self.value
        entries = (
            ("value", value),
            ("messages", _messages(self.logs)),
            ("output", "".join(self.output)),
        )
        return session.assign(name, PuppetHash(entries))


def value_of(part: Part, otherwise: Value) -> Value:
    """Return the value that a part of a report shows, or ``otherwise`` where it shows none.

    What code did on several machines is a hash of their names to hashes with ``value``,
    ``resources`` (hashes of attributes by reference), ``messages`` and ``error``, its text or
    undef.
    """
    if isinstance(part, Shown):
        return part.value
    if isinstance(part, Ran):
        return part.outcome.value
    if isinstance(part, OnMachines):
        return PuppetHash((row.name, _on_machine(row)) for row in part.rows)
    return otherwise


def shown_value(report: Report) -> Value:
    """Return the last value that a report shows, NOTHING where it shows none."""
    value: Value = NOTHING
    for part in report.parts:
        value = value_of(part, value)
    return value


def _on_machine(row: MachineRow) -> PuppetHash:
    entries = (
        ("value", row.value),
        ("resources", PuppetHash(row.resources)),
        ("messages", _messages(row.logs)),
        ("error", row.problem if row.error is None else str(row.error)),
    )
    return PuppetHash(entries)


def _messages(logs: Iterable[tuple[str, str]]) -> tuple[PuppetHash, ...]:
    return tuple(PuppetHash((("level", level), ("message", text))) for level, text in logs)
