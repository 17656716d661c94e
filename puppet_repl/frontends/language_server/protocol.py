"""The types of the Language Server Protocol, 3.17, that the server makes; for the type checker.

The names are those of the protocol. Tests hold every response to the protocol's own description.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypeAlias, TypedDict


class Position(TypedDict):
    """A line and a unit of the chosen encoding, both from 0."""

    line: int
    character: int


class Range(TypedDict):
    """From a position to another one, exclusive."""

    start: Position
    end: Position


class Location(TypedDict):
    """A range in a document."""

    uri: str
    range: Range


class TextEdit(TypedDict):
    """A new text for a range."""

    range: Range
    newText: str
    annotationId: NotRequired[str]


class VersionedDocument(TypedDict):
    """A document with the version that edits are for; None without a version."""

    uri: str
    version: int | None


class TextDocumentEdit(TypedDict):
    """Edits of one version of a document."""

    textDocument: VersionedDocument
    edits: list[TextEdit]


class CreateFile(TypedDict):
    """A file that is created; ``kind`` is create."""

    kind: str
    uri: str
    options: dict[str, bool]


class RenameFile(TypedDict):
    """A file that gets another address; ``kind`` is rename."""

    kind: str
    oldUri: str
    newUri: str
    annotationId: NotRequired[str]


class ChangeAnnotation(TypedDict):
    """What an editor shows about changes with the annotation, which it may ask about."""

    label: str
    needsConfirmation: bool
    description: str


DocumentChange: TypeAlias = "TextDocumentEdit | CreateFile | RenameFile"


class WorkspaceEdit(TypedDict):
    """Edits of several documents: by their addresses, or in an order and with versions."""

    changes: NotRequired[dict[str, list[TextEdit]]]
    documentChanges: NotRequired[list[DocumentChange]]
    changeAnnotations: NotRequired[dict[str, ChangeAnnotation]]


class NamedRange(TypedDict):
    """The range of a name, and the name as it is to be edited."""

    range: Range
    placeholder: str


class RelatedInformation(TypedDict):
    """A location that explains a finding, and a text about it."""

    location: Location
    message: str


class Diagnostic(TypedDict):
    """A finding; severity 1 is an error, 2 a warning."""

    range: Range
    severity: int
    code: str
    source: str
    message: str
    tags: NotRequired[list[int]]
    relatedInformation: NotRequired[list[RelatedInformation]]


class MarkupContent(TypedDict):
    """A text in Markdown or plain."""

    kind: str
    value: str


class Hover(TypedDict):
    """Documentation of the name at a position."""

    contents: MarkupContent
    range: NotRequired[Range]


class InlayHint(TypedDict):
    """A text that is shown in the code and does not belong to it."""

    position: Position
    label: list[dict[str, Any]]
    paddingLeft: bool
    data: NotRequired[dict[str, Any]]
    tooltip: NotRequired[str]


class CompletionItem(TypedDict):
    """A text that could be inserted."""

    label: str
    kind: int
    sortText: str
    filterText: NotRequired[str]
    textEdit: TextEdit
    insertTextFormat: NotRequired[int]
    detail: NotRequired[str]
    documentation: NotRequired[MarkupContent]
    data: NotRequired[dict[str, Any]]


class CompletionList(TypedDict):
    """Texts that could be inserted; an incomplete list is asked for again with each key."""

    isIncomplete: bool
    items: list[CompletionItem]


class ParameterInformation(TypedDict):
    """A parameter: its range in the label of the signature, in UTF-16, or its text."""

    label: list[int] | str


class SignatureInformation(TypedDict):
    """One way to call a function."""

    label: str
    parameters: list[ParameterInformation]
    documentation: NotRequired[MarkupContent]


class SignatureHelp(TypedDict):
    """The signatures of the call that is being written."""

    signatures: list[SignatureInformation]
    activeSignature: int
    activeParameter: int


class DocumentSymbol(TypedDict):
    """A definition or declaration with those inside of it."""

    name: str
    detail: str
    kind: int
    range: Range
    selectionRange: Range
    children: list[DocumentSymbol]


class SymbolInformation(TypedDict):
    """A definition or declaration, in a flat list."""

    name: str
    kind: int
    location: Location
    containerName: NotRequired[str]


class FoldingRange(TypedDict):
    """Lines that fold into the first one."""

    startLine: int
    endLine: int
    kind: NotRequired[str]


class SelectionRange(TypedDict):
    """A range, and the next one around it."""

    range: Range
    parent: NotRequired[SelectionRange]


class CodeAction(TypedDict):
    """Edits with a title."""

    title: str
    kind: str
    diagnostics: NotRequired[list[Diagnostic]]
    isPreferred: NotRequired[bool]
    edit: WorkspaceEdit


class Command(TypedDict):
    """A command of the server, with its title in the editor."""

    title: str
    command: str
    arguments: NotRequired[list[Any]]


class CodeLens(TypedDict):
    """A command above a line; without one it is asked for by ``codeLens/resolve``."""

    range: Range
    command: NotRequired[Command]
    data: NotRequired[Any]


class DocumentHighlight(TypedDict):
    """A use of the name at a position: 2 reads it, 3 writes it."""

    range: Range
    kind: int


class DocumentLink(TypedDict):
    """A text that names a file."""

    range: Range
    target: str


class SemanticTokens(TypedDict):
    """Tokens as numbers, five each, relative to the one before."""

    resultId: str
    data: list[int]


class SemanticTokensEdit(TypedDict):
    """Numbers that replace others."""

    start: int
    deleteCount: int
    data: list[int]


class SemanticTokensDelta(TypedDict):
    """The difference to an earlier result."""

    resultId: str
    edits: list[SemanticTokensEdit]


class DiagnosticReport(TypedDict):
    """The diagnostics of a document; without items, of kind unchanged."""

    kind: str
    resultId: str
    items: NotRequired[list[Diagnostic]]
