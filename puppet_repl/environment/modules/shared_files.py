"""What sessions share of the content of files: each node of an environment looks at the same."""

from __future__ import annotations

from _thread import RLock

from puppet_repl.base.stamp import is_settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.base.stamp import FullStamp


class SharedFiles:
    """The content of files by keys, as long as the files stay as they are; the last used are kept.

    ``max_kept`` are the bytes of files whose content is kept. One that has just been written may
    change without another stamp; with ``keeps_fresh`` it is kept, too.
    """

    __slots__ = ("_keeps_fresh", "_known", "_lock", "_max_kept", "_size")

    def __init__(self, max_kept: int, *, keeps_fresh: bool = False) -> None:
        self._keeps_fresh = keeps_fresh
        self._max_kept = max_kept
        self._known: dict[object, tuple[FullStamp, Any]] = {}
        self._size = 0
        # Threads may share them.
        self._lock = RLock()

    def find(self, key: object, stamp: FullStamp) -> Any:
        """Return what a file holds that looks like ``stamp``, None if that is not known."""
        with self._lock:
            known = self._known.pop(key, None)
            if known is None:
                return None
            if known[0] != stamp:
                self._size -= known[0][-1]
                return None
            self._known[key] = known  # after those that were used before
            return known[1]

    def keep(self, key: object, stamp: FullStamp, content: object) -> None:
        """Keep what a file holds, unless it may change unseen or is too large."""
        size = stamp[-1]
        if size > self._max_kept or not (self._keeps_fresh or is_settled(stamp)):
            return
        with self._lock:
            earlier = self._known.pop(key, None)
            self._size += size - (0 if earlier is None else earlier[0][-1])
            self._known[key] = stamp, content
            while self._size > self._max_kept:
                oldest = next(iter(self._known))
                self._size -= self._known.pop(oldest)[0][-1]
