"""The commands that evaluate, which the worker does: a client asks by ``workspace/executeCommand``.

The argument of each is an object: ``textDocument``, ``range`` or ``position``, perhaps ``node`` and
``facts`` in place of the settings, and ``show``: whether the client is to show the result as well.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_data import YamlError
from puppet_repl.base.yaml_nodes import key_lines
from puppet_repl.environment.facts.facts import is_factset
from puppet_repl.frontends.language_server.jobs import Job, Jobs
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.frontends.language_server.wire import (
    INVALID_PARAMS,
    REQUEST_FAILED,
    RequestError,
)
from puppet_repl.host.machines import is_node_name
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.state import State

    Arguments = list[Any]

RESTRICTED = (
    "this directory is not trusted, so commands that evaluate are off "
    "(trust in initializationOptions)"
)
_KINDS: dict[type[ast.Node], str] = {
    ast.HostClassDefinition: "class",
    ast.NodeDefinition: "node",
    ast.ResourceTypeDefinition: "define",
}
_VARIABLE = re.compile(r"\$\{?(?:::)?([\w:]+)|'([\w:.-]+)'|\"([\w:.-]+)\"")
_DATA = (".yaml", ".yml", ".eyaml")


class WorkerRequests:
    """The commands, by their names."""

    def __init__(self, state: State, jobs: Jobs) -> None:
        self.state = state
        self.jobs = jobs
        self.commands: dict[str, Callable[[Arguments], Any]] = {
            "puppet-repl.catalog": lambda given: self._compile("catalog", given),
            "puppet-repl.difference": lambda given: self._compile("difference", given),
            "puppet-repl.evaluate": self._evaluate,
            "puppet-repl.explain": self._explain,
            "puppet-repl.graph": lambda given: self._compile("graph", given),
        }

    def _evaluate(self, arguments: Arguments) -> Job:
        given, document = self._asked(arguments)
        span = None
        if given.get("range") is not None:
            start, end = self._translator(document).span(given["range"])
            span = (start, end) if start < end else None  # without a selection, all of it
        more = {"span": span, "is_template": document.is_template}
        return self._job("evaluate", given, document, more)

    def _compile(self, command: str, arguments: Arguments) -> Job:
        given, document = self._asked(arguments)
        kind, name, node = self._subject(given, document)
        more: dict[str, Any] = {"kind": kind, "name": name, "format": given.get("format")}
        if node is not None:
            more["node"] = node
        return self._job(command, given, document, more)

    def _explain(self, arguments: Arguments) -> Job:
        given, document = self._asked(arguments)
        key = given.get("key")
        if not isinstance(key, str) or not key:
            key = self._key(document, self._offset(given, document))
        if key is None:
            raise RequestError(REQUEST_FAILED, "there is no parameter and no key at the cursor")
        return self._job("explain", given, document, {"key": key})

    def _asked(self, arguments: Arguments) -> tuple[dict[str, Any], OpenDocument]:
        """Return the argument of a command, and its document. Raises RequestError."""
        given = arguments[0] if arguments else None
        if not isinstance(given, dict):
            raise RequestError(INVALID_PARAMS, "the argument is an object with a textDocument")
        return given, self.state.document(given)

    def _job(
        self, command: str, given: dict[str, Any], document: OpenDocument, more: dict[str, Any]
    ) -> Job:
        """Add a job for the worker. Raises RequestError in restricted mode."""
        if not self.state.is_trusted:
            raise RequestError(REQUEST_FAILED, RESTRICTED)
        settings = self.state.settings
        node, facts = given.get("node"), given.get("facts")
        if node is not None and not (isinstance(node, str) and is_node_name(node)):
            raise RequestError(INVALID_PARAMS, "node is the name of a node")
        if facts is not None and not (isinstance(facts, str) and is_factset(facts)):
            raise RequestError(INVALID_PARAMS, "facts is the name of a fact set")
        directory = self.state.directory(document)
        request = {
            "command": command,
            "directory": directory.directory,
            "is_opened": directory.is_opened,
            "settings": settings.given,
            "path": document.path,
            "text": document.text,
            "texts": {each.path: each.text for each in self.state.documents.values() if each.path},
            "node": node,
            "facts": facts,
            **more,
        }
        return self.jobs.add(Job(request, settings.max_seconds))

    def _translator(self, document: OpenDocument) -> Translator:
        return Translator(document, self.state.client.encoding)

    def _offset(self, given: dict[str, Any], document: OpenDocument) -> int:
        position = given.get("position")
        if position is None and isinstance(given.get("range"), dict):
            position = given["range"].get("start")
        return self._translator(document).offset(position)

    # The subject of a command

    def _subject(
        self, given: dict[str, Any], document: OpenDocument
    ) -> tuple[str | None, str | None, str | None]:
        """Return kind and name of the subject of a catalog, and the node of a node block.

        It is the innermost class, defined type or node block at the cursor. Without a cursor it is
        the only or the first one of the document; none means the site.
        """
        tree = document.tree() if document.is_code and not document.is_template else None
        if tree is None:
            return None, None, None
        found = [each for each in tree.program.definitions if type(each) in _KINDS]
        if given.get("position") is not None or given.get("range") is not None:
            offset = self._offset(given, document)
            found = [
                each
                for each in found
                if tree.from_tree(each.start) <= offset <= tree.from_tree(each.end)
            ]
            found.sort(key=lambda each: each.end - each.start)
        if not found:
            return None, None, None
        each = found[0]
        kind = _KINDS[type(each)]
        if isinstance(each, ast.NodeDefinition):
            return kind, None, self._node(given, each)
        return kind, str(getattr(each, "name", "")).removeprefix("::"), None

    def _node(self, given: dict[str, Any], block: ast.NodeDefinition) -> str | None:
        """Return the name in a block; None for the chosen node, or the default one."""
        for each in block.matches:
            if isinstance(each, ast.LiteralString):
                return each.value
        is_default = any(isinstance(each, ast.LiteralDefault) for each in block.matches)
        if is_default or given.get("node") or self.state.settings.node:
            return None
        raise RequestError(
            REQUEST_FAILED, "the block is for several nodes: choose one with the setting node"
        )

    def _key(self, document: OpenDocument, offset: int) -> str | None:
        """Return the key at an offset: of a parameter, in quotes, or the one of a data file."""
        line = document.lines.line_of(offset)
        if document.path.endswith(_DATA):
            try:
                lines = key_lines(document.text)
            except (YamlError, PuppetError) as error:
                raise RequestError(REQUEST_FAILED, str(error)) from None
            above = [key for key, number in lines.items() if number <= line + 1]
            return max(above, key=lambda key: lines[key], default=None)
        start, end = document.lines.span(line)
        for found in _VARIABLE.finditer(document.text, start, end):
            if found.start() <= offset <= found.end():
                if found[1] is None:
                    return found[2] or found[3]
                return self._parameter(document, found[1], offset)
        return None

    def _parameter(self, document: OpenDocument, name: str, offset: int) -> str | None:
        """Return the key of a parameter of the class around an offset, None for other variables."""
        if "::" in name:
            return name
        tree = document.tree()
        for each in () if tree is None else tree.program.definitions:
            if (
                tree is not None
                and isinstance(each, ast.HostClassDefinition)
                and tree.from_tree(each.start) <= offset <= tree.from_tree(each.end)
                and any(parameter.name == name for parameter in each.parameters)
            ):
                return f"{each.name.removeprefix('::')}::{name}"
        return None
