"""The system that Ruby in the sandbox runs on: the calls of WASI, answered in Python.

Nothing of the host is reachable but what is written here: visible files (read only), the clock,
random numbers, a sink for the standard streams, and the channel to the interpreter. Layouts and
numbers are those of ``wasi_snapshot_preview1``.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import time
from collections.abc import Callable, Mapping

from puppet_repl.ruby.sandbox.files import Hidden, VisibleFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Memory(Protocol):
        """The linear memory; positions outside of it raise IndexError."""

        def read(self, start: int, size: int) -> bytes: ...
        def write(self, start: int, data: bytes) -> None: ...

    class Channel(Protocol):
        """The device that Ruby talks to the interpreter through."""

        def read(self, size: int) -> bytes: ...
        def write(self, data: bytes) -> None: ...


CHANNEL = "/dev/puppet-repl"
NULL = "/dev/null"

SUCCESS, ACCES, BADF, INVAL, IO, ISDIR, LOOP = 0, 2, 8, 28, 29, 31, 32
NAMETOOLONG, NOENT, NOSYS, NOTDIR, ROFS, SPIPE = 37, 44, 52, 54, 69, 70
FAULT = 21

_OF_HOST = {
    errno.ENOENT: NOENT,
    errno.ENOTDIR: NOTDIR,
    errno.EISDIR: ISDIR,
    errno.ELOOP: LOOP,
    errno.ENAMETOOLONG: NAMETOOLONG,
    errno.EACCES: ACCES,
    errno.EPERM: ACCES,
}

CHARACTER_DEVICE, DIRECTORY, REGULAR_FILE, SYMBOLIC_LINK = 2, 3, 4, 7
_ALL_RIGHTS = (1 << 29) - 1
_WRITING = 1 << 6  # the right to call fd_write
_CREATING = 1 | 4 | 8  # oflags: create, exclusive, truncate
_OPEN_DIRECTORY = 2
_FOLLOW = 1

# The packed standard library is mounted at /usr. What else of the host is below /usr has to be
# listed, since the longest name wins.
PREOPENED = (
    "/",
    "/usr/share",
    "/usr/lib",
    "/usr/src",
    "/usr/home",
    "/usr/local/share",
    "/usr/local/etc",
    "/usr/local/src",
    "/usr/local/home",
)


class Exit(Exception):
    """Ruby ended its process; ``status`` is the exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Refused(Exception):
    """A call that ends with an error number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Open:
    """An open file or directory; ``data`` is the text of a file."""

    __slots__ = ("data", "directory", "names", "path", "position")

    def __init__(self, path: str, data: bytes | None, directory: bool = False) -> None:
        self.path = path
        self.data = data
        self.directory = directory
        self.position = 0
        self.names: list[tuple[str, int, int]] | None = None


class Wasi:
    """The calls, one method each, named as in WASI; they return an error number.

    ``printed`` receives what Ruby writes to standard output and standard error, ``sleep`` waits a
    number of seconds.
    """

    def __init__(
        self,
        memory: Memory,
        files: VisibleFiles,
        channel: Channel,
        printed: Callable[[bytes], None],
        sleep: Callable[[float], None],
        environment: Mapping[str, str],
    ) -> None:
        self._memory = memory
        self._files = files
        self._channel = channel
        self._printed = printed
        self._sleep = sleep
        self._environment = [f"{name}={value}\0".encode() for name, value in environment.items()]
        self._open: dict[int, _Open] = {
            3 + number: _Open(path, None, directory=True) for number, path in enumerate(PREOPENED)
        }

    def opened(self) -> dict[int, str]:
        """Return the paths of what is open, by number."""
        return {number: entry.path for number, entry in self._open.items()}

    def reopen(self, opened: Mapping[int, str]) -> None:
        """Open anew what was open when a snapshot was made; only devices and directories are."""
        self._open = {
            number: _Open(path, None, directory=not path.startswith("/dev/"))
            for number, path in opened.items()
        }

    def function(self, name: str) -> Callable[..., int | None]:
        """Return the function for an import; calls that are not offered return NOSYS."""
        method: Callable[..., int | None] | None = getattr(self, name, None)
        if name.startswith("_") or method is None:
            return lambda *_: NOSYS
        if name == "proc_exit":
            return method

        def call(*arguments: int) -> int | None:
            try:
                return method(*arguments)
            except _Refused as refused:
                return refused.number
            except Hidden:
                return ACCES
            except IndexError:
                return FAULT
            except OSError as error:
                return _OF_HOST.get(error.errno or 0, IO)

        return call

    # The process

    def args_sizes_get(self, count: int, size: int) -> int:
        """Return no arguments."""
        self._memory.write(count, bytes(4))
        self._memory.write(size, bytes(4))
        return SUCCESS

    def args_get(self, pointers: int, texts: int) -> int:
        """Return no arguments."""
        return SUCCESS

    def environ_sizes_get(self, count: int, size: int) -> int:
        """Return how many variables there are, and the size of their texts."""
        self._memory.write(count, struct.pack("<I", len(self._environment)))
        self._memory.write(size, struct.pack("<I", sum(map(len, self._environment))))
        return SUCCESS

    def environ_get(self, pointers: int, texts: int) -> int:
        """Return the variables."""
        for number, variable in enumerate(self._environment):
            self._memory.write(pointers + 4 * number, struct.pack("<I", texts))
            self._memory.write(texts, variable)
            texts += len(variable)
        return SUCCESS

    def proc_exit(self, status: int) -> None:
        """End the process."""
        raise Exit(status)

    def clock_res_get(self, clock: int, result: int) -> int:
        """Return the resolution of a clock, in nanoseconds."""
        self._memory.write(result, struct.pack("<Q", 1))
        return SUCCESS

    def clock_time_get(self, clock: int, precision: int, result: int) -> int:
        """Return the time of a clock (0 is that of the day), in nanoseconds."""
        read = {0: time.time_ns, 1: time.monotonic_ns}.get(clock, time.process_time_ns)
        self._memory.write(result, struct.pack("<Q", read()))
        return SUCCESS

    def random_get(self, start: int, size: int) -> int:
        """Fill a part of the memory with random bytes."""
        size &= 0xFFFFFFFF
        self._memory.read(start, size)
        self._memory.write(start, os.urandom(size))
        return SUCCESS

    def poll_oneoff(self, subscriptions: int, events: int, count: int, result: int) -> int:
        """Wait for the first of some events: a time, or a file, which is always ready."""
        read = []
        waits = []
        for number in range(min(count & 0xFFFFFFFF, 64)):
            record = self._memory.read(subscriptions + 48 * number, 48)
            user, kind = struct.unpack_from("<QB", record)
            if kind == 0:
                clock, timeout, _, flags = struct.unpack_from("<I4xQQH", record, 16)
                now = time.time_ns() if clock == 0 else time.monotonic_ns()
                waits.append((max(0, timeout - now if flags & 1 else timeout), user))
            else:
                read.append(struct.pack("<QHB5xQH6x", user, SUCCESS, kind, 1, 0))
        if waits and not read:
            wait, user = min(waits)
            self._sleep(wait / 1e9)
            read.append(struct.pack("<QHB5xQH6x", user, SUCCESS, 0, 0, 0))
        self._memory.write(events, b"".join(read))
        self._memory.write(result, struct.pack("<I", len(read)))
        return SUCCESS

    # Open files

    def fd_prestat_get(self, number: int, result: int) -> int:
        """Return the length of the name of a directory that is open from the start."""
        index = number - 3
        if not 0 <= index < len(PREOPENED):
            return BADF
        self._memory.write(result, struct.pack("<B3xI", 0, len(PREOPENED[index])))
        return SUCCESS

    def fd_prestat_dir_name(self, number: int, start: int, size: int) -> int:
        """Return the name of a directory that is open from the start."""
        self._memory.write(start, PREOPENED[number - 3].encode()[:size])
        return SUCCESS

    def fd_fdstat_get(self, number: int, result: int) -> int:
        """Return the kind of an open file."""
        if number in (0, 1, 2):
            kind = CHARACTER_DEVICE
        else:
            entry = self._open.get(number)
            if entry is None:
                return BADF
            kind = _kind(entry)
        self._memory.write(result, struct.pack("<BxH4xQQ", kind, 0, _ALL_RIGHTS, _ALL_RIGHTS))
        return SUCCESS

    def fd_fdstat_set_flags(self, number: int, flags: int) -> int:
        """Accept any flags: nothing blocks here."""
        return SUCCESS

    def fd_filestat_get(self, number: int, result: int) -> int:
        """Return the attributes of an open file."""
        entry = self._open.get(number)
        if number in (0, 1, 2) or (entry is not None and entry.path.startswith("/dev/")):
            self._write_attributes(result, CHARACTER_DEVICE, None)
            return SUCCESS
        if entry is None:
            return BADF
        return self._attributes(entry.path, result, follow=True)

    def fd_close(self, number: int) -> int:
        """Close a file."""
        return SUCCESS if number < 3 or self._open.pop(number, None) is not None else BADF

    def fd_renumber(self, number: int, to: int) -> int:
        """Give an open file another number."""
        if number not in self._open:
            return BADF
        self._open[to] = self._open.pop(number)
        return SUCCESS

    def fd_seek(self, number: int, offset: int, whence: int, result: int) -> int:
        """Set the position in a file."""
        entry = self._open.get(number)
        if entry is None:
            return SPIPE if number < 3 else BADF
        if entry.data is None:
            return SPIPE
        start = (0, entry.position, len(entry.data))[whence]
        if start + offset < 0:
            return INVAL
        entry.position = start + offset
        self._memory.write(result, struct.pack("<Q", entry.position))
        return SUCCESS

    def fd_tell(self, number: int, result: int) -> int:
        """Return the position in a file."""
        return self.fd_seek(number, 0, 1, result)

    def fd_read(self, number: int, vectors: int, count: int, result: int) -> int:
        """Read from a file or from the channel."""
        return self._read(number, vectors, count, result, None)

    def fd_pread(self, number: int, vectors: int, count: int, offset: int, result: int) -> int:
        """Read from a file at a position."""
        return self._read(number, vectors, count, result, offset)

    def _read(self, number: int, vectors: int, count: int, result: int, offset: int | None) -> int:
        entry = self._open.get(number)
        if entry is None and number != 0:
            return BADF
        if entry is not None and entry.directory:
            return ISDIR
        total = 0
        for start, size in self._vectors(vectors, count):
            if entry is None or entry.path == NULL:
                data = b""
            elif entry.data is None:
                data = self._channel.read(size)
            else:
                begin = entry.position if offset is None else offset + total
                data = entry.data[begin : begin + size]
                if offset is None:
                    entry.position += len(data)
            self._memory.write(start, data)
            total += len(data)
            if len(data) < size:
                break
        self._memory.write(result, struct.pack("<I", total))
        return SUCCESS

    def fd_write(self, number: int, vectors: int, count: int, result: int) -> int:
        """Write to a standard stream or to the channel."""
        entry = self._open.get(number)
        if entry is None and number not in (1, 2):
            return BADF
        if entry is not None and entry.path not in (CHANNEL, NULL):
            return BADF if not entry.directory else ISDIR
        data = b"".join(
            self._memory.read(start, size) for start, size in self._vectors(vectors, count)
        )
        if entry is None:
            self._printed(data)
        elif entry.path == CHANNEL:
            self._channel.write(data)
        self._memory.write(result, struct.pack("<I", len(data)))
        return SUCCESS

    def _vectors(self, start: int, count: int) -> list[tuple[int, int]]:
        raw = self._memory.read(start, 8 * count)
        return list(struct.iter_unpack("<II", raw))

    def fd_readdir(self, number: int, start: int, size: int, cookie: int, result: int) -> int:
        """Return entries of a directory, from number ``cookie`` on, as many as there is room."""
        entry = self._open.get(number)
        if entry is None:
            return BADF
        if not entry.directory:
            return NOTDIR
        if entry.names is None or cookie == 0:
            entry.names = self._entries(entry.path)
        records = bytearray()
        for index, (name, kind, inode) in enumerate(entry.names[cookie:], cookie + 1):
            raw = os.fsencode(name)
            records += struct.pack("<QQIB3x", index, inode, len(raw), kind) + raw
            if len(records) >= size:
                break
        self._memory.write(start, bytes(records[:size]))
        self._memory.write(result, struct.pack("<I", min(len(records), size)))
        return SUCCESS

    def _entries(self, path: str) -> list[tuple[str, int, int]]:
        entries = [(".", DIRECTORY, 0), ("..", DIRECTORY, 0)]
        for name in self._files.names(path):
            try:
                kind, attributes = self._look_up(os.path.join(path, name), follow=False)
            except (OSError, Hidden):
                continue
            entries.append((name, kind, attributes.st_ino if attributes else 0))
        return entries

    # Paths

    def path_open(
        self,
        directory: int,
        lookup: int,
        start: int,
        size: int,
        flags: int,
        rights: int,
        inherited: int,
        descriptor_flags: int,
        result: int,
    ) -> int:
        """Open a file for reading."""
        path = self._path(directory, start, size)
        if path in (CHANNEL, NULL):
            entry = _Open(path, None)
        else:
            entry = self._open_path(path, flags, rights)
        number = 3
        while number in self._open:
            number += 1
        self._open[number] = entry
        self._memory.write(result, struct.pack("<I", number))
        return SUCCESS

    def _open_path(self, path: str, flags: int, rights: int) -> _Open:
        if flags & _CREATING or (rights & _WRITING and not flags & _OPEN_DIRECTORY):
            raise _Refused(ROFS)
        kind, _ = self._look_up(path, follow=True)
        if kind == DIRECTORY:
            return _Open(path, None, directory=True)
        if flags & _OPEN_DIRECTORY:
            raise _Refused(NOTDIR)
        with open(self._files.locate(path), "rb") as file:
            return _Open(path, file.read())

    def path_filestat_get(
        self, directory: int, lookup: int, start: int, size: int, result: int
    ) -> int:
        """Return the attributes of a file."""
        path = self._path(directory, start, size)
        return self._attributes(path, result, follow=bool(lookup & _FOLLOW))

    def path_readlink(
        self, directory: int, start: int, size: int, buffer: int, room: int, result: int
    ) -> int:
        """Return what a symbolic link leads to."""
        path = self._path(directory, start, size)
        self._files.locate(path)
        raw = os.fsencode(os.readlink(path))[: room & 0xFFFFFFFF]
        self._memory.write(buffer, raw)
        self._memory.write(result, struct.pack("<I", len(raw)))
        return SUCCESS

    def path_create_directory(self, *_: int) -> int:
        """Refuse: nothing can be written."""
        return ROFS

    path_link = path_remove_directory = path_rename = path_symlink = path_create_directory
    path_unlink_file = path_filestat_set_times = fd_pwrite = path_create_directory
    fd_filestat_set_size = path_create_directory

    def fd_advise(self, *_: int) -> int:
        """Accept what there is nothing to do for."""
        return SUCCESS

    fd_datasync = fd_sync = fd_advise

    def _path(self, directory: int, start: int, size: int) -> str:
        """Return the path that a call names, absolute and without ``..``."""
        entry = self._open.get(directory)
        if entry is None or not entry.directory:
            raise _Refused(NOTDIR)
        name = os.fsdecode(self._memory.read(start, size))
        if "\0" in name:
            raise _Refused(NOENT)
        return os.path.normpath(os.path.join(entry.path, name.lstrip("/")))

    def _look_up(self, path: str, follow: bool) -> tuple[int, os.stat_result | None]:
        """Return kind and attributes of what is visible; raises OSError for all else."""
        try:
            real = self._files.locate(path)
        except Hidden:
            if self._files.is_above(path):
                return DIRECTORY, None
            raise
        attributes = os.stat(real) if follow else os.lstat(path)
        if stat.S_ISLNK(attributes.st_mode):
            return SYMBOLIC_LINK, attributes
        if stat.S_ISDIR(attributes.st_mode):
            return DIRECTORY, attributes
        if not stat.S_ISREG(attributes.st_mode):
            raise Hidden(path)
        return REGULAR_FILE, attributes

    def _attributes(self, path: str, result: int, follow: bool) -> int:
        if path in (CHANNEL, NULL):
            self._write_attributes(result, CHARACTER_DEVICE, None)
            return SUCCESS
        kind, attributes = self._look_up(path, follow)
        self._write_attributes(result, kind, attributes)
        return SUCCESS

    def _write_attributes(self, result: int, kind: int, found: os.stat_result | None) -> None:
        numbers: tuple[Any, ...] = (0, 0, kind, 1, 0, 0, 0, 0)
        if found is not None:
            numbers = (
                found.st_dev & 0xFFFFFFFF,
                found.st_ino,
                kind,
                found.st_nlink,
                found.st_size,
                max(0, found.st_atime_ns),
                max(0, found.st_mtime_ns),
                max(0, found.st_ctime_ns),
            )
        self._memory.write(result, struct.pack("<QQB7xQQQQQ", *numbers))


def _kind(entry: _Open) -> int:
    if entry.directory:
        return DIRECTORY
    return CHARACTER_DEVICE if entry.data is None else REGULAR_FILE
