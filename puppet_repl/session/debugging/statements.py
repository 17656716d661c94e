"""The lines on which statements begin: code stops there and nowhere else."""

from __future__ import annotations

from puppet_repl.base.recursion import deep_calls
from puppet_repl.language.compiler.frames import program_of
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session.debugging.frames import tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_BODIES = ("body", "then_expr", "else_expr")
# Definitions are made before the code runs; the lambda is that around a template.
_NOT_RUN = (
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.LambdaExpression,
    ast.NodeDefinition,
    ast.Nop,
    ast.PlanDefinition,
    ast.ResourceTypeDefinition,
    ast.TypeAlias,
    ast.TypeDefinition,
)


def _statements(tree: ast.Node) -> Iterator[ast.Node]:
    """Yield the statements of all bodies."""
    for node in tree.walk():
        for field in _BODIES:
            body = getattr(node, field, None)
            parts = body.statements if isinstance(body, ast.BlockExpression) else (body,)
            for part in parts:
                if isinstance(part, ast.Node) and not isinstance(part, _NOT_RUN):
                    yield part


class StatementLines:
    """The lines of the statements of a text, which may be several programs below each other."""

    def __init__(self, source: Source, *programs: ast.Program) -> None:
        self._source = source
        self._spans: set[tuple[int, int]] = set()
        for program in programs:
            position = program.source.position
            self._spans |= {
                (position(node.start)[0], position(max(node.start, node.end - 1))[0])
                for node in _statements(program)
            }
        self.starts = frozenset(first for first, _ in self._spans)

    def stop_for(self, line: int) -> int | None:
        """Return the line to stop at for a line that somebody has chosen, None without any code.

        It is where the statement begins that the line is in. For a line between statements, and
        for the head of a definition, it is the next one.
        """
        if line in self.starts:
            return line
        if _has_code(self._source, line):
            around = [first for first, last in self._spans if first <= line <= last]
            if around:
                return max(around)
        after = [first for first in self.starts if first > line]
        if after:
            return min(after)
        return max(self.starts, default=None)


def statement_column(frame: FrameType) -> int:
    """Return the column, from 1, of the statement that a frame runs; 1 where it began earlier."""
    program = program_of(frame)
    node = program.node_of(frame.f_code, frame.f_lasti)
    if node is None:
        return 1
    around = [each for each in _statements(tree_of(frame)) if each.start <= node.at < each.end]
    innermost = max(around, key=lambda each: each.start, default=node)
    line, column = program.source.position(innermost.start)
    return column if line == frame.f_lineno else 1


def statement_lines(text: str, *parts: str, epp: bool = False) -> StatementLines:
    """Return the lines of the statements of a text. Raises PuppetError.

    Of the text the ``parts`` are programs, whose lines have the numbers that they have in it; by
    default it is one program, or with ``epp`` a template.
    """
    with deep_calls:
        programs = [parse(Source(part), epp=epp) for part in parts or (text,)]
        return StatementLines(Source(text), *programs)


def _has_code(source: Source, line: int) -> bool:
    """Tell whether a line is neither empty, a comment nor only brackets (and ``else``)."""
    if not 0 < line <= len(source.line_starts):
        return False
    text = source.line(line).strip()
    return not text.startswith("#") and text.strip("{}()[],; ") not in ("", "else")
