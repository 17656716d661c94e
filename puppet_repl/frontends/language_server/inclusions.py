"""Which nodes include a class, as far as literals in code and data tell. Nothing is evaluated.

Counted are nodes with a block of their name, and nodes with a data file whose ``classes`` code of
the site looks up. Classes and defined types between node and class may be in conditions.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.stamp import stamp_of
from puppet_repl.frontends.language_server.nodes import named_nodes
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_uses import uses_in_data
from puppet_repl.tools.editing.scopes import TOP, plain, scope_of_class
from puppet_repl.tools.validation.data_parameters import CLASSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.places import Places
    from puppet_repl.frontends.language_server.state import State

_LOOKS_UP = re.compile(rf"\b(?:lookup|hiera\w*)\b[\s(]*\[?\s*['\"]?{CLASSES}\b")


class Inclusions:
    """The nodes of classes. Lists of classes in data are read again when their file has changed."""

    def __init__(self, state: State, places: Places) -> None:
        self.state = state
        self.places = places
        self._lists: dict[str, tuple[Stamp | None, list[str]]] = {}

    def nodes(self, document: OpenDocument, class_name: str) -> dict[str, list[str]]:
        """Return the nodes that include a class, sorted, each with the classes that lead to it.

        There are none before all files are indexed.
        """
        directory = self.state.directory(document)
        path = document.path or None
        session = directory.session(path)
        named = named_nodes(session)
        if not named or self.state.indexing.has_work:
            return {}
        environment = session.environment
        try:
            sources = [] if environment is None else environment.manifests()
        except PuppetError:
            sources = []
        site = {source.name for source in sources}
        starts = self._declaring(document)
        listed: dict[str, list[str]] = {}
        if any(_LOOKS_UP.search(source.text) for source in sources):
            listed = self._listed(document, [*named])
        first = scope_of_class(class_name)
        above: dict[str, list[str]] = {first: []}
        found: dict[str, list[str]] = {}
        pending = [first]
        while pending:
            target = pending.pop(0)
            way = [target.partition(" ")[2], *above[target]]
            for node in listed.get(target, ()):
                found.setdefault(node, way)
            for where, scope in starts.get(target, ()):
                kind, _, name = scope.partition(" ")
                if kind == "node" or scope == TOP:
                    nodes = [name] if scope != TOP else named
                    for node in nodes if where in site else ():
                        found.setdefault(node, way)
                elif scope not in above:
                    above[scope] = way
                    pending.append(scope)
        return dict(sorted(found.items()))

    def _declaring(self, document: OpenDocument) -> dict[str, list[tuple[str, str]]]:
        """Return the scopes that declare each class and type, with their files."""
        is_seen = self.state.is_seen_from(document)
        found: dict[str, list[tuple[str, str]]] = {}
        for path, scope, target in self.state.indexing.index.includes():
            if is_seen(path):
                found.setdefault(target, []).append((path, scope))
        return found

    def _listed(self, document: OpenDocument, names: list[str]) -> dict[str, list[str]]:
        """Return the nodes whose own data files list each class."""
        nodes = {*names}
        found: dict[str, list[str]] = {}
        for path in self.state.directory(document).data_files(document.path or None):
            name = os.path.splitext(os.path.basename(path))[0]
            if name in nodes:
                self.state.check()
                for each in self._classes(path):
                    found.setdefault(scope_of_class(each), []).append(name)
        return found

    def _classes(self, path: str) -> list[str]:
        """Return the classes that a data file lists."""
        stamp = stamp_of(path)
        known = self._lists.get(path)
        if known is None or known[0] != stamp:
            file = self.places.file(path, lambda text: CLASSES in text)
            uses = [] if file is None else uses_in_data(Source(file.text, path))
            known = (stamp, [plain(use.name) for use in uses if use.kind == "class"])
            self._lists[path] = known
        return known[1]
