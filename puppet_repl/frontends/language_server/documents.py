"""The documents that are open in a client."""

from __future__ import annotations

import re

from puppet_repl.frontends.language_server.addresses import path_of
from puppet_repl.frontends.language_server.wire import INVALID_PARAMS, RequestError
from puppet_repl.tools.editing.documents import Change, Document
from puppet_repl.tools.editing.templates import scan_of
from puppet_repl.tools.validation.definitions import definitions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.frontends.language_server.capabilities import Encoding
    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.scan import Scan
    from puppet_repl.tools.editing.problems import Problem

_TEMPLATES = ("epp", "epuppet", "puppet-epp")
_MANIFESTS = ("puppet", "pp")
_ASSIGNED = re.compile(r"\$(\w+)\s*=(?![=~>])")


class OpenDocument(Document):
    """A document with its address, its tokens and its problems.

    ``is_code`` says that it is a manifest or a template: only these have tokens, symbols and names.
    ``sent_tokens`` are the numbers of the last semantic tokens, with their name. The ``revision``
    changes with whatever may change the problems; ``is_saved`` tells whether the file has the text.
    The ``interface`` is that of the text for which other documents were checked, None before.
    """

    __slots__ = (
        "_scan",
        "interface",
        "is_code",
        "is_saved",
        "problems",
        "revision",
        "sent_tokens",
        "uri",
    )

    def __init__(self, uri: str, language: str, text: str, version: int) -> None:
        super().__init__(path_of(uri) or "", text, version)
        self.uri = uri
        named = self.path.endswith((".pp", ".epp"))
        self.is_template = self.is_template or (not named and language in _TEMPLATES)
        # jupyterlab-lsp sends all cells of a notebook as one text; the kernel knows their names.
        is_notebook = self.path.endswith(".ipynb")
        self.is_code = named or (language in (*_TEMPLATES, *_MANIFESTS) and not is_notebook)
        self.is_saved = True
        self.revision = 0
        self.problems: list[Problem] | None = None
        self.sent_tokens: tuple[str, list[int]] | None = None
        self.interface: list[tuple[object, ...]] | None = None
        self._scan: Scan | None = None

    def change(self, parameters: dict[str, Any], encoding: Encoding) -> None:
        """Apply the changes of a notification."""
        changes = parameters.get("contentChanges")
        version = parameters["textDocument"].get("version")
        if not isinstance(changes, list):
            raise RequestError(INVALID_PARAMS, "contentChanges is a list")
        if not isinstance(version, int):
            version = self.version + 1
        self.edit([_change(each) for each in changes], encoding, version)
        self._scan = None
        self.is_saved = False
        self.forget_problems()

    def found_interface(self) -> list[tuple[object, ...]]:
        """Return what the problems of other documents depend on: definitions without their code."""
        tree = self.tree() if self.is_code else None
        found: list[tuple[object, ...]] = []
        for each in () if tree is None else definitions_of(tree.program):
            text = each.source.text
            parameters = [text[one.start : one.end] for one in each.parameters]
            value = None if each.value is None else text[each.value.start : each.value.end]
            variables = set(_ASSIGNED.findall(text, each.start, each.end))
            found.append((each.kind, each.name, each.parent, parameters, value, variables))
        return found

    def forget_problems(self) -> None:
        """Check again when somebody asks."""
        self.revision += 1
        self.problems = None

    @property
    def program(self) -> ast.Program | None:
        """The tree of the whole text, None for code with an error, and for other texts."""
        tree = self.tree() if self.is_code else None
        return None if tree is None or tree.recovered else tree.program

    @property
    def scan(self) -> Scan:
        """The tokens of the text, which may be broken."""
        if self._scan is None:
            self._scan = scan_of(self)
        return self._scan


def _change(given: Any) -> Change:
    try:
        if "range" not in given:
            return Change(given["text"])
        start, end = given["range"]["start"], given["range"]["end"]
        return Change(
            given["text"],
            (start["line"], start["character"]),
            (end["line"], end["character"]),
        )
    except (KeyError, TypeError):
        raise RequestError(INVALID_PARAMS, "a change has a text and perhaps a range") from None


def opened(parameters: dict[str, Any]) -> OpenDocument:
    """Return the document that a notification opens; raise RequestError if a part is missing."""
    item = parameters.get("textDocument")
    given = item if isinstance(item, dict) else {}
    uri, language = given.get("uri"), given.get("languageId")
    text, version = given.get("text"), given.get("version")
    if not (isinstance(text, str) and isinstance(uri, str) and isinstance(version, int)):
        raise RequestError(INVALID_PARAMS, "a document has an address, a version and a text")
    return OpenDocument(uri, str(language), text, version)
