"""The texts that a debugger shows and stops in."""

from __future__ import annotations

from collections.abc import Iterable
from types import FrameType
from typing import Protocol

from puppet_repl.session.debugging.statements import StatementLines


class Sources(Protocol):
    """The texts of one session by path, and the paths of what its frames call their file."""

    def path_of(self, frame: FrameType) -> str:
        """Return the path of the code of a frame, '' where nobody could open it."""

    def key(self, path: str) -> str:
        """Return what identifies a path, however it is written."""

    def text(self, path: str, frames: Iterable[FrameType] = ()) -> str | None:
        """Return the text at a path, None if there is none that the session could load.

        Of a file that has changed it is what the ``frames`` run.
        """

    def lines(self, path: str) -> StatementLines | str:
        """Return the lines of the statements at a path, or why code cannot be stopped there."""
