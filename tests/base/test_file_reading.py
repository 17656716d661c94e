"""Reading files: regular ones, within limits; everything else is an OSError at once."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from puppet_repl.base import file_reading
from puppet_repl.base.file_reading import read_bytes, read_text


def test_text_has_neither_mark_nor_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(str(path)) == "a\nb\nc\n"
    assert read_bytes(str(path)) == b"\xef\xbb\xbfa\r\nb\rc\n"
    path.write_bytes(b"\xff")
    assert read_text(str(path), errors="replace") == "\ufffd"
    with pytest.raises(UnicodeDecodeError):
        read_text(str(path))


@pytest.mark.skipif(sys.platform == "win32", reason="has none of these")
def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"Not a regular file \(a named pipe\)"):
        read_bytes(str(tmp_path / "pipe"))
    with pytest.raises(OSError, match=r"Not a regular file \(a device\)"):
        read_bytes("/dev/zero")
    with pytest.raises(IsADirectoryError):
        read_bytes(str(tmp_path))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError):
            read_bytes(str(tmp_path / "socket"))


def test_names_that_no_file_has() -> None:
    with pytest.raises(OSError, match="The name contains a null byte"):
        read_bytes("a\0b")
    with pytest.raises(OSError):
        read_bytes("a" * 5000)


def test_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    monkeypatch.setattr(file_reading, "MAX_BYTES", 5)
    assert read_bytes(str(path)) == b"12345"
    path.write_bytes(b"123456")
    with pytest.raises(OSError, match="File too large"):
        read_bytes(str(path))


def test_a_huge_file_takes_no_memory(tmp_path: Path) -> None:
    with open(tmp_path / "a", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="File too large"):
        read_bytes(str(tmp_path / "a"))


def test_reading_takes_the_memory_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * 1000)
    tracemalloc.start()
    assert len(read_bytes(str(tmp_path / "a"))) == 1000
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 20


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_a_file_may_have_more_than_the_system_says() -> None:
    assert read_text("/proc/self/status").startswith("Name:")


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="there is no /dev/fd")
def test_a_pipe_of_the_shell_is_read_to_its_end() -> None:
    program = (
        "import os, time; from puppet_repl.base.file_reading import read_bytes\n"
        "out, into = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    time.sleep(0.2); open(into, 'wb').write(b'late' * 1_000_000); os._exit(0)\n"
        "os.close(into); print(read_bytes(f'/dev/fd/{out}') == b'late' * 1_000_000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "True\n"
