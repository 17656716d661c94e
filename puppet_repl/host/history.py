"""Earlier inputs: one file for all sessions of a user, to which entries are only appended.

An entry is a comment line with its time and then its lines, each after a plus sign (the format of
prompt_toolkit's FileHistory). It is written at once, under a lock where one can be had in time: a
process that was stopped while it held the lock must not stop all others.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from threading import Event, Thread

from puppet_repl.base.file_locks import lock
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.wording import why_unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import TypeAlias

    StrPath: TypeAlias = str | os.PathLike[str]

# Seconds to wait for the file to be read, where its entries are asked for.
LOADING_SECONDS = 2.0
# Entries that are kept in memory, the newest.
MAX_ENTRIES = 20_000
# Entries that wait for a disk with room for them, the newest.
MAX_WAITING = 1000
# Seconds before each attempt to get the lock. Without it nothing is lost on a local disk, where
# appending is one step.
LOCK_PAUSES = (0.0, 0.01, 0.04)


class History:
    """The inputs of this session and of earlier ones, the oldest first.

    The file is read by a thread; until that is done only the inputs of this session are there.
    ``read_again`` adds those of sessions that run beside this one, before its own. Without a path
    nothing is read or written. Entries that cannot be written wait, and are written before the next
    one.
    """

    def __init__(self, path: StrPath | None = None) -> None:
        self.path = path
        self.entries: list[str] = []
        # The times of entries, from the file; aligned at the end, longer for a moment.
        self._times: list[str] = []
        # How many entries are of this session.
        self.added = 0
        # How many entries before these other sessions have added since this one began, and how
        # long the file was then.
        self._beside = 0
        self._size = 0 if path is None else _size_of(path)
        self.loaded = Event()
        self._waiting: list[bytes] = []
        self._problem = ""
        self._is_told = False
        if path is None:
            self.loaded.set()
        else:
            # Entries that are appended from now on are in memory already.
            Thread(target=self._load, args=(path, self._size), daemon=True).start()

    def _load(self, path: StrPath, size: int) -> None:
        try:
            data = read_bytes(os.fspath(path))[:size]
        except OSError:
            data = b""
        older = list(read_timed_entries(data.decode("utf-8", "replace")))[-MAX_ENTRIES:]
        # Another thread may look at the entries, which have a time whenever they are there.
        self._times[:0] = [time for time, _ in older]
        self.entries[:0] = [text for _, text in older]
        self.loaded.set()

    def read_again(self) -> None:
        """Take in what other sessions have added to the file, if it has been read at all."""
        if self.path is None or not self.loaded.is_set():
            return
        try:
            data = read_bytes(os.fspath(self.path))
        except OSError:
            return
        if len(data) < self._size:  # it is another file by now
            self._size = 0
        own = {*self._times[len(self._times) - self.added :]}
        written = data[self._size :].decode("utf-8", "replace")
        found = [entry for entry in read_timed_entries(written) if entry[0] not in own]
        if len(found) < self._beside:
            return
        for values, new in ((self._times, 0), (self.entries, 1)):  # times first, as in _load()
            end = len(values) - self.added
            values[end - self._beside : end] = [entry[new] for entry in found]
        self._beside = len(found)

    def add(self, text: str) -> None:
        """Remember an input; an immediate repetition is not a new entry."""
        text = text.strip("\n")
        if not text.strip() or (self.entries and self.entries[-1] == text):
            return
        from datetime import datetime

        time = str(datetime.now())
        if self.path is not None:
            # First of all, so that an interrupt while it is written does not lose it.
            self._waiting = [*self._waiting[1 - MAX_WAITING :], _entry_of(time, text)]
        self._times.append(time)
        self.entries.append(text)
        self.added += 1
        if self.path is not None:
            self._write(self.path)

    def _write(self, path: StrPath) -> None:
        try:
            append_privately(path, b"".join(self._waiting))
        except OSError as error:
            # A history that cannot be written must not disturb the session.
            self._problem = f"cannot write {path}: {why_unusable(error)}"
            return
        self._waiting = []
        self._problem = ""
        self._is_told = False

    def new_problem(self) -> str:
        """Return why inputs are not written, once; an empty string where there is nothing new."""
        if self._is_told or not self._problem:
            return ""
        self._is_told = True
        return f"the history is not kept: {self._problem}"

    def newest(self) -> Iterator[str]:
        """Yield all entries, the newest first, each text once."""
        return (text for _, text in self.newest_numbered())

    def newest_numbered(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of all entries, the newest first, each text once.

        Negative numbers are those of the entries from before this session and of other ones, -1 is
        the newest of them. Those of this session count from 0 on.
        """
        seen = set()
        entries = list(self.entries)
        first = self.added - len(entries)
        for index in range(len(entries) - 1, -1, -1):
            text = entries[index]
            if text not in seen:
                seen.add(text)
                yield first + index, text

    def earlier(self, number: int) -> str | None:
        """Return the entry of a negative number of ``newest_numbered``, None without one."""
        self.loaded.wait(LOADING_SECONDS)
        index = len(self.entries) - self.added + number
        return self.entries[index] if index >= 0 > number else None

    def time_of(self, number: int) -> datetime | None:
        """Return when the entry of a number, as ``newest_numbered`` has it, was typed."""
        from datetime import datetime

        at = number - self.added
        if not -len(self._times) <= at < 0:
            return None
        try:
            return datetime.fromisoformat(self._times[at])
        except ValueError:
            return None  # somebody else has written the line


def _size_of(path: StrPath) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):  # no file, a null byte
        return 0


def _entry_of(time: str, text: str) -> bytes:
    """Return an input as the file has it."""
    lines = "".join([f"+{line}\n" for line in text.split("\n")])
    return f"\n# {time}\n{lines}".encode("utf-8", "backslashreplace")


def append_privately(path: StrPath, data: bytes) -> None:
    """Append to a file; a new one may be read by its user only, since inputs can hold secrets.

    Raises OSError. A part of ``data`` that was written by then is removed, unless other processes
    may have written since.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # Without O_NONBLOCK a named pipe would wait for a reader.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        is_locked = lock(descriptor, LOCK_PAUSES)
        size = os.fstat(descriptor).st_size
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        except OSError:
            if is_locked:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)


def read_entries(text: str) -> Iterator[str]:
    """Yield the entries of a history file."""
    return (entry for _, entry in read_timed_entries(text))


def read_timed_entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of a history file, each after the comment that has its time."""
    time = ""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith("+"):
            lines.append(line[1:])
            continue
        if lines:
            yield time, "\n".join(lines)
            lines = []
            time = ""
        if line.startswith("# "):
            time = line[2:]
    if lines:
        yield time, "\n".join(lines)


class Recall:
    """Going up and down in the history from the typed text.

    Only entries that begin with the text typed before the first step are shown, each text once.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._found: list[str] = []
        self._index = -1
        self._typed = ""
        self._shown: str | None = None

    def step(self, text: str, *, older: bool) -> str | None:
        """Return the entry to show in place of ``text``; None at the end of the history."""
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
        """Let the next step begin from the text that is typed then."""
        self._shown = None
