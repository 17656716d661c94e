"""A cache with a limit on the bytes of its entries."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
# Bytes of an entry beside its key and value, about: a table of the cache, a tuple, a number.
ENTRY_SIZE = 400


class SizedCache(Generic[Key, Value]):
    """The values that were used last, as many as have ``max_bytes`` together; for several threads.

    The newest one is kept whatever its size.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def get(self, key: Key) -> Value | None:
        """Return a value, None if it is not kept (any more)."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Key, value: Value, size: int) -> None:
        """Keep a value in place of an earlier one; ``size`` is that of key and value in bytes."""
        with self._lock:
            before = self._entries.pop(key, None)
            if before is not None:
                self.size -= before[1]
            size += ENTRY_SIZE
            self._entries[key] = value, size
            self.size += size
            while self.size > self._max_bytes and len(self._entries) > 1:
                _, (_, oldest) = self._entries.popitem(last=False)
                self.size -= oldest

    def __len__(self) -> int:
        return len(self._entries)
