"""The files that a hermetic session may read: the files of its modules and of its environment.

Symbolic links are resolved first. A path out of reach is refused alike whether it exists or not,
and so is one that only passes through other places, as ``ENV/../../etc/../ENV/file`` does: whether
that file can be opened would tell whether the place exists.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

REASON = "outside of the modules and the environment, and the session is hermetic"
# A directory within the reach that is not part of an environment and may hold passwords.
_LEFT_OUT = ".git"
# A path with more links is not followed, as on Linux.
_MAX_LINKS = 40


class OutOfReach(PermissionError):
    """A file that a hermetic session may not read; ``strerror`` says so."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EACCES, REASON, path)


class Reach:
    """The directories, with all that is below them, and the single files that may be read.

    Links to them are resolved once, when the reach is made.
    """

    __slots__ = ("_directories", "_files", "_passages", "roots")

    def __init__(self, directories: Iterable[str], files: Iterable[str] = ()) -> None:
        given = [_resolved(path) for path in directories]
        single = [_resolved(path) for path in files]
        real = dict.fromkeys([path for path, _ in given])
        self._directories = tuple([(path, os.path.join(path, "")) for path in real])
        self._files = frozenset([path for path, _ in single])
        # The places on the way to them.
        self._passages = frozenset([place for _, way in (*given, *single) for place in way])
        # The key that distinguishes reaches.
        self.roots = (*real, *sorted(self._files))

    def allows(self, path: str) -> bool:
        """Tell whether a file or directory may be read, which need not exist."""
        try:
            real, way = _resolved(path)
        except ValueError:  # a NUL
            return False
        if not self._contains(real):
            return False
        return all(place in self._passages or self._contains(place) for place in way)

    def _contains(self, real: str) -> bool:
        """Tell whether a path without links is that of something that may be read."""
        if real in self._files:
            return True
        for directory, start in self._directories:
            if real == directory:
                return True
            if real.startswith(start):
                return not _is_left_out(start, real[len(start) :].split(os.sep))
        return False

    def walk(
        self, top: str, is_wanted: Callable[[str], bool]
    ) -> Iterator[tuple[str, list[str], list[str]]]:
        """Go through a directory as os.walk() does, with the paths of wanted files in reach.

        Each step yields a directory, the names of those below it, which the caller may remove, and
        paths, all in order. A file is in reach if its directory is and the file is not a link; the
        system is asked about other files only. Links to directories are not followed, and from
        within the reach the walk does not leave it.
        """
        pending = [(top, self.allows(top))]
        while pending:
            where, is_within = pending.pop()
            directories: list[str] = []
            files: list[str] = []
            try:
                with os.scandir(where) as entries:
                    for entry in entries:
                        if _is_directory(entry):
                            if not entry.is_symlink():
                                directories.append(entry.name)
                        elif is_wanted(entry.path):
                            is_surely = is_within and not entry.is_symlink()
                            if is_surely or self.allows(entry.path):
                                files.append(entry.path)
            except OSError:
                continue
            directories.sort()
            files.sort()
            yield where, directories, files
            for name in reversed(directories):
                path = os.path.join(where, name)
                is_allowed = (is_within and not _may_be_left_out(name)) or self.allows(path)
                if is_allowed or not is_within:
                    pending.append((path, is_allowed))

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


def is_inside(path: str, directory: str) -> bool:
    """Tell whether something is in a directory, or is this directory, when links are followed."""
    if not os.path.exists(path):
        return False
    real = os.path.join(os.path.realpath(path), "")
    return real.startswith(os.path.join(os.path.realpath(directory), ""))


def _resolved(path: str) -> tuple[str, list[str]]:
    """Return a path without links, and the places that a system looks at to resolve it.

    Windows removes ``..`` from a path before it looks at anything. Of links that lead round the
    path is that of one of them.
    """
    if os.name == "nt":
        return os.path.realpath(path), []
    whole = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    here = os.sep
    names = whole.split(os.sep)[::-1]
    way: list[str] = []
    links = 0
    while names:
        name = names.pop()
        if name == os.pardir:
            here = os.path.dirname(here)
        elif name not in ("", os.curdir):
            place = os.path.join(here, name)
            way.append(place)
            try:
                target = os.readlink(place)
            except OSError:  # no link
                here = place
                continue
            links += 1
            if links > _MAX_LINKS:
                return place, way
            here = os.sep if os.path.isabs(target) else here
            names += target.split(os.sep)[::-1]
    return here, way


def _is_left_out(directory: str, names: list[str]) -> bool:
    """Tell whether a path of names below a directory leads through the one left out.

    File systems have other names for it, too: in capital letters, short ones such as GIT~1, or with
    characters that they ignore.
    """
    for name in names:
        if name.casefold() == _LEFT_OUT:
            return True
        path = os.path.join(directory, name)
        if _may_be_left_out(name):
            with suppress(OSError):
                if os.path.samefile(path, os.path.join(directory, _LEFT_OUT)):
                    return True
        directory = path
    return False


def _may_be_left_out(name: str) -> bool:
    """Tell whether a name may be one that a file system has for the directory left out."""
    return name[:1] == "." or "~" in name or not name.isascii()


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False
