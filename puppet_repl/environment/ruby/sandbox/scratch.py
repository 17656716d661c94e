"""What Ruby in the sandbox may write: files in memory, in two directories.

Functions of modules keep what they have made up, such as a password, in a file below Puppet's
directory for variable data, and make temporary files. Here such files live as long as the session,
and no file of the host is ever touched.
"""

from __future__ import annotations

import errno
import os
import time
from weakref import WeakSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ROOTS = ("/opt/puppetlabs/puppet/cache", "/tmp")
"""The directories: the setting vardir, and the one for temporary files."""

MAX_BYTES = 32 << 20
"""How large all files may be together."""

MAX_FILES = 1000
"""How many files and directories there may be."""


class Node:
    """A file or, with ``data`` None, a directory. Other attributes are named as in os.stat()."""

    __slots__ = ("__weakref__", "data", "st_ino", "st_mtime_ns")
    st_dev = 0
    st_nlink = 1

    def __init__(self, data: bytearray | None, number: int) -> None:
        self.data = data
        self.st_ino = number
        self.st_mtime_ns = time.time_ns()

    @property
    def st_size(self) -> int:
        """The length of a file in bytes."""
        return 0 if self.data is None else len(self.data)

    @property
    def st_atime_ns(self) -> int:
        """The time of the last change: reading is not noted."""
        return self.st_mtime_ns

    @property
    def st_ctime_ns(self) -> int:
        """The time of the last change."""
        return self.st_mtime_ns


class Scratch:
    """The files of one session by path, absolute and normalized; all methods raise OSError."""

    __slots__ = ("_living", "_nodes", "_number")

    def __init__(self) -> None:
        self._number = 0
        # Files that are removed take memory as long as they are open.
        self._living: WeakSet[Node] = WeakSet()
        self._nodes: dict[str, Node] = {}
        for root in ROOTS:
            self._nodes[root] = self._make(None)

    @property
    def is_empty(self) -> bool:
        """Whether there are no files."""
        return len(self._nodes) == len(ROOTS)

    def take_over(self, other: Scratch) -> None:
        """Have the files of another session, and those alone."""
        self._living = other._living
        self._nodes = other._nodes
        self._number = other._number

    def find(self, path: str) -> Node | None:
        """Return the file or directory of a path, None if there is none."""
        return self._nodes.get(path)

    def has_place_for(self, path: str) -> bool:
        """Tell whether a path is in one of the directories, be there something or not."""
        parent = self._nodes.get(os.path.dirname(path))
        return path not in ROOTS and parent is not None and parent.data is None

    def is_above(self, path: str) -> bool:
        """Tell whether a path is a directory that leads to one of these."""
        return any(root.startswith(os.path.join(path, "")) for root in ROOTS)

    def names(self, path: str) -> set[str]:
        """Return the names of all that is in a directory, or leads to one of these."""
        start = os.path.join(path, "")
        return {each[len(start) :].split("/")[0] for each in self._nodes if each.startswith(start)}

    def open_file(self, path: str, *, create: bool, exclusive: bool, truncate: bool) -> Node:
        """Return the file of a path, which is made if need be."""
        node = self._nodes.get(path)
        if node is None:
            if not create:
                raise OSError(errno.ENOENT, path)
            node = self._nodes[path] = self._make(bytearray())
        elif exclusive:
            raise OSError(errno.EEXIST, path)
        elif node.data is None:
            raise OSError(errno.EISDIR, path)
        elif truncate:
            self.resize(node, 0)
        return node

    def make_directory(self, path: str) -> None:
        """Make a directory."""
        if path in self._nodes:
            raise OSError(errno.EEXIST, path)
        self._nodes[path] = self._make(None)

    def remove(self, path: str, *, directory: bool) -> None:
        """Remove a file or an empty directory."""
        node = self._existing(path)
        if directory != (node.data is None):
            raise OSError(errno.ENOTDIR if directory else errno.EISDIR, path)
        if any(self._inside(path)):
            raise OSError(errno.ENOTEMPTY, path)
        del self._nodes[path]

    def rename(self, old: str, new: str) -> None:
        """Give a file or a directory, with all in it, another path; a file there is replaced."""
        node = self._existing(old)
        there = self._nodes.get(new)
        if there is not None and there is not node:
            self.remove(new, directory=node.data is None)
        if new.startswith(os.path.join(old, "")):
            raise OSError(errno.EINVAL, new)
        for path in (old, *self._inside(old)):
            self._nodes[new + path[len(old) :]] = self._nodes.pop(path)

    def write(self, node: Node, position: int, data: bytes) -> None:
        """Write into a file at a position; fill a gap before it with zeros."""
        assert node.data is not None
        end = position + len(data)
        if end > len(node.data):
            self.resize(node, end)
        node.data[position:end] = data
        node.st_mtime_ns = time.time_ns()

    def resize(self, node: Node, size: int) -> None:
        """Cut a file off, or add zeros to it."""
        assert node.data is not None
        missing = size - len(node.data)
        if missing > 0:
            if sum([each.st_size for each in self._living]) + missing > MAX_BYTES:
                raise OSError(errno.ENOSPC, "too large")
            node.data.extend(bytes(missing))
        else:
            del node.data[size:]

    def _make(self, data: bytearray | None) -> Node:
        if len(self._living) > MAX_FILES:
            raise OSError(errno.ENOSPC, "too many files")
        self._number += 1
        node = Node(data, self._number)
        self._living.add(node)
        return node

    def _existing(self, path: str) -> Node:
        node = self._nodes.get(path)
        if node is None:
            raise OSError(errno.ENOENT, path)
        return node

    def _inside(self, path: str) -> Iterator[str]:
        start = os.path.join(path, "")
        return iter([each for each in self._nodes if each.startswith(start)])
