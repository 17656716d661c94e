"""A look at the files of an environment: what was seen of one holds until the next look.

A catalog of real modules asks for hundreds of files and directories, most of them several times.
Each input looks anew. A command that works for many nodes looks once for all of them: whatever was
changed before it was given is seen, and all its nodes see the same files.
"""

from __future__ import annotations

from puppet_repl.base.stamp import full_stamp_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.base.stamp import FullStamp, Stamp


class Look:
    """What files were like at a look. One that ``is_lasting`` is renewed by take() alone.

    ``number`` counts the looks.
    """

    __slots__ = ("_seen", "is_lasting", "number")

    def __init__(self, *, is_lasting: bool = False) -> None:
        self.is_lasting = is_lasting
        self.number = 0
        self._seen: dict[str, FullStamp | None] = {}

    def take(self) -> None:
        """Forget what was seen."""
        self.number += 1
        self._seen.clear()

    def renew(self) -> None:
        """Forget what was seen, unless the look is to last."""
        if not self.is_lasting:
            self.take()

    def full_stamp(self, path: str) -> FullStamp | None:
        """Return what full_stamp_of() said of a file in this look."""
        try:
            return self._seen[path]
        except KeyError:
            seen = self._seen[path] = full_stamp_of(path)
            return seen

    def stamp(self, path: str) -> Stamp | None:
        """Return what stamp_of() would have said of a file in this look."""
        seen = self.full_stamp(path)
        return None if seen is None else (seen[0], seen[3])

    def are_current(self, stamps: Mapping[str, Stamp | None]) -> bool:
        """Tell whether files are as they were when they had these stamps."""
        for path, stamp in stamps.items():
            seen = self.full_stamp(path)
            if stamp is None or seen is None:
                if stamp is not None or seen is not None:
                    return False
            elif seen[0] != stamp[0] or seen[3] != stamp[1]:
                return False
        return True
