"""A directory of small files that can be made again, and that only this user may access.

Some of the files contain code that is run. So the directory must belong to the user alone;
otherwise the store is empty and saves nothing. No failure is an error: a full disk, a directory
that cannot be written, a removed or damaged file. Processes may use the store at the same time: a
file is replaced as a whole, and readers check its content.

Files are spread over directories by the first letter of their names. Each of these is searched now
and then, when a file was written there, and those files are removed that nobody has read for the
longest time.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress

from puppet_repl.base.file_replacement import replacing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 256 << 20
"""The size of all files."""

_DIRECTORIES = "0123456789abcdef"
# The directory is searched for old files once in so many writes.
_WRITTEN_PER_SEARCH = 64
# A search removes files until this share of the room is taken.
_KEPT_SHARE = 0.75
# The time of the last use of a file is noted once in so many seconds.
_USE_NOTED = 86_400
# Files that a killed process has left, see replacing(), are removed after so many seconds.
_ABANDONED = 3600
_PRIVATE_DIRECTORY = 0o700
_PRIVATE_FILE = 0o600
_READ_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


class PrivateStore:
    """The files of a directory by their names, which are lower-case hexadecimal numbers."""

    def __init__(self, directory: str, max_bytes: int = MAX_BYTES) -> None:
        self.directory = directory
        self.max_bytes = max_bytes
        self._room = max_bytes // len(_DIRECTORIES)
        # Whether the directory can be used, None before the check.
        self._is_private: bool | None = None
        self._is_writable = True

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, None if it is missing or cannot be trusted."""
        if self._is_private is None:
            self._is_private = self.problem() is None and os.path.isdir(self.directory)
        if not self._is_private:
            return None
        try:
            descriptor = os.open(self._path(name), _READ_FLAGS)
        except OSError:
            return None
        try:
            return self._content(descriptor)
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def _content(self, descriptor: int) -> bytes | None:
        status = os.fstat(descriptor)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode) or size > self._room or not _is_own(status):
            return None
        now = time.time()
        if not 0 <= now - status.st_mtime < _USE_NOTED and os.utime in os.supports_fd:
            with suppress(OSError):
                os.utime(descriptor, (now, now))
        data = os.read(descriptor, size + 1)
        return data if len(data) == size else None

    def write(self, name: str, data: bytes) -> None:
        """Write a file, unless that cannot be done."""
        if not self._is_writable or len(data) > self._room:
            return
        path = self._path(name)
        try:
            with suppress(FileNotFoundError):
                self._replace(path, data)
                return
            self._make_directory(os.path.dirname(path))
            if self._is_private:
                self._replace(path, data)
        except OSError:
            self._is_writable = False

    def _replace(self, path: str, data: bytes) -> None:
        if not self._is_private:
            raise FileNotFoundError(path)
        with replacing(path, mode=_PRIVATE_FILE, sync=False) as file:
            file.write(data)
        if int(os.path.basename(path)[:4], 16) % _WRITTEN_PER_SEARCH == 0:
            self._remove_oldest(os.path.dirname(path))

    def _make_directory(self, inner: str) -> None:
        os.makedirs(os.path.dirname(self.directory), exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(self.directory, _PRIVATE_DIRECTORY)
        self._is_private = self.problem() is None
        if self._is_private:
            with suppress(FileExistsError):
                os.mkdir(inner, _PRIVATE_DIRECTORY)

    def _path(self, name: str) -> str:
        return f"{self.directory}{os.sep}{name[0]}{os.sep}{name[1:]}"

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
            return "it belongs to another user, or others may write to it"
        if os.name == "posix" and status.st_mode & 0o077:
            return f"others may use it: its mode is {status.st_mode & 0o777:04o}, not 0700"
        return None

    # The files

    def files(self) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the paths of all files, and their states."""
        for name in _DIRECTORIES:
            yield from _files(os.path.join(self.directory, name))

    def remove_all(self) -> tuple[int, int]:
        """Remove all files; return how many there were, and their bytes. Raises OSError."""
        count = size = 0
        if self.problem() is not None:
            return count, size
        for path, status in self.files():
            with suppress(FileNotFoundError):
                os.unlink(path)
                count += 1
                size += status.st_size
        for name in _DIRECTORIES:
            with suppress(OSError):
                os.rmdir(os.path.join(self.directory, name))
        with suppress(OSError):
            os.rmdir(self.directory)
        return count, size

    def _remove_oldest(self, directory: str) -> None:
        """Remove the files of a directory that were not used for the longest time, if need be."""
        found = sorted(_files(directory), key=lambda each: each[1].st_mtime, reverse=True)
        now = time.time()
        size = sum([status.st_size for _, status in found])
        limit = self._room if size <= self._room else int(self._room * _KEPT_SHARE)
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


_has_users: bool = hasattr(os, "geteuid")


def _files(directory: str) -> list[tuple[str, os.stat_result]]:
    found = []
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    found.append((entry.path, status))
    return found
