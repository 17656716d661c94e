"""The calls of WASI in the sandbox by themselves: numbers of errors, as the specification has them.

They are those of ``errno`` in ``wasi_snapshot_preview1``, where every call returns a number: Ruby
makes an exception of it.
"""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from puppet_repl.environment.ruby.sandbox.files import VisibleFiles
from puppet_repl.environment.ruby.sandbox.wasi import Wasi

SUCCESS, ACCES, BADF, FAULT, INVAL, ISDIR = 0, 2, 8, 21, 28, 31
NOENT, NOSYS, NOTDIR, ROFS, SPIPE = 44, 52, 54, 69, 70
ROOT = 3  # the first directory that is open from the start
READING, DIRECTORY = 2, 2  # the right to call fd_read; open only a directory
ABSENT = 99
RESULT, VECTOR, TEXT = 0, 512, 1024


class Memory:
    """A small linear memory."""

    def __init__(self) -> None:
        self.content = bytearray(4096)

    def read(self, start: int, size: int) -> bytes:
        if start + size > len(self.content):
            raise IndexError
        return bytes(self.content[start : start + size])

    def write(self, start: int, data: bytes) -> None:
        self.read(start, len(data))
        self.content[start : start + len(data)] = data


class Silence:
    """A channel that is not used."""

    def read(self, size: int) -> bytes:
        return bytes(size)

    def write(self, data: bytes) -> None:
        raise AssertionError(data)


class Calls:
    """The calls of a Ruby that sees one directory of modules."""

    def __init__(self, modulepath: Path) -> None:
        self.memory = Memory()
        self.printed = bytearray()
        files = VisibleFiles([str(modulepath)])
        self.wasi = Wasi(self.memory, files, Silence(), self.printed.extend, lambda _: None, {})
        self.memory.write(VECTOR, struct.pack("<II", TEXT, 8))

    def call(self, name: str, *arguments: int) -> int | None:
        return self.wasi.function(name)(*arguments)

    def open(self, path: Path | str, flags: int = 0) -> int | None:
        raw = str(path).encode()
        self.memory.write(TEXT, raw)
        return self.call("path_open", ROOT, 1, TEXT, len(raw), flags, READING, READING, 0, RESULT)

    def opened(self, path: Path) -> int:
        assert self.open(path) == SUCCESS
        (number,) = struct.unpack("<I", self.memory.read(RESULT, 4))
        assert isinstance(number, int)
        return number


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "m" / "lib").mkdir(parents=True)
    (tmp_path / "m" / "lib" / "a.rb").write_text("0123456789")
    return tmp_path / "m"


@pytest.fixture
def calls(module: Path) -> Calls:
    return Calls(module.parent)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("fd_close", ()),
        ("fd_fdstat_get", (RESULT,)),
        ("fd_filestat_get", (RESULT,)),
        ("fd_filestat_set_size", (0,)),
        ("fd_pread", (VECTOR, 1, 0, RESULT)),
        ("fd_prestat_get", (RESULT,)),
        ("fd_pwrite", (VECTOR, 1, 0, RESULT)),
        ("fd_read", (VECTOR, 1, RESULT)),
        ("fd_readdir", (TEXT, 100, 0, RESULT)),
        ("fd_renumber", (ABSENT + 1,)),
        ("fd_seek", (0, 0, RESULT)),
        ("fd_tell", (RESULT,)),
        ("fd_write", (VECTOR, 1, RESULT)),
    ],
)
def test_a_descriptor_that_is_not_open(calls: Calls, name: str, arguments: tuple[int, ...]) -> None:
    assert calls.call(name, ABSENT, *arguments) == BADF


def test_addresses_outside_of_the_memory(calls: Calls, module: Path) -> None:
    number = calls.opened(module / "lib" / "a.rb")
    outside = len(calls.memory.content)
    assert calls.call("fd_filestat_get", number, outside) == FAULT
    assert calls.call("fd_read", number, outside, 1, RESULT) == FAULT
    assert calls.call("fd_tell", number, outside) == FAULT


def test_a_file_is_no_directory_and_a_directory_no_file(calls: Calls, module: Path) -> None:
    file, directory = calls.opened(module / "lib" / "a.rb"), calls.opened(module / "lib")
    assert calls.call("fd_readdir", file, TEXT, 100, 0, RESULT) == NOTDIR
    assert calls.call("fd_readdir", directory, TEXT, 100, 0, RESULT) == SUCCESS
    assert b"a.rb" in calls.memory.read(TEXT, 100)
    assert calls.open(module / "lib" / "a.rb", DIRECTORY) == NOTDIR
    assert calls.open(module / "lib", DIRECTORY) == SUCCESS
    assert calls.call("fd_read", directory, VECTOR, 1, RESULT) == ISDIR
    assert calls.call("fd_write", directory, VECTOR, 1, RESULT) == BADF


def test_a_position_in_a_file(calls: Calls, module: Path) -> None:
    number = calls.opened(module / "lib" / "a.rb")
    for offset, whence, position in ((4, 0, 4), (3, 1, 7), (-2, 2, 8), (20, 0, 20)):
        assert calls.call("fd_seek", number, offset, whence, RESULT) == SUCCESS
        assert calls.memory.read(RESULT, 8) == struct.pack("<Q", position)
    assert calls.call("fd_seek", number, -1, 0, RESULT) == INVAL
    assert calls.call("fd_tell", number, RESULT) == SUCCESS
    assert calls.memory.read(RESULT, 8) == struct.pack("<Q", 20)
    for stream in (0, 1, 2, ROOT):
        assert calls.call("fd_seek", stream, 0, 0, RESULT) == SPIPE


def test_files_of_the_host_are_read_only(calls: Calls, module: Path) -> None:
    number = calls.opened(module / "lib" / "a.rb")
    assert calls.call("fd_write", number, VECTOR, 1, RESULT) == BADF
    assert calls.call("fd_filestat_set_size", number, 0) == BADF
    assert calls.open(module / "lib" / "new.rb", 1) == ROFS
    assert calls.open(module / "lib" / "new.rb") == NOENT
    assert calls.open("/etc/passwd") == ACCES


def test_closed_and_renumbered(calls: Calls, module: Path) -> None:
    number = calls.opened(module / "lib" / "a.rb")
    assert calls.call("fd_renumber", number, 50) == SUCCESS
    assert calls.call("fd_close", number) == BADF
    assert calls.call("fd_read", 50, VECTOR, 1, RESULT) == SUCCESS
    assert calls.memory.read(TEXT, 8) == b"01234567"
    assert calls.call("fd_close", 50) == SUCCESS
    assert calls.call("fd_close", 50) == BADF


def test_standard_streams_are_a_sink(calls: Calls) -> None:
    calls.memory.write(TEXT, b"printed!")
    for stream in (1, 2):
        assert calls.call("fd_write", stream, VECTOR, 1, RESULT) == SUCCESS
    assert calls.printed == b"printed!" * 2
    assert calls.call("fd_write", 0, VECTOR, 1, RESULT) == BADF
    assert calls.call("fd_read", 1, VECTOR, 1, RESULT) == BADF
    assert calls.call("fd_read", 0, VECTOR, 1, RESULT) == SUCCESS
    assert calls.memory.read(RESULT, 4) == bytes(4)


@pytest.mark.parametrize("name", ["sock_accept", "_read", "no_such_call"])
def test_calls_that_are_not_offered(calls: Calls, name: str) -> None:
    assert calls.call(name, 0, 0) == NOSYS
