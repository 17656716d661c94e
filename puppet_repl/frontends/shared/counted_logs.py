"""Messages that a run over nodes counts, in place of showing them for each node."""

from __future__ import annotations

from puppet_repl.base.wording import counted, some_of
from puppet_repl.environment.hiera.interpolation import name_that_failed
from puppet_repl.language.runtime.placeholders import Placeholders

_MAX_LISTED = 5
_ON_REQUEST = "compile --format json shows Puppet's messages"


class CountedLogs:
    """The variables that hiera.yaml found no value for, and the placeholders of all nodes."""

    def __init__(self) -> None:
        # A message of each variable.
        self._failed: dict[str, str] = {}
        self._placeholders = Placeholders()
        self._reports: set[str] = set()

    def add(self, placeholders: Placeholders | None) -> None:
        """Add those of the session of a node, before its messages are counted."""
        if placeholders is not None:
            self._placeholders.add_all(placeholders)
            self._reports.update(placeholders.reports)

    def counts(self, text: str) -> bool:
        """Tell whether a message is counted, and not to be shown; count it."""
        name = name_that_failed(text)
        if name is not None:
            self._failed.setdefault(name, text)
        return name is not None or text in self._reports

    def messages(self) -> list[tuple[str, str]]:
        """Return the messages that stand for those that were counted, at most one of each kind."""
        texts = [*self._failed.values()]
        if len(texts) > 1:
            names = some_of([*self._failed], _MAX_LISTED)
            variables = counted(len(texts), "variable")
            texts = [f"hiera.yaml found no value for {variables}: {names} ({_ON_REQUEST})"]
        report = self._placeholders.new_report()
        return [("warning", text) for text in (*texts, report) if text]
