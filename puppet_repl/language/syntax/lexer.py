r"""Lexing source text to tokens.

Most of a manifest is plain: names, punctuation, blanks, comments, strings without interpolation.
One regular expression finds those, with ``findall``, so that the loop over them runs in C; a table
gives each lexeme its kind. What depends on context (``/`` may begin a regular expression), holds
an inner language (interpolation, heredocs) or is wrong ends the run: ``step`` takes it, and the
fast run goes on after it.

The tokens are four parallel lists: kind (see tokens), text, start and end.
"""

from __future__ import annotations

from itertools import accumulate, compress

from puppet_repl.base.errors import PuppetError, Report
from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax import issues, number_literals, strings
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.tokens import BLANKS, KEYWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.tokens import Punctuation, TokenKind

MAX_NESTING = 120

# The first alternatives are cheap: most lexemes are blanks, punctuation and plain names.
_MASTER = LatePattern(
    r"""(?ax)[ \t\r\n]++(?![#/])
|(?:[ \t\r\n]+|\#[^\n]*+|/\*(?s:.*?)\*/)++
|[,;(){}[\].*?]|=[>=~]?|:(?!:)
|[a-z_]\w*+(?![:-])
|(?:::)?[a-z_](?:[\w-]*\w)?(?:::[a-z_](?:[\w-]*\w)?)*+
|\$(?:(?:::)?(?:\w+::)*\w+|(?![\w:]))
|'(?!'[\\'])[^'\\]*+(?:\\(?s:.)[^'\\]*+)*+'
|"(?!"["\\$])[^"\\$]*+"
|(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)*+(?!::)
|(?:0|[1-9]\d*+)(?![\w.]|[^\0-\x7f])
|->|-=|-(?!%)|\+[=>]?|![=~]?|<<\||<[<=|~-]?|>[>=]?|\|>>|\|>|\||~>?|@@|@(?!\()
|[\\^&`]|[^\0-~]
|(?s:.+)"""
)
_SINGLE_QUOTED = LatePattern(
    r"'(?:'(?=(?:\\\\)*'))?[^'\\]*+(?:\\[\s\S][^'\\]*+)*+'"  # see strings._DOUBLE_QUOTED
)
_REGEXP = LatePattern(r"/([^/\\]*+(?:\\[\s\S][^/\\]*+)*+)/")
_HARMLESS_REGEXP = LatePattern(r"(?a)[\w\s:;,.\-/^$=<>@%&~!\"'#`]*")
_CLASS_REFERENCE = LatePattern(r"(?a)(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)*+")
_VARIABLE = LatePattern(r"(?a)\$(?:::)?(?:\w+::)*\w+")
_PUNCTUATION: list[Punctuation] = [
    "=",
    "=>",
    "==",
    "=~",
    ",",
    ";",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ".",
    "*",
    "?",
    ":",
    "->",
    "-=",
    "-",
    "+",
    "+=",
    "+>",
    "!",
    "!=",
    "!~",
    "<",
    "<<",
    "<<|",
    "<=",
    "<|",
    "<-",
    "<~",
    ">",
    ">>",
    ">=",
    "|",
    "|>",
    "|>>",
    "~",
    "~>",
    "@",
    "@@",
    "%",
]
_KINDS: dict[str, TokenKind] = {
    **{text: text for text in KEYWORDS + _PUNCTUATION},
    "true": "BOOLEAN",
    "false": "BOOLEAN",
    " ": "",
    "\n": "",
    "\n\n": "",
}
# A slash after one of these divides; anywhere else it begins a regular expression.
_DIVIDES: frozenset[TokenKind] = frozenset(
    [
        ")",
        "]",
        "|>>",
        "|>",
        "NAME",
        "CLASSREF",
        "NUMBER",
        "SQ",
        "DQ",
        "STRING",
        "BOOLEAN",
        "DQPOST",
        "HEREDOC",
        "REGEX",
        "VARIABLE",
        "WORD",
    ]
)
# Lexemes in the table of all texts, and characters of indentation among them.
_MAX_NOTED = 1 << 14
_MAX_NOTED_BLANKS = 40
_LONG_WINDOW = 1 << 15
_SHORT_WINDOW = 1 << 11
_BOMS = (
    ("UTF-32", b"\x00\x00\xfe\xff"),
    ("UTF-32", b"\xff\xfe\x00\x00"),
    ("GB-18030", b"\x84\x31\x95\x33"),
    ("UTF-EBCDIC", b"\xdd\x73\x66\x73"),
    ("SCSU", b"\x0e\xfe\xff"),
    ("UTF-8", b"\xef\xbb\xbf"),
    ("UTF-1", b"\xf7\x64\x4c"),
    ("BOCU", b"\xfb\xee\x28"),
    ("UTF-16", b"\xfe\xff"),
    ("UTF-16", b"\xff\xfe"),
)


class _Kinds(dict[str, "TokenKind"]):
    """The kind of each lexeme: the first character of a lexeme that is not in the table decides.

    All texts share one table, since they have most of their names and all of their indentation in
    common. Strings and comments are not noted, since they rarely repeat.
    """

    __slots__ = ()

    def __missing__(self, lexeme: str) -> TokenKind:
        first = lexeme[0]
        kind: TokenKind
        if first in " \n\r\t":
            if len(lexeme) <= _MAX_NOTED_BLANKS and lexeme.isspace():
                self[lexeme] = ""
            return ""
        if first in "#/":
            return ""
        if first == "$":
            kind = "VARIABLE"
        elif first == "'":
            return "SQ"
        elif first == '"':
            return "DQ"
        elif first in "0123456789":
            if len(lexeme) > 3:  # there may be very many
                return "NUMBER"
            kind = "NUMBER"
        elif first >= "\x7f" or first in "\\^&`":
            return "" if first in BLANKS else "OTHER"
        elif "A" <= lexeme.lstrip(":")[:1] <= "Z":
            kind = "CLASSREF"
        elif "-" in lexeme or first == "_" or "::_" in lexeme:
            kind = "WORD"
        else:
            kind = "NAME"
        self[lexeme] = kind
        return kind


def _kinds(*, tasks: bool) -> _Kinds:
    """Return the table for a text; replace the shared table once it has grown large."""
    known = _known.get(tasks)
    if known is None or len(known) > _MAX_NOTED:
        known = _known[tasks] = _Kinds(_KINDS)
        if tasks:
            known.update(plan="plan", apply="apply")
    return known


_known: dict[bool, _Kinds] = {}


def check_bom(data: bytes, source: Source) -> None:
    """Refuse a text that begins with a byte order mark."""
    for name, mark in _BOMS:
        if data.startswith(mark):
            raise issues.illegal_bom(name, mark, source)


class Lexer:
    """The tokens of one text; ``error`` is what ended them early, as a last token ERROR.

    ``text`` has a NUL added that no token can hold: it stops every search at ``limit``.
    """

    __slots__ = (
        "_depth",
        "_known",
        "_window",
        "ends",
        "epp",
        "error",
        "heredocs",
        "jump",
        "kinds",
        "limit",
        "pos",
        "source",
        "starts",
        "tag",
        "tasks",
        "text",
        "texts",
        "warnings",
    )

    def __init__(self, source: Source, tasks: bool = False) -> None:
        self.source = source
        self.text = source.text + "\0"
        self.limit = len(source.text)
        self.tasks = tasks
        self._known = _kinds(tasks=tasks)
        self.kinds: list[TokenKind] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.pos = 0
        self.jump: int | None = None  # the offset after the heredocs of this line
        # Of each heredoc the offsets of its header, of its text, of the line with its tag, and
        # the offset after it.
        self.heredocs: list[tuple[int, int, int, int]] = []
        self.epp = ""  # "", "epp" or "expr": the kind of tag that code of a template is in
        self.tag = (0, 0)  # the span of that tag
        self._depth = 0
        self._window = _LONG_WINDOW
        self.error: PuppetError | None = None
        self.warnings: list[tuple[int, Report]] = []

    def run(self, at_end: Callable[[Lexer], PuppetError | None] | None = None) -> None:
        """Lex the whole text; ends with the token END, or with ERROR.

        ``at_end`` may return an error about the end.
        """
        size = len(self.kinds)
        try:
            if not self.text.isascii():
                check_bom(self.text[:4].encode("utf-8", "replace"), self.source)
            while self.pos < self.limit:
                self._fast()
                size = len(self.kinds)
                if self.pos < self.limit:
                    self.step()
                    while self.jump is not None and self.pos < self.limit:
                        size = len(self.kinds)
                        self.step()
        except PuppetError as error:
            del self.kinds[size:], self.texts[size:], self.starts[size:], self.ends[size:]
            self.fail(error)
            return
        except RecursionError:
            self.fail(issues.nested_too_deeply(MAX_NESTING, self.source, self.pos))
            return
        ended = at_end(self) if at_end is not None else None
        if ended is not None:
            self.fail(ended)
            return
        self.put("END", "", self.limit, self.limit)

    def fail(self, error: PuppetError) -> None:
        """End the tokens with an error."""
        self.error = error
        self.put("ERROR", "", self.limit, self.limit)

    def _fast(self) -> None:
        """Lex up to the next place that needs ``step``."""
        findall = _MASTER.findall
        text = self.text
        limit = self.limit
        kind_of = self._known.__getitem__
        pos = self.pos
        stop = pos + self._window
        if stop > limit:
            lexemes = findall(text, pos)
            offsets = list(accumulate(map(len, lexemes), initial=pos))
        else:
            lexemes = findall(text, pos, stop)
            offsets = list(accumulate(map(len, lexemes), initial=pos))
            while len(lexemes) > 1 and offsets[-2] > stop - 4:
                lexemes.pop()  # a lookahead may have matched only because the window ended here
                offsets.pop()
        lexemes.pop()  # what ended the run: the NUL, a case for step, or what the window cut
        offsets.pop()
        kinds = list(map(kind_of, lexemes))
        self.kinds += filter(None, kinds)
        self.texts += compress(lexemes, kinds)
        self.starts += compress(offsets, kinds)
        self.pos = end = offsets[-1]
        del offsets[0]
        self.ends += compress(offsets, kinds)
        self._window = _LONG_WINDOW if end - pos > _SHORT_WINDOW >> 1 else _SHORT_WINDOW

    def step(self) -> None:
        """Lex whatever is at the position: one token, or text that becomes none."""
        text = self.text
        pos = self.pos
        first = text[pos]
        special = _SPECIAL.get(first)
        if special is not None and special(self, pos):
            return
        if first < " " and first not in "\t\n\r":
            self.put("OTHER", "", pos, pos + 1)
            self.pos = pos + 1
            return
        if self.jump is not None and self._skip_to_line_end(pos):
            return
        match = _MASTER.match(text, pos)
        assert match is not None  # the last alternative takes anything
        lexeme = match[0]
        self.pos = pos + len(lexeme)
        kind = self._known[lexeme]
        if kind:
            self.put(kind, lexeme, pos, self.pos)
        elif self.pos > self.limit:  # a comment that took the NUL
            self.pos = self.limit

    def _skip_to_line_end(self, pos: int) -> bool:
        """Take blanks, a comment or the line's end after a heredoc's header."""
        first = self.text[pos]
        if first == "\n":
            assert self.jump is not None
            self.pos = self.jump
            self.jump = None
        elif first in " \t\r":
            self.pos = pos + 1
        elif first == "#":
            end = self.text.find("\n", pos)
            self.pos = end if end >= 0 else self.limit
        elif self.text.startswith("/*", pos):
            self.pos = self.text.index("*/", pos + 2) + 2
        else:
            return False
        return True

    # Beginnings of tokens that are not always plain. Each function tells whether it took the token.

    def _string(self, pos: int) -> bool:
        self.enter(pos)
        strings.double_quoted(self)
        self.leave()
        return True

    def _single_quoted(self, pos: int) -> bool:
        text = self.text
        match = _SINGLE_QUOTED.match(text, pos)
        if match is None:
            shown = strings.followed_by(text, pos + 1, self.limit)
            error = issues.unclosed_quote('"\'"', shown, self.source, pos + 1)
            raise strings.never_closed(error, "'", pos, pos + 1)
        self.pos = match.end()
        self.put("SQ", match[0], pos, self.pos)
        return True

    def _slash(self, pos: int) -> bool:
        text = self.text
        if text.startswith("/*", pos):
            if text.find("*/", pos + 2) < 0:
                raise issues.unclosed_comment(self.source, pos)
            return False
        if not self.kinds or self.kinds[-1] not in _DIVIDES:
            match = _REGEXP.match(text, pos)
            if match is not None:
                pattern = match[1].replace("\\/", "/")
                self._check_regexp(pattern)
                self.pos = match.end()
                self.put("REGEX", pattern, pos, self.pos)
                return True
        self.pos = pos + 1
        self.put("/", "/", pos, pos + 1)
        return True

    def _check_regexp(self, pattern: str) -> None:
        """Refuse what Ruby refuses; most patterns hold nothing that could be wrong."""
        if not _HARMLESS_REGEXP.fullmatch(pattern):
            from puppet_repl.language.syntax.regexp import check_regexp

            check_regexp(pattern, self.source)

    def _at(self, pos: int) -> bool:
        if not self.text.startswith("@(", pos):
            return False
        strings.heredoc(self)
        return True

    def _dollar(self, pos: int) -> bool:
        end = self.match_variable(pos)
        if end > pos:
            self.put("VARIABLE", self.text[pos:end], pos, end)
            self.pos = end
        else:
            self.put("VARIABLE", "$", pos, pos + 1)
            self.pos = pos + 1
        return True

    def _percent(self, pos: int) -> bool:
        if self.epp and self.text.startswith("%>", pos):
            from puppet_repl.language.syntax import epp

            epp.end_tag(self, pos, 2)
        else:
            self.pos = pos + 1
            self.put("%", "%", pos, pos + 1)
        return True

    def _minus(self, pos: int) -> bool:
        if self.text.startswith("-%", pos):
            if self.epp and self.text.startswith("-%>", pos):
                from puppet_repl.language.syntax import epp

                epp.end_tag(self, pos, 3)
            else:
                self.pos = pos + 1
                self.put("-", "-", pos, pos + 1)
            return True
        return False

    def _colon(self, pos: int) -> bool:
        text = self.text
        if not text.startswith("::", pos):
            return False
        following = text[pos + 2]
        if "A" <= following <= "Z":
            end = self._class_reference(pos)
            if not end:
                raise issues.illegal_fully_qualified_class_reference(self.source, self.pos + 3)
            self.put("CLASSREF", text[pos:end], pos, end)
            self.pos = end
            return True
        if not ("a" <= following <= "z" or following == "_"):
            raise issues.illegal_fully_qualified_name(self.source, pos + 2)
        return False

    def _upper(self, pos: int) -> bool:
        end = self._class_reference(pos)
        if not end:
            raise issues.illegal_class_reference(self.source, self.pos + 1)
        self.put("CLASSREF", self.text[pos:end], pos, end)
        self.pos = end
        return True

    def _class_reference(self, pos: int) -> int:
        """Return the end of the reference at ``pos``; if ``::`` follows, 0 and set ``self.pos``."""
        match = _CLASS_REFERENCE.match(self.text, pos)
        assert match is not None
        end = match.end()
        if self.text.startswith("::", end):
            self.pos = end
            return 0
        return end

    def _digit(self, pos: int) -> bool:
        end = number_literals.lex_number(self.text, pos, self.source)
        self.put("NUMBER", self.text[pos:end], pos, end)
        self.pos = end
        return True

    # What the parts of the lexer in other modules use.

    def put(self, kind: TokenKind, text: str, start: int, end: int) -> None:
        """Add a token."""
        self.kinds.append(kind)
        self.texts.append(text)
        self.starts.append(start)
        self.ends.append(end)

    def kind_of(self, lexeme: str) -> TokenKind:
        """Return the kind of a token."""
        return self._known[lexeme]

    def drop_last(self) -> None:
        """Take the last token back."""
        self.kinds.pop()
        self.texts.pop()
        self.starts.pop()
        self.ends.pop()

    def warn(self, message: str, code: str, at: int, span: tuple[int, int]) -> None:
        """Keep a warning about a span before ``at``; it counts once its token is read."""
        report = Report("warning", message, code, self.source, at, at)
        report.span = span
        self.warnings.append((len(self.kinds), report))

    def enter(self, at: int) -> None:
        """Go one level deeper into strings and interpolations."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise issues.nested_too_deeply(MAX_NESTING, self.source, at)

    def leave(self) -> None:
        """Come back from ``enter``."""
        self._depth -= 1

    def sublexer(self, text: str) -> Lexer:
        """Return a lexer for the text of a heredoc."""
        inner = Lexer(Source(text, self.source.name), self.tasks)
        inner._depth = self._depth
        return inner

    def match_variable(self, at: int) -> int:
        """Return the end of the variable whose dollar is at ``at``; ``at`` for a lone dollar."""
        match = _VARIABLE.match(self.text, at)
        return match.end() if match is not None else at

    def preceded_by_blank(self, index: int) -> bool:
        """Tell whether a blank or a line break precedes a token."""
        start = self.starts[index]
        if start == 0:
            return True
        before = self.text[start - 1]
        return before in " \t\n\r" or (before > "\x7f" and before.isspace())

    def first_on_line(self, index: int) -> bool:
        """Tell whether only blanks precede a token on its line."""
        text = self.text
        at = self.starts[index]
        while at > 0:
            before = text[at - 1]
            if before not in " \t\r" and (before < "\x80" or not before.isspace()):
                return before == "\n"
            at -= 1
        return True


_SPECIAL = {
    '"': Lexer._string,
    "'": Lexer._single_quoted,
    "/": Lexer._slash,
    "@": Lexer._at,
    "$": Lexer._dollar,
    "%": Lexer._percent,
    "-": Lexer._minus,
    ":": Lexer._colon,
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", Lexer._upper),
    **dict.fromkeys("0123456789", Lexer._digit),
}
