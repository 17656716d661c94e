"""The texts that the debugger shows and stops in: cells, and files that the session loads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from types import FrameType

from ipykernel.compiler import murmur2_x86

from puppet_kernel.cache import SizedCache
from puppet_kernel.cell_magics import CellMagicError
from puppet_kernel.cell_parts import code_parts
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.session import Session
from puppet_repl.session.debugging.breakpoints import NO_CODE
from puppet_repl.session.debugging.frames import tree_of
from puppet_repl.session.debugging.places import CODE_DIRECTORIES, SUFFIX, code_files
from puppet_repl.session.debugging.statements import StatementLines, statement_lines

# JupyterLab calls the code at a path with this word in it "Cell [1]", and not by the path.
PREFIX = "puppet_ipykernel_cell_"
SEED = 0
MAX_FILES = 5000
# Bytes of the texts that the notebook has named, and as many of cells that have run.
MAX_KEPT = 8_000_000


def code_path(code: str) -> str:
    """Return the path of a cell's code, computed in the same way as the notebook does."""
    return f"{PREFIX}{murmur2_x86(code, SEED)}{SUFFIX}"


class Cell:
    """The text of a cell that has run; ``path`` is '' until somebody needs it."""

    __slots__ = ("code", "path")

    def __init__(self, code: str) -> None:
        self.code = code
        self.path = ""


class CellSources:
    """The texts of one session by path, and the paths of what its frames call their file.

    Of the texts of cells those that were used last are kept, so that edits do not add up.
    """

    def __init__(self, puppet: Session) -> None:
        self._puppet = puppet
        self._codes: SizedCache[str, str] = SizedCache(MAX_KEPT)
        self._cells: SizedCache[str, Cell] = SizedCache(MAX_KEPT)

    def know(self, name: str, code: str) -> None:
        """Remember the code of a cell by the name that its frames have."""
        self._cells.put(name, Cell(code), sys.getsizeof(code))

    def dump(self, code: str) -> str:
        """Remember the code of a cell before it runs; return its path."""
        path = code_path(code)
        self._codes.put(path, code, sys.getsizeof(code))
        return path

    def key(self, path: str) -> str:
        """Return what identifies a path: its text, as the notebook writes it."""
        return path

    def lines(self, path: str) -> StatementLines | str:
        """Return the lines of the statements at a path, or why code cannot be stopped there."""
        text = self.text(path)
        if text is None:
            return f"the session does not load {path}"
        try:
            if not path.startswith(PREFIX):
                return statement_lines(text)
            parts = code_parts(self._puppet, text)
            return statement_lines(text, *parts) if parts else NO_CODE
        except (CellMagicError, PuppetError) as error:
            return str(error)

    def path_of(self, frame: FrameType) -> str:
        """Return the path of the code of a frame, '' where nobody could open it."""
        name = frame.f_code.co_filename
        cell = self._cells.get(name)
        if cell is not None:
            # Only now: it takes time in proportion to the text.
            cell.path = cell.path or self.dump(cell.code)
            return cell.path
        return name if os.path.isabs(name) else ""

    def text(self, path: str, frames: Iterable[FrameType] = ()) -> str | None:
        """Return the text at a path, None if there is none that the session could load.

        Of a file that has changed it is what the ``frames`` run.
        """
        code = self._codes.get(path)
        if code is not None:
            return code
        for frame in frames:
            name = frame.f_code.co_filename
            if name == path:
                return tree_of(frame).source.text
            cell = self._cells.get(name)
            if cell is not None and cell.path == path:
                return cell.code
        if not self._is_loadable(path):
            return None
        try:
            return read_text(path)
        except (OSError, UnicodeDecodeError, PuppetError):
            return None

    def files(self) -> Iterator[tuple[str, str]]:
        """Return name and path of each file of code that the session could load, by module."""
        return code_files(self._puppet)

    def _is_loadable(self, path: str) -> bool:
        """Tell whether a path is that of code in a module or in the environment."""
        environment = self._puppet.environment
        reach = self._puppet.reach
        if environment is None or not path.endswith(SUFFIX) or not os.path.isabs(path):
            return False
        if reach is not None and not reach.allows(path):
            return False
        roots = [module.path for module in environment.modules.values()]
        if environment.directory is not None:
            roots.append(environment.directory)
        wanted = os.path.normpath(path)
        directories = [os.path.join(root, each) for root in roots for each in CODE_DIRECTORIES]
        return any(wanted.startswith(directory + os.sep) for directory in directories)
