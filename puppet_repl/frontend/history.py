"""Earlier inputs: one file for all sessions of a user, to which entries are only appended.

An entry is a comment line with its time and then its lines, each after a plus sign (the format of
prompt_toolkit's FileHistory). A lock is held while an entry is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

# Entries that are kept in memory, the newest.
MAX_ENTRIES = 20_000


class History:
    """The inputs of this session and of earlier ones, the oldest first.

    The file is read by a thread; until that is done only the inputs of this session are there.
    Without a path nothing is read or written.
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
        older = list(read_entries(data.decode("utf-8", "replace")))[-MAX_ENTRIES:]
        self.entries[:0] = older
        self.loaded.set()

    def add(self, text: str) -> None:
        """Remember an input; an immediate repetition is not a new entry."""
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
            # A history that cannot be written must not disturb the session.
            self.path = None

    def newest(self) -> Iterator[str]:
        """Yield all entries, the newest first, each text once."""
        seen = set()
        for text in reversed(list(self.entries)):
            if text not in seen:
                seen.add(text)
                yield text


def _open_private(path: str, flags: int) -> int:
    """Open a file; if it is new, only the user may read it: inputs can hold secrets."""
    return os.open(path, flags, 0o600)


def lock(descriptor: int) -> None:
    """Lock a file until it is closed, where the system can do that."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def read_entries(text: str) -> Iterator[str]:
    """Yield the entries of a history file."""
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

    Only entries that begin with the text typed before the first step are shown, each text once.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._found: list[str] = []
        self._index = -1
        self._typed = ""
        self._shown: str | None = None

    def step(self, text: str, *, older: bool) -> str | None:
        """Return the entry to show in place of ``text``; None where there is no further one."""
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
        """Tell whether a text is the entry that the last step returned."""
        return self._shown is not None and text == self._shown and self._index >= 0

    def forget(self) -> None:
        """Make the next step begin from what is typed then."""
        self._shown = None
