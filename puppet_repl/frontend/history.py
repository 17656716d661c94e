"""Earlier inputs: one file for all sessions of a user, never rewritten, only added to.

An entry is a comment line with its time and then its lines, each behind a plus sign (the format of
prompt_toolkit's FileHistory). Whoever adds an entry holds a lock for that one write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

# Entries that are kept in memory, the newest.
MOST_ENTRIES = 20_000


class History:
    """The inputs of this session and of earlier ones, the oldest first.

    They are read by a thread of its own; until it is done only those of this session are there.
    Without a path nothing is written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.entries: list[str] = []
        self.loaded = Event()
        if path is None:
            self.loaded.set()
        else:
            Thread(target=self._load, daemon=True).start()

    def _load(self) -> None:
        try:
            assert self.path is not None
            data = self.path.read_bytes()
        except OSError:
            data = b""
        older = list(read_entries(data.decode("utf-8", "replace")))[-MOST_ENTRIES:]
        self.entries[:0] = older
        self.loaded.set()

    def add(self, text: str) -> None:
        """Remember an input; an immediate repetition is no new entry."""
        text = text.strip("\n")
        if not text.strip() or (self.entries and self.entries[-1] == text):
            return
        self.entries.append(text)
        if self.path is not None:
            self._append(text)

    def _append(self, text: str) -> None:
        from datetime import datetime

        assert self.path is not None
        lines = "".join([f"+{line}\n" for line in text.split("\n")])
        entry = f"\n# {datetime.now()}\n{lines}".encode("utf-8", "replace")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "ab", opener=_open_private) as file:
                lock(file.fileno())
                file.write(entry)
        except OSError:
            # A history that cannot be written must not get in the way of work.
            self.path = None

    def newest(self) -> Iterator[str]:
        """All entries, the newest first, each text once."""
        seen = set()
        for text in reversed(list(self.entries)):
            if text not in seen:
                seen.add(text)
                yield text


def _open_private(path: str, flags: int) -> int:
    """Open a file that, where it is made, nobody else may read: inputs can hold secrets."""
    return os.open(path, flags, 0o600)


def lock(descriptor: int) -> None:
    """Hold a file until it is closed, where the system can do that."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def read_entries(text: str) -> Iterator[str]:
    """The entries of a history file."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith("+"):
            lines.append(line[1:])
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


class Recall:
    """Going up and down in the history from what has been typed.

    Only entries that begin with the text before the cursor at the first step are stopped at, and
    every text once.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._found: list[str] = []
        self._index = -1
        self._typed = ""
        self._shown: str | None = None

    def step(self, text: str, *, older: bool) -> str | None:
        """The entry to show next in place of ``text``; None where there is no further one."""
        if self._shown is None or text != self._shown:
            self._begin(text)
        index = self._index + (1 if older else -1)
        if index < -1 or index >= len(self._found):
            return None
        self._index = index
        self._shown = self._typed if index < 0 else self._found[index]
        return self._shown

    def _begin(self, text: str) -> None:
        self._typed = text
        self._index = -1
        prefix = text.rstrip()
        self._found = [
            entry for entry in self._history.newest() if entry.startswith(prefix) and entry != text
        ]

    def shows(self, text: str) -> bool:
        """Whether a text is the entry that the last step came to."""
        return self._shown is not None and text == self._shown and self._index >= 0

    def forget(self) -> None:
        """The next step begins anew."""
        self._shown = None
