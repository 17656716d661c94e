"""The requests and notifications about documents, by their methods."""

from __future__ import annotations

from functools import partial

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.language_server.capabilities import FIX_ALL
from puppet_repl.frontends.language_server.data import Data
from puppet_repl.frontends.language_server.inclusions import Inclusions
from puppet_repl.frontends.language_server.lenses import Lenses
from puppet_repl.frontends.language_server.names import Names
from puppet_repl.frontends.language_server.nodes import Nodes
from puppet_repl.frontends.language_server.places import Places, is_ruby
from puppet_repl.frontends.language_server.progress import Progress
from puppet_repl.frontends.language_server.renames import Renames
from puppet_repl.frontends.language_server.settings import Settings
from puppet_repl.frontends.language_server.state import State
from puppet_repl.frontends.language_server.translate import Translator, delta
from puppet_repl.frontends.language_server.values import Values
from puppet_repl.frontends.language_server.wire import (
    INVALID_PARAMS,
    REQUEST_FAILED,
    RequestError,
)
from puppet_repl.frontends.language_server.worker_requests import WorkerRequests
from puppet_repl.tools.editing.actions import actions, fix_all, replacements
from puppet_repl.tools.editing.folding import folds, selections
from puppet_repl.tools.editing.formatting import (
    TRIGGERS,
    formatted,
    formatted_range,
    formatted_while_typing,
)
from puppet_repl.tools.editing.outline import outline
from puppet_repl.tools.editing.ruby_outline import ruby_outline
from puppet_repl.tools.editing.tokens import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.capabilities import Client
    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.jobs import Jobs
    from puppet_repl.frontends.language_server.wire import Message
    from puppet_repl.tools.editing.actions import Action
    from puppet_repl.tools.editing.formatting import Edit

    Parameters: TypeAlias = dict[str, Any]


class Features:
    """What the server does with documents."""

    def __init__(
        self,
        client: Client,
        directories: list[str],
        options: object,
        send: Callable[[Message], None],
        create_progress: Callable[[str, Callable[[], None]], None],
        jobs: Jobs,
    ) -> None:
        self.client = client
        self._options = options
        self.state = State(client, directories, Settings(options))
        self.names = Names(self.state)
        places = Places(self.state, self.names)
        values = Values(self.state, places)
        state = self.state
        data = Data(self.state, places, values)
        references = data.requests["textDocument/references"]
        lenses = Lenses(state, Inclusions(state, places), references)
        self.notifications: dict[str, Callable[[Parameters], None]] = {
            "textDocument/didOpen": state.open,
            "textDocument/didChange": state.change,
            "textDocument/didSave": state.save,
            "textDocument/didClose": self._close,
            "workspace/didChangeWatchedFiles": state.watched,
            "workspace/didChangeWorkspaceFolders": state.change_directories,
        }
        self.requests: dict[str, Callable[[Parameters], Any]] = {
            "textDocument/diagnostic": self._diagnostic,
            "textDocument/documentSymbol": self._symbols,
            "textDocument/foldingRange": self._folds,
            "textDocument/selectionRange": self._selections,
            "textDocument/semanticTokens/full": self._tokens,
            "textDocument/semanticTokens/full/delta": self._tokens_delta,
            "textDocument/semanticTokens/range": self._tokens_of_range,
            "textDocument/formatting": self._format,
            "textDocument/rangeFormatting": self._format_range,
            "textDocument/onTypeFormatting": self._format_while_typing,
            "textDocument/codeAction": self._actions,
            **self.names.requests,
            **places.requests,
            **data.requests,
            **values.requests,
            **lenses.requests,
            "workspace/executeCommand": self._execute,
            **Renames(self.state, self.names, data, send).requests,
        }
        self.commands: dict[str, Callable[[list[Any]], Any]] = {
            **Nodes(self.state).commands,
            **WorkerRequests(state, jobs).commands,
            **lenses.commands,
        }
        self._progress: Progress | None = None
        self._send, self._create_progress = send, create_progress
        self._results = 0
        self._closed: list[str] = []

    def configure(self, given: object) -> list[str]:
        """Use settings, without any those of the start; return sentences about bad ones."""
        settings = Settings(self._options if given is None else given)
        self.state.take(settings)
        return settings.problems

    def _execute(self, parameters: Parameters) -> Any:
        """Run a command; each is in ``capabilities.COMMANDS``."""
        arguments = parameters.get("arguments")
        command = self.commands.get(str(parameters.get("command")))
        if command is None:
            raise RequestError(INVALID_PARAMS, f"no command {parameters.get('command')}")
        return command(arguments if isinstance(arguments, list) else [])

    def _translator(self, document: OpenDocument) -> Translator:
        return Translator(document, self.client.encoding)

    # Diagnostics

    @property
    def has_work(self) -> bool:
        """Whether there are documents to check for a client that waits, or files to index."""
        return self._has_unchecked or self.state.indexing.has_work

    @property
    def _has_unchecked(self) -> bool:
        return bool(self._closed) or (bool(self.state.unchecked) and not self.client.pulls)

    def work(self) -> list[Message]:
        """Check one document, or else index one file; return notifications."""
        state = self.state
        if self._closed:
            return [_published(self._closed.pop(), [], None)]
        if not self._has_unchecked:
            return self._index()
        uri = next(reversed(state.unchecked))  # the last one that was changed
        del state.unchecked[uri]
        document = state.documents[uri]
        return [_published(uri, self._diagnostics(document), document.version)]

    def _index(self) -> list[Message]:
        indexing = self.state.indexing
        if self._progress is None:
            self._progress = Progress("indexing", self._send, None, self._create_progress)
        if indexing.work() is not None:
            self._progress.step()
        if not indexing.has_work:
            self._progress.end()
            self._progress = None
        return []

    def _close(self, parameters: Parameters) -> None:
        """Close a document, and remove its problems from the client's list."""
        uri = self.state.document(parameters).uri
        self.state.close(parameters)
        if not self.client.pulls:
            self._closed.append(uri)

    def _diagnostics(self, document: OpenDocument) -> list[protocol.Diagnostic]:
        translator = self._translator(document)
        with_related = self.client.takes_related
        return [
            translator.diagnostic(each, with_related=with_related)
            for each in self.state.problems(document)
        ]

    def _diagnostic(self, parameters: Parameters) -> protocol.DiagnosticReport:
        document = self.state.document(parameters)
        self.state.unchecked.pop(document.uri, None)
        name = f"{document.version}.{document.revision}"
        if parameters.get("previousResultId") == name:
            return {"kind": "unchanged", "resultId": name}
        return {"kind": "full", "resultId": name, "items": self._diagnostics(document)}

    # The shape of a document

    def _symbols(self, parameters: Parameters) -> list[Any]:
        document = self.state.document(parameters)
        translator = self._translator(document)
        symbols = ruby_outline(document.text) if is_ruby(document) else []
        tree = document.tree() if document.is_code else None
        if tree is not None:
            symbols = outline(tree.program)
            for symbol in symbols:
                symbol.move(tree.from_tree)
        takes_tree = ("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
        if self.client.can(*takes_tree):
            return [translator.symbol(each) for each in symbols]
        return [*translator.flat_symbols(symbols)]

    def _folds(self, parameters: Parameters) -> list[protocol.FoldingRange]:
        document = self._code(parameters)
        if document is None:
            return []
        translator = self._translator(document)
        return [translator.fold(each) for each in folds(document.lines, document.scan)]

    def _selections(self, parameters: Parameters) -> list[protocol.SelectionRange]:
        document = self.state.document(parameters)
        translator = self._translator(document)
        positions = parameters.get("positions")
        if not isinstance(positions, list):
            raise RequestError(INVALID_PARAMS, "positions is a list")
        offsets = [translator.offset(each) for each in positions]
        found = selections(document, document.scan, offsets)
        return [translator.selection(each) for each in found]

    def _code(self, parameters: Parameters) -> OpenDocument | None:
        """Return a document if it has Puppet code."""
        document = self.state.document(parameters)
        return document if document.is_code else None

    # Tokens

    def _numbers(self, document: OpenDocument) -> list[int]:
        if not document.is_code:
            return []
        return self._translator(document).tokens(tokens(document, document.scan))

    def _named(self, document: OpenDocument, data: list[int]) -> str:
        self._results += 1
        document.sent_tokens = (str(self._results), data)
        return document.sent_tokens[0]

    def _tokens(self, parameters: Parameters) -> protocol.SemanticTokens:
        document = self.state.document(parameters)
        data = self._numbers(document)
        return {"resultId": self._named(document, data), "data": data}

    def _tokens_delta(
        self, parameters: Parameters
    ) -> protocol.SemanticTokens | protocol.SemanticTokensDelta:
        document = self.state.document(parameters)
        sent = document.sent_tokens
        data = self._numbers(document)
        name = self._named(document, data)
        if sent is None or sent[0] != parameters.get("previousResultId"):
            return {"resultId": name, "data": data}
        return {"resultId": name, "edits": delta(sent[1], data)}

    def _tokens_of_range(self, parameters: Parameters) -> dict[str, list[int]]:
        document = self._code(parameters)
        if document is None:
            return {"data": []}
        translator = self._translator(document)
        start, end = translator.span(parameters.get("range"))
        found = tokens(document, document.scan)
        wanted = [each for each in found if each.end > start and each.start < end]
        return {"data": translator.tokens(wanted)}

    # Edits

    def _format(self, parameters: Parameters) -> list[protocol.TextEdit]:
        width = self.state.settings.width
        return self._edits(parameters, lambda document: formatted(document, width=width))

    def _format_range(self, parameters: Parameters) -> list[protocol.TextEdit]:
        width = self.state.settings.width

        def edits(document: OpenDocument) -> list[Edit]:
            start, end = self._translator(document).span(parameters.get("range"))
            return formatted_range(document, start, end, width=width)

        return self._edits(parameters, edits)

    def _format_while_typing(self, parameters: Parameters) -> list[protocol.TextEdit]:
        typed = parameters.get("ch")
        width = self.state.settings.width

        def edits(document: OpenDocument) -> list[Edit]:
            cursor = self._translator(document).offset(parameters.get("position"))
            if typed not in TRIGGERS:
                return []
            return formatted_while_typing(document, cursor, str(typed), width=width)

        return self._edits(parameters, edits)

    def _edits(
        self, parameters: Parameters, find: Callable[[OpenDocument], list[Edit]]
    ) -> list[protocol.TextEdit]:
        document = self._code(parameters)
        if document is None:
            return []
        try:
            return self._translator(document).edits(find(document))
        except PuppetError as error:
            raise RequestError(
                REQUEST_FAILED, f"not formatted: {error.message} {error.location}".rstrip()
            ) from None

    def _actions(self, parameters: Parameters) -> list[protocol.CodeAction]:
        document = self.state.document(parameters)
        translator = self._translator(document)
        start, end = translator.span(parameters.get("range"))
        context = parameters.get("context")
        only = context.get("only") if isinstance(context, dict) else None
        found: list[Action] = []
        if _wants(only, "quickfix"):
            problems = self.state.problems(document)
            here = [each for each in problems if each.start <= end and start <= each.end]
            if document.is_code:
                found += actions(document, here, self._directory_of(document))
            else:
                found += replacements(document, here)
        if _wants(only, FIX_ALL) and any(each.edits for each in self.state.problems(document)):
            file = self.state.directory(document).file(document)
            everything = None if file is None else fix_all(file)
            if everything is not None:
                found.append(everything)
        is_there = self.state.has_file
        return [
            translator.action(each)
            for each in found
            if each.file is None or not is_there(each.file.path)
        ]

    def _directory_of(self, document: OpenDocument) -> Callable[[str], str | None]:
        """Return the directories of modules in which a client can create files."""
        operations = self.client.value("workspace", "workspaceEdit", "resourceOperations")
        if not isinstance(operations, list) or "create" not in operations or not document.path:
            return lambda _: None
        return partial(self.state.directory(document).directory_of_module, document.path)


def _wants(only: object, kind: str) -> bool:
    """Tell whether a client asks for a kind of actions: ``source`` means also ``source.fixAll``."""
    if not isinstance(only, list):
        return True
    return any(kind == each or kind.startswith(f"{each}.") for each in only)


def _published(uri: str, found: list[protocol.Diagnostic], version: int | None) -> Message:
    given: dict[str, Any] = {"uri": uri, "diagnostics": found}
    if version is not None:
        given["version"] = version
    method = "textDocument/publishDiagnostics"
    return {"jsonrpc": "2.0", "method": method, "params": given}
