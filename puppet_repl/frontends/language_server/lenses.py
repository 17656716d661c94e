"""Lines above definitions that run commands: compile it, list its uses, compare it with HEAD."""

from __future__ import annotations

import os

from puppet_repl.base.wording import counted
from puppet_repl.frontends.language_server.addresses import path_of
from puppet_repl.frontends.language_server.markdown import code_span
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.tools.editing.outline import outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.inclusions import Inclusions
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.tools.editing.outline import Symbol, SymbolKind

    Parameters = dict[str, Any]

_USED: tuple[SymbolKind, ...] = ("class", "define", "function", "type")
_COMPILED: tuple[SymbolKind, ...] = ("class", "define", "node")
_MAX_LISTED = 1_000


class Lenses:
    """The lenses of documents. The uses are counted when a client shows a lens."""

    def __init__(
        self,
        state: State,
        inclusions: Inclusions,
        references: Callable[[Parameters], list[protocol.Location]],
    ) -> None:
        self.state = state
        self._inclusions = inclusions
        self._references = references
        self.requests: dict[str, Callable[[Parameters], Any]] = {
            "textDocument/codeLens": self._lenses,
            "codeLens/resolve": self._resolve,
        }
        self.commands: dict[str, Callable[[list[Any]], Any]] = {
            "puppet-repl.references": self._listed
        }

    def _lenses(self, parameters: Parameters) -> list[protocol.CodeLens]:
        document = self.state.document(parameters)
        tree = document.tree() if document.is_code and not document.is_template else None
        if tree is None:
            return []
        symbols = outline(tree.program)
        for symbol in symbols:
            symbol.move(tree.from_tree)
        translator = Translator(document, self.state.client.encoding)
        has_commits = self.state.is_trusted and self._has_commits(document)
        found: list[protocol.CodeLens] = []
        for each in _definitions(symbols):
            span = translator.range_of(each.name_start, each.name_end)
            argument = {"textDocument": {"uri": document.uri}, "position": span["start"]}
            shown = {**argument, "show": True}
            if each.kind in _COMPILED and self.state.is_trusted:
                found.append(_lens(span, "compile", "puppet-repl.catalog", shown))
            if each.kind in _USED:
                named = {"class": each.name} if each.kind == "class" else {}
                found.append({"range": span, "data": {**argument, **named}})
            if each.kind in _COMPILED and has_commits:
                title = "difference from HEAD"
                found.append(_lens(span, title, "puppet-repl.difference", shown))
        return found

    def _has_commits(self, document: OpenDocument) -> bool:
        """Tell whether a document is in a repository of git, as far as it may be looked for."""
        reach = self.state.directory(document).reach
        above = os.path.dirname(document.path) if document.path else ""
        while above and reach.allows(above):
            if os.path.lexists(os.path.join(above, ".git")):
                return True
            above = os.path.dirname(above) if os.path.dirname(above) != above else ""
        return False

    def _resolve(self, lens: dict[str, Any]) -> dict[str, Any]:
        """Return a lens with the number of uses, and of the nodes that include a class."""
        data = lens.get("data")
        if not isinstance(data, dict):
            return lens
        document = data.get("textDocument")
        uri = document.get("uri") if isinstance(document, dict) else None
        if uri not in self.state.documents:  # it was closed meanwhile
            return {**lens, "command": {"title": "closed", "command": ""}}
        counts = [counted(len(self._uses(data)), "reference")]
        nodes = self._nodes(data)
        if nodes:
            counts.append(counted(len(nodes), "node"))
        command = {
            "title": ", ".join(counts),
            "command": "puppet-repl.references",
            "arguments": [{**data, "show": True}],
        }
        return {**lens, "command": command}

    def _nodes(self, argument: dict[str, Any]) -> dict[str, list[str]]:
        """Return the nodes that include the class of a lens, with the classes between."""
        name, given = argument.get("class"), argument.get("textDocument")
        uri = given.get("uri") if isinstance(given, dict) else None
        document = self.state.documents.get(str(uri))
        if not isinstance(name, str) or document is None:
            return {}
        return self._inclusions.nodes(document, name)

    def _uses(self, argument: dict[str, Any]) -> list[protocol.Location]:
        context = {"includeDeclaration": False}
        return self._references({**argument, "context": context})

    def _listed(self, arguments: list[Any]) -> dict[str, Any]:
        """Return the uses of the name at a position, as places and as a text in Markdown."""
        given = arguments[0] if arguments and isinstance(arguments[0], dict) else {}
        found = self._uses(given)
        places = [
            f"{path_of(each['uri']) or each['uri']}:{each['range']['start']['line'] + 1}"
            for each in found[:_MAX_LISTED]
        ]
        lines = [f"- {code_span(each)}" for each in places]
        title = counted(len(found), "reference")
        nodes = self._nodes(given)
        if nodes:
            lines += ["", f"## {counted(len(nodes), 'node')}", ""]
        for name, way in [*nodes.items()][:_MAX_LISTED]:
            lines.append(f"- {code_span(name)}: {code_span(' > '.join(way))}")
        text = "\n".join([f"# {title}", "", *lines, ""])
        return {"title": title, "text": text, "locations": found}


def _definitions(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """Yield the definitions among symbols, and those inside of others."""
    for each in symbols:
        if each.kind in _USED or each.kind in _COMPILED:
            yield each
        yield from _definitions(each.children)


def _lens(
    span: protocol.Range, title: str, command: str, argument: dict[str, Any]
) -> protocol.CodeLens:
    return {
        "range": span,
        "command": {"title": title, "command": command, "arguments": [argument]},
    }
