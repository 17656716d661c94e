"""The statements of a text with the lines that they take, to take over some of them.

Two texts of the same program have the same statements, so a place in one names one in the other.
"""

from __future__ import annotations

from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse_tokens
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting.atoms import Atom, FormatError, read_atoms
from puppet_repl.tools.formatting.structure import (
    Bracket,
    first_atom,
    last_atom,
    nested,
    read_structure,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from puppet_repl.tools.formatting.atoms import Comment
    from puppet_repl.tools.formatting.structure import Element

    # The numbers of a statement and of a block in it, for each level from the outermost inwards.
    Path: TypeAlias = tuple[tuple[int, int], ...]

_BLOCKS = ("block", "case")


class Statement:
    """A statement, or an option of ``case``: ``start`` and ``end`` are those of its lines.

    The comments on the lines directly above belong to it, and the texts of its heredocs.
    """

    __slots__ = ("blocks", "end", "start")

    def __init__(self, start: int, end: int, blocks: list[Block]) -> None:
        self.start = start
        self.end = end
        self.blocks = blocks


class Block:
    """Statements in braces, or of the whole text; the span is that of the lines between these."""

    __slots__ = ("end", "start", "statements")

    def __init__(self, start: int, end: int, statements: list[Statement]) -> None:
        self.start = start
        self.end = end
        self.statements = statements

    def touched(self, start: int, end: int) -> tuple[Path, int, int] | None:
        """Return the innermost statements on the lines of a span: their path, first and last.

        Statements that have a line in common are taken together. None if there is none.
        """
        found = self.statements
        numbers = [at for at, each in enumerate(found) if each.start < end and start < each.end]
        if not numbers:
            return None
        first, last = numbers[0], numbers[-1]
        while first and found[first - 1].end > found[first].start:
            first -= 1
        while last + 1 < len(found) and found[last + 1].start < found[last].end:
            last += 1
        if first == last:
            for number, block in enumerate(found[first].blocks):
                if block.start <= start and end <= block.end:
                    inner = block.touched(start, end)
                    return inner and (((first, number), *inner[0]), *inner[1:])
        return (), first, last

    def span(self, path: Path, first: int, last: int) -> tuple[int, int]:
        """Return the span of the lines of statements; an unknown path raises FormatError."""
        try:
            block = self
            for statement, number in path:
                block = block.statements[statement].blocks[number]
            return block.statements[first].start, block.statements[last].end
        except IndexError:
            raise FormatError("the result, by a defect, has other statements") from None


def read_statements(text: str, *, tasks: bool = False) -> Block:
    """Return the statements of a manifest; raises PuppetError if it cannot be parsed."""
    lexer = Lexer(Source(text), tasks)
    lexer.run()
    program = parse_tokens(lexer)
    atoms = read_atoms(lexer)
    structure = read_structure(program, atoms)
    elements = nested(atoms, structure)
    reader = _Reader(text, structure.starts)
    return Block(0, len(text), reader.statements(elements[:-1], last_atom(elements[-1])))


class _Reader:
    """Reads the statements of blocks."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str, starts: set[int]) -> None:
        self.text = text
        self.starts = starts

    def statements(self, elements: Sequence[Element], closer: Atom) -> list[Statement]:
        """Return the statements in elements, with the comments between."""
        parts: list[list[Element]] = []
        for element in elements:
            if not parts or first_atom(element).start in self.starts:
                parts.append([])
            parts[-1].append(element)
        # The atom after each statement; in an empty block there is none to come before the brace.
        following = [first_atom(part[0]) for part in parts[1:]] + [closer]
        return [self.statement(part, after) for part, after in zip(parts, following, strict=False)]

    def statement(self, elements: list[Element], after: Atom) -> Statement:
        atom = first_atom(elements[0])
        start = atom.start
        is_apart = atom.blank
        for comment in reversed(atom.comments):
            if is_apart or not comment.own:
                break
            start, is_apart = comment.start, comment.blank
        ends = [last_atom(elements[-1]).end, *_ends_of_heredocs(elements)]
        for comment in after.comments:
            if comment.own:
                break
            ends.append(self.end_of(comment))
        blocks = [self.block(each) for each in _blocks(elements)]
        return Statement(self.line_start(start), self.line_end(max(ends)), blocks)

    def block(self, bracket: Bracket) -> Block:
        start = self.line_end(bracket.opener.end)
        end = self.line_start(bracket.closer.start)
        return Block(start, end, self.statements(bracket.children, bracket.closer))

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Return the offset after the line end that follows an offset."""
        return self.text.find("\n", offset) + 1 or len(self.text)

    def end_of(self, comment: Comment) -> int:
        if self.text.startswith("/*", comment.start):
            return self.text.index("*/", comment.start + 2) + 2
        return comment.start


def _ends_of_heredocs(elements: Sequence[Element]) -> Iterator[int]:
    """Yield the offset of the last character of each heredoc's text."""
    for element in elements:
        if isinstance(element, Bracket):
            yield from _ends_of_heredocs([element.opener, *element.children, element.closer])
        else:
            for heredoc in element.heredocs:
                yield heredoc.end - 1


def _blocks(elements: Sequence[Element]) -> Iterator[Bracket]:
    """Yield the outermost blocks in elements."""
    for element in elements:
        if isinstance(element, Bracket):
            if element.role in _BLOCKS:
                yield element
            else:
                yield from _blocks(element.children)
