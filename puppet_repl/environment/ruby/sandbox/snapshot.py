"""The state of an initialized Ruby, kept in a file.

Only the parts of the memory that differ from that of a new instance are kept: 7 of 96 MB.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping

BLOCK = 4096
"""The granularity of comparison, in bytes."""

_MAGIC = b"puppet-repl Ruby 2\n"
_LENGTHS = struct.Struct("<QQ")


class BadSnapshot(Exception):
    """A file that holds no snapshot, or half of one."""


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
        parts: list[tuple[int, bytes]],
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
        length = sum(len(data) for _, data in self.parts)
        data = (data for _, data in self.parts)
        return b"".join((_MAGIC, _LENGTHS.pack(len(text), length), text, *data))

    @classmethod
    def from_bytes(cls, raw: bytes) -> Snapshot:
        """Read a snapshot; raise BadSnapshot."""
        begin = len(_MAGIC) + _LENGTHS.size
        if not raw.startswith(_MAGIC) or len(raw) < begin:
            raise BadSnapshot("no snapshot")
        text_length, length = _LENGTHS.unpack_from(raw, len(_MAGIC))
        if len(raw) != begin + text_length + length:
            raise BadSnapshot("not all of a snapshot")
        try:
            head = json.loads(raw[begin : begin + text_length])
        except ValueError:
            raise BadSnapshot("damaged") from None
        position = begin + text_length
        parts = []
        view = memoryview(raw)
        for start, size in head["parts"]:
            parts.append((start, bytes(view[position : position + size])))
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
