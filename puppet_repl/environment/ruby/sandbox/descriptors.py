"""Open files of Ruby in the sandbox, and the numbers and records of WASI that describe files."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from puppet_repl.environment.ruby.sandbox.scratch import Node

    class Attributes(Protocol):
        """What ``os.stat`` returns of a file, as far as WASI has a place for it."""

        @property
        def st_dev(self) -> int: ...
        @property
        def st_ino(self) -> int: ...
        @property
        def st_nlink(self) -> int: ...
        @property
        def st_size(self) -> int: ...
        @property
        def st_atime_ns(self) -> int: ...
        @property
        def st_mtime_ns(self) -> int: ...
        @property
        def st_ctime_ns(self) -> int: ...


CHARACTER_DEVICE, DIRECTORY, REGULAR_FILE, SYMBOLIC_LINK = 2, 3, 4, 7


class Open:
    """An open file or directory.

    ``data`` is the content of a file of the host, ``node`` a file in memory.
    """

    __slots__ = ("append", "data", "directory", "names", "node", "path", "position", "writable")

    def __init__(
        self,
        path: str,
        data: bytes | None = None,
        *,
        directory: bool = False,
        node: Node | None = None,
        writable: bool = False,
        append: bool = False,
    ) -> None:
        self.path = path
        self.data = data
        self.directory = directory
        self.node = node
        self.writable = writable
        self.append = append
        self.position = 0
        self.names: list[tuple[str, int, int]] | None = None

    @property
    def content(self) -> bytes | bytearray | None:
        """The content of a file; None for other descriptors."""
        return self.data if self.node is None else self.node.data

    @property
    def kind(self) -> int:
        """The number for the type of file."""
        if self.directory:
            return DIRECTORY
        return CHARACTER_DEVICE if self.content is None else REGULAR_FILE


def attributes_record(kind: int, found: Attributes | None) -> bytes:
    """Return the record of a file's attributes, zeros where there are none."""
    numbers: tuple[Any, ...] = (0, 0, kind, 1, 0, 0, 0, 0)
    if found is not None:
        numbers = (
            found.st_dev & 0xFFFFFFFF,
            found.st_ino,
            kind,
            found.st_nlink,
            found.st_size,
            max(0, found.st_atime_ns),
            max(0, found.st_mtime_ns),
            max(0, found.st_ctime_ns),
        )
    return struct.pack("<QQB7xQQQQQ", *numbers)
