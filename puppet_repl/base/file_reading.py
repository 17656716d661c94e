"""Reading files that others wrote: regular ones, of a size that fits in memory.

A named pipe would block until somebody writes to it, a device may never end, and a name with a null
byte is a ValueError in Python. All that is an OSError here, which says what is wrong.
"""

from __future__ import annotations

import errno
import os
import stat

MAX_BYTES = 256 << 20
"""The size of the largest file that is read."""

_PIECE = 1 << 20
# Where the pipes of a shell's ``<(command)`` are: whoever names them knows that they end.
_OPEN_FILES = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_bytes(path: str) -> bytes:
    """Return the content of a file.

    Raises OSError, also for what is no regular file, for more than MAX_BYTES and for a name with a
    null byte. A pipe is read where the shell has already opened it, as /dev/fd/63.
    """
    # Python's file objects take as long as the rest: a catalog reads many short files.
    try:
        descriptor = _open_at_once(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except ValueError:
        raise OSError(errno.EINVAL, "The name contains a null byte", path) from None
    try:
        status = os.fstat(descriptor)
        expected = status.st_size
        if not stat.S_ISREG(status.st_mode):
            _check_kind(path, status.st_mode)
            os.set_blocking(descriptor, True)
            expected = 0  # of a pipe some systems tell what is in it now
        data = b"" if expected > MAX_BYTES else _read_all(descriptor, expected)
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES or expected > MAX_BYTES:
        raise OSError(errno.EFBIG, f"File too large (more than {MAX_BYTES >> 20} MB)", path)
    return data


def _check_kind(path: str, mode: int) -> None:
    """Raise OSError for what is not a file, unless it is a pipe that the shell has opened."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not (stat.S_ISFIFO(mode) and path.startswith(_OPEN_FILES)):
        raise OSError(errno.EINVAL, f"Not a regular file ({kind_of(mode)})", path)


def is_open_pipe(path: str) -> bool:
    """Tell whether a path is a pipe that the shell has opened, which can be read once."""
    try:
        return path.startswith(_OPEN_FILES) and stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def read_text(path: str, *, errors: str = "strict") -> str:
    """Return the text of a UTF-8 file without a byte order mark, its lines ended by a line feed.

    Raises OSError as read_bytes(), and UnicodeDecodeError where ``errors`` is 'strict'.
    """
    text = read_bytes(path).removeprefix(_BYTE_ORDER_MARK).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _read_all(descriptor: int, expected: int) -> bytes:
    """Return the content of a file, or more than MAX_BYTES of it.

    Python takes all the memory that a read may need before it reads. That is what the file is
    ``expected`` to have, and more only once that has come. Nothing is read beyond that, unless it
    is 0, which is also said of files that the system makes when they are read.
    """
    parts = []
    size, wanted = 0, expected + 1
    while True:
        part = os.read(descriptor, wanted)
        parts.append(part)
        size += len(part)
        if not part or size > MAX_BYTES or size == expected:
            return b"".join(parts)
        wanted = expected + 1 - size if size <= expected else _PIECE


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for somebody to write to a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def kind_of(mode: int) -> str:
    """Return what a file is that is not a regular one, by its mode."""
    for is_kind, name in (
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if is_kind(mode):
            return name
    return "of another kind"
