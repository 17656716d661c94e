"""Messages that a run over nodes counts, in place of showing them for each node."""

from __future__ import annotations

from puppet_repl.environment.hiera.server_paths import is_note
from puppet_repl.host.host import IN_COMMANDS
from puppet_repl.language.runtime.failed_interpolations import FailedInterpolations
from puppet_repl.language.runtime.placeholders import Placeholders


class CountedLogs:
    """The variables that hiera.yaml found no value for, and the placeholders of all nodes."""

    def __init__(self) -> None:
        self._failed = FailedInterpolations(IN_COMMANDS)
        self._placeholders = Placeholders()
        self._reports: set[str] = set()
        self._notes: set[str] = set()

    def add(self, placeholders: Placeholders | None) -> None:
        """Add those of the session of a node, before its messages are counted."""
        if placeholders is not None:
            self._placeholders.add_all(placeholders)
            self._reports.update(placeholders.reports)

    def counts(self, text: str) -> bool:
        """Tell whether a message is counted, or has been shown, and count it."""
        if is_note(text):  # the same for all nodes
            is_known = text in self._notes
            self._notes.add(text)
            return is_known
        return self._failed.counts(text) or text in self._reports

    def messages(self) -> list[tuple[str, str]]:
        """Return the messages that replace those that were counted, at most one of each kind."""
        texts = (self._failed.take(), self._placeholders.new_report())
        return [("warning", text) for text in texts if text]
