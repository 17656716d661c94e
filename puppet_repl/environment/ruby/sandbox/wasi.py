"""The system that Ruby in the sandbox runs on: the calls of WASI, answered in Python.

Ruby reaches only visible files (read only), files in memory, the clock, random numbers, a sink for
the standard streams, and the channel to the interpreter. Layouts and numbers follow
``wasi_snapshot_preview1``.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import struct
from collections.abc import Callable, Mapping

from puppet_repl.environment.ruby.sandbox.descriptors import (
    CHARACTER_DEVICE,
    DIRECTORY,
    REGULAR_FILE,
    SYMBOLIC_LINK,
    Open,
    attributes_record,
)
from puppet_repl.environment.ruby.sandbox.files import Hidden, VisibleFiles
from puppet_repl.environment.ruby.sandbox.observations import Observations
from puppet_repl.environment.ruby.sandbox.process import SUCCESS, ProcessCalls
from puppet_repl.environment.ruby.sandbox.scratch import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from puppet_repl.environment.ruby.sandbox.descriptors import Attributes
    from puppet_repl.environment.ruby.sandbox.process import Memory

    class Channel(Protocol):
        """The device that Ruby talks to the interpreter through."""

        def read(self, size: int) -> bytes: ...
        def write(self, data: bytes) -> None: ...


CHANNEL = "/dev/puppet-repl"
NULL = "/dev/null"

ACCES, BADF, INVAL, IO, ISDIR, LOOP = 2, 8, 28, 29, 31, 32
NAMETOOLONG, NOENT, NOSYS, NOTDIR, ROFS, SPIPE = 37, 44, 52, 54, 69, 70
EXIST, FAULT, NOSPC, NOTEMPTY = 20, 21, 51, 55

_OF_HOST = {
    errno.ENOENT: NOENT,
    errno.ENOTDIR: NOTDIR,
    errno.EISDIR: ISDIR,
    errno.ELOOP: LOOP,
    errno.ENAMETOOLONG: NAMETOOLONG,
    errno.EACCES: ACCES,
    errno.EPERM: ACCES,
    errno.EEXIST: EXIST,
    errno.EINVAL: INVAL,
    errno.ENOSPC: NOSPC,
    errno.ENOTEMPTY: NOTEMPTY,
}

_ALL_RIGHTS = (1 << 29) - 1
_WRITING = 1 << 6  # the right to call fd_write
_CREATE, _EXCLUSIVE, _TRUNCATE = 1, 4, 8
_OPEN_DIRECTORY = 2
_FOLLOW = 1
_APPEND = 1

# Calls whose results are others the next time, or are not observed.
_UNREPEATABLE = frozenset(
    ("clock_time_get", "fd_readdir", "path_readlink", "poll_oneoff", "random_get")
)

# The packed standard library is mounted at /usr. What else of the host is below /usr has to be
# listed, since the longest name takes precedence.
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


class _Refused(Exception):
    """A call that ends with an error number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Wasi(ProcessCalls):
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
        super().__init__(memory, sleep, environment)
        self._files = files
        self._scratch = files.scratch
        self._observed = Observations() if files.observed is None else files.observed
        self._channel = channel
        self._printed = printed
        self._open: dict[int, Open] = {
            3 + number: Open(path, directory=True) for number, path in enumerate(PREOPENED)
        }

    def opened(self) -> dict[int, str]:
        """Return the paths of open descriptors, by number."""
        return {number: entry.path for number, entry in self._open.items()}

    def reopen(self, opened: Mapping[int, str]) -> None:
        """Open the descriptors of a snapshot again; all are devices or directories."""
        self._open = {
            number: Open(path, directory=not path.startswith("/dev/"))
            for number, path in opened.items()
        }

    def function(self, name: str) -> Callable[..., int | None]:
        """Return the function for an import; calls that are not offered return NOSYS."""
        method: Callable[..., int | None] | None = getattr(self, name, None)
        if name.startswith("_") or method is None:
            return lambda *_: NOSYS
        if name == "proc_exit":
            return method
        is_repeatable = name not in _UNREPEATABLE

        def call(*arguments: int) -> int | None:
            try:
                if not is_repeatable:
                    self._observed.are_whole = False
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
        index = number - 3
        if not 0 <= index < len(PREOPENED):
            return BADF
        name = PREOPENED[index].encode()
        if size < len(name):
            return NAMETOOLONG
        self._memory.write(start, name)
        return SUCCESS

    def fd_fdstat_get(self, number: int, result: int) -> int:
        """Return the kind of an open file."""
        if number in (0, 1, 2):
            kind = CHARACTER_DEVICE
        else:
            entry = self._open.get(number)
            if entry is None:
                return BADF
            kind = entry.kind
        self._memory.write(result, struct.pack("<BxH4xQQ", kind, 0, _ALL_RIGHTS, _ALL_RIGHTS))
        return SUCCESS

    def fd_fdstat_set_flags(self, number: int, flags: int) -> int:
        """Accept any flags: nothing blocks here."""
        return SUCCESS

    def fd_filestat_get(self, number: int, result: int) -> int:
        """Return the attributes of an open file."""
        entry = self._open.get(number)
        if number in (0, 1, 2) or (entry is not None and entry.path.startswith("/dev/")):
            return self._write_attributes(result, CHARACTER_DEVICE, None)
        if entry is None:
            return BADF
        if entry.node is not None:
            return self._write_attributes(result, entry.kind, entry.node)
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
        content = entry.content
        if content is None:
            return SPIPE
        start = {0: 0, 1: entry.position, 2: len(content)}.get(whence)
        if start is None or start + offset < 0:
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
        content = None if entry is None else entry.content
        for start, size in self._vectors(vectors, count):
            if entry is None or entry.path == NULL:
                data = b""
            elif content is None:
                data = self._channel.read(size)
            else:
                begin = entry.position if offset is None else offset + total
                data = bytes(content[begin : begin + size])
                if offset is None:
                    entry.position += len(data)
            self._memory.write(start, data)
            total += len(data)
            if len(data) < size:
                break
        self._memory.write(result, struct.pack("<I", total))
        return SUCCESS

    def fd_write(self, number: int, vectors: int, count: int, result: int) -> int:
        """Write to a standard stream, to the channel, or to a file in memory."""
        return self._write(number, vectors, count, result, None)

    def fd_pwrite(self, number: int, vectors: int, count: int, offset: int, result: int) -> int:
        """Write to a file in memory at a position."""
        return self._write(number, vectors, count, result, offset)

    def _write(self, number: int, vectors: int, count: int, result: int, offset: int | None) -> int:
        entry = self._open.get(number)
        if entry is None and number not in (1, 2):
            return BADF
        if entry is not None and entry.path not in (CHANNEL, NULL) and not entry.writable:
            return BADF
        data = b"".join(
            self._memory.read(start, size) for start, size in self._vectors(vectors, count)
        )
        if entry is None:
            self._observed.are_whole = False
            self._printed(data)
        elif entry.node is not None:
            self._observed.are_whole = False
            position = entry.node.st_size if entry.append else entry.position
            self._scratch.write(entry.node, position if offset is None else offset, data)
            if offset is None:
                entry.position = position + len(data)
        elif entry.path == CHANNEL:
            self._channel.write(data)
        self._memory.write(result, struct.pack("<I", len(data)))
        return SUCCESS

    def fd_filestat_set_size(self, number: int, size: int) -> int:
        """Cut off or extend a file in memory."""
        entry = self._open.get(number)
        if entry is None or entry.node is None or not entry.writable:
            return BADF
        self._scratch.resize(entry.node, size)
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
        for name in self._names(path):
            try:
                kind, attributes = self._look_up(os.path.join(path, name), follow=False)
            except (OSError, Hidden, _Refused):
                continue
            entries.append((name, kind, attributes.st_ino if attributes else 0))
        return entries

    def _names(self, path: str) -> list[str]:
        names = self._scratch.names(path)
        try:
            names.update(self._files.names(path))
        except Hidden:
            if not names and self._scratch.find(path) is None:
                raise
        return sorted(names)

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
        """Open a file, for writing one in memory only."""
        path = self._path(directory, start, size)
        if path in (CHANNEL, NULL):
            entry = Open(path)
        elif flags & (_CREATE | _EXCLUSIVE | _TRUNCATE):
            entry = self._open_to_write(path, flags, descriptor_flags)
        elif rights & _WRITING and not flags & _OPEN_DIRECTORY:
            entry = self._open_to_write(path, flags, descriptor_flags)
        else:
            entry = self._open_path(path, flags)
        number = 3
        while number in self._open:
            number += 1
        self._open[number] = entry
        self._memory.write(result, struct.pack("<I", number))
        return SUCCESS

    def _open_path(self, path: str, flags: int) -> Open:
        self._observed.see(self._files, path, follow=True)
        kind, found = self._look_up(path, follow=True)
        if kind == DIRECTORY:
            return Open(path, directory=True)
        if flags & _OPEN_DIRECTORY:
            raise _Refused(NOTDIR)
        if isinstance(found, Node):
            return Open(path, node=found)
        with open(self._files.locate(path), "rb") as file:
            data = file.read()
        self._observed.read(path, data)
        return Open(path, data)

    def _open_to_write(self, path: str, flags: int, descriptor_flags: int) -> Open:
        self._check_writable(path)
        node = self._scratch.open_file(
            path,
            create=bool(flags & _CREATE),
            exclusive=bool(flags & _EXCLUSIVE),
            truncate=bool(flags & _TRUNCATE),
        )
        return Open(path, node=node, writable=True, append=bool(descriptor_flags & _APPEND))

    def _check_writable(self, path: str) -> None:
        """Refuse a path that is not for files in memory, or leads to what the host has."""
        self._observed.are_whole = False
        if not self._scratch.has_place_for(path) or self._files.is_above(path):
            raise _Refused(ROFS)
        with contextlib.suppress(Hidden):
            self._files.locate(path)
            raise _Refused(ROFS)

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

    def _path_to_write(self, directory: int, start: int, size: int) -> str:
        path = self._path(directory, start, size)
        self._check_writable(path)
        return path

    def path_create_directory(self, directory: int, start: int, size: int) -> int:
        """Make a directory in memory."""
        self._scratch.make_directory(self._path_to_write(directory, start, size))
        return SUCCESS

    def path_remove_directory(self, directory: int, start: int, size: int) -> int:
        """Remove an empty directory in memory."""
        self._scratch.remove(self._path_to_write(directory, start, size), directory=True)
        return SUCCESS

    def path_unlink_file(self, directory: int, start: int, size: int) -> int:
        """Remove a file in memory."""
        self._scratch.remove(self._path_to_write(directory, start, size), directory=False)
        return SUCCESS

    def path_rename(
        self, directory: int, start: int, size: int, to: int, new_start: int, new_size: int
    ) -> int:
        """Give a file or a directory in memory another path there."""
        old = self._path_to_write(directory, start, size)
        self._scratch.rename(old, self._path_to_write(to, new_start, new_size))
        return SUCCESS

    def path_filestat_set_times(
        self, directory: int, lookup: int, start: int, size: int, *_: int
    ) -> int:
        """Accept and ignore times for a file in memory, which keeps the times of its changes."""
        path = self._path(directory, start, size)
        if self._scratch.find(path) is not None:
            return SUCCESS
        return NOENT if self._scratch.has_place_for(path) else ROFS

    def path_symlink(self, *_: int) -> int:
        """Refuse: there are no links in memory."""
        return ROFS

    path_link = path_symlink

    def fd_advise(self, *_: int) -> int:
        """Succeed without doing anything."""
        return SUCCESS

    fd_datasync = fd_sync = fd_advise

    def _path(self, directory: int, start: int, size: int) -> str:
        """Return the path that a call names, absolute and without ``..``."""
        entry = self._open.get(directory)
        if entry is None:
            raise _Refused(BADF)
        if not entry.directory:
            raise _Refused(NOTDIR)
        name = os.fsdecode(self._memory.read(start, size))
        if "\0" in name:
            raise _Refused(NOENT)
        return os.path.normpath(os.path.join(entry.path, name.lstrip("/")))

    def _look_up(self, path: str, follow: bool) -> tuple[int, os.stat_result | Node | None]:
        """Return the kind and the attributes of a visible path; raise OSError for others."""
        try:
            real = self._files.locate(path)
        except Hidden:
            return self._look_up_made(path)
        attributes = os.stat(real) if follow else os.lstat(path)
        if stat.S_ISLNK(attributes.st_mode):
            return SYMBOLIC_LINK, attributes
        if stat.S_ISDIR(attributes.st_mode):
            return DIRECTORY, attributes
        if not stat.S_ISREG(attributes.st_mode):
            raise Hidden(path)
        return REGULAR_FILE, attributes

    def _look_up_made(self, path: str) -> tuple[int, Node | None]:
        """Return kind and attributes of what only Ruby sees."""
        node = self._scratch.find(path)
        if node is not None:
            return DIRECTORY if node.data is None else REGULAR_FILE, node
        if self._files.is_above(path) or self._scratch.is_above(path):
            return DIRECTORY, None
        if self._scratch.has_place_for(path):
            raise _Refused(NOENT)
        raise Hidden(path)

    def _attributes(self, path: str, result: int, follow: bool) -> int:
        if path in (CHANNEL, NULL):
            return self._write_attributes(result, CHARACTER_DEVICE, None)
        self._observed.see(self._files, path, follow=follow)
        return self._write_attributes(result, *self._look_up(path, follow))

    def _write_attributes(self, result: int, kind: int, found: Attributes | None) -> int:
        self._memory.write(result, attributes_record(kind, found))
        return SUCCESS
