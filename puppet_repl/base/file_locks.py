"""Locks between processes, which are waited for only so long: their holder may be stopped.

They are advisory, and end with the file that is closed or the process that ends.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence


def lock(descriptor: int, pauses: Sequence[float]) -> bool | None:
    """Lock an open file or directory until it is closed; return whether that was possible.

    There is an attempt after each of the pauses, which are seconds. The result is False if another
    process keeps the lock, and None on systems and file systems without locks.
    """
    try:
        import fcntl
    except ImportError:
        return None
    for pause in pauses:
        time.sleep(pause)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        except OSError:  # a file system without locks
            return None
        return True
    return False


@contextlib.contextmanager
def locked_directory(path: str, pauses: Sequence[float]) -> Iterator[bool | None]:
    """Lock a directory for a block, without a file; yield what ``lock`` returns."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # no such directory, or a system that opens none
        yield None
        return
    try:
        yield lock(descriptor, pauses)
    finally:
        os.close(descriptor)
