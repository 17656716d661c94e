"""What the server can do, and what a client has said that it can do."""

from __future__ import annotations

from puppet_repl.base.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

NAME = "puppet-repl"
TOKEN_TYPES = (
    "class",
    "comment",
    "function",
    "keyword",
    "number",
    "parameter",
    "property",
    "regexp",
    "string",
    "struct",
    "type",
    "variable",
)
TOKEN_MODIFIERS = ("declaration", "defaultLibrary")
COMPLETION_TRIGGERS = ("$", ":", ".", "'", '"', "[", "{", ">", "(")
"""What opens a menu, beside letters."""
SIGNATURE_TRIGGERS = ("(", ",")
COMMANDS = (
    "puppet-repl.catalog",
    "puppet-repl.difference",
    "puppet-repl.evaluate",
    "puppet-repl.explain",
    "puppet-repl.graph",
    "puppet-repl.nodes",
    "puppet-repl.references",
)
FIX_ALL = "source.fixAll.puppet-repl"
WATCHED = (
    "**/*.{pp,epp,erb,rb,yaml,yml,eyaml,json}",
    "**/{environment.conf,Puppetfile}",
    "**/tasks/*",
)
"""The files whose changes the server wants to hear of."""


class Client:
    """What a client can do: the parameters of ``initialize``."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = {} if parameters is None else parameters.get("capabilities")
        self._given: Any = given if isinstance(given, dict) else {}
        self.encoding: Encoding = self._encoding()

    def _encoding(self) -> Encoding:
        offered = self.value("general", "positionEncodings")
        known: tuple[Encoding, ...] = ("utf-32", "utf-8")
        for each in known:
            if isinstance(offered, list) and each in offered:
                return each
        return "utf-16"

    def value(self, *path: str) -> Any:
        """Return a capability by its path, None for one that the client has not."""
        found = self._given
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def can(self, *path: str) -> bool:
        """Tell whether a client has a capability."""
        return bool(self.value(*path))

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics, so that none are sent by themselves."""
        return self.value("textDocument", "diagnostic") is not None

    @property
    def takes_related(self) -> bool:
        """Whether it shows the locations that explain a finding."""
        return self.can("textDocument", "publishDiagnostics", "relatedInformation")

    @property
    def takes_markdown(self) -> bool:
        """Whether it shows documentation in Markdown."""
        formats = self.value("textDocument", "hover", "contentFormat")
        return formats is None or (isinstance(formats, list) and "markdown" in formats)


def initialize_result(client: Client) -> dict[str, Any]:
    """Return the answer to ``initialize``."""
    tokens: dict[str, Any] = {
        "legend": {"tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS},
        "full": {"delta": True},
        "range": True,
    }
    capabilities = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "completionProvider": {
            "triggerCharacters": COMPLETION_TRIGGERS,
            "resolveProvider": True,
        },
        "hoverProvider": True,
        "signatureHelpProvider": {"triggerCharacters": SIGNATURE_TRIGGERS},
        "definitionProvider": True,
        "referencesProvider": {"workDoneProgress": True},
        "documentHighlightProvider": True,
        "renameProvider": {"prepareProvider": True, "workDoneProgress": True},
        "documentSymbolProvider": True,
        "workspaceSymbolProvider": {"workDoneProgress": True},
        "documentLinkProvider": {"resolveProvider": False},
        "foldingRangeProvider": True,
        "selectionRangeProvider": True,
        "semanticTokensProvider": tokens,
        "documentFormattingProvider": True,
        "documentRangeFormattingProvider": True,
        "documentOnTypeFormattingProvider": {
            "firstTriggerCharacter": "}",
            "moreTriggerCharacter": ["\n"],
        },
        "codeActionProvider": {"codeActionKinds": ["quickfix", FIX_ALL]},
        "codeLensProvider": {"resolveProvider": True},
        "inlayHintProvider": {"resolveProvider": True},
        "executeCommandProvider": {"commands": COMMANDS},
        "diagnosticProvider": {
            "identifier": NAME,
            "interFileDependencies": True,
            "workspaceDiagnostics": False,
        },
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    return {
        "capabilities": capabilities,
        "serverInfo": {"name": NAME, "version": __version__},
    }
