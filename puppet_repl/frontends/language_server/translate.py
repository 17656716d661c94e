"""What ``tools.editing`` finds, in the types of the protocol."""

from __future__ import annotations

from puppet_repl.frontends.language_server.addresses import uri_of
from puppet_repl.frontends.language_server.capabilities import (
    FIX_ALL,
    NAME,
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
)
from puppet_repl.frontends.language_server.wire import INVALID_PARAMS, RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from puppet_repl.frontends.language_server import protocol
    from puppet_repl.frontends.language_server.capabilities import Encoding
    from puppet_repl.frontends.language_server.documents import OpenDocument
    from puppet_repl.tools.editing.actions import Action
    from puppet_repl.tools.editing.folding import Fold
    from puppet_repl.tools.editing.formatting import Edit
    from puppet_repl.tools.editing.outline import Symbol, SymbolKind
    from puppet_repl.tools.editing.problems import Problem
    from puppet_repl.tools.editing.tokens import Token

_ERROR, _WARNING = 1, 2
_UNNECESSARY, _DEPRECATED = 1, 2
_UNUSED = frozenset(("unused_parameter", "unused_variable", "unreachable_code"))
_SYMBOLS: dict[SymbolKind, int] = {
    "class": 5,
    "data type": 11,
    "define": 23,
    "fact": 14,
    "function": 12,
    "node": 3,
    "parameter": 7,
    "plan": 12,
    "provider": 6,
    "resource": 19,
    "resource type": 23,
    "ruby function": 12,
    "task": 12,
    "type": 11,
    "variable": 13,
}
_FOLDS = {"comment": "comment", "text": "region"}


class Translator:
    """Positions of one document, in the encoding of its client."""

    def __init__(self, document: OpenDocument, encoding: Encoding) -> None:
        self._document = document
        self._lines = document.lines
        self._encoding = encoding

    # From the client

    def offset(self, given: object) -> int:
        """Return the offset of a position; raise RequestError for anything else."""
        if isinstance(given, dict):
            line, character = given.get("line"), given.get("character")
            if isinstance(line, int) and isinstance(character, int) and min(line, character) >= 0:
                return self._lines.offset(line, character, self._encoding)
        raise RequestError(INVALID_PARAMS, "a position has a line and a character")

    def span(self, given: object) -> tuple[int, int]:
        """Return the offsets of a range; raise RequestError for anything else."""
        if not isinstance(given, dict):
            raise RequestError(INVALID_PARAMS, "a range has a start and an end")
        return self.offset(given.get("start")), self.offset(given.get("end"))

    # To the client

    def position(self, offset: int) -> protocol.Position:
        """Return the position of an offset."""
        line, character = self._lines.position(offset, self._encoding)
        return {"line": line, "character": character}

    def range_of(self, start: int, end: int) -> protocol.Range:
        """Return the range of two offsets."""
        return {"start": self.position(start), "end": self.position(end)}

    def edits(self, edits: Iterable[Edit]) -> list[protocol.TextEdit]:
        """Return edits of the document."""
        return [{"range": self.range_of(start, end), "newText": text} for start, end, text in edits]

    def diagnostic(self, problem: Problem, *, with_related: bool = False) -> protocol.Diagnostic:
        """Return a problem; its hint is below the message."""
        message = problem.message
        if problem.hint:
            message = "\n".join([message, *[f"hint: {each}" for each in problem.hint.split("\n")]])
        found: protocol.Diagnostic = {
            "range": self.range_of(problem.start, problem.end),
            "severity": _ERROR if problem.severity == "error" else _WARNING,
            "code": problem.code,
            "source": NAME,
            "message": message,
        }
        if problem.code in _UNUSED:
            found["tags"] = [_UNNECESSARY]
        elif "deprecated" in problem.code or problem.code == "legacy_facts":
            found["tags"] = [_DEPRECATED]
        if problem.related and with_related:
            found["relatedInformation"] = [
                {
                    "location": {"uri": self._document.uri, "range": self.range_of(start, end)},
                    "message": text,
                }
                for start, end, text in problem.related
            ]
        return found

    def action(self, action: Action) -> protocol.CodeAction:
        """Return an action on the document."""
        found: protocol.CodeAction = {
            "title": action.title,
            "kind": FIX_ALL if action.kind == "fix all" else "quickfix",
            "edit": {"changes": {self._document.uri: self.edits(action.edits)}},
        }
        if action.file is not None:
            uri = uri_of(action.file.path)
            start: protocol.Position = {"line": 0, "character": 0}
            text: list[protocol.TextEdit] = [
                {"range": {"start": start, "end": start}, "newText": action.file.text}
            ]
            found["edit"] = {
                "documentChanges": [
                    {"kind": "create", "uri": uri, "options": {"ignoreIfExists": True}},
                    {"textDocument": {"uri": uri, "version": None}, "edits": text},
                ]
            }
        if action.problem is not None:
            found["diagnostics"] = [self.diagnostic(action.problem)]
        if action.is_preferred and action.kind in ("fix", "replace"):
            found["isPreferred"] = True
        return found

    def symbol(self, symbol: Symbol) -> protocol.DocumentSymbol:
        """Return a symbol with those inside of it."""
        start = min(symbol.start, symbol.name_start)
        end = max(symbol.end, symbol.name_end)
        return {
            "name": symbol.name or "?",
            "detail": symbol.detail,
            "kind": _SYMBOLS[symbol.kind],
            "range": self.range_of(start, end),
            "selectionRange": self.range_of(symbol.name_start, symbol.name_end),
            "children": [self.symbol(each) for each in symbol.children],
        }

    def flat_symbols(
        self, symbols: Iterable[Symbol], container: str = ""
    ) -> list[protocol.SymbolInformation]:
        """Return symbols for a client that takes no tree."""
        found: list[protocol.SymbolInformation] = []
        for each in symbols:
            place: protocol.Location = {
                "uri": self._document.uri,
                "range": self.range_of(each.start, each.end),
            }
            found.append(
                {
                    "name": each.name,
                    "kind": _SYMBOLS[each.kind],
                    "location": place,
                    "containerName": container,
                }
            )
            found += self.flat_symbols(each.children, each.name)
        return found

    def fold(self, fold: Fold) -> protocol.FoldingRange:
        """Return lines that fold."""
        found: protocol.FoldingRange = {"startLine": fold.first, "endLine": fold.last}
        if fold.kind in _FOLDS:
            found["kind"] = _FOLDS[fold.kind]
        return found

    def selection(self, ranges: Sequence[range]) -> protocol.SelectionRange:
        """Return ranges, of which each is within the next."""
        found: protocol.SelectionRange | None = None
        for each in reversed(ranges):
            new: protocol.SelectionRange = {"range": self.range_of(each.start, each.stop)}
            if found is not None:
                new["parent"] = found
            found = new
        assert found is not None  # the whole text is among them
        return found

    def tokens(self, tokens: Iterable[Token]) -> list[int]:
        """Return tokens as numbers: line and start relative to the token before, length, kind."""
        data: list[int] = []
        last_line = last_start = 0
        for token in tokens:
            line, start = self._lines.position(token.start, self._encoding)
            _, end = self._lines.position(token.end, self._encoding)
            modifiers = 0
            if token.modifier:
                modifiers = 1 << TOKEN_MODIFIERS.index(token.modifier)
            relative = start if line != last_line else start - last_start
            kind = TOKEN_TYPES.index(token.kind)
            data += (line - last_line, relative, end - start, kind, modifiers)
            last_line, last_start = line, start
        return data


def delta(before: list[int], after: list[int]) -> list[protocol.SemanticTokensEdit]:
    """Return the edits that make one list of numbers another: one, or none."""
    if before == after:
        return []
    start = 0
    shortest = min(len(before), len(after))
    while start < shortest and before[start] == after[start]:
        start += 1
    same = 0
    while same < shortest - start and before[-1 - same] == after[-1 - same]:
        same += 1
    count = len(before) - start - same
    return [{"start": start, "deleteCount": count, "data": after[start : len(after) - same]}]
