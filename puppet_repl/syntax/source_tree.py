"""The tree of a text, parsed when somebody asks for it.

Code that comes from a cache runs without the tree that it was compiled from. What needs the tree
is rare: locations of errors, the debugger, blocks of which somebody wants to know what they call.
"""

from __future__ import annotations

from puppet_repl.syntax import ast
from puppet_repl.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.syntax.source import Source


class SourceTree:
    """A text, and its tree as soon as that is needed. The text is known to be well formed."""

    __slots__ = ("_is_epp", "_program", "source")

    def __init__(
        self, source: Source, program: ast.Program | None = None, *, is_epp: bool = False
    ) -> None:
        self.source = source
        self._program = program
        self._is_epp = is_epp

    @property
    def program(self) -> ast.Program:
        """The tree; the same one each time."""
        program = self._program
        if program is None:
            program = self._program = parse(self.source, epp=self._is_epp)
        return program

    def drop(self) -> None:
        """Forget the tree; it is parsed again for those who ask."""
        self._program = None

    def node(self, start: int, end: int) -> ast.Node:
        """Return the function or lambda that reaches from an offset of the text to another one."""
        for node in self.program.walk():
            if (
                node.start == start
                and node.end == end
                and isinstance(node, ast.FunctionDefinition | ast.LambdaExpression)
            ):
                return node
        raise LookupError(f"no function from {start} to {end}")
