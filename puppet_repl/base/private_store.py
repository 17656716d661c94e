"""A directory of files that can be made again, and that only this user may access.

Some of the files contain code that is run. So the directory must belong to the user alone;
otherwise the store is empty and saves nothing. A file is trusted if it is a regular file of the
user that nobody else may write to, and has the right digest.

For ``read`` and ``write`` no failure is an error: a full disk, a directory that cannot be written,
a removed or damaged file. Processes may use the store at the same time: a file is replaced as a
whole, and readers check its content.

Files are in directories of the store, the rooms. A room is searched now and then, when a file was
written there, and those files are removed that nobody has read for the longest time.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress

from puppet_repl.base.file_replacement import replacing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Importing hashlib loads the libraries of OpenSSL.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_DIGEST_SIZE = 20
# A search removes files until this share of the room is taken.
_KEPT_SHARE = 0.75
USE_NOTED = 86_400
"""The time of the last use of a file is noted once in so many seconds."""
# Files that a killed process has left, see replacing(), are removed after so many seconds.
_ABANDONED = 3600
_PRIVATE_DIRECTORY = 0o700
_PRIVATE_FILE = 0o600
_NO_FILE = "it is not a file"
_FOREIGN = "it belongs to another user, or others may write to it"
_READ_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


def digest_of(name: str, data: bytes | memoryview) -> bytes:
    """Return the digest of a file, which depends on its name as well."""
    return blake2b(data, digest_size=_DIGEST_SIZE, key=name.encode()).digest()


class PrivateStore:
    """The files of a directory by their names, such as ``room/0123abcd``.

    The files of a room have at most ``room_bytes``. The name of a file that ``write`` writes is a
    hexadecimal number: of so many different ones, ``names_per_search``, one begins a search.
    ``digest`` makes the digest of a file, of the size of all digests, from its name and content.
    """

    def __init__(
        self,
        directory: str,
        room_bytes: int,
        *,
        names_per_search: int = 1,
        digest: Callable[[str, bytes | memoryview], bytes] = digest_of,
    ) -> None:
        self.directory = directory
        self._room_bytes = room_bytes
        self._names_per_search = names_per_search
        self._digest = digest
        # Whether the directory can be used, None before the check.
        self._is_private: bool | None = None
        self._is_writable = True

    def read(self, name: str) -> memoryview | None:
        """Return the content of a file, None if it is missing or cannot be trusted."""
        try:
            descriptor, size = self._open(name)
        except OSError:
            return None
        try:
            if size > self._room_bytes:
                return None
            data = os.read(descriptor, size + 1)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        content = memoryview(data)[_DIGEST_SIZE:]
        return content if data[:_DIGEST_SIZE] == self._digest(name, content) else None

    def open(self, name: str) -> int:
        """Return the descriptor of a file, whose content is not checked; raise OSError."""
        return self._open(name)[0]

    def _open(self, name: str) -> tuple[int, int]:
        if self._is_private is None:
            self._is_private = self.problem() is None and os.path.isdir(self.directory)
        if not self._is_private:
            raise self._unusable()
        path = self.path(name)
        try:
            descriptor = os.open(path, _READ_FLAGS)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            raise PermissionError(errno.EACCES, _NO_FILE, path) from None
        status = os.fstat(descriptor)
        if not _is_own_file(status):
            os.close(descriptor)
            reason = _FOREIGN if stat.S_ISREG(status.st_mode) else _NO_FILE
            raise PermissionError(errno.EACCES, reason, path)
        now = time.time()
        if not 0 <= now - status.st_mtime < USE_NOTED and os.utime in os.supports_fd:
            with suppress(OSError):
                os.utime(descriptor, (now, now))
        return descriptor, status.st_size

    def write(self, name: str, data: bytes) -> None:
        """Write a file, unless that cannot be done."""
        if not self._is_writable or len(data) + _DIGEST_SIZE > self._room_bytes:
            return
        try:
            self.save(name, (self._digest(name, data), data), sync=False)
        except OSError:
            self._is_writable = False
            return
        path = self.path(name)
        if int(os.path.basename(path)[:4], 16) % self._names_per_search == 0:
            self._remove_oldest(os.path.dirname(path))

    def save(self, name: str, pieces: Iterable[bytes], *, sync: bool = True) -> None:
        """Write a file at once, without a digest. Raises OSError."""
        path = self.path(name)
        if self._is_private:
            with suppress(FileNotFoundError):
                _replace(path, pieces, sync=sync)
                return
        self.make_room(os.path.dirname(name))
        _replace(path, pieces, sync=sync)

    def make_room(self, room: str) -> str:
        """Make a directory of the store if there is none; return its path. Raises OSError."""
        os.makedirs(os.path.dirname(self.directory), exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(self.directory, _PRIVATE_DIRECTORY)
        self._is_private = self.problem() is None
        if not self._is_private:
            raise self._unusable()
        path = self.path(room)
        try:
            os.mkdir(path, _PRIVATE_DIRECTORY)
        except FileExistsError:
            if not os.path.isdir(path):
                raise
        return path

    def _unusable(self) -> OSError:
        problem = self.problem()
        if problem is None:
            return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.directory)
        return PermissionError(errno.EACCES, problem, self.directory)

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.directory, name)

    def problem(self) -> str | None:
        """Return why the directory cannot be used, None if it can, or is still to be made."""
        try:
            status = os.lstat(self.directory)
        except FileNotFoundError:
            return None
        except OSError as error:
            return error.strerror or str(error)
        if not stat.S_ISDIR(status.st_mode):
            return "it is not a directory"
        if not _is_own(status):
            return _FOREIGN
        if os.name == "posix" and status.st_mode & 0o077:
            return f"others may use it: its mode is {status.st_mode & 0o777:04o}, not 0700"
        return None

    # The files

    def files(self) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the paths of all files, and their states."""
        if not os.path.islink(self.directory):
            for directory, _, _ in os.walk(self.directory):
                yield from _files(directory)

    def remove_all(self) -> tuple[int, int]:
        """Remove all files; return how many there were, and their bytes. Raises OSError."""
        count = size = 0
        if self.problem() is not None:
            return count, size
        for directory, _, _ in os.walk(self.directory, topdown=False):
            for path, status in _files(directory):
                with suppress(FileNotFoundError):
                    os.unlink(path)
                    count += 1
                    size += status.st_size
            with suppress(OSError):
                os.rmdir(directory)
        return count, size

    def _remove_oldest(self, directory: str) -> None:
        """Remove the files of a directory that were not used for the longest time, if need be."""
        found = sorted(_files(directory), key=lambda each: each[1].st_mtime, reverse=True)
        now = time.time()
        size = sum([status.st_size for _, status in found])
        room = self._room_bytes
        limit = room if size <= room else int(room * _KEPT_SHARE)
        kept = 0
        for path, status in found:
            kept += status.st_size
            is_abandoned = path.endswith(".new") and now - status.st_mtime > _ABANDONED
            if kept > limit or is_abandoned:
                with suppress(OSError):
                    os.unlink(path)


def _is_own(status: os.stat_result) -> bool:
    """Tell whether something belongs to this user, and nobody else may write to it."""
    if not _has_users:
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _is_own_file(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and _is_own(status)


_has_users: bool = hasattr(os, "geteuid")


def _replace(path: str, pieces: Iterable[bytes], *, sync: bool) -> None:
    # Replacing follows a link, and keeps the owner and the mode.
    with suppress(OSError):
        if not _is_own_file(os.lstat(path)):
            os.unlink(path)
    with replacing(path, mode=_PRIVATE_FILE, sync=sync) as file:
        for piece in pieces:
            file.write(piece)


def _files(directory: str) -> list[tuple[str, os.stat_result]]:
    found = []
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            with suppress(OSError):
                if not entry.is_dir(follow_symlinks=False):
                    found.append((entry.path, entry.stat(follow_symlinks=False)))
    return found
