"""The files that a hermetic session may read: the files of its modules and of its environment.

Symbolic links are resolved first. A path out of reach is refused alike whether it exists or not.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

REASON = "outside of the modules and the environment, and the session is hermetic"
# A directory within the reach that is not part of an environment and may hold passwords.
_LEFT_OUT = ".git"


class OutOfReach(PermissionError):
    """A file that a hermetic session may not read; ``strerror`` says so."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EACCES, REASON, path)


class Reach:
    """The directories, with all that is below them, and the single files that may be read.

    Links to them are resolved once, when the reach is made.
    """

    __slots__ = ("_directories", "_files", "roots")

    def __init__(self, directories: Iterable[str], files: Iterable[str] = ()) -> None:
        real = dict.fromkeys([os.path.realpath(path) for path in directories])
        self._directories = tuple([(path, os.path.join(path, "")) for path in real])
        self._files = frozenset([os.path.realpath(path) for path in files])
        # The key that distinguishes reaches.
        self.roots = (*real, *sorted(self._files))

    def allows(self, path: str) -> bool:
        """Tell whether a file or directory may be read, which need not exist."""
        try:
            real = os.path.realpath(path)
        except ValueError:  # a NUL
            return False
        if real in self._files:
            return True
        for directory, start in self._directories:
            if real == directory:
                return True
            if real.startswith(start):
                return not _is_left_out(start, real[len(start) :].split(os.sep))
        return False

    def allows_typed(self, text: str) -> bool:
        """Tell whether a path as somebody types it may be read, perhaps ``~/file``.

        ``~name/file`` may not: it would tell which users this machine has.
        """
        home, *_ = text.split(os.sep, 1)
        return (home == "~" or home[:1] != "~") and self.allows(os.path.expanduser(text))

    def check(self, path: str) -> None:
        """Raise OutOfReach for a path that may not be read."""
        if not self.allows(path):
            raise OutOfReach(path)


def _is_left_out(directory: str, names: list[str]) -> bool:
    """Tell whether a path of names below a directory leads through the one left out.

    File systems have other names for it, too: in capital letters, short ones such as GIT~1, or with
    characters that they ignore.
    """
    for name in names:
        if name.casefold() == _LEFT_OUT:
            return True
        path = os.path.join(directory, name)
        if name[:1] == "." or "~" in name or not name.isascii():
            with suppress(OSError):
                if os.path.samefile(path, os.path.join(directory, _LEFT_OUT)):
                    return True
        directory = path
    return False
