"""Sessions in which the worker evaluates: with the texts as they are in the editor, hermetic.

A request is an object of JSON: ``directory`` and ``settings`` are those of ``OpenDirectory``,
``path`` and ``text`` those of a document, ``texts`` the texts of all open documents by their paths,
and ``scratch`` a directory for files. Commands have further keys.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.language_server.roots import OpenDirectory, is_below
from puppet_repl.frontends.language_server.settings import Settings
from puppet_repl.frontends.language_server.shadow import shadow_of
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import log_line
from puppet_repl.tools.validation.roots import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from puppet_repl.session import Outcome
    from puppet_repl.tools.rendering.fragments import Fragment

    Request: TypeAlias = dict[str, Any]
    Answer: TypeAlias = dict[str, Any]

_CHARACTER = re.compile(r"[^\r\n]")
_DEFINED = (
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.ResourceTypeDefinition,
    ast.TypeAlias,
)
# A longer text is not read by anybody, and an editor may fail to show it.
MAX_TEXT = 500_000
_MAX_LOGS = 1_000


class Refusal(Exception):
    """A command that cannot be carried out; the message is a sentence for the user."""


class EditedRoot:
    """The environment or module of a document, with the texts of the editor in place of files.

    Without such texts its ``directory`` is the real one. None without an environment or a module.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.settings = Settings(request["settings"])
        self.path: str | None = request.get("path") or None
        self.text: str = request.get("text") or ""
        self.scratch: str = request["scratch"]
        self.opened = OpenDirectory(
            request.get("directory"),
            self.settings,
            is_opened=bool(request.get("is_opened")),
            further=(self.scratch,),
        )
        inside = self.path or os.path.join(request.get("directory") or "", "")
        self.root = self.opened.holder(inside)
        self.real = None if self.root is None else os.path.abspath(self.root.directory)
        self.directory: str | None = None
        # Directories that were made in place of others, and the names of these.
        self._names: dict[str, str] = {}
        if self.real is not None:
            self.directory = shadow_of(
                self.real, request.get("texts") or {}, self.opened.reach, self.scratch
            )
            self.name_as(self.directory, self.real)
        self._sessions: list[Session] = []

    def name_as(self, directory: str, name: str) -> None:
        """Call a directory by another name in what users read."""
        if directory != name:
            self._names[directory] = name

    def shown(self, text: str) -> str:
        """Return a text with the names of directories that users know."""
        for directory, name in self._names.items():
            text = text.replace(directory, name)
        return text

    def close(self) -> None:
        """End the sessions."""
        for session in self._sessions:
            session.close()

    # Sessions

    def session(self, directory: str | None = None, *, node: str | None = None) -> Session:
        """Return a new session for the root as it is in a directory; by default its own."""
        directory = self.directory if directory is None else directory
        root, real = self.root, self.real
        options = self.opened.options(root)
        if root is not None and real is not None and directory not in (None, real):
            assert directory is not None
            own = self.opened.options(Root(root.kind, directory, root.name))
            # Modules beside it are those beside the real one. Links of a shadow lead to the real
            # modules, after its own: Ruby may read files of these only.
            is_shadow = directory == self.directory
            around = [each for each in options.modulepath if is_shadow or not is_below(each, real)]
            own.modulepath = tuple(dict.fromkeys([*own.modulepath, *around]))
            options = own
        options.ruby = "auto"  # the sandbox, in a hermetic session
        options.max_seconds = self.settings.max_seconds
        options.spell("editor")
        node = node or self.request.get("node") or options.node
        if node:
            options.name_node(node)
        facts = self.request.get("facts") or self.settings.facts
        session = Session(options, facts=facts, reach=self.opened.reach_of_sessions)
        self._sessions.append(session)
        return session

    # The document

    def place(self, directory: str | None = None) -> str | None:
        """Return the path of the document in a directory, by default its own."""
        directory = self.directory if directory is None else directory
        if self.path is None or self.real is None or directory is None:
            return self.path
        inner = os.path.relpath(self.path, self.real)
        return self.path if inner.startswith(os.pardir) else os.path.join(directory, inner)

    def definitions(
        self, session: Session, text: str, path: str | None, left_out: range = range(0)
    ) -> str:
        """Return the text with blanks for all but the definitions that no module file would give.

        Those ``left_out`` begin in a range of offsets. A text with a syntax error has none.
        """
        try:
            found = [each for each in parse(Source(text)).definitions if isinstance(each, _DEFINED)]
        except PuppetError:
            return ""
        known = SessionSymbols(session)
        for each in found:
            place: tuple[Source, object, *tuple[object, ...]] | None
            if isinstance(each, ast.TypeAlias):
                place = known.in_type_file(each.name)
            else:
                place = known.in_module_file(each.name.lower())
            if place is not None and path is not None and _is_same(place[0].name, path):
                return ""  # the autoloader reads all of the file
        outer: list[ast.Node] = []
        for each in sorted(found, key=lambda node: node.start):
            if each.start in left_out or (outer and each.start < outer[-1].end):
                continue
            outer.append(each)
        return only(text, [(each.start, each.end) for each in outer])


def only(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks for all but some spans: lines and columns stay. '' without any."""
    parts = []
    position = 0
    for start, end in spans:
        parts += [_CHARACTER.sub(" ", text[position:start]), text[start:end]]
        position = end
    return "".join(parts)


def cut(text: str) -> str:
    """Return a text that an editor can show."""
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}\n... ({len(text) - MAX_TEXT} more characters)"


def logged(logs: list[tuple[str, str]]) -> str:
    """Return messages as lines, as Puppet's console shows them; '' without any."""
    lines = [log_line(level, text) for level, text in logs[:_MAX_LOGS] if level != "debug"]
    if len(logs) > _MAX_LOGS:
        lines.append(f"... ({len(logs) - _MAX_LOGS} more messages)")
    return "".join(f"{line}\n" for line in lines)


def logs_of(outcome: Outcome) -> str:
    """Return the messages of an outcome as lines."""
    return logged(outcome.logs)


def text_of(fragments: list[Fragment]) -> str:
    """Return styled text as lines."""
    text = plain(fragments).rstrip("\n")
    return f"{text}\n" if text else ""


def _is_same(path: str | None, other: str) -> bool:
    try:
        return path is not None and os.path.samefile(path, other)
    except OSError:
        return False
