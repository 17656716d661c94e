"""The file of the history: disks that are full, locks of others, files of other kinds."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from prompt_toolkit.history import FileHistory

from puppet_repl.host.history import (
    LOCK_PAUSES,
    MAX_WAITING,
    History,
    Recall,
    append_privately,
    read_entries,
)
from tests.frontends.shared.locks import lock_of_a_stopped_process

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and limits of POSIX")


def opened(path: Path) -> History:
    history = History(path)
    assert history.loaded.wait(10)
    return history


def entries_of(path: Path) -> list[str]:
    return list(read_entries(path.read_text("utf-8")))


def test_the_lock_of_a_stopped_process_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[int] = []
    real = fcntl.flock

    def attempt(descriptor: int, operation: int) -> None:
        attempts.append(operation)
        assert operation & fcntl.LOCK_NB, "it would wait until the process goes on"
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", attempt)
    path = tmp_path / "history"
    history = opened(path)
    history.add("before")
    with lock_of_a_stopped_process(path):
        attempts.clear()
        history.add("meanwhile")
        assert len(attempts) == len(LOCK_PAUSES)
        assert entries_of(path) == ["before", "meanwhile"]
    history.add("after")
    assert entries_of(path) == ["before", "meanwhile", "after"]
    assert history.new_problem() == ""


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    opened(tmp_path / "history").add("one")
    assert entries_of(tmp_path / "history") == ["one"]


@contextmanager
def disk_with_room_for(size: int) -> Iterator[None]:
    """Let writing fail where a file would become larger than that, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_entries_wait_while_the_disk_is_full(tmp_path: Path) -> None:
    path = tmp_path / "history"
    history = opened(path)
    history.add("before")
    size = path.stat().st_size
    with disk_with_room_for(size + 20):
        history.add("one\n  two")
        assert history.new_problem() == (
            f"the history is not kept: cannot write {path}: File too large"
        )
        history.add("three")
        assert history.new_problem() == "", "it is told once"
        assert path.stat().st_size == size, "no part of an entry is left"
    history.add("after")
    assert entries_of(path) == ["before", "one\n  two", "three", "after"]
    with disk_with_room_for(size):
        history.add("again")
        assert "File too large" in history.new_problem()


def test_not_everything_waits(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = opened(tmp_path / "file" / "history")
    for number in range(MAX_WAITING + 5):
        history.add(str(number))
    (tmp_path / "file").unlink()
    history.add("last")
    written = entries_of(tmp_path / "file" / "history")
    assert len(written) == MAX_WAITING
    assert written[-2:] == [str(MAX_WAITING + 4), "last"]


@pytest.mark.parametrize("kind", ["directory", "pipe", "device", "nowhere"])
def test_what_is_no_file_does_no_harm(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "history"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.symlink_to("/proc/none/history")
    history = opened(path)
    history.add("1 + 1")
    assert history.entries == ["1 + 1"]
    assert history.new_problem().startswith(f"the history is not kept: cannot write {path}: ")


def test_a_pipe_is_named(tmp_path: Path) -> None:
    """With a reader it can be opened; what is appended would be gone."""
    path = tmp_path / "history"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(OSError, match="not a regular file"):
            append_privately(path, b"x")
    finally:
        os.close(reader)


def test_a_lone_surrogate_is_kept_as_an_escape(tmp_path: Path) -> None:
    path = tmp_path / "history"
    opened(path).add('"\ud800"')
    assert entries_of(path) == [r'"\ud800"']


def test_bytes_that_are_no_text_lose_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_bytes(b"# then\n+one\n# then\n+\xff\n")
    assert opened(path).entries == ["one", "\ufffd"]


def test_an_entry_is_one_of_the_terminal_library(tmp_path: Path) -> None:
    path = tmp_path / "history"
    opened(path).add("one\n  two")
    assert list(FileHistory(str(path)).load_history_strings()) == ["one\n  two"]
    FileHistory(str(path)).append_string("three")
    assert opened(path).entries == ["one\n  two", "three"]


def test_only_the_user_may_read_what_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "very" / "new" / "file"
    append_privately(path, b"a")
    append_privately(path, b"b")
    assert path.read_bytes() == b"ab"
    assert path.stat().st_mode & 0o777 == 0o600


def test_entries_of_earlier_sessions_come_first(tmp_path: Path) -> None:
    path = tmp_path / "history"
    earlier = opened(path)
    for text in ("one\n", "two\n  lines", "two\n  lines", "", " \n", "one"):
        earlier.add(text)
    assert earlier.entries == entries_of(path) == ["one", "two\n  lines", "one"]
    history = opened(path)
    history.add("three")
    assert history.entries == ["one", "two\n  lines", "one", "three"]
    assert list(history.newest()) == ["three", "one", "two\n  lines"]


def test_what_is_added_before_the_file_is_read_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history"
    opened(path).add("earlier")
    reading: list[Thread] = []

    def start(thread: Thread) -> None:
        reading.append(thread)

    with monkeypatch.context() as patched:
        patched.setattr(Thread, "start", start)
        history = History(path)
    history.add("now")
    (thread,) = reading
    thread.run()
    assert history.entries == ["earlier", "now"]
    assert entries_of(path) == ["earlier", "now"]


def test_a_history_without_a_file() -> None:
    history = History()
    assert history.loaded.is_set()
    history.add("one")
    assert history.entries == ["one"]
    assert history.new_problem() == ""


def test_the_file_is_read_to_its_newest_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puppet_repl.host.history.MAX_ENTRIES", 3)
    path = tmp_path / "history"
    path.write_text("".join(f"\n# then\n+{number}\n" for number in range(9)), "utf-8")
    assert opened(path).entries == ["6", "7", "8"]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []),
        ("# a time\n+one\n", ["one"]),
        ("# a time\n+one", ["one"]),
        ("+one\n+two", ["one\ntwo"]),
        ("+one\n+  two\n\n# a time\n++three\n", ["one\n  two", "+three"]),
        ("no entry\n+one\nno entry\n+two\n", ["one", "two"]),
        ("+\n", [""]),
    ],
)
def test_entries_of_a_file(text: str, entries: list[str]) -> None:
    assert list(read_entries(text)) == entries


def recalled(*entries: str) -> Recall:
    history = History()
    for text in entries:
        history.add(text)
    return Recall(history)


def test_recall_goes_up_and_down() -> None:
    recall = recalled("$a = 1", "notice(1)", "$a = 2", "notice(1)")
    shown = [""]
    for older in (True, True, True, True, False, False, False, False):
        found = recall.step(shown[-1], older=older)
        shown.append(found if found is not None else shown[-1])
    assert shown[1:] == [
        *("notice(1)", "$a = 2", "$a = 1", "$a = 1"),
        *("$a = 2", "notice(1)", "", ""),
    ]


def test_recall_shows_what_begins_with_the_text() -> None:
    recall = recalled("$a = 1", "notice(1)", "$a = 2", "$a")
    assert recall.step("$a ", older=True) == "$a"
    assert recall.step("$a", older=True) == "$a = 2"
    assert recall.shows("$a = 2")
    assert not recall.shows("$a = 1")
    assert recall.step("$a = 2", older=True) == "$a = 1"
    assert recall.step("$a = 1", older=True) is None


def test_recall_begins_anew() -> None:
    recall = recalled("one", "two")
    assert not recall.shows("two")
    assert recall.step("", older=True) == "two"
    assert recall.shows("two")
    recall.forget()
    assert not recall.shows("two")
    assert recall.step("two", older=True) is None, "the text itself is no earlier entry"
    assert recall.step("o", older=True) == "one"
    assert recall.step("one", older=False) == "o"
    assert not recall.shows("o")
    assert recall.step("nothing", older=True) is None
    assert recall.step("nothing", older=False) is None
