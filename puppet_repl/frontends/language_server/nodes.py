"""The command that lists the nodes that a client may choose with the setting ``node``.

They have a node block in a manifest of their environment, or a file of its data. Nothing is
evaluated: a block whose name is a pattern names no node.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.facts.facts import factset_names
from puppet_repl.frontends.language_server.addresses import path_of, uri_of
from puppet_repl.frontends.language_server.documents import OpenDocument
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.session import Session


class NodeBlock:
    """A node block of a manifest, and the range of the node's name there."""

    __slots__ = ("end", "name", "source", "start")

    def __init__(self, name: str, source: Source, start: int, end: int) -> None:
        self.name = name
        self.source = source
        self.start = start
        self.end = end


def named_nodes(session: Session) -> dict[str, NodeBlock | None]:
    """Return the nodes that the site of a session names, sorted, with their blocks.

    A node without a block has a data file. A manifest that cannot be parsed names none.
    """
    found: dict[str, NodeBlock | None] = dict.fromkeys(session.data_keys.named_nodes())
    environment = None if session.options.environment is None else session.environment
    try:
        sources = [] if environment is None else environment.manifests()
    except PuppetError:
        sources = []
    for source in sources:
        found |= _blocks(source)
    return dict(sorted(found.items()))


def _blocks(source: Source) -> dict[str, NodeBlock]:
    try:
        program = parse(source)
    except PuppetError:
        return {}
    return {
        name.value.lower(): NodeBlock(name.value.lower(), source, name.start, name.end)
        for node in program.definitions
        if isinstance(node, ast.NodeDefinition)
        for name in node.matches
        if isinstance(name, ast.LiteralString)
    }


class Nodes:
    """The nodes of the site that a document belongs to."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.commands: dict[str, Callable[[list[Any]], Any]] = {"puppet-repl.nodes": self._nodes}

    def _nodes(self, arguments: list[Any]) -> dict[str, Any]:
        """Return the nodes of the site of a document, whose address is the argument, or of all."""
        path = path_of(str(arguments[0])) if arguments else None
        found: dict[str, NodeBlock | None] = {}
        for session in self.state.sessions(path):
            self.state.check()
            found |= named_nodes(session)
        settings = self.state.settings
        return {
            "node": settings.node,
            "facts": settings.facts,
            "nodes": [self._node(name, block) for name, block in sorted(found.items())],
            "factSets": factset_names(),
        }

    def _node(self, name: str, block: NodeBlock | None) -> dict[str, Any]:
        node: dict[str, Any] = {"name": name}
        if block is not None and block.source.name:
            document = OpenDocument(uri_of(block.source.name), "puppet", block.source.text, 0)
            translator = Translator(document, self.state.client.encoding)
            location: protocol.Location = {
                "uri": document.uri,
                "range": translator.range_of(block.start, block.end),
            }
            node["location"] = location
        return node
