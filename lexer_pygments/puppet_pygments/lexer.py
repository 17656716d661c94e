"""Lexers for the Puppet language (version 4 and later), for EPP templates and for REPL transcripts.

The rules follow the lexer of Puppet 8 itself: which characters end a bare word, where ``/`` starts
a regular expression, how interpolation nests, how a heredoc ends. Nothing here validates: what
Puppet would lex is lexed the same way, what it would refuse is left plain or marked as an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from pygments.lexer import (
    RegexLexer,
    default,
    include,
    words,
)
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

from puppet_pygments._builtins import FUNCTIONS, STATEMENT_FUNCTIONS
from puppet_pygments._data_types import DATA_TYPES
from puppet_pygments._heredoc import CODE, Heredoc, body_state, end_line_tokens, ends_text
from puppet_pygments._machine import CombiningMeta, Machine

__all__ = ["PuppetLexer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    Token = tuple[int, _TokenType, str]
    LineState = tuple[tuple[Any, ...], ...]

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
_CALL = r"(?=[ \t]*\()"
_STATEMENT_ARGUMENT = rf"{_WORD_END}(?=[ \t]*(?:[(\[$'\"@0-9A-Za-z_-]|::))"
_BLANKS = r"\s*(?:(?:#[^\n]*(?:\n|\Z)|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)\s*)*"
#: What makes the first word of an interpolation the name of a variable.
_INTERPOLATED_NAME_END = rf"(?=\[|{_BLANKS}[.}}])"
#: Where it depends on the next line.
_INTERPOLATED_LINE_END = rf"(?={_BLANKS}\Z)"
#: What is more likely to begin an expression than to be the name of a variable.
_CONTROL = frozenset(("case", "if", "unless"))
_COMMENT_TAGS = (
    "api author enum example note option overload param raise return see since summary todo"
)
_TAG = rf"@(?:{_COMMENT_TAGS.replace(' ', '|')}|!puppet\.\w+\.\w+)\b|lint:[a-z_:0-9]+"

_SKIPPED = re.compile(_BLANKS).match

#: States of a line that is not inside of anything, but for brackets.
_TOP = frozenset(("root", "operand"))
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}


class _Context:
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


def _tagged_comment(lexer: PuppetLexer, match: re.Match[str], ctx: _Context) -> Iterator[Token]:
    """Set a tag of puppet-strings or puppet-lint apart from the comment around it."""
    for group, kind in ((1, Comment.Single), (2, Comment.Special), (3, Comment.Single)):
        if match.group(group):
            yield match.start(group), kind, match.group(group)
    ctx.pos = match.end()


def _word_at_line_end(lexer: PuppetLexer, match: re.Match[str], ctx: _Context) -> Iterator[Token]:
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


def _heredoc_header(lexer: PuppetLexer, match: re.Match[str], ctx: _Context) -> Iterator[Token]:
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


def _heredoc_escape(lexer: PuppetLexer, match: re.Match[str], ctx: _Context) -> Iterator[Token]:
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


def _open_heredoc(contexts: list[_Context]) -> None:
    """Begin the text of the next heredoc that the innermost context has announced."""
    heredoc = contexts[-1].pending.pop(0)
    contexts.append(_Context([body_state(heredoc)], [], heredoc))


class PuppetLexer(RegexLexer, metaclass=CombiningMeta):
    """Lexer for Puppet manifests (Puppet 4 and later).

    A text may also be lexed line by line, for an editor that keeps what it knows about the lines
    before: see `lex_line`.
    """

    name = "Puppet"
    url = "https://www.puppet.com/"
    aliases = ["puppet", "puppet8", "pp"]
    filenames = ["*.pp"]
    mimetypes = ["text/x-puppet"]
    version_added = "1.6"
    priority = 0.5

    _tokens: ClassVar[Any]
    _machine: ClassVar[Machine]

    tokens = {
        "root": [include("code")],
        "code": [
            (r"\s+", Whitespace),
            include("comments"),
            (rf"\$(?:::)?{_MAGIC}", Name.Variable.Magic, "operand"),
            (_VARIABLE, Name.Variable, "operand"),
            (r"\$\Z", Name.Variable),
            # attribute and parameter names, keys of hashes; any keyword may be one
            (
                rf"(?!(?:default|false|true|undef){_WORD_END}){_WORD}(?=[ \t]*[=+]>)",
                Name.Attribute,
            ),
            include("strings"),
            (r"[{\[(,;]|\|(?!>)|:(?!:[A-Za-z_])", Punctuation),
            (r"[)\]]", Punctuation, "operand"),
            (r"\}", Punctuation),
            include("words"),
            include("numbers"),
            (r"\|>>?", Operator, "operand"),
            (
                r"@\(([^:/\r\n)]{1,100})(?::[ \t]*([a-z][a-zA-Z0-9_+]+)[ \t]*)?"
                r"(?:/([A-Za-z0-9_$]*)[ \t]*)?\)",
                _heredoc_header,
            ),
            (r"/[^/\\\n]*(?:\\.[^/\\\n]*)*/", String.Regex, "operand"),
            # of the literals over several lines only those that ask for free spacing: `} / 2` in
            # unfinished text must not swallow the lines below it
            (r"/(?=\(\?[im]*x)", String.Regex, ("operand", "regex")),
            (r"\.(?=\s*(?:[a-z_]|\Z))(?<!\.\.)", Operator, "method"),
            (r"=[>=~]?|\+[>=]?|-[>=]?|<(?:<\|?|[|=~-])?|>[>=]?|![=~]?|~>?|@@?|[*/%?.]", Operator),
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
            (_WORD, String.Symbol, "operand"),
            (
                words(DATA_TYPES, prefix="(?:::)?", suffix=r"(?![A-Za-z0-9_]|::[A-Z])"),
                Keyword.Type,
                "operand",
            ),
            (_TYPE, Name.Class, "operand"),
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

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text by what only Puppet writes: resources with titles, declarations."""
        if re.search(r"^[ \t]*(?:@@?)?(?:::)?[a-z][\w:]*\s*\{\s*['\"$\[][^{}\n]*:\s*$", text, re.M):
            return 0.6
        if re.search(r"^(?:class|define|plan)\s+[a-z]\w*(?:::[a-z]\w*)*\s*[({]", text, re.M):
            return 0.5 if re.search(r"^\s*(?:[A-Z][\w:\[\], ]*)?\$\w+|=>", text, re.M) else 0.1
        if re.search(r"^\s*(?:include|contain) (?:::)?[a-z]\w*::[a-z]|\|\$\w+\| *\{", text, re.M):
            return 0.3
        return 0.0

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        cls = type(self)
        if "_machine" not in cls.__dict__:
            cls._machine = Machine(cls._tokens)

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[Token]:
        """Split a text into (position, token type, value)."""
        return self._lex(text, [_Context(list(stack), [], CODE)])

    def lex_until(
        self, text: str, pos: int, stops: Callable[[str, int], object]
    ) -> Iterator[Token]:
        """Split a text from `pos` on, up to the start of a line where `stops` returns true.

        It is asked only where the line is not inside of a string, comment, block or brackets.
        """
        contexts = [_Context(["root"], [], CODE)]
        depth = 0
        for at, kind, value in self._lex(text, contexts, pos):
            if depth == 0 and at > pos and text[at - 1] == "\n":
                is_at_top = len(contexts) == 1 and _TOP.issuperset(contexts[0].stack)
                if is_at_top and stops(text, at):
                    return
            yield at, kind, value
            if kind is Punctuation:
                depth = max(depth + _BRACKETS.get(value, 0), 0)

    def lex_line(
        self, line: str, state: LineState | None = None, below: str = ""
    ) -> tuple[list[tuple[_TokenType, str]], LineState]:
        r"""Split one line into (token type, value); also answer the state at its end.

        `state` is what the call for the line before answered, None at the start of a text. It is
        a nested tuple of strings: hashable, comparable, so that (line, state) can be the key of a
        cache. It holds everything that reaches over the end of a line: open strings, comments,
        interpolations and braces, heredocs announced or open. The line may end in "\n" or not.

        The values of all lines put together have the types that lexing the whole text gives them,
        if `below` is the text that follows the line, as far as its first character that is neither
        blank nor in a comment. It counts for the first word of a `${...}` that ends its line:
        without it that is a variable, but for the words that begin an expression.
        """
        contexts = (
            [_Context(["root"], [], CODE)]
            if state is None
            else [
                _Context(list(stack), list(pending), heredoc) for stack, pending, heredoc in state
            ]
        )
        found = self._lex(line + below, contexts, size=len(line))
        tokens = [(kind, value) for _, kind, value in found]
        if contexts[-1].pending:
            _open_heredoc(contexts)
        return tokens, tuple(
            (tuple(ctx.stack), tuple(ctx.pending), ctx.heredoc) for ctx in contexts
        )

    def _lex(
        self, text: str, contexts: list[_Context], pos: int = 0, size: int | None = None
    ) -> Iterator[Token]:
        """Lex a text from `pos` on, the start of a line, up to `size` or its end.

        `contexts` are the code and, within it, the heredocs whose texts are open, outermost first.
        Outside heredocs the text is lexed as a whole, in their texts line by line.
        """
        if size is None:
            size = len(text)
        depths = {ctx.heredoc.tag: depth for depth, ctx in reversed([*enumerate(contexts)])}
        while pos < size:
            end = size
            if len(contexts) > 1:
                end = text.find("\n", pos, size) + 1 or size
                line = text[pos:end]
                closed = min((depths[tag] for tag in depths if ends_text(line, tag)), default=0)
                if closed:
                    yield from end_line_tokens(pos, line, contexts[closed].heredoc.tag)
                    del contexts[closed:]
                    depths = {tag: depth for tag, depth in depths.items() if depth < closed}
                    pos = end
            ctx = contexts[-1]
            if pos < end:
                ctx.text, ctx.pos, ctx.end = text, pos, end
                yield from self._run(ctx)
                pos = ctx.end
            if ctx.pending:
                _open_heredoc(contexts)
                depths.setdefault(contexts[-1].heredoc.tag, len(contexts) - 1)

    def _run(self, ctx: _Context) -> Iterator[Token]:
        """Apply the rules from ctx.pos to ctx.end."""
        machine = self._machine
        text, stack, pos, end = ctx.text, ctx.stack, ctx.pos, ctx.end
        match, table = machine[stack[-1]]
        while pos < end:
            found = match(text, pos, end)
            if found is None:
                yield pos, Error, text[pos]
                pos += 1
                continue
            action, pops, pushes, own = table[found.lastindex]
            if type(action) is _TokenType:
                yield pos, action, found.group()
                pos = found.end()
            elif action is not None:
                ctx.pos = pos
                yield from action(self, own(text, pos, end) if own else found, ctx)
                pos, end = ctx.pos, ctx.end
                match, table = machine[stack[-1]]
            if pops or pushes:
                if pops:
                    del stack[max(len(stack) - pops, 1) :]
                stack += pushes
                match, table = machine[stack[-1]]
