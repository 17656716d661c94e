"""The definitions of files by their paths: each file is parsed once in a run."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.tools.validation.definitions import definitions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.reach import Reach
    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.validation.definitions import Definition


class DefinitionFiles:
    """What files define. With a ``reach`` no other file is read.

    ``awaited`` are the files whose trees the run will ask for later: these are kept until then.
    """

    __slots__ = ("_known", "_trees", "awaited", "reach")

    def __init__(self, reach: Reach | None = None) -> None:
        self.reach = reach
        self.awaited: set[str] = set()
        self._known: dict[str, tuple[Definition, ...] | None] = {}
        self._trees: dict[str, ast.Program] = {}

    def take(self, path: str) -> ast.Program | None:
        """Return the tree of a file if it has been parsed, and keep it no longer."""
        whole = os.path.abspath(path)
        self.awaited.discard(whole)
        return self._trees.pop(whole, None)

    def add(self, path: str, program: ast.Program) -> None:
        """Note what the tree of a file defines."""
        self._known[os.path.abspath(path)] = tuple(definitions_of(program))

    def find(self, path: str, kind: str, name: str) -> Definition | None:
        """Return the definition of a name in a file; the last one counts, as in Puppet."""
        for each in reversed(self.of(path) or ()):
            if each.kind == kind and each.name == name:
                return each
        return None

    def is_broken(self, path: str) -> bool:
        """Tell whether a file is there and cannot be read or parsed."""
        return self.of(path) is None

    def of(self, path: str) -> tuple[Definition, ...] | None:
        """Return what a file defines, nothing for a missing file, None for a broken one."""
        try:
            return self._known[path]
        except KeyError:
            pass
        found: tuple[Definition, ...] | None = None
        try:
            if self.reach is not None:
                self.reach.check(path)
            program = parse(read_source(path))
        except (FileNotFoundError, NotADirectoryError):
            found = ()
        except (OSError, PuppetError):
            found = None
        else:
            found = tuple(definitions_of(program))
            if path in self.awaited:
                self._trees[path] = program
        self._known[path] = found
        return found
