"""The state of an initialized Ruby, kept in a file.

Only the parts of the memory that differ from that of a new instance are kept: 7 of 96 MB.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping

BLOCK = 4096
"""The granularity of comparison, in bytes."""

_LENGTH = struct.Struct("<Q")


class Snapshot:
    """The state of a Ruby at rest.

    ``size`` is that of the memory in bytes; ``parts`` are pieces of the memory by position;
    ``handles`` are addresses of Ruby's values by handle; ``opened`` are paths by file number;
    ``entry`` are the handle of the receiver and the numbers of two methods that are called.
    """

    __slots__ = ("entry", "handles", "opened", "parts", "size")

    def __init__(
        self,
        size: int,
        parts: list[tuple[int, memoryview]],
        handles: Mapping[int, int],
        opened: Mapping[int, str],
        entry: tuple[int, int, int],
    ) -> None:
        self.size = size
        self.parts = parts
        self.handles = dict(handles)
        self.opened = dict(opened)
        self.entry = entry

    def to_bytes(self) -> bytes:
        """Return what ``from_bytes`` reads."""
        head = {
            "size": self.size,
            "parts": [(start, len(data)) for start, data in self.parts],
            "handles": list(self.handles.items()),
            "opened": list(self.opened.items()),
            "entry": self.entry,
        }
        text = json.dumps(head).encode()
        data = (data for _, data in self.parts)
        return b"".join((_LENGTH.pack(len(text)), text, *data))

    @classmethod
    def from_bytes(cls, raw: memoryview) -> Snapshot:
        """Read a snapshot."""
        (length,) = _LENGTH.unpack_from(raw)
        position = _LENGTH.size + length
        head = json.loads(bytes(raw[_LENGTH.size : position]))
        parts = []
        for start, size in head["parts"]:
            parts.append((start, raw[position : position + size]))
            position += size
        receiver, run, step = head["entry"]
        return cls(
            head["size"],
            parts,
            dict(head["handles"]),
            dict(head["opened"]),
            (receiver, run, step),
        )


def joined(blocks: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield blocks in order of their positions, adjacent ones as one."""
    start = end = 0
    parts: list[bytes] = []
    for position, data in blocks:
        if parts and position != end:
            yield start, b"".join(parts)
            parts = []
        if not parts:
            start = position
        parts.append(data)
        end = position + len(data)
    if parts:
        yield start, b"".join(parts)
