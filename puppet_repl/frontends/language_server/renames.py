"""The requests about new names: of local variables, of parameters and definitions in all files."""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.frontends.language_server.addresses import uri_of
from puppet_repl.frontends.language_server.documents import OpenDocument
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.frontends.language_server.wire import (
    INVALID_PARAMS,
    REQUEST_FAILED,
    RequestError,
)
from puppet_repl.language.syntax.bindings import bound_in
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_uses import use_at, uses_in_data
from puppet_repl.tools.editing.scopes import (
    Variables,
    scope_of_template,
    why_name_stays,
    why_not_renamed,
)
from puppet_repl.tools.editing.targets import definitions_of
from puppet_repl.tools.editing.uses import Target
from puppet_repl.tools.renaming import rename, shared_name_at, shared_name_in_data
from puppet_repl.tools.renaming.sources import ENDINGS, Sources
from puppet_repl.tools.renaming.values import Values
from puppet_repl.tools.renaming.work import Refused, Renaming

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.data import Data
    from puppet_repl.frontends.language_server.names import Names
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.frontends.language_server.wire import Message
    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.editing.scopes import Variable
    from puppet_repl.tools.renaming import Name

_UNSEEN = "unseen"
_MAX_UNSEEN = 20
_WARNING = 2


class Renames:
    """New names; ``send`` passes a notification to the client."""

    def __init__(
        self, state: State, names: Names, data: Data, send: Callable[[Message], None]
    ) -> None:
        self.state = state
        self._data = data
        self._send = send
        self.names = names
        self.requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "textDocument/prepareRename": self._prepare,
            "textDocument/rename": self._rename,
        }

    def _prepare(self, parameters: dict[str, Any]) -> protocol.Range | protocol.NamedRange | None:
        document, translator, offset = self.names.place(parameters)
        local = _local(document.program, offset)
        if local is not None:
            use = next(each for each in local[1].uses if each.start - 1 <= offset <= each.end)
            return translator.range_of(use.start, use.end)
        name = self._shared(document, offset)
        if name is None or not self._is_defined(document, name):
            return None
        start, end = name.start, name.end
        # The range is that of the word, which may be written in capital letters.
        return {
            "range": translator.range_of(start, end),
            "placeholder": document.text[start:end].removeprefix("::"),
        }

    def _shared(self, document: OpenDocument, offset: int) -> Name | None:
        """Return the name at an offset of code or data that other files may use."""
        if document.program is not None:
            return shared_name_at(document.program, offset)
        if document.is_code or not self.state.directory(document).has_data(document):
            return None
        uses = uses_in_data(Source(document.text, document.path))
        use = use_at(uses, offset) or self._data.attribute_at(document, offset)
        return shared_name_in_data(use)

    def _is_defined(self, document: OpenDocument, name: Name) -> bool:
        """Tell whether Puppet code defines a name, in this text or in a file of a module."""
        known = self.names.known(document)
        if name.kind == "template":
            target = Target("variable", name.parameter, scope_of_template(name.name))
            return bool(definitions_of(target, known, lambda _: ()))
        found = known.in_module_file(name.name)
        if name.parameter:
            return found is not None and name.parameter in bound_in(found[1])
        return found is not None or (
            name.kind == "type" and known.in_type_file(name.name) is not None
        )

    def _rename(self, parameters: dict[str, Any]) -> protocol.WorkspaceEdit:
        document, translator, offset = self.names.place(parameters)
        new = parameters.get("newName")
        if not isinstance(new, str):
            raise RequestError(INVALID_PARAMS, "newName is missing")
        program = document.program
        if program is None and document.is_code:
            raise RequestError(REQUEST_FAILED, "a text with a syntax error keeps its names")
        name = self._shared(document, offset)
        variables = None if program is None else Variables(program)
        variable = None if variables is None else variables.at(offset)
        if variables is not None and variable is not None and not _is_shared(variable, name):
            new = new.removeprefix("$")
            reason = why_not_renamed(variables, variable, new)
            if reason is not None:
                raise RequestError(REQUEST_FAILED, reason)
            edits = translator.edits((use.start, use.end, new) for use in variable.uses)
            return {"changes": {document.uri: edits}}
        if name is None:
            raise RequestError(REQUEST_FAILED, self._why_none(document))
        values = self._values(document)
        try:
            done = rename(values, name, new, self._module_file(document))
            if not document.is_code and not done.has(document.path, name.end - 1):
                raise Refused(f"no code is known that looks {name.name} up here")
            return self._answer(document, values.sources, done)
        except Refused as refused:
            raise RequestError(REQUEST_FAILED, str(refused)) from None

    def _why_none(self, document: OpenDocument) -> str:
        """Return why there is no name to change at a place of a document."""
        if document.is_code:
            return (
                "only variables, parameters, classes, defined types, functions and type aliases "
                "can be renamed"
            )
        if self.state.directory(document).has_data(document):
            return (
                "in data only classes, their variables, and the keys of parameters can be renamed: "
                "rename others in the manifest"
            )
        return "names are changed in manifests, templates in EPP and data: rename it in a manifest"

    def _module_file(self, document: OpenDocument) -> Callable[[str], str | None]:
        return self.state.directory(document).module_file

    def _values(self, document: OpenDocument) -> Values:
        """Return what all files around a document say; texts of open documents come first."""
        opened = {each.path: each.text for each in self.state.documents.values() if each.path}
        paths = list(self.state.directory(document).code_files(document.path or None, ENDINGS))
        if document.path and document.path not in paths:
            paths.append(document.path)
        directory = self.state.directory(document).directory
        root = "" if directory is None else str(directory)

        def read(path: str) -> str | None:
            if path in opened:
                return opened[path]
            try:
                return read_text(path)
            except (OSError, UnicodeDecodeError):
                return None

        return Values(Sources(_without_links(paths, document.path), read, self.state.check, root))

    # Answers

    def _answer(
        self, document: OpenDocument, sources: Sources, done: Renaming
    ) -> protocol.WorkspaceEdit:
        for path in [*done.edits, *(done.move or ())]:
            if not self.state.is_open(path, document):
                raise Refused(f"{sources.shown(path)} would change, and is in no open directory")
        client = self.state.client
        operations = client.value("workspace", "workspaceEdit", "resourceOperations")
        can_rename = isinstance(operations, list) and "rename" in operations
        if done.move is not None and not can_rename:
            raise Refused(
                f"{sources.shown(done.move[0])} has to become {sources.shown(done.move[1])}, and "
                "this editor renames no files for a server"
            )
        # Neovim 0.7 renames files, and does not say that it takes changes in an order.
        has_order = can_rename or client.can("workspace", "workspaceEdit", "documentChanges")
        asks = client.value("workspace", "workspaceEdit", "changeAnnotationSupport") is not None
        is_annotated = bool(done.unseen) and has_order and asks
        changes: list[protocol.DocumentChange] = []
        plain: dict[str, list[protocol.TextEdit]] = {}
        opened = {each.path: each for each in self.state.documents.values() if each.path}
        for path, edits in done.edits.items():
            each = opened.get(path)
            version = None if each is None else each.version
            if each is None:
                each = OpenDocument(uri_of(path), "puppet", sources.text(path), 0)
            made = Translator(each, client.encoding).edits(sorted(edits))
            if is_annotated:
                for edit in made:
                    edit["annotationId"] = _UNSEEN
            plain[each.uri] = made
            changes.append({"textDocument": {"uri": each.uri, "version": version}, "edits": made})
        if done.move is not None:
            old, new = map(uri_of, done.move)
            change: protocol.RenameFile = {"kind": "rename", "oldUri": old, "newUri": new}
            if is_annotated:
                change["annotationId"] = _UNSEEN
            changes.append(change)
        if done.unseen and not is_annotated:
            self._warn(f"{_label(done.unseen)}:\n{_listed(done.unseen)}")
        if not has_order:
            return {"changes": plain}
        if is_annotated:
            annotation: protocol.ChangeAnnotation = {
                "label": _label(done.unseen),
                "needsConfirmation": True,
                "description": _listed(done.unseen),
            }
            return {"documentChanges": changes, "changeAnnotations": {_UNSEEN: annotation}}
        return {"documentChanges": changes}

    def _warn(self, text: str) -> None:
        """Show a warning to the user."""
        given = {"type": _WARNING, "message": text}
        self._send({"jsonrpc": "2.0", "method": "window/showMessage", "params": given})


def _label(unseen: dict[str, None]) -> str:
    """Return how many places a renaming leaves as they are although they may mean the name."""
    if len(unseen) == 1:
        return "A place that may mean the old name when it runs stays as it is"
    return f"{len(unseen)} places that may mean the old name when they run stay as they are"


def _listed(unseen: dict[str, None]) -> str:
    lines = list(unseen)
    if len(lines) > _MAX_UNSEEN:
        lines = [*lines[:_MAX_UNSEEN], f"... ({len(lines) - _MAX_UNSEEN} more)"]
    return "\n".join(lines)


def _local(program: ast.Program | None, offset: int) -> tuple[Variables, Variable] | None:
    """Return the local variable at an offset that can get another name."""
    variables = None if program is None else Variables(program)
    found = None if variables is None else variables.at(offset)
    if variables is None or found is None or why_name_stays(found) is not None:
        return None
    return variables, found


def _is_shared(variable: Variable, name: Name | None) -> bool:
    """Tell whether other files may use a variable: a parameter, or a variable of a class."""
    if name is None or not name.parameter:
        return False
    return name.kind == "class" or variable.is_parameter


def _without_links(paths: list[str], first: str) -> list[str]:
    """Return paths without links to others of them; of a file with several, ``first`` stays."""
    there = set(paths)
    real = {each: os.path.realpath(each) for each in paths}
    found = []
    for each in paths:
        if real[each] == real.get(first):
            is_one = each == first
        else:
            is_one = real[each] == each or real[each] not in there
        if is_one:
            found.append(each)
    return found
