"""The prompt on a full disk, in a read-only home directory, and beside a stopped process."""

from __future__ import annotations

import errno
import shutil
import subprocess
from pathlib import Path

import pytest

from puppet_repl.host.history import read_entries
from tests.frontends.shared.locks import lock_of_a_stopped_process
from tests.frontends.terminal.pty_child import PtyChild

pytestmark = pytest.mark.untraced


SMALL_DISK = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"'
READ_ONLY = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
MODES = pytest.mark.parametrize("arguments", [(), ("--plain",)], ids=["screen", "plain"])


def mounting(script: str, home: Path) -> tuple[str, ...]:
    """Return the words before a command that sees another disk at ``home``; skip if refused."""
    wrapper = ("unshare", "--map-root-user", "--mount", "sh", "-c", script, str(home))
    if shutil.which("unshare") is None or subprocess.run([*wrapper, "true"]).returncode:
        pytest.skip("mounting is refused")
    return wrapper


def fill(path: Path, line: bytes) -> None:
    """Append to a file until the disk is full."""
    with path.open("ab", buffering=0) as file:
        while True:
            try:
                file.write(line)
            except OSError as error:
                assert error.errno == errno.ENOSPC
                return


def entries(path: Path) -> list[str]:
    return list(read_entries(path.read_text("utf-8")))


@MODES
def test_a_full_disk(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with PtyChild(tmp_path, *arguments, wrapper=mounting(SMALL_DISK, tmp_path)) as child:
        child.wait_for("puppet [1]> ")
        disk = Path(f"/proc/{child.process.pid}/root{tmp_path}")
        settings = disk / "config" / "puppet-repl" / "config.toml"
        history = disk / "data" / "puppet-repl" / "history"
        child.run("$a = 1", 2)
        child.type(":set theme monokai --save\r")
        child.wait_for("saved in")
        child.type(f":save {tmp_path}/s.pp\r")
        child.wait_for("wrote 1 input to")
        before = [path.read_bytes() for path in (settings, disk / "s.pp")]
        fill(disk / "filler", b"x" * 512)
        fill(history, b"# full\n")
        child.type("$b = 2\r")
        child.wait_for("the history is not kept: cannot write ")
        child.wait_for("history: No space left on device")
        child.wait_for("puppet [3]> ")
        child.type(":set theme vim --save\r")
        child.wait_for("No space left on device")
        child.type(f":save {tmp_path}/s.pp\r")
        child.wait_for(f"cannot write {tmp_path}/s.pp: No space")
        assert [path.read_bytes() for path in (settings, disk / "s.pp")] == before
        assert sorted(path.name for path in disk.iterdir()) == ["config", "data", "filler", "s.pp"]
        assert "$b = 2" not in entries(history)
        (disk / "filler").unlink()
        child.run("$a + $b", 4)
        child.type(f":save {tmp_path}/s.pp\r")
        child.wait_for("overwrote")  # the rest may be on lines of its own
        assert "$a + $b" in (disk / "s.pp").read_text()
        assert entries(history) == [
            "$a = 1",
            ":set theme monokai --save",
            f":save {tmp_path}/s.pp",
            "$b = 2",
            ":set theme vim --save",
            f":save {tmp_path}/s.pp",
            "$a + $b",
            f":save {tmp_path}/s.pp",
        ]


@MODES
def test_a_read_only_home(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with PtyChild(tmp_path, *arguments, wrapper=mounting(READ_ONLY, tmp_path)) as child:
        child.wait_for("puppet [1]> ")
        child.type("$a = 1\r")
        child.wait_for("the history is not kept: cannot write ")
        child.wait_for("history: Read-only file system")
        child.wait_for("puppet [2]> ")
        child.type(":set pager off --save\r")
        child.wait_for("Read-only file system")
        child.type(f":save {tmp_path}/s.pp\r")
        child.wait_for(f"cannot write {tmp_path}/s.pp: Read-only")
        child.run("$a + 1", 3)
        child.type("\x04")
        assert child.end() == 0
        assert b"the history" not in child.output


@MODES
def test_a_stopped_process_with_the_lock(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    history = tmp_path / "data" / "puppet-repl" / "history"
    history.parent.mkdir(parents=True)
    with lock_of_a_stopped_process(history), PtyChild(tmp_path, *arguments) as child:
        child.wait_for("puppet [1]> ")
        child.run("$a = 1", 2)
        child.run("$a + 1", 3)
        assert entries(history) == ["$a = 1", "$a + 1"]
