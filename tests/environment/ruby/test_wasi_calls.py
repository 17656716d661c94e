"""The calls of WASI, without a Ruby: their answers for right and wrong arguments.

Numbers and layouts are those of the specification ``wasi_snapshot_preview1``; which number belongs
to which mistake is what POSIX says of the function that a call stands for.
"""

from __future__ import annotations

import errno
import os
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from puppet_repl.environment.ruby.sandbox.files import VisibleFiles
from puppet_repl.environment.ruby.sandbox.process import Exit
from puppet_repl.environment.ruby.sandbox.scratch import MAX_BYTES, MAX_FILES
from puppet_repl.environment.ruby.sandbox.wasi import Wasi

NUMBERS = {
    "success": 0, "acces": 2, "badf": 8, "exist": 20, "fault": 21, "inval": 28, "io": 29,
    "isdir": 31, "loop": 32, "nametoolong": 37, "noent": 44, "nospc": 51, "nosys": 52,
    "notdir": 54, "notempty": 55, "rofs": 69, "spipe": 70,
}  # fmt: skip
NAMES = {number: name for name, number in NUMBERS.items()}
# The fields of path_open.
CREATE, DIRECTORY, EXCLUSIVE, TRUNCATE = 1, 2, 4, 8
READ, WRITE = 1 << 1, 1 << 6
APPEND = 1
CHARACTER_DEVICE, A_DIRECTORY, REGULAR_FILE, SYMBOLIC_LINK = 2, 3, 4, 7

SIZE = 1 << 16
RESULT, VECTORS, NAME, OTHER, DATA = 0, 256, 1024, 8192, 16384
UNKNOWN = 99
ROOT = 3


class Memory:
    """A linear memory of 64 KB."""

    def __init__(self) -> None:
        self.data = bytearray(SIZE)

    def read(self, start: int, size: int) -> bytes:
        if not 0 <= start <= start + size <= SIZE:
            raise IndexError(start)
        return bytes(self.data[start : start + size])

    def write(self, start: int, data: bytes) -> None:
        self.read(start, len(data))
        self.data[start : start + len(data)] = data


class Channel:
    def __init__(self) -> None:
        self.to_read = b""
        self.written: list[bytes] = []

    def read(self, size: int) -> bytes:
        data, self.to_read = self.to_read[:size], self.to_read[size:]
        return data

    def write(self, data: bytes) -> None:
        self.written.append(data)


class System:
    """The calls by name, with texts in place of addresses."""

    def __init__(self, files: VisibleFiles) -> None:
        self.memory = Memory()
        self.channel = Channel()
        self.printed: list[bytes] = []
        self.slept: list[float] = []
        variables = {"LANG": "C.UTF-8", "A": "é"}
        self.wasi = Wasi(
            *(self.memory, files, self.channel, self.printed.append, self.slept.append, variables)
        )

    def call(self, call: str, *arguments: int) -> str:
        number = self.wasi.function(call)(*arguments)
        assert number is not None
        return NAMES[number]

    def put(self, text: str | bytes, start: int = NAME) -> tuple[int, int]:
        data = os.fsencode(text) if isinstance(text, str) else text
        self.memory.write(start, data)
        return start, len(data)

    def open(
        self, path: str, flags: int = 0, rights: int = READ, append: int = 0, directory: int = ROOT
    ) -> str:
        name = self.put(path)
        return self.call("path_open", directory, 1, *name, flags, rights, 0, append, RESULT)

    def opened(self, path: str, flags: int = 0, rights: int = READ, append: int = 0) -> int:
        assert self.open(path, flags, rights, append) == "success"
        return self.number()

    def number(self, layout: str = "<I") -> int:
        (found,) = struct.unpack_from(layout, self.memory.data, RESULT)
        assert isinstance(found, int)
        return found

    def vectors(self, *sizes: int) -> tuple[int, int]:
        start = DATA
        for number, size in enumerate(sizes):
            self.memory.write(VECTORS + 8 * number, struct.pack("<II", start, size))
            start += size
        return VECTORS, len(sizes)

    def read(self, number: int, *sizes: int) -> bytes:
        assert self.call("fd_read", number, *self.vectors(*sizes), RESULT) == "success"
        return self.memory.read(DATA, self.number())

    def write(self, number: int, data: bytes) -> str:
        self.memory.write(DATA, data)
        return self.call("fd_write", number, *self.vectors(len(data)), RESULT)

    def content(self, path: str) -> bytes:
        return self.read(self.opened(path), SIZE - DATA)

    def attributes(self, path: str, follow: int = 1) -> str:
        return self.call("path_filestat_get", ROOT, follow, *self.put(path), RESULT)

    def record(self) -> tuple[int, int, int]:
        """Return the kind, the count of links and the size of attributes."""
        found = struct.unpack_from("<QQB7xQQ", self.memory.data, RESULT)
        return found[2], found[3], found[4]

    def entries(self, path: str, size: int = 4096) -> list[tuple[str, int]]:
        number = self.opened(path, DIRECTORY)
        assert self.call("fd_readdir", number, DATA, size, 0, RESULT) == "success"
        return self.listed()

    def listed(self) -> list[tuple[str, int]]:
        at, end = DATA, DATA + self.number()
        found = []
        while at + 24 <= end:
            _, _, length, kind = struct.unpack_from("<QQIB", self.memory.data, at)
            found.append((os.fsdecode(self.memory.read(at + 24, length)), kind))
            at += 24 + length
        return found


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    """A visible directory of the host, with each kind of file."""
    path = tmp_path.resolve() / "site" / "lib"
    (path / "sub").mkdir(parents=True)
    (path / "a.rb").write_bytes(b"0123456789")
    (path / "link").symlink_to("a.rb")
    (path / "circle").symlink_to("circle")
    (path / "out").symlink_to(tmp_path)
    os.mkfifo(path / "fifo")
    return path


@pytest.fixture
def system(lib: Path) -> System:
    return System(VisibleFiles(roots=[str(lib)]))


# Calls on descriptors


OF_DESCRIPTORS: list[tuple[str, tuple[int, ...]]] = [
    ("fd_prestat_get", (RESULT,)),
    ("fd_prestat_dir_name", (DATA, 100)),
    ("fd_fdstat_get", (RESULT,)),
    ("fd_filestat_get", (RESULT,)),
    ("fd_close", ()),
    ("fd_renumber", (UNKNOWN + 1,)),
    ("fd_seek", (0, 0, RESULT)),
    ("fd_tell", (RESULT,)),
    ("fd_read", (VECTORS, 0, RESULT)),
    ("fd_pread", (VECTORS, 0, 0, RESULT)),
    ("fd_write", (VECTORS, 0, RESULT)),
    ("fd_pwrite", (VECTORS, 0, 0, RESULT)),
    ("fd_filestat_set_size", (0,)),
    ("fd_readdir", (DATA, 100, 0, RESULT)),
    ("path_open", (1, NAME, 1, 0, READ, 0, 0, RESULT)),
    ("path_filestat_get", (1, NAME, 1, RESULT)),
    ("path_readlink", (NAME, 1, DATA, 100, RESULT)),
    ("path_create_directory", (NAME, 1)),
    ("path_remove_directory", (NAME, 1)),
    ("path_unlink_file", (NAME, 1)),
    ("path_rename", (NAME, 1, ROOT, NAME, 1)),
    ("path_filestat_set_times", (1, NAME, 1, 0, 0, 0)),
]


@pytest.mark.parametrize(("call", "rest"), OF_DESCRIPTORS, ids=[name for name, _ in OF_DESCRIPTORS])
def test_a_descriptor_that_is_not_open(system: System, call: str, rest: tuple[int, ...]) -> None:
    system.put("x")
    assert system.call(call, UNKNOWN, *rest) == "badf"


@pytest.mark.parametrize(
    ("call", "rest"),
    [each for each in OF_DESCRIPTORS if each[0].startswith("path_") or each[0] == "fd_readdir"],
)
def test_a_file_is_no_directory(
    system: System, lib: Path, call: str, rest: tuple[int, ...]
) -> None:
    number = system.opened(f"{lib}/a.rb")
    assert system.call(call, number, *rest) == "notdir"


def test_a_directory_is_no_file(system: System, lib: Path) -> None:
    number = system.opened(str(lib))
    assert system.call("fd_read", number, *system.vectors(1), RESULT) == "isdir"
    assert system.call("fd_pread", number, *system.vectors(1), 0, RESULT) == "isdir"
    assert system.write(number, b"a") == "badf"
    assert system.call("fd_seek", number, 0, 0, RESULT) == "spipe"
    assert system.call("fd_filestat_set_size", number, 0) == "badf"


def test_the_standard_streams(system: System) -> None:
    assert system.read(0, 10) == b""
    assert [system.write(number, b"abc") for number in range(3)] == ["badf", "success", "success"]
    assert system.number() == 3
    assert system.printed == [b"abc", b"abc"]
    assert system.call("fd_read", 1, *system.vectors(1), RESULT) == "badf"
    for number in range(3):
        assert system.call("fd_seek", number, 0, 1, RESULT) == "spipe"
        assert system.call("fd_fdstat_get", number, RESULT) == "success"
        assert system.memory.data[RESULT] == CHARACTER_DEVICE
        assert system.call("fd_filestat_get", number, RESULT) == "success"
        assert system.record() == (CHARACTER_DEVICE, 1, 0)
        assert system.call("fd_close", number) == "success"


def test_directories_that_are_open_from_the_start(system: System) -> None:
    found = []
    number = ROOT
    while system.call("fd_prestat_get", number, RESULT) == "success":
        kind, size = struct.unpack_from("<B3xI", system.memory.data, RESULT)
        assert kind == 0  # a directory
        assert system.call("fd_prestat_dir_name", number, DATA, size - 1) == "nametoolong"
        assert system.call("fd_prestat_dir_name", number, DATA, size) == "success"
        found.append(system.memory.read(DATA, size).decode())
        number += 1
    assert found[0] == "/"
    assert found == list(system.wasi.opened().values())
    for wrong in (2, number):
        assert system.call("fd_prestat_get", wrong, RESULT) == "badf"
        assert system.call("fd_prestat_dir_name", wrong, DATA, 100) == "badf"


def test_what_a_descriptor_is(system: System, lib: Path) -> None:
    for path, kind in (
        (str(lib), A_DIRECTORY),
        (f"{lib}/a.rb", REGULAR_FILE),
        ("/dev/null", CHARACTER_DEVICE),
        ("/dev/puppet-repl", CHARACTER_DEVICE),
    ):
        number = system.opened(path)
        assert system.call("fd_fdstat_get", number, RESULT) == "success"
        found, flags, rights, inherited = struct.unpack_from("<BxH4xQQ", system.memory.data, RESULT)
        assert (found, flags) == (kind, 0)
        assert rights & inherited & (READ | WRITE) == READ | WRITE
        assert system.call("fd_filestat_get", number, RESULT) == "success"
        assert system.record()[0] == kind
        assert system.attributes(path) == "success"
        assert system.record()[0] == kind


def test_attributes_of_a_file(system: System, lib: Path) -> None:
    os.utime(lib / "a.rb", ns=(5, 7))
    os.link(lib / "a.rb", lib / "b.rb")
    expected = os.stat(lib / "a.rb")
    assert system.attributes(f"{lib}/a.rb") == "success"
    found = struct.unpack_from("<QQB7xQQQQQ", system.memory.data, RESULT)
    assert found == (
        *(expected.st_dev, expected.st_ino, REGULAR_FILE, 2, 10, 5, 7, expected.st_ctime_ns),
    )


def test_the_number_of_a_descriptor(system: System, lib: Path) -> None:
    first = system.opened(f"{lib}/a.rb")
    assert first == max(system.wasi.opened())
    assert system.call("fd_renumber", first, first + 2) == "success"
    assert system.call("fd_close", first) == "badf"
    assert system.read(first + 2, 3) == b"012"
    assert system.opened("/dev/null") == first
    assert system.opened("/dev/null") == first + 1
    assert system.opened("/dev/null") == first + 3
    assert system.call("fd_close", first + 2) == "success"
    assert system.call("fd_close", first + 2) == "badf"


def test_descriptors_of_a_snapshot_are_opened_again(system: System, lib: Path) -> None:
    channel = system.opened("/dev/puppet-repl")
    opened = system.wasi.opened()
    other = System(VisibleFiles(roots=[str(lib)]))
    other.wasi.reopen(opened)
    assert other.wasi.opened() == opened
    other.channel.to_read = b"Rabc\n"
    assert other.read(channel, 10) == b"Rabc\n"
    assert other.open(f"{lib}/a.rb") == "success"


def test_positions(system: System, lib: Path) -> None:
    number = system.opened(f"{lib}/a.rb")
    assert system.read(number, 2, 3) == b"01234"
    assert system.call("fd_tell", number, RESULT) == "success"
    assert system.number("<Q") == 5
    for offset, whence, position in ((-2, 1, 3), (-1, 2, 9), (0, 0, 0), (20, 0, 20)):
        assert system.call("fd_seek", number, offset, whence, RESULT) == "success"
        assert system.number("<Q") == position
    assert system.read(number, 5) == b""
    for offset, whence in ((-1, 0), (-21, 1), (-11, 2), (0, 3), (0, -1)):
        assert system.call("fd_seek", number, offset, whence, RESULT) == "inval"
    assert system.call("fd_pread", number, *system.vectors(2, 3), 1, RESULT) == "success"
    assert system.memory.read(DATA, system.number()) == b"12345"
    assert system.call("fd_pread", number, *system.vectors(2, 3), 9, RESULT) == "success"
    assert system.memory.read(DATA, system.number()) == b"9"
    assert system.call("fd_seek", number, 8, 0, RESULT) == "success"
    assert system.read(number, 1, 5, 5) == b"89"


def test_the_channel_and_the_device_that_is_empty(system: System) -> None:
    channel, null = system.opened("/dev/puppet-repl"), system.opened("/dev/null", rights=WRITE)
    system.channel.to_read = b"abcdef"
    assert system.read(channel, 2, 3) == b"abcde"
    assert system.read(channel, 2, 3) == b"f"
    assert system.write(channel, b"Dx\n") == "success"
    assert system.channel.written == [b"Dx\n"]
    assert system.read(null, 9) == b""
    assert system.write(null, b"abc") == "success"
    assert system.number() == 3
    assert system.channel.written == [b"Dx\n"]
    assert system.printed == []
    for number in (channel, null):
        assert system.call("fd_seek", number, 0, 1, RESULT) == "spipe"


# Files in memory


def test_writing_in_memory(system: System) -> None:
    number = system.opened("/tmp/a", CREATE, READ | WRITE)
    assert system.write(number, b"abcdef") == "success"
    assert system.number() == 6
    assert system.call("fd_seek", number, 1, 0, RESULT) == "success"
    assert system.write(number, b"Z") == "success"
    assert system.write(number, b"Y") == "success"
    system.memory.write(DATA, b"X")
    assert system.call("fd_pwrite", number, *system.vectors(1), 8, RESULT) == "success"
    assert system.read(number, 20) == b"def\0\0X"
    assert system.content("/tmp/a") == b"aZYdef\0\0X"
    assert system.call("fd_filestat_get", number, RESULT) == "success"
    assert system.record() == (REGULAR_FILE, 1, 9)
    assert system.call("fd_filestat_set_size", number, 2) == "success"
    assert system.call("fd_filestat_set_size", number, 3) == "success"
    assert system.content("/tmp/a") == b"aZ\0"
    assert system.attributes("/tmp/a") == "success"
    assert system.record() == (REGULAR_FILE, 1, 3)


def test_appending_and_truncating(system: System) -> None:
    system.write(system.opened("/tmp/a", CREATE, WRITE), b"abc")
    number = system.opened("/tmp/a", 0, WRITE, APPEND)
    system.write(number, b"d")
    system.write(system.opened("/tmp/a", 0, WRITE), b"A")
    system.write(number, b"e")
    assert system.content("/tmp/a") == b"Abcde"
    system.opened("/tmp/a", TRUNCATE, WRITE)
    assert system.content("/tmp/a") == b""


def test_a_file_in_memory_that_is_open_to_be_read(system: System) -> None:
    system.opened("/tmp/a", CREATE, WRITE)
    number = system.opened("/tmp/a")
    assert system.write(number, b"a") == "badf"
    assert system.call("fd_filestat_set_size", number, 0) == "badf"


def test_directories_in_memory(system: System) -> None:
    assert system.call("path_create_directory", ROOT, *system.put("/tmp/d")) == "success"
    assert system.attributes("/tmp/d") == "success"
    assert system.record() == (A_DIRECTORY, 1, 0)
    number = system.opened("/tmp/d")
    assert system.open("./x/../e", CREATE, WRITE, directory=number) == "success"
    assert system.entries("/tmp/d") == [
        (".", A_DIRECTORY),
        ("..", A_DIRECTORY),
        ("e", REGULAR_FILE),
    ]
    old, new = system.put("tmp/d"), system.put("/tmp/f", OTHER)
    assert system.call("path_rename", ROOT, *old, ROOT, *new) == "success"
    assert system.attributes("/tmp/d") == "noent"
    assert system.attributes("/tmp/f/e") == "success"
    assert system.call("path_unlink_file", ROOT, *system.put("/tmp/f/e")) == "success"
    assert system.call("path_remove_directory", ROOT, *system.put("/tmp/f")) == "success"
    assert system.attributes("/tmp/f") == "noent"


def wrong_paths(lib: Path) -> list[tuple[str, str, str]]:
    """Return calls with a path, and the name of the error."""
    return [
        ("path_create_directory", "/tmp/file", "exist"),
        ("path_create_directory", "/tmp/full", "exist"),
        ("path_create_directory", "/tmp", "rofs"),
        ("path_create_directory", "/other", "rofs"),
        ("path_create_directory", f"{lib}/new", "rofs"),
        ("path_remove_directory", "/tmp/file", "notdir"),
        ("path_remove_directory", "/tmp/full", "notempty"),
        ("path_remove_directory", "/tmp/none", "noent"),
        ("path_remove_directory", "/tmp", "rofs"),
        ("path_remove_directory", f"{lib}/sub", "rofs"),
        ("path_unlink_file", "/tmp/full", "isdir"),
        ("path_unlink_file", "/tmp/none", "noent"),
        ("path_unlink_file", f"{lib}/a.rb", "rofs"),
        ("path_unlink_file", "/etc/passwd", "rofs"),
    ]


def test_paths_that_calls_refuse(system: System, lib: Path) -> None:
    system.call("path_create_directory", ROOT, *system.put("/tmp/full"))
    system.opened("/tmp/full/file", CREATE, WRITE)
    system.opened("/tmp/file", CREATE, WRITE)
    for call, path, expected in wrong_paths(lib):
        assert (call, path, system.call(call, ROOT, *system.put(path))) == (call, path, expected)
    for old, new, expected in (
        ("/tmp/none", "/tmp/x", "noent"),
        ("/tmp/full", "/tmp/full/below", "inval"),
        ("/tmp/full", "/tmp/file", "notdir"),
        ("/tmp/file", "/tmp/full", "isdir"),
        ("/tmp/file", f"{lib}/x", "rofs"),
        (f"{lib}/a.rb", "/tmp/x", "rofs"),
        ("/tmp", "/tmp/x", "rofs"),
    ):
        names = (*system.put(old), ROOT, *system.put(new, OTHER))
        assert (old, new, system.call("path_rename", ROOT, *names)) == (old, new, expected)
    assert (lib / "a.rb").read_bytes() == b"0123456789"


def test_opening_what_cannot_be_opened(system: System, lib: Path) -> None:
    system.call("path_create_directory", ROOT, *system.put("/tmp/d"))
    system.opened("/tmp/file", CREATE, WRITE)
    for path, flags, rights, expected in (
        ("/tmp/none", 0, READ, "noent"),
        ("/tmp/none", 0, WRITE, "noent"),
        ("/tmp/file", CREATE | EXCLUSIVE, WRITE, "exist"),
        ("/tmp/file", DIRECTORY, READ, "notdir"),
        ("/tmp/d", 0, WRITE, "isdir"),
        ("/tmp", CREATE, WRITE, "rofs"),
        (f"{lib}/a.rb", DIRECTORY, READ, "notdir"),
        (f"{lib}/a.rb", 0, WRITE, "rofs"),
        (f"{lib}/a.rb", TRUNCATE, READ, "rofs"),
        (f"{lib}/a.rb", EXCLUSIVE, READ, "rofs"),
        (f"{lib}/new", CREATE, READ, "rofs"),
        (f"{lib.parent}/new", CREATE, READ, "rofs"),
        (str(lib.parent), 0, WRITE, "rofs"),
        (f"{lib}/none", 0, READ, "noent"),
        (f"{lib}/a.rb/x", 0, READ, "notdir"),
        (f"{lib}/circle", 0, READ, "loop"),
        (f"{lib}/{'x' * 300}", 0, READ, "nametoolong"),
        (f"{lib}/out", 0, READ, "acces"),
        (f"{lib}/out/x", 0, READ, "acces"),
        (f"{lib}/fifo", 0, READ, "acces"),
        (f"{lib}/a\0b", 0, READ, "noent"),
        ("/etc/passwd", 0, READ, "acces"),
        (f"{lib}/../../../../../../../etc/passwd", 0, READ, "acces"),
    ):
        assert (path, flags, system.open(path, flags, rights)) == (path, flags, expected)
    assert sorted(os.listdir(lib)) == ["a.rb", "circle", "fifo", "link", "out", "sub"]


def test_no_space_in_memory(system: System) -> None:
    number = system.opened("/tmp/a", CREATE, WRITE)
    assert system.call("fd_filestat_set_size", number, MAX_BYTES + 1) == "nospc"
    assert system.call("fd_filestat_set_size", number, MAX_BYTES) == "success"
    assert system.write(system.opened("/tmp/b", CREATE, WRITE), b"a") == "nospc"
    made = 0
    while (found := system.open(f"/tmp/{made}", CREATE, WRITE)) == "success":
        made += 1
    assert found == "nospc"
    assert MAX_FILES - 4 <= made <= MAX_FILES


def test_times_and_links(system: System, lib: Path) -> None:
    system.opened("/tmp/a", CREATE, WRITE)
    for path, expected in (("/tmp/a", "success"), ("/tmp/b", "noent"), (f"{lib}/a.rb", "rofs")):
        found = system.call("path_filestat_set_times", ROOT, 1, *system.put(path), 0, 0, 0)
        assert found == expected
    assert system.call("path_symlink", *system.put("/tmp/a"), ROOT, *system.put("x")) == "rofs"
    assert system.call("path_link", ROOT, 0, *system.put("/tmp/a"), ROOT, NAME, 1) == "rofs"
    assert system.call("path_readlink", ROOT, *system.put(f"{lib}/link"), DATA, 9, RESULT) == (
        "success"
    )
    assert system.memory.read(DATA, system.number()) == b"a.rb"
    system.call("path_readlink", ROOT, *system.put(f"{lib}/link"), DATA, 2, RESULT)
    assert system.memory.read(DATA, system.number()) == b"a."
    for path, expected in ((f"{lib}/a.rb", "inval"), ("/tmp/a", "acces"), (f"{lib}/x", "noent")):
        found = system.call("path_readlink", ROOT, *system.put(path), DATA, 9, RESULT)
        assert (path, found) == (path, expected)


def test_attributes_of_links(system: System, lib: Path) -> None:
    for path, follow, kind in (
        (f"{lib}/link", 1, REGULAR_FILE),
        (f"{lib}/link", 0, SYMBOLIC_LINK),
        (f"{lib}/circle", 0, SYMBOLIC_LINK),
    ):
        assert system.attributes(path, follow) == "success"
        assert system.record()[0] == kind
    assert system.attributes(f"{lib}/circle") == "loop"


# Listing


def test_entries(system: System, lib: Path) -> None:
    dots = [(".", A_DIRECTORY), ("..", A_DIRECTORY)]
    assert system.entries(str(lib)) == [
        *dots,
        ("a.rb", REGULAR_FILE),
        ("circle", SYMBOLIC_LINK),
        ("link", SYMBOLIC_LINK),
        ("sub", A_DIRECTORY),
    ]
    assert system.entries(str(lib.parent)) == [*dots, ("lib", A_DIRECTORY)]
    assert ("tmp", A_DIRECTORY) in system.entries("/")
    assert system.entries("/opt/puppetlabs") == [*dots, ("puppet", A_DIRECTORY)]
    system.call("path_create_directory", ROOT, *system.put("/tmp/d"))
    assert system.entries("/tmp/d") == dots


def test_a_listing_goes_on_where_it_has_ended(system: System, lib: Path) -> None:
    number = system.opened(str(lib), DIRECTORY)
    every = system.entries(str(lib))
    found = []
    for cookie in range(len(every)):
        # The answer fills the buffer if there is more; a record may be cut off.
        assert system.call("fd_readdir", number, DATA, 40, cookie, RESULT) == "success"
        assert system.number() == (40 if cookie < len(every) - 1 else 24 + len(every[-1][0]))
        (following,) = struct.unpack_from("<Q", system.memory.data, DATA)
        assert following == cookie + 1
        found.append(system.listed()[0])
    assert found == every
    assert system.call("fd_readdir", number, DATA, 40, len(every), RESULT) == "success"
    assert system.number() == 0


def test_a_listing_is_one_moment_until_it_begins_again(system: System) -> None:
    system.call("path_create_directory", ROOT, *system.put("/tmp/d"))
    number = system.opened("/tmp/d", DIRECTORY)
    system.opened("/tmp/d/a", CREATE, WRITE)
    for name, cookie, names in (("b", 0, [".", "..", "a"]), ("c", 2, ["a"]), ("d", 0, None)):
        assert system.call("fd_readdir", number, DATA, 4096, cookie, RESULT) == "success"
        assert [each for each, _ in system.listed()] == (names or [".", "..", "a", "b", "c"])
        system.opened(f"/tmp/d/{name}", CREATE, WRITE)


# Errors


HOST = [
    *(("ENOENT", "noent"), ("ENOTDIR", "notdir"), ("EISDIR", "isdir"), ("ELOOP", "loop")),
    *(("ENAMETOOLONG", "nametoolong"), ("EACCES", "acces"), ("EPERM", "acces")),
    *(("EEXIST", "exist"), ("EINVAL", "inval"), ("ENOSPC", "nospc"), ("ENOTEMPTY", "notempty")),
    *(("EIO", "io"), ("ESTALE", "io")),
]


@pytest.mark.parametrize(("name", "expected"), HOST)
def test_errors_of_the_host(name: str, expected: str) -> None:
    class Failing(VisibleFiles):
        def locate(self, path: str) -> str:
            raise OSError(getattr(errno, name), path)

    system = System(Failing())
    assert system.attributes("/x") == expected


def test_an_error_without_a_number() -> None:
    class Failing(VisibleFiles):
        def locate(self, path: str) -> str:
            raise OSError(path)

    assert System(Failing()).attributes("/x") == "io"


BEYOND: list[tuple[str, tuple[int, ...]]] = [
    ("args_sizes_get", (SIZE, RESULT)),
    ("args_sizes_get", (RESULT, SIZE - 3)),
    ("environ_sizes_get", (SIZE - 3, RESULT)),
    ("environ_get", (RESULT, SIZE)),
    ("clock_res_get", (0, SIZE - 7)),
    ("clock_time_get", (0, 0, SIZE - 7)),
    ("random_get", (SIZE - 3, 4)),
    ("random_get", (0, SIZE + 1)),
    ("poll_oneoff", (SIZE - 47, DATA, 1, RESULT)),
    ("fd_prestat_get", (ROOT, SIZE - 7)),
    ("fd_prestat_dir_name", (ROOT, SIZE, 100)),
    ("fd_fdstat_get", (ROOT, SIZE - 23)),
    ("fd_filestat_get", (0, SIZE - 63)),
    ("fd_read", (0, SIZE - 7, 1, RESULT)),
    ("fd_write", (1, SIZE - 7, 1, RESULT)),
    ("fd_readdir", (ROOT, SIZE - 47, 48, 0, RESULT)),
    ("path_open", (ROOT, 1, SIZE, 1, 0, READ, 0, 0, RESULT)),
    ("path_filestat_get", (ROOT, 1, NAME, SIZE, RESULT)),
    ("path_create_directory", (ROOT, SIZE - 1, 2)),
]


@pytest.mark.parametrize(("call", "arguments"), BEYOND)
def test_addresses_outside_of_the_memory(
    system: System, call: str, arguments: tuple[int, ...]
) -> None:
    assert system.call(call, *arguments) == "fault"


@pytest.mark.parametrize("name", ["sock_accept", "fd_allocate", "_path", "fd_fdstat_set_rights"])
def test_calls_that_are_not_offered(system: System, name: str) -> None:
    assert system.call(name, ROOT, NAME, 1) == "nosys"


def test_calls_that_do_nothing(system: System) -> None:
    before = bytes(system.memory.data)
    for name, arguments in (
        ("fd_advise", (ROOT, 0, 0, 0)),
        ("fd_sync", (ROOT,)),
        ("fd_datasync", (ROOT,)),
        ("fd_fdstat_set_flags", (ROOT, 4)),
        ("args_get", (0, 0)),
    ):
        assert system.call(name, *arguments) == "success"
    assert system.memory.data == before


# The process


def test_the_end_of_the_process(system: System) -> None:
    with pytest.raises(Exit) as found:
        system.wasi.function("proc_exit")(3)
    assert found.value.status == 3


def test_arguments_and_variables(system: System) -> None:
    system.memory.write(RESULT, b"\xff" * 16)
    assert system.call("args_sizes_get", RESULT, RESULT + 4) == "success"
    assert struct.unpack_from("<II", system.memory.data) == (0, 0)
    expected = [b"LANG=C.UTF-8\0", "A=é\0".encode()]
    assert system.call("environ_sizes_get", RESULT, RESULT + 4) == "success"
    assert struct.unpack_from("<II", system.memory.data) == (2, len(b"".join(expected)))
    assert system.call("environ_get", RESULT, DATA) == "success"
    assert struct.unpack_from("<II", system.memory.data) == (DATA, DATA + len(expected[0]))
    assert system.memory.read(DATA, len(b"".join(expected))) == b"".join(expected)


@pytest.mark.parametrize(
    ("clock", "read"),
    [(0, time.time_ns), (1, time.monotonic_ns), (2, time.process_time_ns)],
)
def test_clocks(system: System, clock: int, read: Callable[[], int]) -> None:
    before = read()
    assert system.call("clock_time_get", clock, 0, RESULT) == "success"
    assert before <= system.number("<Q") <= read()
    assert system.call("clock_res_get", clock, RESULT) == "success"
    assert system.number("<Q") == 1


def test_random_bytes(system: System) -> None:
    assert system.call("random_get", DATA, 32) == "success"
    first = system.memory.read(DATA, 33)
    assert first != bytes(33)
    assert first[32] == 0
    assert system.call("random_get", DATA, 32) == "success"
    assert system.memory.read(DATA, 32) != first[:32]


def waiting(user: int, clock: int, timeout: int, flags: int = 0) -> bytes:
    return struct.pack("<QB7xI4xQQH6x", user, 0, clock, timeout, 0, flags)


def poll(system: System, *records: bytes) -> list[tuple[int, ...]]:
    system.memory.write(DATA, b"".join(records))
    assert system.call("poll_oneoff", DATA, OTHER, len(records), RESULT) == "success"
    return [
        struct.unpack_from("<QHB", system.memory.data, OTHER + 32 * number)
        for number in range(system.number())
    ]


def test_waiting(system: System) -> None:
    assert poll(system, waiting(5, 1, 3_000_000_000), waiting(6, 1, 2_000_000_000)) == [(6, 0, 0)]
    assert system.slept == [2.0]
    for clock, now in ((0, time.time_ns), (1, time.monotonic_ns)):
        system.slept.clear()
        assert poll(system, waiting(7, clock, now() + 60_000_000_000, 1)) == [(7, 0, 0)]
        assert 55 < system.slept[0] <= 60
        assert poll(system, waiting(7, clock, 1, 1)) == [(7, 0, 0)]
        assert system.slept[1] == 0


def test_files_are_always_ready(system: System) -> None:
    ready = [struct.pack("<QB7xI28x", user, kind, 1) for user, kind in ((8, 1), (9, 2))]
    assert poll(system, waiting(7, 1, 10**9), *ready) == [(8, 0, 1), (9, 0, 2)]
    assert struct.unpack_from("<QH", system.memory.data, OTHER + 16) == (1, 0)
    assert system.slept == []
