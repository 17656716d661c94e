"""Lexers for the Puppet language (version 4 and later), for EPP templates and for REPL transcripts.

The rules follow the lexer of Puppet 8 itself: which characters end a bare word, where ``/`` starts
a regular expression, how interpolation nests, how a heredoc ends. Valid text is lexed as Puppet
lexes it; invalid text is left plain or marked as an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pygments.lexer import RegexLexer
from pygments.token import Error, Punctuation, Whitespace, _TokenType

from puppet_pygments._heredoc import CODE, body_state, end_line_tokens, ends_text
from puppet_pygments._machine import CombiningMeta, Machine
from puppet_pygments._rules import TOKENS, Context
from puppet_pygments._signs import rating_of

__all__ = ["PuppetLexer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    Token = tuple[int, _TokenType, str]
    LineState = tuple[tuple[Any, ...], ...]

#: States of a line that is not inside of anything, but for brackets.
_TOP = frozenset(("root", "operand"))
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}


def _open_heredoc(contexts: list[Context]) -> None:
    """Begin the text of the next heredoc that the innermost context has announced."""
    heredoc = contexts[-1].pending.pop(0)
    contexts.append(Context([body_state(heredoc)], [], heredoc))


class PuppetLexer(RegexLexer, metaclass=CombiningMeta):
    """Lexer for Puppet manifests (Puppet 4 and later).

    A text may also be lexed line by line, for an editor that keeps the state at the end of each
    line: see `lex_line`.
    """

    name = "Puppet"
    url = "https://www.puppet.com/"
    aliases = ["puppet8", "pp", "puppet"]
    filenames = ["*.pp"]
    mimetypes = ["text/x-puppet"]
    version_added = "1.6"
    priority = 0.5

    _tokens: ClassVar[Any]
    _machine: ClassVar[Machine]

    tokens = TOKENS

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text by the most telling sign of Puppet that is in it."""
        return rating_of(text)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        cls = type(self)
        if "_machine" not in cls.__dict__:
            cls._machine = Machine(cls._tokens, cls.flags)

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[Token]:
        """Split a text into (position, token type, value)."""
        return self._lex(text, [Context(list(stack), [], CODE)])

    def lex_until(
        self, text: str, pos: int, stops: Callable[[str, int], object]
    ) -> Iterator[Token]:
        """Split a text from `pos` on, up to the start of a line where `stops` returns true.

        It is asked only where the line is not inside of a string, comment, block or brackets.
        """
        contexts = [Context(["root"], [], CODE)]
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
            [Context(["root"], [], CODE)]
            if state is None
            else [Context(list(stack), list(pending), heredoc) for stack, pending, heredoc in state]
        )
        found = self._lex(line + below, contexts, size=len(line))
        tokens = [(kind, value) for _, kind, value in found]
        if contexts[-1].pending:
            _open_heredoc(contexts)
        return tokens, tuple(
            (tuple(ctx.stack), tuple(ctx.pending), ctx.heredoc) for ctx in contexts
        )

    def _lex(
        self, text: str, contexts: list[Context], pos: int = 0, size: int | None = None
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

    def _run(self, ctx: Context) -> Iterator[Token]:
        """Apply the rules from ctx.pos to ctx.end."""
        machine = self._machine
        text, stack, pos, end = ctx.text, ctx.stack, ctx.pos, ctx.end
        match, table = machine[stack[-1]]
        while pos < end:
            found = match(text, pos, end)
            if found is None:
                if text[pos] == "\n":  # as in any lexer of Pygments
                    stack[:] = ["root"]
                    match, table = machine["root"]
                yield pos, Whitespace if text[pos] == "\n" else Error, text[pos]
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
