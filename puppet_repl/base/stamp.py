"""Whether a file has changed since it was read."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Stamp = tuple[int, int]
    # When a file, and when its status, has changed; its inode and its size.
    FullStamp = tuple[int, int, int, int]

# Nanoseconds: a file that has just changed may change again without another time.
TICK = 100_000_000


def stamp_of(path: str) -> Stamp | None:
    """Return the time of a file's last change and its size; None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_size


def full_stamp_of(path: str) -> FullStamp | None:
    """Return what tells a file from all that were there before; None if there is none.

    A process may live for weeks, and its files be replaced by others of the same size and time:
    ``cp -p``, ``rsync -t`` and ``tar`` set the time. They cannot set that of the status.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size


def is_settled(stamp: FullStamp) -> bool:
    """Tell whether a file that changes again would have another stamp."""
    return time.time_ns() - max(stamp[:2]) >= TICK


def are_current(stamps: Mapping[str, Stamp | None]) -> bool:
    """Tell whether files are as they were; there may be hundreds, and this is done often."""
    look = os.stat
    for path, stamp in stamps.items():
        try:
            status = look(path)
        except (OSError, ValueError):
            if stamp is not None:
                return False
            continue
        if stamp is None or status.st_mtime_ns != stamp[0] or status.st_size != stamp[1]:
            return False
    return True
