"""The requests about the places of names: definitions, uses, symbols of all files."""

from __future__ import annotations

from functools import partial

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.frontends.language_server.addresses import uri_of
from puppet_repl.frontends.language_server.documents import OpenDocument
from puppet_repl.frontends.language_server.translate import Translator
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.index import entries_in_ruby, entries_of, is_indexed
from puppet_repl.tools.editing.outline import Symbol
from puppet_repl.tools.editing.scopes import Variables
from puppet_repl.tools.editing.targets import (
    definitions_at,
    definitions_of,
    file_of,
    target_at,
    target_in_erb,
    templates_that_see,
    uses_in_erb,
    variables_of_template,
)
from puppet_repl.tools.editing.templates import code_of
from puppet_repl.tools.editing.uses import may_use, uses_in, uses_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.names import Names
    from puppet_repl.frontends.language_server.state import State
    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.editing.scopes import Variable
    from puppet_repl.tools.editing.symbols import TextSymbols
    from puppet_repl.tools.editing.uses import Place, Target

_READ, _WRITTEN = 2, 3
# Nobody reads a longer list of symbols.
_MAX_SYMBOLS = 200


class Places:
    """Definitions and uses of names."""

    def __init__(self, state: State, names: Names) -> None:
        self.state = state
        self.names = names
        self.requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "textDocument/definition": self._definition,
            "textDocument/documentHighlight": self._highlights,
            "textDocument/documentLink": self._links,
            "workspace/symbol": self._symbols,
        }

    def variable(self, document: OpenDocument, offset: int) -> tuple[Variables, Variable] | None:
        """Return the variable at an offset, with those around it."""
        program = document.program
        variables = None if program is None else Variables(program)
        found = None if variables is None else variables.at(offset)
        return None if variables is None or found is None else (variables, found)

    # Definitions and uses

    def _definition(
        self, parameters: dict[str, Any]
    ) -> list[protocol.Location] | protocol.Location | None:
        """Return the definition of a name; the definitions, if there are several."""
        document, _, offset = self.names.place(parameters)
        if not document.is_code:
            known = self.names.known(document)
            target = target_in_erb(known, document.path, document.text, offset)
            return None if target is None else self.definition(document, known, target)
        known = self.names.known(document, offset)
        places = definitions_at(known, code_of(document), offset, partial(self._defining, document))
        return _one_or_all([self._location(document, each) for each in places])

    def definition(
        self, document: OpenDocument, known: TextSymbols, target: Target
    ) -> list[protocol.Location] | protocol.Location | None:
        """Return the definition of what a document names, the definitions if there are several."""
        places = definitions_of(target, known, partial(self._defining, document))
        return _one_or_all([self._location(document, each) for each in places])

    def _defining(self, document: OpenDocument, target: Target) -> Iterator[str]:
        """Yield the files in the open directories that define a target, or render a template."""
        if target.kind == "file":
            yield from (each.path for each, _ in self._trees(document, target))
            return
        index = self.state.indexing.index
        found = [*index.paths(target)]
        if not found and self.state.indexing.has_work:
            self._update_index()
            found = [*index.paths(target)]
        yield from found

    def _update_index(self) -> None:
        for _ in self.state.indexing.steps():
            self.state.check()

    def _location(self, document: OpenDocument, place: Place) -> protocol.Location:
        source, start, end = place
        if source.name is not None and source.name != document.path:
            document = self._document(source.name, source.text)
        # Of a file that is not open, the text is that in which the place is.
        is_opened = document.uri in self.state.documents and document.is_code
        tree = document.tree() if is_opened else None
        if tree is not None and source is tree.program.source:
            start, end = tree.from_tree(start), tree.from_tree(end)
        translator = Translator(document, self.state.client.encoding)
        return {"uri": document.uri, "range": translator.range_of(start, end)}

    def _document(self, path: str, text: str) -> OpenDocument:
        """Return an open document by its path, or else a new one."""
        for document in self.state.documents.values():
            if document.path == path:
                return document
        return OpenDocument(uri_of(path), "puppet", text, 0)

    def targets_at(self, document: OpenDocument, known: TextSymbols, offset: int) -> list[Target]:
        """Return what the name at an offset of code names; several for one in an ERB template."""
        if not document.is_code:
            return [*self._in_erb(document, known, offset)]
        use = None if document.program is None else target_at(known, offset)
        return [] if use is None else [use.target]

    def _in_erb(self, document: OpenDocument, known: TextSymbols, offset: int) -> Iterator[Target]:
        """Yield the variables that a name in an ERB template may be: one for each that renders."""
        target = target_in_erb(known, document.path, document.text, offset)
        if target is None:
            return
        if not target.scope.startswith("template "):
            yield target
            return
        find = partial(self._defining, document)
        yield from dict.fromkeys(variables_of_template(target, known, find))

    def uses(
        self, document: OpenDocument, known: TextSymbols, target: Target, *, with_definition: bool
    ) -> Iterator[protocol.Location]:
        """Yield the uses of a target in the code around a document."""
        for each, tree in self._trees(document, target):
            place = Translator(each, self.state.client.encoding)
            for use in uses_of(tree, target, known):
                if with_definition or not use.is_definition:
                    yield {"uri": each.uri, "range": place.range_of(use.start, use.end)}
        if target.kind == "variable" and target.scope.startswith(("class ", "type ")):
            yield from self._uses_in_erb(document, known, target)

    def _uses_in_erb(
        self, document: OpenDocument, known: TextSymbols, target: Target
    ) -> Iterator[protocol.Location]:
        """Yield the places in ERB templates that read a variable of a class or defined type."""
        seeing: set[str] | None = None
        for path in self.state.directory(document).code_files(document.path, (".erb",)):
            self.state.check()
            each = self.file(path, lambda text: target.name in text)
            if each is None:
                continue
            place = Translator(each, self.state.client.encoding)
            for use in uses_in_erb(known, path, each.text):
                if use.target.name != target.name:
                    continue
                if use.target != target and seeing is None:
                    seeing = self._templates_that_see(document, known, target)
                if use.target == target or use.target.scope in (seeing or ()):
                    yield {"uri": each.uri, "range": place.range_of(use.start, use.end)}

    def _templates_that_see(
        self, document: OpenDocument, known: TextSymbols, variable: Target
    ) -> set[str]:
        """Return the scopes of the templates that see a variable where code renders them."""
        owner = variable.scope.rpartition(" ")[2].rpartition("::")[2]

        def may_render(text: str) -> bool:
            return "template" in text and owner in text.lower()

        found: set[str] = set()
        for path in self.state.directory(document).code_files(document.path):
            self.state.check()
            each = self.file(path, may_render)
            tree = None if each is None else self._parsed(each)
            if tree is not None:
                found |= {*templates_that_see(tree, variable, known)}
        return found

    def _trees(
        self, document: OpenDocument, target: Target
    ) -> Iterator[tuple[OpenDocument, ast.Program]]:
        """Yield the files around a document that may name a target, each with its tree."""
        mine = document.program
        if mine is not None:
            yield document, mine
        if target.scope.startswith("@"):
            return
        for path in self.state.directory(document).code_files(document.path):
            self.state.check()
            text = None if path == document.path else self._text(path)
            if text is None or not may_use(text.lower(), target):
                continue
            each = self._document(path, text)
            tree = self._parsed(each)
            if tree is not None:
                yield each, tree

    def _text(self, path: str) -> str | None:
        """Return the text of a file, as an open document has it; None if there is none."""
        for document in self.state.documents.values():
            if document.path == path:
                return document.text
        try:
            return read_text(path)
        except (OSError, UnicodeDecodeError):
            return None

    def file(
        self, path: str, is_wanted: Callable[[str], bool] | None = None
    ) -> OpenDocument | None:
        """Return an open document by its path, or a file; None for a text that is not wanted."""
        text = self._text(path)
        if text is None or not (is_wanted is None or is_wanted(text)):
            return None
        return self._document(path, text)

    def _parsed(self, document: OpenDocument) -> ast.Program | None:
        source = Source(document.text, document.path)
        try:
            return parse(source, epp=document.is_template, tasks=document.is_plan)
        except PuppetError:
            return None

    def _highlights(self, parameters: dict[str, Any]) -> list[protocol.DocumentHighlight]:
        document, translator, offset = self.names.place(parameters)
        program = document.program
        known = self.names.known(document, offset)
        use = None if program is None else target_at(known, offset)
        if program is None or use is None:
            return []
        return [
            {
                "range": translator.range_of(each.start, each.end),
                "kind": _WRITTEN if each.is_definition else _READ,
            }
            for each in uses_of(program, use.target, known)
        ]

    def _links(self, parameters: dict[str, Any]) -> list[protocol.DocumentLink]:
        """Return the names of files and templates of modules that exist."""
        document = self.state.document(parameters)
        program = document.program
        translator = Translator(document, self.state.client.encoding)
        links: list[protocol.DocumentLink] = []
        known = self.names.known(document)
        for use in () if program is None else uses_in(program):
            path = file_of(use.target, known)
            if path is not None:
                span = translator.range_of(use.start, use.end)
                links.append({"range": span, "target": uri_of(path)})
        return links

    # All files

    def _symbols(self, parameters: dict[str, Any]) -> list[protocol.SymbolInformation]:
        """Return the definitions in the open directories that match the query, the best first."""
        self._update_index()
        opened = {
            each.path: each
            for each in self.state.documents.values()
            if each.is_code or is_ruby(each)
        }
        found = [each for each in self.state.indexing.index if each.path not in opened]
        for path, document in opened.items():
            if is_ruby(document):
                found += entries_in_ruby(document.text, path)
                continue
            tree = document.tree()
            if tree is None or not path:
                continue
            for entry in entries_of(tree.program, path):
                entry.start, entry.end = tree.from_tree(entry.start), tree.from_tree(entry.end)
                found.append(entry)
        symbols: list[protocol.SymbolInformation] = []
        for each in ranked(found, str(parameters.get("query") or ""))[:_MAX_SYMBOLS]:
            document_of = self.file(each.path)
            if document_of is None and each.end == 0:
                document_of = self._document(each.path, "")  # a task that is no text
            if document_of is not None:
                span = (each.start, each.end)
                symbol = Symbol(each.kind, each.name, span, span)
                symbols += Translator(document_of, self.state.client.encoding).flat_symbols(
                    [symbol]
                )
        return symbols


def is_ruby(document: OpenDocument) -> bool:
    """Tell whether a document is a Ruby file whose definitions are indexed."""
    return document.path.endswith(".rb") and is_indexed(document.path)


def wants_definition(parameters: dict[str, Any]) -> bool:
    """Tell whether a request for uses asks for definitions, too."""
    context = parameters.get("context")
    return not isinstance(context, dict) or bool(context.get("includeDeclaration"))


def _one_or_all(
    found: list[protocol.Location],
) -> list[protocol.Location] | protocol.Location | None:
    return found[0] if len(found) == 1 else found or None
