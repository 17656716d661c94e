"""Files that a session has loaded or saved: may it overwrite them without losing anything?"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class KnownFile:
    """A file as this session knows it.

    ``first`` is the first input of the session that saved it, None for a file that was loaded.
    ``parts`` are the inputs that a file had when it was loaded: a new text has to have them.
    """

    __slots__ = ("_state", "first", "parts")

    def __init__(
        self, state: FileState | None, *, first: str | None = None, parts: Sequence[str] = ()
    ) -> None:
        self._state = state
        self.first = first
        self.parts = tuple([part.strip("\n") for part in parts])

    def is_unchanged(self, path: str) -> bool:
        """Tell whether nobody has written the file since."""
        return self._state is not None and self._state == state_of(path)

    def is_kept_by(self, inputs: Sequence[str]) -> bool:
        """Tell whether all inputs that were loaded from the file are among those to be saved."""
        return set(self.parts).issubset(inputs)


if TYPE_CHECKING:
    FileState = tuple[int, int, int, int]


def state_of(path: str) -> FileState | None:
    """Return what tells a version of a regular file from any other, None for all else."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
