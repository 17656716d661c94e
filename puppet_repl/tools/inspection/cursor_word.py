"""The word at the cursor, and the place that it is in."""

from __future__ import annotations

import re
from functools import cached_property

from puppet_repl.language.syntax.scan import Scan
from puppet_repl.tools.inspection.cursor_context import Site, resource_type_before, site_of
from puppet_repl.tools.inspection.signs import HEREDOC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.language.syntax.scan import Token

    WordKind: TypeAlias = Literal[
        "variable", "type", "name", "string", "operator", "heredoc", "nothing"
    ]

_VARIABLE = re.compile(r"""\$\{?(?:::)?\w+(?:::\w+)*(?:\[(?:'[^'\n]*'|"[^"\n$]*"|\d+)\])*""")
_END_TAG = re.compile(r"[ \t]*(?:\|[ \t]*)?(?:-[ \t]*)?(?P<tag>[^\n]*?)[ \t]*\Z")
_BLANKS = re.compile(r"(?:\s+|#[^\n]*)*")
_CLOSING = {"'": re.compile(r"(?:[^'\\]|\\.)*", re.S), '"': re.compile(r'(?:[^"\\]|\\.)*', re.S)}


class Place:
    """What is at the cursor of a text.

    ``word`` is the text of the word, ``start`` and ``end`` its offsets; ``site`` says what is
    expected where it is, ``scan`` has the tokens up to its end, and ``before`` those up to its
    start. ``following`` is the text after it, without blanks and comments.
    """

    def __init__(self, text: str, kind: WordKind, word: str, start: int, end: int) -> None:
        self.text = text
        self.kind: WordKind = kind
        self.word = word
        self.start = start
        self.end = end

    @cached_property
    def following(self) -> str:
        """The text after the word, without the blanks and comments that it begins with."""
        match = _BLANKS.match(self.text, self.end)
        return self.text[self.end if match is None else match.end() :]

    @cached_property
    def scan(self) -> Scan:
        """The scan of the text up to the end of the word."""
        return Scan(self.text[: self.end])

    @cached_property
    def before(self) -> Scan:
        """The scan of the text in front of the word."""
        return Scan(self.text[: self.start])

    @cached_property
    def site(self) -> Site:
        """The site of the word."""
        return site_of(self.text[: self.end])[0]

    @property
    def opened_type(self) -> str | None:
        """The resource type that the word is, in front of the brace of its resources."""
        if not self.following.startswith("{"):
            return None
        brace = len(self.text) - len(self.following) + 1
        return resource_type_before(self.text[:brace])


def place_at(text: str, cursor: int) -> Place:
    """Return the place of the cursor in a text, or in the ``recent`` part of a long one."""
    before = Scan(text[:cursor])
    header = _heredoc_at(text, cursor)
    if header is not None:
        return header
    if before.where in ("single", "double"):
        return _in_string(text, cursor, before)
    if before.where in ("heredoc", "plain heredoc"):
        return _in_heredoc(text, cursor, before)
    nothing = Place(text, "nothing", "", cursor, cursor)
    if before.where == "comment":
        return nothing
    line_end = text.find("\n", cursor)
    scan = Scan(text if line_end < 0 else text[:line_end])
    token = _token_at(scan.every_token, cursor)
    if token is None:
        return nothing
    end = token.start + len(token.text)
    if token.kind in ("variable", "type", "name", "operator"):
        return Place(text, token.kind, token.text, token.start, end)
    return nothing


def _heredoc_at(text: str, cursor: int) -> Place | None:
    """Return the beginning of a heredoc that the cursor is in: ``@("END"/tn)``."""
    end = text.find("\n", cursor)
    end = len(text) if end < 0 else end
    if "@(" not in text[text.rfind("\n", 0, cursor) + 1 : end]:
        return None
    for token in Scan(text[:end]).every_token:
        match = HEREDOC.match(text, token.start) if token.kind == "text" else None
        if match is not None and match.start() <= cursor <= match.end():
            return Place(text, "heredoc", match[0], match.start(), match.end())
    return None


def _token_at(tokens: list[Token], cursor: int) -> Token | None:
    """Return the token at the cursor; of two that meet there the word, or else the second one."""
    touching = [
        token
        for token in tokens
        if token.kind != "text" and token.start <= cursor <= token.start + len(token.text)
    ]
    words = [token for token in touching if token.kind in ("variable", "type", "name")]
    if words:
        return words[0]
    return touching[-1] if touching else None


def _in_string(text: str, cursor: int, before: Scan) -> Place:
    """Return the place in a string: a variable of its interpolation, or all of it."""
    start = before.string_start
    quote = text[start - 1]
    match = _CLOSING[quote].match(text, start) if quote in _CLOSING else None
    end = cursor if match is None else match.end()
    if before.where == "double":
        variable = _variable_at(text, cursor)
        if variable is not None:
            return variable
    return Place(text, "string", text[start:end], start, end)


def _in_heredoc(text: str, cursor: int, before: Scan) -> Place:
    """Return the place in the text of a heredoc: a variable, or the tag at its end."""
    nothing = Place(text, "nothing", "", cursor, cursor)
    start = text.rfind("\n", 0, cursor) + 1
    end = text.find("\n", cursor)
    line = text[start : end if end >= 0 else len(text)]
    tag = _END_TAG.match(line)
    if tag is not None and tag["tag"] == before.open_tag:
        headers = [
            found for found in HEREDOC.finditer(text[:start]) if found["tag"].strip() == tag["tag"]
        ]
        if headers:
            header = headers[-1]
            return Place(text, "heredoc", header[0], header.start(), header.end())
    if before.where == "heredoc":
        return _variable_at(text, cursor) or nothing
    return nothing


def _variable_at(text: str, cursor: int) -> Place | None:
    """Return the variable at the cursor in a string, without its braces."""
    start = text.rfind("\n", 0, cursor) + 1
    end = text.find("\n", cursor)
    for match in _VARIABLE.finditer(text, start, end if end >= 0 else len(text)):
        if match.start() <= cursor <= match.end():
            return Place(text, "variable", match[0].replace("{", "", 1), match.start(), match.end())
    return None
