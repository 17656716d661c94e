"""Tokens of unfinished source text: what precedes the cursor, inside of which brackets.

The lexer of the language refuses text that ends in the middle of a string; here that is the
ordinary case. This scanner never fails, and says where the text ends: in code, in a string, in a
comment; and which brackets are open there.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    ScanKind: TypeAlias = Literal[
        "variable", "type", "name", "number", "string", "text", "regex", "operator"
    ]
    Where: TypeAlias = Literal[
        "code", "single", "double", "heredoc", "plain heredoc", "regex", "comment"
    ]

# Only this much text before the cursor is scanned.
MAX_SCANNED = 6000


def recent(text: str) -> int:
    """Return the offset from which on a text is scanned: 0, or that of the last part of a long one.

    The part begins with an unindented line after an empty line or a closing brace, so hardly ever
    inside of a string or a heredoc.
    """
    if len(text) <= MAX_SCANNED:
        return 0
    earliest = len(text) - 2 * MAX_SCANNED
    latest = len(text) - MAX_SCANNED
    found = max(text.rfind(mark, max(earliest, 0), latest) + 3 for mark in ("\n}\n", "\n\n\n"))
    if found < 3:
        found = text.rfind("\n", 0, latest) + 1
    return found


class Token:
    """One token.

    The text of a "string" is its content; a "text" has interpolations, its content is unknown.
    """

    __slots__ = ("kind", "start", "text")

    def __init__(self, kind: ScanKind, text: str, start: int) -> None:
        self.kind: ScanKind = kind
        self.text = text
        self.start = start

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text}"

    @property
    def operator(self) -> str:
        """The text of an operator, '' for any other token."""
        return self.text if self.kind == "operator" else ""


_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\n\f\v]+)
    | (?P<line_comment>\#[^\n]*)
    | (?P<comment>/\*.*?\*/)
    | (?P<open_comment>/\*)
    | (?P<heredoc>@\([ \t]*+(?P<quote_tag>"?)(?P<tag>[^:/"\r\n)]{1,500}+)"?[ \t]*+
        (?::[^/\r\n)]{0,100}+)?(?:/[^)\r\n]{0,100}+)?\))
    | (?P<variable>\$(?:::)?(?:\w+(?:::\w+)*(?:::)?)?)
    | (?P<number>\d\w*(?:\.\d+(?:[eE][+-]?\d+)?)?)
    | (?P<type>(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*(?:::)?)
    | (?P<name>(?:::)?[a-z_][\w]*(?:-\w+)*(?:::\w+)*(?:::)?|::)
    | (?P<quote>['"])
    | (?P<slash>/)
    | (?P<operator><<\||\|>>|<\||\|>|=>|\+>|->|~>|<-|<~|==|!=|=~|!~|<=|>=|<<|>>|@@|\+=|-=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
# Groups of the pattern whose whole text is a token.
_PLAIN: dict[str, ScanKind] = {
    "variable": "variable",
    "number": "number",
    "type": "type",
    "name": "name",
}
_REGEX = re.compile(r"/(?:[^/\\\n]|\\.)*/")
_SINGLE = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL)
_DOUBLE = re.compile(r"""(?:[^"\\$]|\\.|\$(?!\{))*""", re.DOTALL)
_CLOSING = {")": "(", "]": "[", "}": "{"}
# After these a slash divides; anywhere else it begins a regular expression.
_VALUES = frozenset(("variable", "number", "type", "string", "text", "regex"))
# Words after which a slash begins a regular expression all the same.
_BEFORE_REGEX = frozenset(("node", "case", "if", "unless", "in", "and", "or", "elsif"))


class Frame:
    """Code at one level: the text itself, or that of an interpolation."""

    __slots__ = ("brackets", "tokens")

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.brackets: list[tuple[str, int]] = []


class Scan:
    """The lexical state of the text before the cursor.

    ``where`` is the construct in which the text ends; ``string_start`` is the offset of the first
    character of an open string, and ``open_tag`` the tag of an open heredoc. ``tokens`` and
    ``brackets`` belong to the innermost interpolation; a bracket comes with the index of its token.
    ``every_token`` also has the tokens of closed interpolations. ``comments`` and ``literals`` are
    spans: of comments, and of the texts of strings, heredocs and regular expressions.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.where: Where = "code"
        self.string_start = 0
        self.open_tag = ""
        self.every_token: list[Token] = []
        self.comments: list[tuple[int, int]] = []
        self.literals: list[tuple[int, int]] = []
        self._no_regex_before = 0
        self._frames = [Frame()]
        self._pending: list[tuple[str, bool]] = []
        self._code(0)

    @property
    def tokens(self) -> list[Token]:
        """The tokens of the innermost code."""
        return self._frames[-1].tokens

    @property
    def brackets(self) -> list[tuple[str, int]]:
        """The open brackets of the innermost code, outermost first."""
        return self._frames[-1].brackets

    @property
    def all_tokens(self) -> list[Token]:
        """The tokens of every open level, outermost first."""
        return [token for frame in self._frames for token in frame.tokens]

    @property
    def levels(self) -> list[Frame]:
        """The open levels of code, outermost first."""
        return self._frames

    @property
    def in_regex(self) -> bool:
        """Whether the text ends in a regular expression that is open."""
        return 0 < len(self.text) == self._no_regex_before

    @property
    def in_tag(self) -> bool:
        """Whether the text ends in the tag of a heredoc, after ``@(``."""
        if not self.brackets or self.brackets[-1][0] != "(":
            return False
        opening = self.tokens[self.brackets[-1][1]].start
        return self.text.startswith("@", opening - 1, opening)

    @property
    def interpolating(self) -> bool:
        """Whether the text ends in the code of an interpolation."""
        return len(self._frames) > 1

    def _code(self, at: int) -> None:
        """Scan code, with the strings in it."""
        text = self.text
        length = len(text)
        # Quotes of the strings in which scanning continues when an interpolation closes.
        resumes: list[str] = []
        while at < length:
            match = _TOKEN.match(text, at)
            assert match is not None  # the last alternative takes any character
            kind = match.lastgroup or "operator"
            end = match.end()
            if match.group("heredoc") is not None:
                kind = "heredoc"
            if kind == "space":
                if self._pending and "\n" in match.group():
                    end = self._heredoc_bodies(text.index("\n", at) + 1)
            elif kind == "comment":
                self.comments.append((at, end))
            elif kind in ("line_comment", "open_comment"):
                if end == length or kind == "open_comment":
                    self.comments.append((at, length))
                    self.where = "comment"
                    return
                self.comments.append((at, end))
            elif kind == "heredoc":
                self._pending.append((match.group("tag").strip(), match.group("quote_tag") == '"'))
                self._add("text", "", at)
            elif kind == "quote":
                end = self._string(match.group(), end, resumes)
            elif kind == "slash":
                end = self._slash(at)
            elif kind == "operator":
                end = self._operator(match.group(), at, end, resumes)
            elif kind in _PLAIN:
                self._add(_PLAIN[kind], match.group(), at)
            if self.where != "code":
                return
            at = end

    def _add(self, kind: ScanKind, text: str, start: int) -> None:
        token = Token(kind, text, start)
        self._frames[-1].tokens.append(token)
        self.every_token.append(token)

    def _operator(self, text: str, at: int, end: int, resumes: list[str]) -> int:
        frame = self._frames[-1]
        if text == "}" and not frame.brackets and resumes:
            self._frames.pop()
            return self._string(resumes.pop(), end, resumes)
        self._add("operator", text, at)
        if text in "([{":
            frame.brackets.append((text, len(frame.tokens) - 1))
        elif text in _CLOSING:
            opening = _CLOSING[text]
            while frame.brackets:
                if frame.brackets.pop()[0] == opening:
                    break
        return end

    def _slash(self, at: int) -> int:
        tokens = self.tokens
        last = tokens[-1] if tokens else None
        divides = last is not None and (
            last.kind in _VALUES
            or (last.kind == "name" and last.text not in _BEFORE_REGEX)
            or last.text in (")", "]", "}")
        )
        if not divides and at >= self._no_regex_before:
            match = _REGEX.match(self.text, at)
            if match is not None:
                self._add("regex", match.group(), at)
                self.literals.append((at + 1, match.end() - 1))
                return match.end()
            # Each slash up to there follows a backslash, and begins nothing that ends.
            line_end = self.text.find("\n", at)
            self._no_regex_before = line_end if line_end >= 0 else len(self.text)
        self._add("operator", "/", at)
        return at + 1

    def _string(self, quote: str, at: int, resumes: list[str]) -> int:
        """Scan a string from ``at``, return the offset after it."""
        text = self.text
        if quote == "'":
            end = self._end_of(_SINGLE, at)
            if end == len(text):
                return self._open("single", at)
            self._add("string", text[at:end], at - 1)
            self.literals.append((at, end))
            return end + 1
        end = self._end_of(_DOUBLE, at)
        if end == len(text):
            return self._open("double", at)
        self.literals.append((at, end))
        if text.startswith("${", end):
            self._add("text", "", at - 1)
            self._frames.append(Frame())
            resumes.append(quote)
            return end + 2
        if text[at - 1] == '"':  # and not the brace that closed an interpolation
            self._add("string", text[at:end], at - 1)
        return end + 1

    def _end_of(self, pattern: re.Pattern[str], at: int) -> int:
        match = pattern.match(self.text, at)
        return at if match is None else match.end()

    def _open(self, where: Where, start: int) -> int:
        self.where = where
        self.string_start = start
        self.literals.append((start, len(self.text)))
        return len(self.text)

    def _heredoc_bodies(self, at: int) -> int:
        """Skip the texts of the heredocs that were opened on the line before ``at``."""
        text = self.text
        for tag, interpolates in self._pending:
            end = re.compile(
                rf"^[ \t]*(?:\|[ \t]*)?(?:-[ \t]*)?{re.escape(tag)}[ \t]*(?:\r?\n|\Z)", re.MULTILINE
            ).search(text, at)
            if end is None or (end.end() == len(text) and not text.endswith("\n")):
                opening = text.rfind("${", at) if interpolates else -1
                if opening >= 0 and "}" not in text[opening:]:
                    self.literals.append((at, opening))
                    self._frames.append(Frame())
                    self._pending = []
                    return opening + 2
                self._pending = []
                self.open_tag = tag
                return self._open("heredoc" if interpolates else "plain heredoc", at)
            self.literals.append((at, end.end()))
            at = end.end()
        self._pending = []
        return at
