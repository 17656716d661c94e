"""The file of the history: disks that are full, locks of others, files of other kinds."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from puppet_repl.frontend.history import MAX_WAITING, History, append_privately, read_entries
from tests.frontend.locks import lock_of_a_stopped_process

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and limits of POSIX")


def opened(path: Path) -> History:
    history = History(path)
    assert history.loaded.wait(10)
    return history


def entries_of(path: Path) -> list[str]:
    return list(read_entries(path.read_text("utf-8")))


def test_the_lock_of_a_stopped_process_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "history"
    history = opened(path)
    history.add("before")
    with lock_of_a_stopped_process(path):
        begun = time.process_time()
        history.add("meanwhile")
        assert time.process_time() - begun < 5
        assert entries_of(path) == ["before", "meanwhile"]
    history.add("after")
    assert entries_of(path) == ["before", "meanwhile", "after"]
    assert history.new_problem() == ""


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


def test_a_lone_surrogate_is_kept_as_an_escape(tmp_path: Path) -> None:
    path = tmp_path / "history"
    opened(path).add('"\ud800"')
    assert entries_of(path) == [r'"\ud800"']


def test_only_the_user_may_read_what_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    append_privately(path, b"a")
    append_privately(path, b"b")
    assert path.read_bytes() == b"ab"
    assert path.stat().st_mode & 0o777 == 0o600
