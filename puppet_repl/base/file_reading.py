"""Reading files that others wrote: regular ones, of a size that fits in memory.

A named pipe would block until somebody writes to it, a device may never end, and a name with a null
byte is a ValueError in Python. This module raises an OSError with the reason for each of them.
"""

from __future__ import annotations

import errno
import os
import stat

MAX_BYTES = 256 << 20
"""The size of the largest file that is read."""

_PIECE = 1 << 20
# Paths of the pipes of a shell's ``<(command)``: these pipes end.
_OPEN_FILES = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_bytes(path: str) -> bytes:
    """Return the content of a file.

    Raises OSError, also for a directory or device, for more than MAX_BYTES and for a name with a
    null byte. Pipes that the shell has opened, such as /dev/fd/63, are read.
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
            expected = 0  # on some systems the size of a pipe is the number of bytes in it now
        data = b"" if expected > MAX_BYTES else _read_all(descriptor, expected)
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES or expected > MAX_BYTES:
        raise OSError(errno.EFBIG, f"File too large (more than {MAX_BYTES >> 20} MB)", path)
    return data


def _check_kind(path: str, mode: int) -> None:
    """Raise OSError if a path is not a regular file or a pipe that the shell has opened."""
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

    Python allocates the whole buffer before it reads. So the first read asks for the ``expected``
    size, and reading ends there. An expected size of 0 is not trusted: files that the system makes
    when they are read (``/proc``) have it too.
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
    """Return a phrase for the kind of a file that is not a regular one, from its mode."""
    for is_kind, name in (
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if is_kind(mode):
            return name
    return "of another kind"
