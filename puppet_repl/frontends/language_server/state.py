"""What the server knows: open documents, open directories, settings."""

from __future__ import annotations

import os

from puppet_repl.frontends.language_server.addresses import path_of
from puppet_repl.frontends.language_server.documents import OpenDocument, opened
from puppet_repl.frontends.language_server.roots import (
    OpenDirectory,
    directory_of_root,
    is_below,
)
from puppet_repl.frontends.language_server.settings import Settings
from puppet_repl.frontends.language_server.wire import INVALID_PARAMS, RequestError
from puppet_repl.tools.editing.index import Indexing, is_indexed
from puppet_repl.tools.editing.problems import problems_of_file
from puppet_repl.tools.editing.symbols import WorkspaceSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from puppet_repl.frontends.language_server.capabilities import Client
    from puppet_repl.language.syntax import ast
    from puppet_repl.session import Session
    from puppet_repl.tools.editing.problems import Problem

_CREATED, _CHANGED, _DELETED = 1, 2, 3


class State:
    """The open documents by their addresses, and the directories that have them.

    ``unchecked`` has the addresses of documents whose problems are to be sent; ``is_outdated`` says
    that a client which asks for problems has to ask again. ``check`` raises
    RequestError if the request that is being answered was cancelled.
    """

    def __init__(self, client: Client, directories: Iterable[str], settings: Settings) -> None:
        self.client = client
        self._start = self._sent = self.settings = settings
        self.check: Callable[[], None] = _go_on
        self.documents: dict[str, OpenDocument] = {}
        self.unchecked: dict[str, None] = {}
        self.is_outdated = False
        self._directories = list(directories)
        self._opened: dict[str | None, OpenDirectory] = {}
        self.indexing = self._indexing()

    @property
    def is_trusted(self) -> bool:
        """Whether commands may evaluate: settings can only take the trust of the start away.

        Those that come later may be from a file of an open directory.
        """
        return self._start.trust and self._sent.trust

    # Documents

    def open(self, parameters: dict[str, Any]) -> None:
        """Open a document."""
        document = opened(parameters)
        self.documents[document.uri] = document
        self.unchecked[document.uri] = None

    def document(self, parameters: dict[str, Any]) -> OpenDocument:
        """Return the document of a request; raise RequestError for one that is not open."""
        item = parameters.get("textDocument")
        uri = item.get("uri") if isinstance(item, dict) else None
        if not isinstance(uri, str):
            raise RequestError(INVALID_PARAMS, "textDocument.uri is missing")
        document = self.documents.get(uri)
        if document is None:
            raise RequestError(INVALID_PARAMS, f"{uri} is not open")
        return document

    def change(self, parameters: dict[str, Any]) -> None:
        """Change the text of a document."""
        document = self.document(parameters)
        if document.interface is None:
            document.interface = document.found_interface()
        document.change(parameters, self.client.encoding)
        self.unchecked[document.uri] = None

    def save(self, parameters: dict[str, Any]) -> None:
        """Note that the file of a document has its text: others are checked again."""
        document = self.document(parameters)
        document.is_saved = True
        if document.path:
            self.changed([(document.path, _CHANGED)])

    def close(self, parameters: dict[str, Any]) -> None:
        """Close a document; its file counts again."""
        document = self.document(parameters)
        del self.documents[document.uri]
        self.unchecked.pop(document.uri, None)
        if document.path and not document.is_saved:
            self.changed([(document.path, _CHANGED)])

    # Files

    def watched(self, parameters: dict[str, Any]) -> None:
        """Take note of files that have changed, come or gone."""
        changes = []
        for each in parameters.get("changes") or ():
            path = path_of(str(each.get("uri")))
            if path is not None:
                changes.append((path, each.get("type")))
        if changes:
            self.changed(changes)

    def changed(self, changes: list[tuple[str, int]]) -> None:
        """Read these files again, and check all open documents again."""
        for directory in self._opened.values():
            if all(kind == _CHANGED and path.endswith(".pp") for path, kind in changes):
                for path, _ in changes:
                    directory.forget(path)
            else:
                directory.forget_all()
        for path, _ in changes:
            if any(each.may_index(path) for each in self._opened.values()):
                self.indexing.note(path)
        for document in self.documents.values():
            document.forget_problems()
            self.unchecked[document.uri] = None

    # Directories and settings

    def change_directories(self, parameters: dict[str, Any]) -> None:
        """Add and remove directories."""
        event = parameters.get("event") or {}
        gone = {path_of(str(each.get("uri"))) for each in event.get("removed") or ()}
        added = [path_of(str(each.get("uri"))) for each in event.get("added") or ()]
        kept = [each for each in self._directories if each not in gone]
        self._directories = [*kept, *[each for each in added if each is not None]]
        self._forget_directories()

    def take(self, settings: Settings) -> None:
        """Use other settings."""
        self._sent = settings
        self._forget_directories()

    def _forget_directories(self) -> None:
        for directory in self._opened.values():
            directory.close()
        self._opened.clear()
        self.settings = self._sent
        if not self.is_trusted:
            self.settings = self._sent.restricted(self._start, self._directories)
        self.indexing = self._indexing()
        self.changed([])

    def directory(self, document: OpenDocument) -> OpenDirectory:
        """Return the innermost open directory of a document, else that of its root."""
        return self._directory_of(document.path)

    def _directory_of(self, path_inside: str) -> OpenDirectory:
        path = None
        if path_inside:
            around = [each for each in self._directories if is_below(path_inside, each)]
            path = max(around, key=len, default=None) or directory_of_root(path_inside)
        if path not in self._opened:
            is_opened = path in self._directories
            self._opened[path] = OpenDirectory(path, self.settings, is_opened=is_opened)
        return self._opened[path]

    def sessions(self, path: str | None) -> Iterator[Session]:
        """Yield the session of a file's root, without one those of all open directories."""
        paths = [os.path.join(each, "") for each in self._directories] if path is None else [path]
        for each in paths:
            yield self._directory_of(each).session(each)

    def is_open(self, path: str, document: OpenDocument) -> bool:
        """Tell whether a file is in a directory that is open, or in that of a document's root."""
        directories = [*self._directories]
        if self.directory(document).directory is not None:
            directories.append(str(self.directory(document).directory))
        return any(is_below(path, each) for each in directories)

    def _indexing(self) -> Indexing:
        name = "\n".join([*self._directories, *self.settings.module_path])
        return Indexing(name, self._code_by_directory)

    def _code_by_directory(self) -> Iterator[list[str]]:
        """Yield the files with definitions of all open directories."""
        for path in self._directories:
            if path not in self._opened:
                self._opened[path] = OpenDirectory(path, self.settings)
            yield from self._opened[path].files_by_directory(None, is_indexed)

    def has_file(self, path: str) -> bool:
        """Tell whether there is a file of a path, or an open document that is not saved yet."""
        place = os.path.realpath(path)
        opened = (os.path.realpath(each.path) for each in self.documents.values() if each.path)
        return os.path.lexists(path) or place in opened

    def symbols(self, document: OpenDocument, offset: int) -> WorkspaceSymbols:
        """Return the names at an offset of a document; others count as they are in the client."""
        session = self.directory(document).session(document.path or None)
        others = [program for _, program in self.others(document)]
        opened = {each.path for each in self.documents.values()}
        is_around = self.is_seen_from(document)

        def is_seen(path: str) -> bool:
            return path not in opened and is_around(path)

        tree = document.tree() if document.is_code else None
        return WorkspaceSymbols(session, tree, offset, others, self.indexing.index, is_seen)

    def is_seen_from(self, document: OpenDocument) -> Callable[[str], bool]:
        """Return whether code of a document may use that of a file."""
        places = self.directory(document).places(document.path or None)
        return lambda path: any(is_below(path, place) for place in places)

    def others(self, document: OpenDocument) -> Iterator[tuple[str, ast.Program]]:
        """Yield paths and trees of the other documents that are open in the same directory."""
        directory = self.directory(document)
        for each in self.documents.values():
            if each is not document and each.is_code and self.directory(each) is directory:
                tree = each.tree()
                if tree is not None:
                    yield each.path, tree.program

    def problems(self, document: OpenDocument) -> list[Problem]:
        """Return the problems of a document; others count as they are in the client."""
        if document.problems is None:
            directory = self.directory(document)
            for path, program in self.others(document):
                if path:
                    directory.note(path, program)
            self._compare_interface(document)
            file = directory.file(document)
            document.problems = [] if file is None else problems_of_file(file)
        return document.problems

    def _compare_interface(self, document: OpenDocument) -> None:
        """Check the other documents again if this one defines something else than before."""
        before, document.interface = document.interface, document.found_interface()
        if before is None or before == document.interface:
            return
        directory = self.directory(document)
        for each in self.documents.values():
            if each is not document and self.directory(each) is directory:
                each.forget_problems()
                self.unchecked[each.uri] = None
                self.is_outdated = True


def _go_on() -> None:
    """Check nothing: no request is being answered."""
