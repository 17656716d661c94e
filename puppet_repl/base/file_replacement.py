"""Replace a file as a whole: at any time it has the old content or the new one.

The new content goes to a temporary file beside the file, which takes its place once it is on the
disk. A full disk, an interrupt, or the end of the process in between leaves the file as it was.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

# A temporary file is called ".NAME.RANDOM.new"; only the beginning of a long name is in it.
_ENDING = ".new"
_MAX_NAME = 40
# A temporary file of this age, in seconds, belongs to a process that was killed while it wrote.
_ABANDONED = 3600.0
PRIVATE = 0o600
"""The permissions of files that may hold secrets: only the user may read them.

So may nobody else while a file is written; it may hold what the old one keeps secret.
"""


def replace_file(
    path: str | os.PathLike[str], text: str, *, mode: int | None = None, sync: bool = True
) -> None:
    """Write a text to a file, as UTF-8, whole or not at all. Raises OSError.

    A lone surrogate becomes the escape of four digits that JSON and Puppet's strings have for it.
    For the rest see ``replacing``.
    """
    with replacing(path, mode=mode, sync=sync) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], *, mode: int | None = None, sync: bool = True
) -> Iterator[BinaryIO]:
    """Open a file to be written whole; unless the block raises, it is at ``path`` afterwards.

    A file that exists keeps its permissions, and its owner where the user may give files away; a
    new one has ``mode``, or without it what the umask leaves of 0666. Symbolic links are
    followed. Raises OSError, also for a file that the user may not write, for a directory, and
    for devices and pipes, whose place no file may take. The directory has to be writable.

    Without ``sync`` neither the disk is waited for nor the directory searched for what killed
    processes have left: that is for many files at once which can be made again.
    """
    target = os.path.realpath(path)
    before = _existing(target)
    directory, name = os.path.split(target)
    prefix = f".{name[:_MAX_NAME]}."
    descriptor, temporary = _create(
        os.path.join(directory, prefix),
        (0o666 if mode is None else mode) if before is None else PRIVATE,
    )
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            if before is not None:
                _take_over(descriptor, before)
            if sync:
                os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if sync:
        _sync_directory(directory)
        _remove_abandoned(directory, prefix)


def _existing(target: str) -> os.stat_result | None:
    """Return the state of a file, None if missing. Raises OSError if it must stay."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", target)
    # Replacing needs no more than a writable directory, but a file is read-only for a reason.
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    return found


def _create(prefix: str, mode: int) -> tuple[int, str]:
    """Create a temporary file with the permissions ``mode``; return its descriptor and path."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        temporary = f"{prefix}{os.urandom(6).hex()}{_ENDING}"
        with contextlib.suppress(FileExistsError):
            return os.open(temporary, flags, mode), temporary


def _take_over(descriptor: int, before: os.stat_result) -> None:
    """Give the new file the owner and the permissions of the old one, as far as that is allowed."""
    if not hasattr(os, "fchown"):
        return
    owner = (before.st_uid, before.st_gid)
    with contextlib.suppress(OSError):
        # A browser has owners of files, but no users.
        if hasattr(os, "geteuid") and owner != (os.geteuid(), os.getegid()):
            os.fchown(descriptor, *owner)
    with contextlib.suppress(OSError):  # some file systems have no permissions
        os.fchmod(descriptor, before.st_mode & 0o777)


def _sync_directory(directory: str) -> None:
    """Make the new entry of a directory outlive a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_abandoned(directory: str, prefix: str) -> None:
    """Remove temporary files for the same file that killed processes have left."""
    ours = re.compile(re.escape(prefix) + "[0-9a-f]{12}" + re.escape(_ENDING))
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if ours.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    if time.time() - entry.stat().st_mtime > _ABANDONED:
                        os.unlink(entry.path)
