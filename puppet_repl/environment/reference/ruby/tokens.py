"""The tokens of Ruby, as far as files of modules need them.

Nothing runs. The lexer finds the ends of strings, regular expressions, heredocs and comments, and
brackets. As in Ruby's own lexer, ``/``, ``%``, ``?``, ``<<`` and ``[`` depend on whether a value is
expected or has just ended. An unterminated text, such as a heredoc, raises RubyError.
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    TokenKind: TypeAlias = Literal[
        "ident",
        "const",
        "variable",  # @a, @@a, $a
        "number",
        "keyword",
        "operator",  # punctuation, too
        "label",  # a: of a hash or an argument, without its colon
        "string",
        "heredoc",
        "percent",  # %q(...) and its like
        "character",  # ?a
        "command",  # `...`
        "symbol",  # :a
        "quoted symbol",  # :"a b"
        "regexp",
        "words",  # %w[...] and its like
        "line end",  # or a semicolon
        "comment",
        "end",
    ]

__all__ = ["MAX_DEPTH", "RubyError", "Token", "ends_value", "tokens_of"]

MAX_DEPTH = 100
"""How deeply strings with code, and brackets in code, may be nested."""

KEYWORDS = frozenset(
    (
        *("BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined?"),
        *("do", "else", "elsif", "end", "ensure", "false", "for", "if", "in", "module", "next"),
        *("nil", "not", "or", "redo", "rescue", "retry", "return", "self", "super", "then"),
        *("true", "undef", "unless", "until", "when", "while", "yield", "__FILE__", "__LINE__"),
    )
)
#: Keywords that are values: an operator may follow them.
VALUES = frozenset(
    ("end", "false", "nil", "self", "super", "true", "redo", "retry", "__FILE__", "__LINE__")
)

_BLANK = re.compile(r"(?:[ \t\r\f\v]|\\\r?\n)+")
_BLOCK_COMMENT = re.compile(r"=begin(?:[ \t][^\n]*)?\n(?:(?!=end\b)[^\n]*\n)*=end[^\n]*")
_WORD = re.compile(r"[^\W\d]\w*")
_VARIABLE = re.compile(r"@@?[^\W\d]\w*|\$(?:[^\W\d]\w*|-\w|\d+|[~*$?!@/\\;,.=:<>\"&`'+])")
_NUMBER = re.compile(
    r"0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+(?![\d.])"
    r"|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?r?i?"
)
_SYMBOL = re.compile(
    r":(?:@@?[^\W\d]\w*|\$[^\W\d]\w*|[^\W\d]\w*(?:[!?](?!=)|=(?![=~>]))?"
    r"|\[\]=?|\*\*|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[-+]@?|[*/%<>~&|^])"
)
_OPERATOR = re.compile(
    r"\*\*=|<=>|===|<<=|>>=|&&=|\|\|=|\.\.\.|\*\*|<=|>=|==|=~|=>|!=|!~|<<|>>|&&|\|\||&\.|\+=|-="
    r"|\*=|/=|%=|&=|\|=|\^=|\.\.|::|->|[-+*/%=<>!&|^~?:.,()\[\]{}]"
)
_HEREDOC = re.compile(r"<<([-~]?)(?:(['\"`])([^\n]+?)\2|([^\W\d]\w*))")
_PERCENT = re.compile(r"%([qQwWiIrsx]?)([^\w\s])")
_CHARACTER = re.compile(
    r"\?(?:\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{4}|[0-7]{1,3}|(?:[CM]-)?.)|[^\s\\])(?!\w)", re.DOTALL
)
_FLAGS = re.compile(r"[a-z]*")
_MAX_TERNARY = 100  # tokens that are looked through for the start of a condition
_WITHIN_A_LINE = frozenset(
    ("ident", "const", "variable", "number", "keyword", "operator", "label", "symbol", "heredoc")
)
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}


class RubyError(Exception):
    """A text is not Ruby, or nested too deeply; ``line`` says where."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class Token:
    """One token: its kind, its span, its line, and whether blanks are before it.

    ``text`` is the source text, for a label without its colon. ``content`` is the span of the first
    piece of a string that is not code; ``span`` is the body of a heredoc.
    """

    __slots__ = ("content", "end", "is_spaced", "kind", "line", "span", "start", "text")

    def __init__(
        self, kind: TokenKind, text: str, start: int, end: int, line: int, *, is_spaced: bool
    ) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.line = line
        self.is_spaced = is_spaced
        self.content: tuple[int, int] | None = None
        self.span: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text!r} line {self.line}>"


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text, the last one of the kind end; raise RubyError."""
    scanner = _Scanner(text)
    scanner.run()
    scanner.put("end", scanner.position)
    return scanner.tokens


def ends_value(token: Token | None) -> bool:
    """Tell whether a token ends a value: an operator, or the end of a statement, may follow."""
    if token is None:
        return False
    if token.kind == "keyword":
        return token.text in VALUES
    if token.kind == "operator":
        return token.text in ")]}"
    return token.kind not in ("line end", "label", "comment")


class _Scanner:
    """The tokens of a text, and how far it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.position = 0
        self.line = 1
        self.depth = 0
        self.is_spaced = False
        #: Heredocs whose bodies begin on the next line: token, last line, and how it is indented.
        self.pending: list[tuple[Token, str, str, str]] = []
        #: The kind of value that the last token may end.
        self.previous: Token | None = None

    def put(self, kind: TokenKind, end: int, *, width: int | None = None) -> Token:
        """Add a token that reaches to an end."""
        start = self.position
        shown = end if width is None else start + width
        token = Token(kind, self.text[start:shown], start, end, self.line, is_spaced=self.is_spaced)
        self.tokens.append(token)
        if kind not in _WITHIN_A_LINE:
            self.line += self.text.count("\n", start, end)
        self.position = end
        self.is_spaced = False
        if kind != "comment":
            self.previous = token
        return token

    def fail(self, message: str) -> RubyError:
        """Return an error about where the text is read."""
        return RubyError(message, self.line)

    def run(self, *, until_brace: bool = False) -> None:
        """Take tokens to the end of the text, or of the code in a string."""
        text, size = self.text, len(self.text)
        braces = 0
        while self.position < size:
            blank = _BLANK.match(text, self.position)
            if blank:
                self.line += blank[0].count("\n")
                self.position = blank.end()
                self.is_spaced = True
                continue
            character = text[self.position]
            if until_brace and character in "{}":
                braces += 1 if character == "{" else -1
                if braces < 0:
                    return
            if character == "\n":
                self._end_line()
            elif self.text.startswith("__END__", self.position) and self._is_last():
                return
            else:
                self._token(character)
        if until_brace:
            raise self.fail("code in a string has no end")
        if self.pending:
            raise self.fail(f"the heredoc {self.pending[0][1]} has no end")

    def _is_last(self) -> bool:
        at = self.position
        return (at == 0 or self.text[at - 1] == "\n") and self.text[at + 7 : at + 8] in ("", "\n")

    def _end_line(self) -> None:
        self.put("line end", self.position + 1)
        for token, mark, dash, quote in self.pending:
            self._heredoc_body(token, mark, dash, quote)
        self.pending.clear()
        if self.text.startswith("=begin", self.position):
            found = _BLOCK_COMMENT.match(self.text, self.position)
            if found is None:
                raise self.fail("the comment from =begin has no end")
            self.put("comment", found.end())

    # Where a value is expected, and where one has ended

    def _is_value(self) -> bool:
        """Tell whether the last token ends a value."""
        return ends_value(self.previous)

    def _begins_argument(self, width: int) -> bool:
        """Tell whether an operator that may begin a value does: ``name -1``, ``name [1]``."""
        if not self._is_value():
            return True
        last = self.previous
        if last is None or last.kind != "ident" or not self.is_spaced:
            return False
        following = self.text[self.position + width : self.position + width + 1]
        return following not in (" ", "\t", "\n", "=", "")

    # Tokens by their first character

    def _token(self, character: str) -> None:
        text, at = self.text, self.position
        if character == "#":
            end = text.find("\n", at)
            self.put("comment", end if end >= 0 else len(text))
        elif character == "=" and at == 0 and (found := _BLOCK_COMMENT.match(text)):
            self.put("comment", found.end())
        elif character == ";":
            self.put("line end", at + 1)
        elif character in "'\"":
            self._quoted(character)
        elif character == "`" and not self._follows_dot():
            self._delimited("command", at + 1, "`", "", has_code=True)
        elif character in "@$" and (found := _VARIABLE.match(text, at)):
            self.put("variable", found.end())
        elif character.isdigit() and (found := _NUMBER.match(text, at)):
            self.put("number", found.end())
        elif found := _WORD.match(text, at):
            self._word(found.end())
        elif not self._ambiguous(character):
            found = _OPERATOR.match(text, at)
            self.put("operator", found.end() if found else at + 1)

    def _follows_dot(self) -> bool:
        last = self.previous
        return last is not None and last.kind == "operator" and last.text in (".", "&.", "::")

    def _follows_def(self) -> bool:
        last = self.previous
        return last is not None and last.kind == "keyword" and last.text == "def"

    def _word(self, end: int) -> None:
        text, at = self.text, self.position
        if text[end : end + 1] in ("?", "!") and text[end + 1 : end + 2] != "=":
            if not (text[end] == "?" and text[end + 1 : end + 2] == ":" and self._in_ternary()):
                end += 1
        elif text[end : end + 2] in ("?=", "!=") and text[end + 2 : end + 3] in ("=", "~", ">"):
            end += 1
        word = text[at:end]
        if text[end : end + 1] == ":" and text[end + 1 : end + 2] != ":":
            if not (self._in_ternary() or self._follows_dot()):
                self.put("label", end + 1, width=end - at)
                return
        if self._follows_dot():
            self.put("const" if word[0].isupper() else "ident", end)
        elif self._follows_def():
            is_self = word == "self" and text[end : end + 1] == "."
            self.put("keyword" if is_self else "ident", end)
        elif word in KEYWORDS:
            self.put("keyword", end)
        else:
            self.put("const" if word[0].isupper() else "ident", end)

    def _in_ternary(self) -> bool:
        """Tell whether a question mark in this line waits for its colon."""
        open_ones = 0
        for token in self.tokens[: -_MAX_TERNARY - 1 : -1]:
            if token.kind == "line end":
                break
            if token.kind == "operator":
                if token.text == "?":
                    open_ones += 1
                elif token.text == ":":
                    open_ones -= 1
                elif token.text in "([{":
                    break
        return open_ones > 0

    def _ambiguous(self, character: str) -> bool:
        """Take what begins with a character of several meanings, if it is not an operator."""
        text, at = self.text, self.position
        if character == ":":
            return self._symbol()
        if character == "/" and not self._follows_dot() and not self._follows_def():
            if self._begins_argument(1) and (not self._is_value() or self._has_slash()):
                self._delimited("regexp", at + 1, "/", "", has_code=True, has_flags=True)
                return True
        elif character == "%" and not self._follows_def() and self._begins_argument(1):
            found = _PERCENT.match(text, at)
            if found:
                self._percent(found)
                return True
        elif character == "?" and self._begins_argument(1):
            found = _CHARACTER.match(text, at)
            if found:
                self.put("character", found.end())
                return True
        elif character == "<" and text.startswith("<<", at) and self._may_be_heredoc():
            found = _HEREDOC.match(text, at)
            if found:
                mark = found[3] or found[4]
                token = self.put("heredoc", found.end())
                self.pending.append((token, mark, found[1], found[2] or ""))
                return True
        return False

    def _may_be_heredoc(self) -> bool:
        if not self._is_value():
            return not self._follows_class()
        return self._begins_argument(2)

    def _follows_class(self) -> bool:
        last = self.previous
        return last is not None and last.kind == "keyword" and last.text == "class"

    def _has_slash(self) -> bool:
        """Tell whether another slash follows in the line."""
        end = self.text.find("\n", self.position)
        return self.text.find("/", self.position + 1, end if end >= 0 else len(self.text)) >= 0

    def _symbol(self) -> bool:
        text, at = self.text, self.position
        following = text[at + 1 : at + 2]
        if following == ":":
            return False
        if following and following in "'\"":
            if self._is_value() and self._in_ternary():
                return False
            has_code = following == '"'
            self._delimited("quoted symbol", at + 2, following, "", has_code=has_code)
            return True
        found = _SYMBOL.match(text, at)
        if found is None or (self._is_value() and self._in_ternary() and not self.is_spaced):
            return False
        self.put("symbol", found.end())
        return True

    # Text between delimiters

    def _quoted(self, quote: str) -> None:
        before = self.previous
        token = self._delimited("string", self.position + 1, quote, "", has_code=quote == '"')
        end = token.end
        is_label = self.text[end : end + 1] == ":" and self.text[end + 1 : end + 2] != ":"
        if is_label and not self._in_ternary() and _may_be_key(before):
            token.kind = "label"
            token.text = token.text[1:-1]
            token.end = self.position = end + 1

    def _percent(self, found: re.Match[str]) -> None:
        letter, opener = found[1], found[2]
        kind: TokenKind = "percent"
        if letter in "wWiI" and letter:
            kind = "words"
        elif letter == "r":
            kind = "regexp"
        elif letter == "x":
            kind = "command"
        closer = _CLOSERS.get(opener, opener)
        nested = opener if opener in _CLOSERS else ""
        has_code = letter in ("", "Q", "W", "I", "r", "x")
        self._delimited(
            kind, found.end(), closer, nested, has_code=has_code, has_flags=letter == "r"
        )

    def _delimited(
        self,
        kind: TokenKind,
        begin: int,
        closer: str,
        opener: str,
        *,
        has_code: bool,
        has_flags: bool = False,
    ) -> Token:
        """Take text up to a delimiter; ``begin`` is the offset of the text."""
        end, content = self._text_until(begin, closer, opener, has_code=has_code)
        stop = end + 1
        if has_flags:
            flags = _FLAGS.match(self.text, stop)
            stop = flags.end() if flags else stop
        token = self.put(kind, stop)
        token.content = content
        return token

    def _text_until(
        self, begin: int, closer: str, opener: str, *, has_code: bool
    ) -> tuple[int, tuple[int, int] | None]:
        """Return where a text ends, and the span of its first piece that is not code."""
        text = self.text
        special = _special(closer, opener, has_code=has_code)
        position, piece, depth = begin, begin, 0
        content: tuple[int, int] | None = None
        while True:
            found = special.search(text, position)
            if found is None:
                raise self.fail(f"the text up to {closer} has no end")
            what, at = found[0], found.start()
            position = found.end()
            if what == "#{":
                if content is None and at > piece:
                    content = piece, at
                position, inner = self._code(position)
                content = content or inner
                piece = position
            elif what == closer and not depth:
                if content is None and at > piece:
                    content = piece, at
                return at, content
            elif what == closer:
                depth -= 1
            elif what == opener:
                depth += 1

    def _code(self, begin: int) -> tuple[int, tuple[int, int] | None]:
        """Return where the code in a string ends, and the first text of a string in it."""
        if self.depth >= MAX_DEPTH:
            raise self.fail("strings are nested too deeply")
        inner = _Scanner(self.text)
        inner.position = begin
        inner.line = self.line
        inner.depth = self.depth + 1
        inner.run(until_brace=True)
        content = next((token.content for token in inner.tokens if token.content), None)
        return inner.position + 1, content

    def _heredoc_body(self, token: Token, mark: str, dash: str, quote: str) -> None:
        begin = self.position
        indent = r"[ \t]*" if dash else ""
        last = re.compile(rf"^{indent}{re.escape(mark)}\r?(?:\n|\Z)", re.MULTILINE)
        found = last.search(self.text, begin)
        if found is None:
            raise RubyError(f"the heredoc {mark} has no end", token.line)
        token.span = begin, found.end()
        self.line += self.text.count("\n", begin, found.end())
        self.position = found.end()


def _may_be_key(before: Token | None) -> bool:
    """Tell whether a string after a token may be the key of a pair: ``{ "a": 1 }``."""
    if before is None:
        return True
    if before.kind == "operator":
        return before.text in ("(", "{", ",", "|", "**")
    return before.kind in ("line end", "ident", "comment")


@lru_cache(maxsize=64)
def _special(closer: str, opener: str, *, has_code: bool) -> re.Pattern[str]:
    """Return a pattern of the special characters in a text that ends with a delimiter."""
    parts = [r"\\.", re.escape(closer)]
    if opener:
        parts.append(re.escape(opener))
    if has_code:
        parts.append(r"#\{")
    return re.compile("|".join(parts), re.DOTALL)
