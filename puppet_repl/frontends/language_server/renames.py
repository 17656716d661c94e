"""The requests about new names: of local variables, of parameters and definitions in all files."""

from __future__ import annotations

from puppet_repl.base.file_reading import read_text
from puppet_repl.frontends.language_server.addresses import uri_of
from puppet_repl.frontends.language_server.documents import OpenDocument
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.frontends.language_server.wire import (
    INVALID_PARAMS,
    REQUEST_FAILED,
    RequestError,
)
from puppet_repl.tools.editing.scopes import Variables, why_name_stays, why_not_renamed
from puppet_repl.tools.renaming import rename, shared_name_at
from puppet_repl.tools.renaming.sources import ENDINGS, Sources
from puppet_repl.tools.renaming.values import Values
from puppet_repl.tools.renaming.work import Refused, Renaming, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.names import Names
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.editing.scopes import Variable
    from puppet_repl.tools.renaming import Name


class Renames:
    """New names."""

    def __init__(self, state: State, names: Names) -> None:
        self.state = state
        self.names = names
        self.requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "textDocument/prepareRename": self._prepare,
            "textDocument/rename": self._rename,
        }

    def _program(self, document: OpenDocument) -> ast.Program | None:
        """Return the tree of a document's whole text, None for a broken one."""
        tree = document.tree() if document.is_code else None
        return None if tree is None or tree.recovered else tree.program

    def _prepare(self, parameters: dict[str, Any]) -> protocol.Range | protocol.NamedRange | None:
        document, translator, offset = self.names.place(parameters)
        program = self._program(document)
        if program is None:
            return None
        local = _local(program, offset)
        if local is not None:
            use = next(each for each in local[1].uses if each.start - 1 <= offset <= each.end)
            return translator.range_of(use.start, use.end)
        name = shared_name_at(program, offset)
        if name is None or not self._is_defined(document, name):
            return None
        start, end = name.start, name.end
        if name.parameter:
            start = end - len(name.parameter)
        # The range is that of the word, which may be written in capital letters.
        return {
            "range": translator.range_of(start, end),
            "placeholder": document.text[start:end].removeprefix("::"),
        }

    def _is_defined(self, document: OpenDocument, name: Name) -> bool:
        """Tell whether Puppet code defines a name, in this text or in a file of a module."""
        if name.kind != "type" and not name.parameter:
            known = self.names.known(document)
            return known.in_module_file(name.name) is not None
        known = self.names.known(document)
        found = known.in_module_file(name.name)
        if name.parameter:
            return found is not None and name.parameter in [
                each.name for each in found[1].parameters
            ]
        return found is not None or known.in_type_file(name.name) is not None

    def _rename(self, parameters: dict[str, Any]) -> protocol.WorkspaceEdit:
        document, translator, offset = self.names.place(parameters)
        new = parameters.get("newName")
        if not isinstance(new, str):
            raise RequestError(INVALID_PARAMS, "newName is missing")
        program = self._program(document)
        if program is None:
            raise RequestError(REQUEST_FAILED, "a text with a syntax error keeps its names")
        name = shared_name_at(program, offset)
        variables = Variables(program)
        variable = variables.at(offset)
        if name is None and variable is None:
            raise RequestError(REQUEST_FAILED, "only names can be changed, and not all of them")
        if variable is not None and (name is None or not name.parameter):
            new = new.removeprefix("$")
            reason = why_not_renamed(variables, variable, new)
            if reason is not None:
                raise RequestError(REQUEST_FAILED, reason)
            edits = translator.edits((use.start, use.end, new) for use in variable.uses)
            return {"changes": {document.uri: edits}}
        assert name is not None
        try:
            done = rename(self._values(document), name, new, self._module_file(document))
            return self._answer(document, done)
        except Refused as refused:
            raise RequestError(REQUEST_FAILED, str(refused)) from None

    def _module_file(self, document: OpenDocument) -> Callable[[str], str | None]:
        return self.state.directory(document).module_file

    def _values(self, document: OpenDocument) -> Values:
        """Return what all files around a document say; texts of open documents come first."""
        opened = {each.path: each.text for each in self.state.documents.values() if each.path}
        paths = list(self.state.directory(document).code_files(document.path or None, ENDINGS))
        if document.path and document.path not in paths:
            paths.append(document.path)

        def read(path: str) -> str | None:
            if path in opened:
                return opened[path]
            try:
                return read_text(path)
            except (OSError, UnicodeDecodeError):
                return None

        return Values(Sources(paths, read, self.state.check))

    # Answers

    def _answer(self, document: OpenDocument, done: Renaming) -> protocol.WorkspaceEdit:
        for path in [*done.edits, *(done.move or ())]:
            if not self.state.is_open(path, document):
                raise Refused(f"{short(path)} would change, and is in no open directory")
        client = self.state.client
        operations = client.value("workspace", "workspaceEdit", "resourceOperations")
        can_rename = isinstance(operations, list) and "rename" in operations
        if done.move is not None and not can_rename:
            raise Refused(
                f"{short(done.move[0])} has to become {short(done.move[1])}, and this editor "
                "renames no files for a server"
            )
        changes: list[protocol.TextDocumentEdit | protocol.RenameFile] = []
        plain: dict[str, list[protocol.TextEdit]] = {}
        opened = {each.path: each for each in self.state.documents.values() if each.path}
        for path, edits in done.edits.items():
            each = opened.get(path)
            version = None if each is None else each.version
            if each is None:
                each = OpenDocument(uri_of(path), "puppet", read_text(path), 0)
            made = Translator(each, client.encoding).edits(sorted(edits))
            plain[each.uri] = made
            changes.append({"textDocument": {"uri": each.uri, "version": version}, "edits": made})
        if done.move is not None:
            old, new = map(uri_of, done.move)
            changes.append({"kind": "rename", "oldUri": old, "newUri": new})
        # Neovim 0.7 renames files, and does not say that it takes changes in an order.
        if can_rename or client.can("workspace", "workspaceEdit", "documentChanges"):
            return {"documentChanges": changes}
        return {"changes": plain}


def _local(program: ast.Program, offset: int) -> tuple[Variables, Variable] | None:
    """Return the local variable at an offset that can get another name."""
    variables = Variables(program)
    found = variables.at(offset)
    if found is None or why_name_stays(found) is not None:
        return None
    return variables, found
