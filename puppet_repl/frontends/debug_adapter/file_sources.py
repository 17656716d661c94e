"""The texts of a program: its files, and code that is in no file."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.wording import why_unusable
from puppet_repl.session.debugging.frames import tree_of
from puppet_repl.session.debugging.statements import statement_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

    from puppet_repl.base.reach import Reach
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.session.debugging.statements import StatementLines

_SUFFIXES = (".pp", ".epp")


class FileSources:
    """The texts of one session by path; ``reach`` is what a hermetic session may read.

    Clients see each file under the path that they have used. ``run`` are the paths of files whose
    code has run, ``typed`` the texts that are in no file, by their numbers from 1 on.
    """

    def __init__(self, reach: Reach | None) -> None:
        self._reach = reach
        self._keys: dict[str, str] = {}
        self._given: dict[str, str] = {}
        self.run: dict[str, str] = {}
        self.typed: list[Source] = []

    def path_of(self, frame: FrameType) -> str:
        """Return the path of the code of a frame, '' for code that is in no file."""
        name = frame.f_code.co_filename
        if not os.path.isabs(name):
            return ""
        path = self.shown(name)
        self.run.setdefault(self.key(name), path)
        return path

    def key(self, path: str) -> str:
        """Return what identifies a path, however it is written."""
        key = self._keys.get(path)
        if key is None:
            key = os.path.normcase(os.path.realpath(path)) if os.path.isabs(path) else path
            self._keys[path] = key
        return key

    def shown(self, path: str) -> str:
        """Return the path under which clients see a file."""
        return self._given.get(self.key(path), path)

    def know(self, path: str) -> None:
        """Show a file under this path from now on."""
        self._given[self.key(path)] = path

    def number_of(self, source: Source) -> int:
        """Return the number of a text that is in no file."""
        for number, each in enumerate(self.typed, 1):
            if each.text == source.text and each.name == source.name:
                return number
        self.typed.append(source)
        return len(self.typed)

    def text(self, path: str, frames: Iterable[FrameType] = ()) -> str | None:
        """Return the text at a path, None if it cannot be read.

        Of a file that has changed it is what the ``frames`` run.
        """
        key = self.key(path)
        for frame in frames:
            if self.key(frame.f_code.co_filename) == key:
                return tree_of(frame).source.text
        return self._read(path)[0]

    def lines(self, path: str) -> StatementLines | str:
        """Return the lines of the statements at a path, or why code cannot be stopped there."""
        text, problem = self._read(path)
        if text is None:
            return problem
        try:
            return statement_lines(text, epp=path.endswith(".epp"))
        except PuppetError as error:
            return str(error)

    def _read(self, path: str) -> tuple[str | None, str]:
        """Return the text at a path; without one, why it cannot be read."""
        if not path.endswith(_SUFFIXES) or not os.path.isabs(path):
            return None, f"not the path of a manifest or a template in EPP: {path}"
        if self._reach is not None and not self._reach.allows(path):
            return None, f"a hermetic session does not read {path}"
        try:
            return read_text(path), ""
        except (OSError, UnicodeDecodeError) as error:
            return None, f"cannot read {path}: {why_unusable(error)}"
