"""Content of data files that sessions share: each node of an environment looks at the same ones."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.values.hash import PuppetHash

    # When a file, and when its status, has changed; its inode and its size.
    DataStamp = tuple[int, int, int, int]

# Bytes of files whose content is kept; it takes some 10 times as many.
MAX_KEPT = 4_000_000
# Nanoseconds: a file that has just changed may change again without another time.
_TICK = 100_000_000


def data_stamp_of(path: str) -> DataStamp | None:
    """Return what tells a data file from all that were there before; None if there is none.

    A process may live for weeks, and its files be replaced by others of the same size and time:
    ``cp -p``, ``rsync -t`` and ``tar`` set the time. They cannot set that of the status.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size


class SharedData:
    """The content of data files, as long as they stay as they are; those used last are kept."""

    __slots__ = ("_known", "_size")

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[DataStamp, PuppetHash]] = {}
        self._size = 0

    def find(self, function: str, path: str, stamp: DataStamp) -> PuppetHash | None:
        """Return what a file holds that looks like ``stamp``, None where that is not known."""
        known = self._known.pop((function, path), None)
        if known is None:
            return None
        if known[0] != stamp:
            self._size -= known[0][-1]
            return None
        self._known[function, path] = known  # behind those that were used before
        return known[1]

    def keep(self, function: str, path: str, stamp: DataStamp, content: PuppetHash) -> None:
        """Keep what a file holds, unless it may change unseen or is too large."""
        size = stamp[-1]
        if size > MAX_KEPT or time.time_ns() - max(stamp[:2]) < _TICK:
            return
        earlier = self._known.pop((function, path), None)
        self._size += size - (0 if earlier is None else earlier[0][-1])
        self._known[function, path] = stamp, content
        while self._size > MAX_KEPT:
            oldest = next(iter(self._known))
            self._size -= self._known.pop(oldest)[0][-1]
