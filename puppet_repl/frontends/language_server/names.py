"""The requests about names: documentation, completion, signatures."""

from __future__ import annotations

from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.language.syntax.headings import shortened_heading
from puppet_repl.tools.completion.details import explain
from puppet_repl.tools.completion.model import MAX_EXPLAINED, Completion
from puppet_repl.tools.completion.sources import complete_code
from puppet_repl.tools.editing.positions import utf16_units
from puppet_repl.tools.editing.snippets import Snippets
from puppet_repl.tools.editing.targets import document_target, target_at
from puppet_repl.tools.editing.templates import code_of
from puppet_repl.tools.inspection.attributes import document_attribute
from puppet_repl.tools.inspection.cursor_word import place_at
from puppet_repl.tools.inspection.lookup import inspect_code
from puppet_repl.tools.inspection.names import (
    document,
    document_class,
    document_function,
    document_keyword,
    document_resource_type,
)
from puppet_repl.tools.inspection.open_call import call_at, signatures_of
from puppet_repl.tools.rendering.markdown import with_fewer_entities
from puppet_repl.tools.reports.help import documentation_markdown, documentation_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.session.symbols import SessionSymbols
    from puppet_repl.tools.completion.model import CompletionKind, Completions
    from puppet_repl.tools.editing.symbols import TextSymbols
    from puppet_repl.tools.inspection.documentation import Documentation

_KINDS: dict[CompletionKind, int] = {
    "attribute": 10,
    "class": 7,
    "data key": 5,
    "file": 17,
    "function": 3,
    "key": 5,
    "keyword": 14,
    "resource type": 22,
    "title": 18,
    "type": 8,
    "value": 12,
    "variable": 6,
}
_TEXT = 1
_SNIPPET = 2
# How many of the first candidates get their parameters: a file is read for each.
_MAX_WITH_PARAMETERS = 16
# A signature with more characters is cut: nobody reads it in a window beside the cursor.
_MAX_SIGNATURE = 600


class Names:
    """What the names of documents mean."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "textDocument/hover": self._hover,
            "textDocument/completion": self._complete,
            "completionItem/resolve": self._resolve,
            "textDocument/signatureHelp": self._signatures,
        }

    def place(self, parameters: dict[str, Any]) -> tuple[OpenDocument, Translator, int]:
        """Return the document of a request, and the offset that it is about."""
        document = self.state.document(parameters)
        translator = Translator(document, self.state.client.encoding)
        return document, translator, translator.offset(parameters.get("position"))

    def known(self, document: OpenDocument, offset: int = 0) -> TextSymbols:
        """Return the names at an offset of a document: of open texts, the session, all files."""
        return self.state.symbols(document, offset)

    def shown(self, found: Documentation) -> protocol.MarkupContent:
        """Return documentation as the client takes it."""
        found.signatures = tuple(
            [shortened_heading(each, _MAX_SIGNATURE) for each in found.signatures]
        )
        if self.state.client.takes_markdown:
            return {
                "kind": "markdown",
                "value": documentation_markdown(found, frame=with_fewer_entities),
            }
        return {"kind": "plaintext", "value": documentation_text(found)}

    def _hover(self, parameters: dict[str, Any]) -> protocol.Hover | None:
        document, translator, offset = self.place(parameters)
        if not document.is_code:
            return None
        code = code_of(document)
        known = self.known(document, offset)
        use = target_at(known, offset)
        if use is not None and code[use.start - 1 : use.start] in ("'", '"'):
            named = document_target(use.target, known)
            if named is not None:
                span = translator.range_of(use.start, use.end)
                return {"contents": self.shown(named), "range": span}
        found = inspect_code(known, code, offset)
        if found is None:
            return None
        hover: protocol.Hover = {"contents": self.shown(found)}
        place = place_at(code, offset)
        if place.start <= offset <= place.end and place.start < place.end:
            hover["range"] = translator.range_of(place.start, place.end)
        return hover

    # Completion

    def _complete(self, parameters: dict[str, Any]) -> protocol.CompletionList:
        document, translator, offset = self.place(parameters)
        if not document.is_code:
            return {"isIncomplete": False, "items": []}
        known = self.known(document, offset)
        explained = 0 if "detail" in self._resolved else MAX_EXPLAINED
        code = code_of(document)
        found = complete_code(known, code[:offset], explained, code[offset:])
        return self.listed(document, translator, found, known)

    @property
    def _resolved(self) -> list[object]:
        """The parts of a completion that the client asks for when somebody looks at it."""
        item = ("textDocument", "completion", "completionItem")
        found = self.state.client.value(*item, "resolveSupport", "properties")
        return found if isinstance(found, list) else []

    def listed(
        self,
        document: OpenDocument,
        translator: Translator,
        found: Completions,
        known: SessionSymbols | None = None,
    ) -> protocol.CompletionList:
        """Return candidates; with the names that code knows they have places to fill in."""
        offset = found.end
        replaced = translator.range_of(found.start, offset)
        following = document.text[offset : document.lines.span(document.lines.line_of(offset))[1]]
        item = self.state.client.value("textDocument", "completion", "completionItem")
        takes_snippets = isinstance(item, dict) and bool(item.get("snippetSupport"))
        snippets = None
        if takes_snippets and known is not None:
            snippets = Snippets(
                known, document.text[max(found.start - 1, 0) : found.start], following
            )
        items = []
        for number, each in enumerate(found.items):
            snippet = None
            if snippets is not None:
                snippet = snippets.of(each, with_parameters=number < _MAX_WITH_PARAMETERS)
            new: protocol.CompletionItem = {
                "label": each.label,
                "kind": _KINDS.get(each.kind, _TEXT),
                "sortText": f"{number:04}",
                "textEdit": {
                    "range": replaced,
                    "newText": each.text if snippet is None else snippet,
                },
                "data": {"uri": document.uri, "kind": each.kind, "name": each.name},
            }
            # With a filterText Neovim 0.7 ignores the range of the textEdit.
            if each.text != each.label:
                new["filterText"] = each.text
            if snippet is not None:
                new["insertTextFormat"] = _SNIPPET
            if each.detail:
                new["detail"] = each.detail
            items.append(new)
        # A longer word may have matches among those that are left out, or a better order.
        return {"isIncomplete": True, "items": items}

    def _resolve(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return an item with its documentation, and its explanation if that is missing."""
        data = item.get("data")
        if not isinstance(data, dict):
            return item
        document = self.state.documents.get(str(data.get("uri")))
        if document is not None:
            known = self.known(document)
            name, kind = str(data.get("name")), data.get("kind")
            if kind in _KINDS and not item.get("detail"):
                completion = Completion(name, kind)
                explain(known, [completion])
                item = {**item, "detail": completion.detail}
            found = _documentation(known, kind, name)
            if found is not None:
                return {**item, "documentation": self.shown(found)}
        return item

    # Signatures

    def _signatures(self, parameters: dict[str, Any]) -> protocol.SignatureHelp | None:
        document, _, offset = self.place(parameters)
        if not document.is_code:
            return None
        call = call_at(code_of(document)[:offset])
        found = None if call is None else signatures_of(self.known(document), call)
        if found is None:
            return None
        return {
            "signatures": [_signature(found.name, texts) for texts in found.texts],
            "activeSignature": 0,
            "activeParameter": found.parameter,
        }


def _documentation(known: SessionSymbols, kind: object, name: str) -> Documentation | None:
    if kind == "attribute":
        type_name, _, attribute = name.rpartition(".")
        return document_attribute(known, type_name, "", attribute)
    find = _FINDERS.get(str(kind), document)
    found = find(known, name)
    return document_class(known, name) if found is None and kind == "resource type" else found


_FINDERS: dict[str, Callable[[SessionSymbols, str], Documentation | None]] = {
    "class": document_class,
    "function": document_function,
    "keyword": document_keyword,
    "resource type": document_resource_type,
}


def _signature(name: str, parameters: list[str]) -> protocol.SignatureInformation:
    """Return a signature with the ranges of its parameters in it, in UTF-16."""
    label = f"{name}("
    ranges: list[protocol.ParameterInformation] = []
    for number, text in enumerate(parameters):
        label += ", " if number else ""
        start = utf16_units(label)
        label += text
        ranges.append({"label": [start, utf16_units(label)]})
    return {"label": f"{label})", "parameters": ranges}
