"""What a program answers: value, texts, type, logs, the whole error, the catalog."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from puppet_repl.catalog.json import document
from puppet_repl.session import NOTHING, Options, Outcome, Session

__all__ = ["FACTS", "Answer", "answer_of", "catalog_text", "of_session", "run"]

FACTS = "debian-12"
_LOCATION = re.compile(r" ?\((?:file: [^()\n]*?, )?line: \d+(?:, column: \d+)?\)|, column: \d+")
_PLACED = ("file", "line")
# What is another one each time.
_OF_THE_TIME = ("version", "catalog_uuid")


class Answer(NamedTuple):
    """An answer; ``error`` is its message and location."""

    value: str | None = None
    text: str | None = None
    type: str | None = None
    logs: tuple[tuple[str, str], ...] = ()
    error: tuple[str, int | None, int | None] | None = None
    catalog: str | None = None

    @property
    def has_value(self) -> bool:
        """Whether the program ran to its end."""
        return self.error is None

    @property
    def without_deprecations(self) -> Answer:
        """The answer without warnings of deprecation, which a session gives once, as Puppet."""
        return self._replace(logs=tuple(log for log in self.logs if "is deprecated" not in log[1]))

    def mapped(self, change: Callable[[str], str]) -> Answer:
        """Return the answer with all of its texts changed."""

        def changed(text: str | None) -> str | None:
            return None if text is None else change(text)

        error = self.error and (change(self.error[0]), *self.error[1:])
        logs = tuple((level, change(text)) for level, text in self.logs)
        value, shown, type_, catalog = map(
            changed, (self.value, self.text, self.type, self.catalog)
        )
        return Answer(value, shown, type_, logs, error, catalog)

    def without_locations(self) -> Answer:
        """Return the answer without lines, columns and files."""
        made = self.mapped(lambda text: _LOCATION.sub("", text))
        error = made.error and (made.error[0], None, None)
        catalog = made.catalog
        if catalog is not None:
            data = json.loads(catalog)
            for resource in data["resources"]:
                for key in _PLACED:
                    resource.pop(key, None)
            catalog = _json(data)
        return made._replace(error=error, catalog=catalog)

    def difference(self, other: Answer) -> str:
        """Return what differs in another answer, in a line for each part."""
        lines = []
        for name, mine, theirs in zip(self._fields, self, other, strict=True):
            if mine != theirs:
                lines.append(f"{name}: {mine!r}\n{' ' * len(name)}  {theirs!r}")
        return "\n".join(lines)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def catalog_text(data: dict[str, Any]) -> str:
    """Return the document of a catalog without what is another one each time."""
    return _json({key: value for key, value in data.items() if key not in _OF_THE_TIME})


def answer_of(
    session: Session, outcome: Outcome, logs: Iterable[tuple[str, str]], *, has_catalog: bool
) -> Answer:
    """Return the answer in an outcome; with a catalog this is finished first."""
    error, catalog, told = outcome.error, None, [*logs]
    value = outcome.value
    if error is None and has_catalog:
        finished = session.finish_catalog(outcome)
        told += finished.logs[len(outcome.logs) :] if finished is not outcome else []
        error = finished.error
        if error is None:
            catalog = catalog_text(document(session.catalog, redacted=False))
    kept = tuple((level, text) for level, text in told if level != "debug")
    if error is not None:
        return Answer(logs=kept, error=(error.message, error.line, error.column))
    described = session.describe(None if value is NOTHING else value)
    return Answer(
        described["value"], described["str"], described["type"], logs=kept, catalog=catalog
    )


def of_session(session: Session, inputs: Sequence[str], *, has_catalog: bool = False) -> Answer:
    """Return the answer of the last of some inputs, with the logs of all."""
    logs: list[tuple[str, str]] = []
    outcome = Outcome()
    for text in inputs:
        outcome = session.execute(text)
        logs += outcome.logs
        if outcome.error is not None:
            break
    return answer_of(session, outcome, logs, has_catalog=has_catalog)


def run(*inputs: str, has_catalog: bool = False, **options: Any) -> Answer:
    """Return the answer of inputs in a session of their own."""
    session = Session(Options(**options), facts=FACTS)
    try:
        return of_session(session, inputs, has_catalog=has_catalog)
    finally:
        session.close()
