"""The rules of the lexer for manifests, by state, as Pygments wants them written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pygments.lexer import default, include, words
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from puppet_pygments._builtins import FUNCTIONS, STATEMENT_FUNCTIONS, STATES
from puppet_pygments._heredoc import Heredoc

__all__ = ["TOKENS", "Context"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pygments.lexer import Lexer

    Token = tuple[int, _TokenType, str]

_SEGMENT = r"[a-z_][A-Za-z0-9_]*(?:-+[A-Za-z0-9_]+)*"
_WORD = rf"(?:::)?{_SEGMENT}(?:::{_SEGMENT})*"
_TYPE = r"(?:::)?[A-Z][A-Za-z0-9_]*(?:::[A-Z][A-Za-z0-9_]*)*"
_VARIABLE = r"\$(?:::)?(?:[A-Za-z0-9_]+::)*[A-Za-z0-9_]+"
#: Variables that Puppet sets.
_MAGIC = (
    r"(?:[0-9]+|facts|trusted|server_facts|title|name|module_name|caller_module_name)"
    r"(?![A-Za-z0-9_]|::[A-Za-z0-9_])"
)
_WORD_END = r"(?![A-Za-z0-9_]|-+[A-Za-z0-9_]|::[a-z_])"
_NOT_KEYWORD = (
    r"(?!(?:and|attr|case|class|default|define|else|elsif|false|function|if|in|inherits|node|or"
    rf"|private|true|type|undef|unless){_WORD_END})"
)
_NUMBER = r"(?:0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)"
_NUMBER_END = r"(?![A-Za-z0-9_])"
_KIND_OF_FILE = rf"(?:directory|file|link){_WORD_END}(?![ \t]*[({{])"
_CALL = r"(?=[ \t]*\()"
_STATEMENT_ARGUMENT = rf"{_WORD_END}(?=[ \t]*(?:[(\[$'\"@0-9A-Za-z_-]|::))"
_BLANKS = r"\s*(?:(?:#[^\n]*(?:\n|\Z)|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)\s*)*"
#: What makes the first word of an interpolation the name of a variable.
_INTERPOLATED_NAME_END = rf"(?=\[|{_BLANKS}[.}}])"
#: Where it depends on the next line.
_INTERPOLATED_LINE_END = rf"(?={_BLANKS}\Z)"
#: What is more likely to begin an expression than to be the name of a variable.
_CONTROL = frozenset(("case", "if", "unless"))
#: Asks in the first line of a regular expression that blanks and comments in it mean nothing.
_FREE_SPACING = r"(?=[^/\\\n]*(?:\\.[^/\\\n]*)*\(\?[adimu]*x)"
_COMMENT_TAGS = (
    "api author enum example note option overload param raise return see since summary todo"
)
_TAG = rf"@(?:{_COMMENT_TAGS.replace(' ', '|')}|!puppet\.\w+\.\w+)\b|lint:[a-z_:0-9]+"

_SKIPPED = re.compile(_BLANKS).match


class Context:
    """A stretch of text that is being lexed, and the heredocs whose texts are still to come.

    `heredoc` is the one whose text is being read, `CODE` in ordinary code.
    """

    __slots__ = ("end", "heredoc", "pending", "pos", "stack", "text")

    def __init__(self, stack: list[str], pending: list[Heredoc], heredoc: Heredoc) -> None:
        self.text = ""
        self.pos = self.end = 0
        self.stack = stack
        self.pending = pending
        self.heredoc = heredoc


def _tagged_comment(lexer: Lexer, match: re.Match[str], ctx: Context) -> Iterator[Token]:
    """Set a tag of puppet-strings or puppet-lint apart from the comment around it."""
    tag = String.Doc if match.group(2)[0] == "@" else Comment.Special
    for group, kind in ((1, Comment.Single), (2, tag), (3, Comment.Single)):
        if match.group(group):
            yield match.start(group), kind, match.group(group)
    ctx.pos = match.end()


def _word_at_line_end(lexer: Lexer, match: re.Match[str], ctx: Context) -> Iterator[Token]:
    """Tell by the text below whether the first word of an interpolation is a variable."""
    word = match.group()
    below = ""
    behind = _SKIPPED(ctx.text, match.end())
    if behind is not None and not ctx.pending:  # else the text of a heredoc is below
        below = ctx.text[behind.end() : behind.end() + 1]
    if below in ("}", ".") or (not below and word not in _CONTROL):
        yield match.start(), Name.Variable.Magic if match.group(1) else Name.Variable, word
        ctx.pos = match.end()
        ctx.stack[-1] = "operand"
    else:
        ctx.pos = match.start()
        ctx.stack.pop()


def _heredoc_header(lexer: Lexer, match: re.Match[str], ctx: Context) -> Iterator[Token]:
    """Note a heredoc ``@("TAG":syntax/escapes)``; its text begins on the next line."""
    start = match.start()
    tag = match.group(1).strip()
    interpolated = len(tag) > 1 and tag[0] == tag[-1] == '"'
    if interpolated:
        tag = tag[1:-1].strip()
    if not tag:
        yield start, Operator, "@"
        ctx.pos = start + 1
        return
    yield start, String.Delimiter, match.group()[: match.end(1) - start]
    if match.end() - 1 > match.end(1):
        yield match.end(1), String.Affix, ctx.text[match.end(1) : match.end() - 1]
    yield match.end() - 1, String.Delimiter, ")"
    escapes = match.group(3)
    ctx.pending.append(Heredoc(tag, interpolated, "tnrsuL$" if escapes == "" else escapes or ""))
    ctx.stack.append("operand")
    ctx.pos = match.end()
    newline = ctx.text.find("\n", ctx.pos, ctx.end)
    if newline >= 0:
        ctx.end = newline + 1


def _heredoc_escape(lexer: Lexer, match: re.Match[str], ctx: Context) -> Iterator[Token]:
    """Tell an escape sequence from plain text by the flags of the heredoc."""
    heredoc = ctx.heredoc
    sequence = match.group()
    kind = "L" if sequence[-1] == "\n" else sequence[1:2]
    if kind == "\\" or (kind in heredoc.escapes and sequence != "\\u"):
        yield match.start(), String.Escape, sequence
    elif kind == "$" and heredoc.interpolated:
        sequence = "\\"
        yield match.start(), String.Heredoc, sequence
    else:
        yield match.start(), String.Heredoc, sequence
    ctx.pos = match.start() + len(sequence)


TOKENS: dict[str, list[Any]] = {
    "root": [include("code")],
    "code": [
        (r"\s+", Whitespace),
        include("comments"),
        include("variables"),
        # attribute and parameter names, keys of hashes; any keyword may be one
        (rf"(?!(?:default|false|true|undef){_WORD_END}){_WORD}(?=[ \t]*[=+]>)", Name.Attribute),
        include("strings"),
        (r"[{}\[(,;]|\|(?!>)|:(?!:[A-Za-z_])", Punctuation),
        (r"[)\]]", Punctuation, "operand"),
        include("equals"),
        include("words"),
        include("numbers"),
        include("operators"),
    ],
    "variables": [
        (rf"\$(?:::)?{_MAGIC}", Name.Variable.Magic, "operand"),
        (_VARIABLE, Name.Variable, "operand"),
        (r"\$\Z", Name.Variable),
    ],
    "equals": [
        (rf"=>?(?=[ \t]+{_KIND_OF_FILE})", Operator, "kind-of-file"),
        (r"=[>=~]?", Operator),
    ],
    "operators": [
        (r"\|>>?", Operator, "operand"),
        (
            r"@\(([^:/\r\n)]{1,100})(?::[ \t]*([a-z][a-zA-Z0-9_+]+)[ \t]*)?"
            r"(?:/([A-Za-z0-9_$]*)[ \t]*)?\)",
            _heredoc_header,
        ),
        (r"/[^/\\\n]*(?:\\.[^/\\\n]*)*/", String.Regex, "operand"),
        # of the literals over several lines only those that ask for free spacing: `} / 2` in
        # unfinished text must not swallow the lines below it
        (rf"/{_FREE_SPACING}[^/\\]*(?:\\[\s\S][^/\\]*)*/", String.Regex, "operand"),
        (rf"/{_FREE_SPACING}", String.Regex, ("operand", "regex")),
        (r"\.(?=\s*(?:[a-z_]|\Z))(?<!\.\.)", Operator, "method"),
        (r"<<?\|", Operator, "collector"),
        (r"\+[>=]?|-[>=]?|<[<=~-]?|>[>=]?|![=~]?|~>?|@@?|[*/%?.]", Operator),
        (r"\\/?", Error),
    ],
    "comments": [
        (rf"#(?![ \t]*(?:{_TAG}))[^\n]*", Comment.Single),
        (rf"(#[ \t]*)({_TAG})([^\n]*)", _tagged_comment),
        (r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/", Comment.Multiline),
        (r"/\*", Comment.Multiline, "comment"),
    ],
    "comment": [
        (r"\*/", Comment.Multiline, "#pop"),
        (r"[^*]+|\*", Comment.Multiline),
    ],
    # after an operand a slash divides; anywhere else it starts a regular expression
    "operand": [
        (r"\s+", Whitespace),
        include("comments"),
        (r"/", Operator, "#pop"),
        default("#pop"),
    ],
    "words": [
        (rf"(?:class|define|inherits){_WORD_END}", Keyword.Declaration, "declared"),
        (r"plan(?=[ \t]+[a-z])", Keyword.Declaration, "declared"),
        (rf"function{_WORD_END}", Keyword.Declaration, "declared-function"),
        (rf"type{_WORD_END}(?![ \t]*\()", Keyword.Declaration, "declared"),
        (rf"node{_WORD_END}", Keyword.Declaration, "declared-node"),
        (rf"(?:case|else|elsif|if|unless){_WORD_END}", Keyword),
        (rf"(?:attr|private){_WORD_END}", Keyword.Reserved),
        (rf"(?:and|in|or){_WORD_END}", Operator.Word),
        (rf"(?:false|true){_WORD_END}", Keyword.Constant, "operand"),
        (rf"(?:default|undef){_WORD_END}", Keyword.Constant),
        (
            r"(?:contain|include|require)(?=[ \t]+(?:::)?[a-z_])",
            Keyword.Namespace,
            "class-names",
        ),
        (
            r"(?:contain|include|require)(?=[ \t]*[(\[$'\"@]|[ \t]+(?:::)?[A-Z])",
            Keyword.Namespace,
            "operand",
        ),
        (words(STATEMENT_FUNCTIONS, suffix=_STATEMENT_ARGUMENT), Name.Builtin, "operand"),
        (words(FUNCTIONS, suffix=_CALL), Name.Builtin, "operand"),
        (rf"{_WORD}{_CALL}", Name.Function, "operand"),
        (rf"{_WORD}(?=[ \t]*\{{)", Name.Tag, "operand"),
        (words(STATES, suffix=_WORD_END), Keyword.Constant, "operand"),
        (_WORD, String.Symbol, "operand"),
        (_TYPE, Keyword.Type, "operand"),
    ],
    # a file may be one of these, but as words of their own they are types of resources
    "kind-of-file": [
        (r"[ \t]+", Whitespace),
        (_KIND_OF_FILE, Keyword.Constant, ("#pop", "operand")),
    ],
    # the query of a collector: in its comparisons the names on the left are those of attributes
    "collector": [
        (r"\s+", Whitespace),
        include("comments"),
        (r"\|>>?", Operator, ("#pop", "operand")),
        include("variables"),
        (rf"{_NOT_KEYWORD}{_WORD}(?=[ \t]*[!=]=)", Name.Attribute),
        include("strings"),
        (r"[\[(,]", Punctuation),
        (r"[)\]]", Punctuation, "operand"),
        include("equals"),
        include("words"),
        include("numbers"),
        include("operators"),
        default("#pop"),
    ],
    "numbers": [
        (rf"0[xX][0-9A-Fa-f]+{_NUMBER_END}", Number.Hex, "operand"),
        (rf"0[0-7]+{_NUMBER_END}(?!\.[0-9])", Number.Oct, "operand"),
        (
            rf"[0-9]+(?:\.[0-9]+(?:[eE]-?[0-9]+)?|[eE]-?[0-9]+){_NUMBER_END}",
            Number.Float,
            "operand",
        ),
        (rf"[0-9]+{_NUMBER_END}", Number.Integer, "operand"),
        (r"[0-9][A-Za-z0-9_]*\Z", Number, "operand"),
        (r"[0-9][A-Za-z0-9_]*", Error, "operand"),
    ],
    # names that follow a declaring word
    "declared": [
        (r"\s+", Whitespace),
        include("comments"),
        (rf"{_NOT_KEYWORD}{_WORD}|{_TYPE}", Name.Class, ("#pop", "operand")),
        default("#pop"),
    ],
    "declared-function": [
        (r"\s+", Whitespace),
        include("comments"),
        (rf"{_NOT_KEYWORD}{_WORD}", Name.Function, ("#pop", "operand")),
        default("#pop"),
    ],
    "declared-node": [
        (r"\s+", Whitespace),
        include("comments"),
        (rf"{_NOT_KEYWORD}{_WORD}|{_NUMBER}{_NUMBER_END}", Name.Class),
        (r"'[^'\\]*'", String.Single),
        (r"/[^/\\\n]*(?:\\.[^/\\\n]*)*/", String.Regex),
        (r"\.", Operator),
        (r",", Punctuation),
        default("#pop"),
    ],
    "class-names": [
        (r"\s+", Whitespace),
        include("comments"),
        (rf"{_NOT_KEYWORD}{_WORD}(?=[ \t]*,)", Name.Class),
        (r",", Punctuation),
        (rf"{_NOT_KEYWORD}{_WORD}{_WORD_END}(?![ \t]*[(=+])", Name.Class, ("#pop", "operand")),
        default("#pop"),
    ],
    "method": [
        (r"\s+", Whitespace),
        (words(FUNCTIONS, suffix=_WORD_END), Name.Builtin, ("#pop", "operand")),
        (_WORD, Name.Function, ("#pop", "operand")),
        default("#pop"),
    ],
    "strings": [
        (r"'[^'\\]*'", String.Single, "operand"),
        (r"'", String.Single, ("operand", "single")),
        (r'"[^"\\$]*"', String.Double, "operand"),
        (r'"', String.Double, ("operand", "double")),
    ],
    "single": [
        (r"[^'\\]+", String.Single),
        (r"'", String.Single, "#pop"),
        (r"\\[\\']", String.Escape),
        (r"\\", String.Single),
    ],
    "double": [
        (r'[^"\\$]+', String.Double),
        (r'"', String.Double, "#pop"),
        (r"\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|\r?\n|[\\$'\"rnts])", String.Escape),
        (r"\\[\s\S]?", String.Double),
        include("interpolation"),
        (r"\$", String.Double),
    ],
    "regex": [
        (r"[^/\\]+|\\[\s\S]?", String.Regex),
        (r"/", String.Regex, "#pop"),
    ],
    "interpolation": [
        (r"\$\{", String.Interpol, ("interpolated", "interpolated-name")),
        (rf"\$(?:::)?{_MAGIC}", Name.Variable.Magic),
        (_VARIABLE, Name.Variable),
    ],
    "interpolated-name": [
        (r"\s+", Whitespace),
        include("comments"),
        (rf"(?:false|true){_WORD_END}", Keyword.Constant, ("#pop", "operand")),
        (
            rf"(?!(?:[0-9]+\.[0-9])){_MAGIC}{_INTERPOLATED_NAME_END}",
            Name.Variable.Magic,
            ("#pop", "operand"),
        ),
        (
            rf"(?:{_WORD}|{_NUMBER}(?!\.?[0-9])){_INTERPOLATED_NAME_END}",
            Name.Variable,
            ("#pop", "operand"),
        ),
        (
            rf"(?:({_MAGIC})|{_WORD}|{_NUMBER}(?!\.?[0-9])){_INTERPOLATED_LINE_END}",
            _word_at_line_end,
        ),
        default("#pop"),
    ],
    "interpolated": [
        (r"\}", String.Interpol, "#pop"),
        (r"\{", Punctuation, "braces"),
        include("code"),
    ],
    "braces": [
        (r"\}", Punctuation, "#pop"),
        (r"\{", Punctuation, "#push"),
        include("code"),
    ],
    "heredoc": [(r"[\s\S]+", String.Heredoc)],
    "heredoc-escape": [
        (r"[^\\]+", String.Heredoc),
        include("heredoc-escapes"),
    ],
    "heredoc-interpolate": [
        (r"[^$]+", String.Heredoc),
        include("interpolation"),
        (r"\$", String.Heredoc),
    ],
    "heredoc-escape-interpolate": [
        (r"[^\\$]+", String.Heredoc),
        include("heredoc-escapes"),
        include("interpolation"),
        (r"\$", String.Heredoc),
    ],
    "heredoc-escapes": [
        (r"\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|\r?\n|[\s\S])?", _heredoc_escape),
    ],
}
