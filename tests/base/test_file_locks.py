"""Locks between processes."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from puppet_repl.base.file_locks import lock, locked_directory
from tests.frontends.shared.locks import lock_of_a_stopped_process

fcntl = pytest.importorskip("fcntl", reason="locks of POSIX")

PAUSES = (0.0, 0.01, 0.04)


def test_a_lock_is_tried_for_a_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    path = tmp_path / "file"
    with path.open("ab") as file:
        assert lock(file.fileno(), PAUSES) is True
        with path.open("ab") as other:
            assert lock(other.fileno(), PAUSES) is False
    assert pauses == [PAUSES[0], *PAUSES]
    with path.open("ab") as holder, path.open("ab") as waiting:
        assert lock(holder.fileno(), PAUSES) is True
        monkeypatch.setattr(time, "sleep", lambda pause: holder.close() if pause else None)
        assert lock(waiting.fileno(), PAUSES) is True


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with (tmp_path / "file").open("ab") as file:
        assert lock(file.fileno(), PAUSES) is None


def test_a_directory_is_locked_for_a_block(tmp_path: Path) -> None:
    path = str(tmp_path)
    with locked_directory(path, PAUSES) as first, locked_directory(path, PAUSES) as second:
        assert (first, second) == (True, False)
    with locked_directory(str(tmp_path), PAUSES) as again:
        assert again
    assert os.listdir(tmp_path) == []
    with locked_directory(str(tmp_path / "none"), PAUSES) as missing:
        assert missing is None


def test_the_directory_that_a_stopped_process_has_locked(tmp_path: Path) -> None:
    held = lock_of_a_stopped_process(tmp_path)
    with held, locked_directory(str(tmp_path), PAUSES) as is_locked:
        assert is_locked is False
