"""What an input would have shown, for a variable instead: the cell magic ``%%capture``."""

from __future__ import annotations

from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.outcome import NOTHING
from puppet_repl.tools.reports.parts import hashes_of_logs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome
    from puppet_repl.tools.reports.parts import Report


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
            ("messages", hashes_of_logs(self.logs)),
            ("output", "".join(self.output)),
        )
        return session.assign(name, PuppetHash(entries))


def shown_value(report: Report) -> Value:
    """Return the last value that a report shows, NOTHING where it shows none."""
    value: Value = NOTHING
    for part in report.parts:
        value = part.value_after(value)
    return value
