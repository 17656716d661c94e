"""Pieces of Ruby code, and a cursor on the tokens that they are made from."""

from __future__ import annotations

from puppet_repl.environment.reference.ruby.tokens import RubyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.environment.reference.ruby.tokens import Token

    NodeKind: TypeAlias = Literal[
        "list",
        "call",
        "assign",
        "pair",
        "hash",
        "array",
        "def",
        "module",  # or class
        "condition",  # if and unless, after a statement, too
        "branches",  # of case, and of begin with rescue
        "block",
        "literal",  # what kind is told by its token
        "name",  # a constant, or a variable
        "words",
        "parentheses",
        "other",
    ]

__all__ = ["MAX_DEPTH", "Cursor", "Node", "file_calls"]

MAX_DEPTH = 120
"""How deeply code may be nested, counted in statements, expressions and brackets."""


class Node:
    """A piece of code: its span, the line that it begins on, and its parts in their order.

    A call has a ``receiver``, a ``name``, ``arguments`` and a ``block`` among its parts. ``token``
    is that of a literal. ``comment`` are the lines above, and the line of the first of them.
    ``is_listed`` tells statements and arguments from parts of expressions.
    """

    __slots__ = (
        *("arguments", "block", "comment", "comment_line", "end", "is_listed", "kind", "line"),
        *("name", "parts", "receiver", "start", "token"),
    )

    def __init__(self, kind: NodeKind, start: int, end: int, line: int) -> None:
        self.kind: NodeKind = kind
        self.start = start
        self.end = end
        self.line = line
        self.parts: list[Node] = []
        self.name = ""
        self.receiver: Node | None = None
        self.arguments: list[Node] = []
        self.block: Node | None = None
        self.token: Token | None = None
        self.comment: str | None = None
        self.comment_line = 0
        self.is_listed = False

    def walk(self) -> Iterator[Node]:
        """Go through this node and everything in it, in the order of the text."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.parts))

    @property
    def statements(self) -> list[Node]:
        """The statements of the block of a call."""
        return self.block.parts if self.block is not None else []

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or (self.token and self.token.text) or ''} {self.parts}>"


def file_calls(root: Node, *, in_branches: bool = False) -> Iterator[Node]:
    """Yield the calls outside of methods and blocks, which run when the file is loaded.

    YARD does not look into the branches of ``case`` and ``begin``.
    """
    kinds = ("module", "condition", "branches") if in_branches else ("module", "condition")
    pending = list(reversed(root.parts))
    while pending:
        node = pending.pop()
        if node.kind == "call":
            yield node
        elif node.kind in kinds:
            pending.extend(reversed(node.parts))


class Cursor:
    """Tokens, and how far they are read."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        #: Whether a ``do`` belongs to something further out: ``while x do``, ``call f do``.
        self.is_do_taken = False
        #: Whether a comma was before the bracket that was closed last.
        self.has_final_comma = False

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def has(self, *texts: str) -> bool:
        """Tell whether an operator is next."""
        token = self.tokens[self.at]
        return token.kind == "operator" and token.text in texts

    def has_word(self, *words: str) -> bool:
        """Tell whether a keyword is next."""
        token = self.tokens[self.at]
        return token.kind == "keyword" and token.text in words

    def skip_lines(self) -> None:
        """Go over the ends of lines."""
        while self.tokens[self.at].kind == "line end":
            self.at += 1

    def last_end(self) -> int:
        """Return where the last token ends that was taken."""
        return self.tokens[self.at - 1].end

    def start(self, kind: NodeKind) -> Node:
        """Return a node that begins with the next token."""
        token = self.token
        return Node(kind, token.start, token.end, token.line)

    def finish(self, node: Node, *parts: Node) -> Node:
        """End a node with the last token that was taken."""
        node.parts.extend(parts)
        node.end = max(node.end, self.last_end())
        return node

    def enter(self) -> None:
        """Go one level deeper."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise RubyError("the code is nested too deeply", self.token.line)
