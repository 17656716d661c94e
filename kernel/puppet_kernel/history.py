"""Answers to history_request."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

Entry = tuple[int, int, Any]


def select(
    inputs: list[tuple[int, str, Any]],
    access: str,
    *,
    start: int | None,
    stop: int | None,
    n: int | None,
    pattern: str | None,
    unique: bool,
    output: bool,
) -> list[Entry]:
    """Entries ``(session, line, input)``, or ``(session, line, (input, output))``, in order.

    ``access`` is tail, range or search, as the protocol defines them.
    """
    chosen = list(inputs)
    if access == "range":
        first = start if start is not None and start >= 0 else 0
        chosen = [row for row in chosen if row[0] >= first and (stop is None or row[0] < stop)]
    elif access == "search":
        wanted = pattern or "*"
        chosen = [row for row in chosen if fnmatchcase(row[1], wanted)]
        if unique:
            last = {row[1]: row for row in chosen}
            chosen = sorted(last.values(), key=lambda row: row[0])
    if access in ("tail", "search") and n is not None:
        chosen = chosen[-n:] if n > 0 else []
    return [_entry(row, output) for row in chosen]


def _entry(row: tuple[int, str, Any], output: bool) -> Entry:
    number, text, outcome = row
    if not output:
        return (0, number, text)
    from puppet_repl.session import NOTHING

    shown = None
    if outcome.value is not NOTHING and outcome.value is not None:
        from puppet_repl.render.values import value_text

        shown = value_text(outcome.value, color=False)
    return (0, number, (text, shown))
