"""Stamps of files, which show whether the files have changed since."""

from __future__ import annotations

import os
import time
from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Stamp = tuple[int, int]
    # When a file, and when its status, has changed; its inode and its size.
    FullStamp = tuple[int, int, int, int]

# Nanoseconds: a file that has just changed may change again without another time.
TICK = 100_000_000


def stamp_of(path: str) -> Stamp | None:
    """Return the time of a file's last change and its size; None for a missing file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_size


def full_stamp_of(path: str) -> FullStamp | None:
    """Return a stamp that no earlier file at the path had; None if the file is missing.

    A process may live for weeks, and its files be replaced by others of the same size and time:
    ``cp -p``, ``rsync -t`` and ``tar`` set the time of the content, but not the time of the status.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a null byte in the name
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size


def is_settled(stamp: FullStamp) -> bool:
    """Tell whether a file that changes again would have another stamp."""
    return time.time_ns() - max(stamp[:2]) >= TICK


class NotedFiles:
    """The files that some code has used, with their stamps, and whether it read data or ran Ruby.

    What configures data, and what Ruby has loaded, are not among ``files``.
    """

    __slots__ = ("files", "has_run_ruby", "reads_data")

    def __init__(self) -> None:
        self.files: dict[str, Stamp | None] = {}
        self.reads_data = False
        self.has_run_ruby = False


# The number of the next look.
_numbers = count()


class Look:
    """The stamps of files: the stamp of a file holds until the next look.

    A catalog of real modules asks for hundreds of files and directories, most of them several
    times. Each input looks again; a look that ``is_lasting`` is renewed by take() alone. A command
    for many nodes has one of these, so that all nodes see the same files. ``number`` is another one
    for each look that is taken in the process.
    """

    __slots__ = ("_seen", "is_lasting", "number")

    def __init__(self, *, is_lasting: bool = False) -> None:
        self.is_lasting = is_lasting
        self.number = next(_numbers)
        self._seen: dict[str, FullStamp | None] = {}

    def take(self) -> None:
        """Forget the stamps: the next look begins."""
        self.number = next(_numbers)
        self._seen = {}  # another thread may be about to add to the one before

    def renew(self) -> None:
        """Forget the stamps, unless the look is to last."""
        if not self.is_lasting:
            self.take()

    def full_stamp(self, path: str) -> FullStamp | None:
        """Return what full_stamp_of() said of a file in this look."""
        known = self._seen
        try:
            return known[path]
        except KeyError:
            seen = known[path] = full_stamp_of(path)
            return seen

    def stamp(self, path: str) -> Stamp | None:
        """Return what stamp_of() would have said of a file in this look."""
        seen = self.full_stamp(path)
        return None if seen is None else (seen[0], seen[3])

    def newest_stamp(self, path: str) -> Stamp | None:
        """Return what a file is like now, or in this look if that is to last."""
        return self.stamp(path) if self.is_lasting else stamp_of(path)

    def are_current(self, stamps: Mapping[str, Stamp | None]) -> bool:
        """Tell whether files still have these stamps."""
        return all(self.stamp(path) == stamp for path, stamp in stamps.items())
