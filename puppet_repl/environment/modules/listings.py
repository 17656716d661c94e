"""What directories hold, remembered as long as they do not change.

A catalog of real modules asks a hundred modules for this and that, and most have nothing of it. A
directory is looked at once for each input (see Look), and read again only if it has changed: its
time of change tells, for files that come, go or are renamed.
"""

from __future__ import annotations

import os
import time

from puppet_repl.base.stamp import TICK, Look
from puppet_repl.base.wording import why_unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from puppet_repl.base.reach import Reach


class Listing:
    """The sorted names in a directory: directories, links to directories, and all other files.

    ``broken`` are names that the system cannot follow, such as links to themselves. ``problem`` is
    the error of reading it, or None; a missing directory is not an error.
    """

    __slots__ = ("broken", "changed", "checked", "directories", "files", "links", "problem")

    def __init__(self, checked: int, changed: int) -> None:
        self.checked = checked
        self.changed = changed
        self.directories: tuple[str, ...] = ()
        self.links: tuple[str, ...] = ()
        self.files: tuple[str, ...] = ()
        self.broken: tuple[str, ...] = ()
        self.problem: str | None = None


class Listings:
    """Listings of directories by their paths; sessions may share those that are ``known``.

    Directories out of ``reach`` are empty. Each directory is checked once in a ``look``.
    """

    __slots__ = ("_known", "_reach", "look")

    def __init__(
        self,
        reach: Reach | None = None,
        look: Look | None = None,
        known: dict[str, Listing] | None = None,
    ) -> None:
        self._reach = reach
        self.look = Look() if look is None else look
        self._known = {} if known is None else known

    def of(self, directory: str) -> Listing:
        """Return what a directory holds; nothing if there is none."""
        now = self.look.number  # another thread may begin the next look
        known = self._known.get(directory)
        if known is not None and known.checked == now and known.problem is None:
            return known
        if self._reach is not None and not self._reach.allows(directory):
            return Listing(now, -1)
        try:
            changed = os.stat(directory).st_mtime_ns
        except (OSError, ValueError):  # a null byte in the name
            changed = 0
        if known is None or known.changed != changed:
            known = self._known[directory] = _read(directory, changed, self._reach)
        known.checked = now
        return known

    def are_current(self, listings: Mapping[str, Listing]) -> bool:
        """Tell whether directories hold what they held; there may be hundreds of them."""
        if self._reach is not None:
            return all(self.of(path) is listing for path, listing in listings.items())
        look = os.stat
        now = self.look.number
        for directory, listing in listings.items():
            if listing.checked != now or listing.problem is not None:
                try:
                    changed = look(directory).st_mtime_ns
                except (OSError, ValueError):
                    changed = 0
                if listing.changed != changed or self._known.get(directory) is not listing:
                    return False
                listing.checked = now
        return True

    def has(self, directory: str, name: str) -> bool:
        """Tell whether a directory holds a file of a name."""
        return name in self.of(directory).files

    def files_below(
        self, root: str, ending: str, looked_at: dict[str, Listing] | None = None
    ) -> Iterator[str]:
        """Yield the paths of files below a directory, relative to it, those with an ending.

        Links to directories are not followed. The directories that were ``looked_at`` are noted.
        """
        pending = [""]
        while pending:
            inner = pending.pop(0)
            directory = root + os.sep + inner if inner else root
            listing = self.of(directory)
            if looked_at is not None:
                looked_at[directory] = listing
            start = inner + os.sep if inner else ""
            for name in listing.files:
                if name.endswith(ending):
                    yield start + name
            pending[:0] = [start + name for name in listing.directories]


def _read(directory: str, changed: int, reach: Reach | None) -> Listing:
    # A directory may change twice within one tick of its time: then each look reads it.
    is_fresh = changed and time.time_ns() - changed < TICK
    listing = Listing(-1, -1 if is_fresh else changed)
    directories: list[str] = []
    links: list[str] = []
    files: list[str] = []
    broken: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                kind = files
                try:
                    if entry.is_symlink():
                        # What a link out of reach leads to is not looked at.
                        is_seen = reach is None or reach.allows(entry.path)
                        kind = links if is_seen and entry.is_dir() else files
                    elif entry.is_dir():
                        kind = directories
                except OSError:
                    kind = broken
                kind.append(entry.name)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return listing
    except OSError as error:
        listing.problem = why_unusable(error)
        listing.changed = -1  # it may be readable later without having changed
        return listing
    listing.directories = tuple(sorted(directories))
    listing.links = tuple(sorted(links))
    listing.files = tuple(sorted(files))
    listing.broken = tuple(sorted(broken))
    if broken:
        listing.changed = -1  # what they lead to may change elsewhere
    return listing
