"""What an input would have shown, for a variable instead: the cell magic ``%%capture``."""

from __future__ import annotations

from puppet_repl.outcome import NOTHING
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.outcome import Outcome
    from puppet_repl.session import Session
    from puppet_repl.values.protocols import Value


class Captured:
    """Messages with their levels, the last value, and the text that commands have printed."""

    __slots__ = ("logs", "output", "value")

    def __init__(self) -> None:
        self.logs: list[tuple[str, str]] = []
        self.output: list[str] = []
        self.value: Value = NOTHING

    def bind(self, session: Session, name: str) -> Outcome:
        """Bind all of it to a variable, as a hash with ``value``, ``messages`` and ``output``."""
        messages = tuple(
            PuppetHash((("level", level), ("message", message))) for level, message in self.logs
        )
        value = None if self.value is NOTHING else self.value
        entries = (("value", value), ("messages", messages), ("output", "".join(self.output)))
        return session.assign(name, PuppetHash(entries))
