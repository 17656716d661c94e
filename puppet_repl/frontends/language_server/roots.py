"""Checks and names for the documents of one open directory.

A root is an environment or a module, as ``validate`` finds it; nobody has to name it. Only files of
the directory, and of the setting modulePath, are read.
"""

from __future__ import annotations

import os

from puppet_repl.base.reach import Reach
from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import Module
from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS
from puppet_repl.environment.modules.tested_module import module_path
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import DEFAULT_STDLIB, Options, Session
from puppet_repl.tools.validation.file import File
from puppet_repl.tools.validation.kinds import CODE, DATA, HIERA, PUPPET_CODE, kind_of
from puppet_repl.tools.validation.roots import Roots
from puppet_repl.tools.validation.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.settings import Settings
    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.validation.roots import Root

_EPP = PUPPET_CODE[1]
_CODE = (".pp", ".epp")
# The names by which texts without a file are checked.
_NAME_OF_TEMPLATE = "untitled.epp"


class OpenDirectory:
    """A directory; None for texts that are in no file.

    One that a client has not opened is that of a single file, unless it is a root. The directories
    ``further`` may be read, too.
    """

    def __init__(
        self,
        directory: str | None,
        settings: Settings,
        *,
        is_opened: bool = True,
        further: Iterable[str] = (),
    ) -> None:
        self.directory = directory
        self.is_opened = is_opened
        self.settings = settings
        own = [*([] if directory is None else [directory]), *further]
        modules = [*settings.module_path, *_linked_from(settings.linking_path)]
        self.reach = Reach([*own, *modules])
        stdlib = BUNDLED_STDLIBS[DEFAULT_STDLIB]
        self.reach_of_sessions = Reach([*own, *modules, stdlib])
        self._workspace = Workspace(settings.choices, self.reach)
        self._sessions: dict[str | None, Session] = {}

    # Checks

    def file(self, document: OpenDocument) -> File | None:
        """Return a document as a file to check, None for one of a kind that is not checked."""
        path = document.path
        workspace = self._workspace
        workspace.forget_reported()
        if not path:
            path_shown = _NAME_OF_TEMPLATE if document.is_template else None
            kind = _EPP if document.is_template else CODE
            return File(path_shown, kind, None, workspace, Source(document.text, path_shown))
        root = workspace.roots.of(path)
        kind_found = kind_of(path, root)
        if kind_found is None and document.is_code:
            kind_found = _EPP if document.is_template else CODE
        if kind_found is None:
            return None
        return File(path, kind_found, root, workspace, Source(document.text, path))

    def has_data(self, document: OpenDocument) -> bool:
        """Tell whether a document is a data file, or a hiera.yaml."""
        path = document.path
        return bool(path) and kind_of(path, self._workspace.roots.of(path)) in (DATA, HIERA)

    def module_with_data(self, path: str) -> str | None:
        """Return the name of the module whose data a file has, None for data of an environment."""
        root = self._workspace.roots.of(path)
        is_own = root is not None and root.holder is None and root.is_sure
        return root.name or None if root is not None and is_own else None

    def note(self, path: str, program: ast.Program) -> None:
        """Note what the text of an open document defines, which may not be in its file yet."""
        self._workspace.files.add(path, program)

    def forget(self, path: str) -> None:
        """Read a file again when it is needed, and what depends on it."""
        files = self._workspace.files
        files.forget(path)
        self._workspace = Workspace(self.settings.choices, self.reach)
        self._workspace.files = files

    def forget_all(self) -> None:
        """Read everything again: files have come or gone."""
        self._workspace = Workspace(self.settings.choices, self.reach)
        self.close()

    def close(self) -> None:
        """End the sessions."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()

    # Names

    def session(self, path: str | None) -> Session:
        """Return the session of the root that a file belongs to; nothing runs in it."""
        holder = self.holder(path)
        place = None if holder is None else os.path.abspath(holder.directory)
        session = self._sessions.get(place)
        if session is None:
            facts, reach = self.settings.facts, self.reach_of_sessions
            session = Session(self.options(holder), facts=facts, reach=reach)
            self._sessions[place] = session
        return session

    def holder(self, path: str | None) -> Root | None:
        """Return the environment, or else the module, that a file belongs to."""
        root = self._workspace.roots.of(path) if path else None
        return None if root is None else (root.environment or root)

    def options(self, root: Root | None) -> Options:
        """Return the options of sessions for a root: hermetic ones without Ruby."""
        settings = self.settings
        modules = [*settings.module_path]
        environment = None
        if root is not None and root.kind == "environment":
            environment = os.path.abspath(root.directory)
            modules = [*root.modulepath(self.reach), *modules]
        elif root is not None:
            module = Module(root.name, os.path.abspath(root.directory), self.reach)
            modules = [*module_path(module), *modules]
        return Options(
            environment=environment,
            modulepath=tuple([each for each in modules if self._is_there(each)]),
            node=settings.node,
            language=settings.language,
            hermetic=True,
            ruby="off",
            stdlib=DEFAULT_STDLIB,
        )

    # Files

    def module_file(self, path: str) -> str | None:
        """Return ``module/directory/file`` for a file of a module, None for any other."""
        root = self._workspace.roots.of(path)
        if root is None or root.kind != "module" or not root.name:
            return None
        return f"{root.name}/{root.inside(path)}"

    def directory_of_module(self, path: str, name: str) -> str | None:
        """Return the directory of a module that a file may use, None if it is not opened here."""
        root = self._workspace.roots.of(path)
        found = None if root is None else self._workspace.index(root).modules.get(name)
        if found is None or self.directory is None:
            return None
        where = os.path.abspath(found.module.path)
        return where if is_below(where, self.directory) and self.reach.allows(where) else None

    def places(self, path: str | None) -> list[str]:
        """Return the directories whose code a file may use: its root, and those of modules."""
        holder = self.holder(path)
        if holder is not None:
            starts = [os.path.abspath(holder.directory)]
        else:
            starts = [self.directory] if self.directory and self.is_opened else []
        for each in self.settings.module_path:
            if not any(is_below(each, start) for start in starts):
                starts.append(each)
        return starts

    def code_files(self, path: str | None, endings: tuple[str, ...] = _CODE) -> Iterator[str]:
        """Yield the manifests and templates of the root of a file, and of its modules.

        With other ``endings`` they are files whose names end with these.
        """
        for files in self.files_by_directory(path, lambda file: file.endswith(endings)):
            yield from files

    def files_by_directory(
        self, path: str | None, is_wanted: Callable[[str], bool]
    ) -> Iterator[list[str]]:
        """Yield the files that are wanted, those of one directory in each step."""
        for start in self.places(path):
            for _, directories, files in self.reach.walk(start, is_wanted):
                directories[:] = [each for each in directories if each[:1] != "."]
                yield files

    def may_index(self, path: str) -> bool:
        """Tell whether a file is one of those whose definitions count for all."""
        for place in self.places(None):
            if is_below(path, place):
                inside = os.path.relpath(path, place).split(os.sep)
                return not any(each[:1] == "." for each in inside) and self.reach.allows(path)
        return False

    def data_files(self, path: str | None) -> Iterator[str]:
        """Yield the data files that a lookup in the root of a file may read, for some facts."""
        root = self._workspace.roots.of(path) if path else None
        if root is None:
            return
        for layout in self._workspace.layouts(root):
            for file, _ in layout.files():
                yield file

    def _is_there(self, directory: str) -> bool:
        return self.reach.allows(directory) and os.path.isdir(directory)


def is_below(path: str, directory: str) -> bool:
    """Tell whether a path is a directory, or below it."""
    return path == directory or path.startswith(os.path.join(directory, ""))


def _linked_from(directories: Iterable[str]) -> Iterator[str]:
    """Yield the directories that links lead to which are directly in a directory.

    A module path may be made of links to checkouts. Only directories that the user has named in a
    setting are asked: a link in a repository could lead anywhere.
    """
    for directory in directories:
        listing = Listings().of(directory)
        yield from (os.path.realpath(os.path.join(directory, name)) for name in listing.links)


def directory_of_root(path: str) -> str:
    """Return the directory of the environment or module that a file is in, else its own.

    It is for a file that is in none of the directories that a client has opened.
    """
    root = Roots().of(path)
    if root is None:
        return os.path.dirname(path)
    return os.path.abspath((root.environment or root).directory)
