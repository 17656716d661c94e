"""The inputs that history_request asks for: of this session and earlier ones, of the terminal too.

Earlier ones are session 0, in the order of the file that all front ends write; those of this
kernel are session 1, with the numbers of their results.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from puppet_repl.host.history import LOADING_SECONDS
from puppet_repl.host.host import Host
from puppet_repl.session import NOTHING
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import render_value

Entry = tuple[int, int, Any]
EARLIER = 0
THIS = 1


class KernelHistory:
    """The history of one kernel, on the file shared with the terminal."""

    def __init__(self, host: Host) -> None:
        self.puppet = host.session
        self._file = host.history
        self._cells: list[Entry] = []
        self._entries: list[int] = []

    def add(self, number: int, code: str) -> str:
        """Remember a cell that is stored, whether or not it fails.

        Return why cells are not written to the file, once; else an empty string.
        """
        self._cells.append((THIS, number, code))
        self._file.add(code)
        self._entries.append(self._file.added - 1)
        return self._file.new_problem()

    def typed(self) -> list[tuple[int, str, int]]:
        """Return number, text and entry of the file, from 0 on, of each cell of this kernel."""
        return [
            (number, text, entry)
            for (_, number, text), entry in zip(self._cells, self._entries, strict=True)
        ]

    def select(
        self,
        access: str,
        *,
        output: bool,
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> list[Entry]:
        """Return entries ``(session, line, input)``, or with ``(input, output)``, in order.

        ``access`` is tail, range or search, as the protocol defines them; for a range,
        session 0 is this one and -1 the earlier ones.
        """
        if access == "range":
            rows = self._earlier() if session is not None and session < 0 else self._these()
            first = start or 0
            rows = [row for row in rows if row[1] >= first and (stop is None or row[1] < stop)]
            return [self._shown(row, output) for row in rows]
        rows = self._earlier() + self._these()
        if access == "search":
            rows = [row for row in rows if fnmatchcase(row[2], pattern or "*")]
            if unique:
                last = {row[2]: row for row in rows}
                rows = sorted(last.values(), key=lambda row: row[:2])
        if n is not None:
            rows = rows[-n:] if n > 0 else []
        return [self._shown(row, output) for row in rows]

    def _earlier(self) -> list[Entry]:
        self._file.loaded.wait(LOADING_SECONDS)
        entries = self._file.entries
        older = entries[: len(entries) - self._file.added]
        return [(EARLIER, line, text) for line, text in enumerate(older, 1)]

    def _these(self) -> list[Entry]:
        return list(self._cells)

    def _shown(self, row: Entry, output: bool) -> Entry:
        session, line, text = row
        if not output:
            return row
        if session != THIS:
            return (session, line, (text, None))
        value = next((o.value for n, _, o in self.puppet.inputs if n == line), NOTHING)
        if value is NOTHING or value is None:
            return (session, line, (text, None))
        return (session, line, (text, plain(render_value(value, full=False))))
