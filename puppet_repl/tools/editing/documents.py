"""Open texts: edits in the order of their arrival, and a tree also while somebody types."""

from __future__ import annotations

from functools import lru_cache

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.positions import Lines
from puppet_repl.tools.editing.recovery import recovered
from puppet_repl.tools.validation.placement import is_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.editing.positions import Encoding

# From this number of characters on, parsing for each key would delay the next one.
_LONG = 20_000


class Change:
    """A text, and the positions between which it replaces another; None for the whole document.

    A position is a line and a unit, both from 0.
    """

    __slots__ = ("end", "start", "text")

    def __init__(
        self,
        text: str,
        start: tuple[int, int] | None = None,
        end: tuple[int, int] | None = None,
    ) -> None:
        self.text = text
        self.start = start
        self.end = end


class Tree:
    """The tree of a document. If it is ``recovered``, it is not the tree of the whole text.

    Then lines that are being written are missing, or the text is an earlier one: ``to_tree`` and
    ``from_tree`` return the offset of the same character in the other text.
    """

    __slots__ = ("_moved", "_same_from", "_same_until", "program", "recovered")

    def __init__(
        self, program: ast.Program, text: str, *, recovered: bool = False, earlier: bool = False
    ) -> None:
        self.program = program
        self.recovered = recovered
        self._same_until = self._same_from = len(text)
        self._moved = 0
        if earlier:
            old = program.source.text
            self._same_until = same = _common(old, text)
            at_end = _common(old[same:][::-1], text[same:][::-1])
            self._same_from = len(text) - at_end
            self._moved = len(text) - len(old)

    def to_tree(self, offset: int) -> int:
        """Return the offset in the tree's text; of added text, the offset of the insertion."""
        if offset >= self._same_from:
            return offset - self._moved
        return min(offset, self._same_until)

    def from_tree(self, offset: int) -> int:
        """Return the offset in the document; of deleted text, the offset of the deletion."""
        if offset >= self._same_from - self._moved:
            return offset + self._moved
        return min(offset, self._same_until)


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def tree_of(text: str, cursor: int) -> Tree | None:
    """Return the tree of a manifest in which somebody writes at an offset; None without success.

    The tree of a long text lacks the line of the cursor, and is not made again for each key there.
    """
    lines = Lines(text)
    is_long = len(text) >= _LONG
    if is_long:
        start, end = lines.span(lines.line_of(cursor))
        program = _tree_around(text[:start], text[end:])
    else:
        program = recovered(lines, cursor)
    return None if program is None else Tree(program, text, recovered=True, earlier=is_long)


@lru_cache(maxsize=1)
def _tree_around(before: str, after: str) -> ast.Program | None:
    return recovered(Lines(before + after), len(before))


class Document:
    """A text with a version, which edits change.

    Its ``path`` says how it is read: ``x.epp`` is a template, and a file below ``plans`` a plan.
    It may be an address, or '' for a manifest that is in no file.
    """

    __slots__ = (
        "_lines",
        "_position",
        "_program",
        "_tree",
        "is_plan",
        "is_template",
        "path",
        "version",
    )

    def __init__(self, path: str, text: str, version: int = 0) -> None:
        self.path = path
        self.is_template = path.endswith(".epp")
        self.is_plan = is_plan(path or None)
        self.version = version
        self._lines = Lines(text)
        self._position = 0
        self._program: ast.Program | None = None
        self._tree: Tree | None = None

    @property
    def text(self) -> str:
        """The text after the last edit."""
        return self._lines.text

    @property
    def lines(self) -> Lines:
        """The lines of the text."""
        return self._lines

    def edit(self, changes: Iterable[Change], encoding: Encoding, version: int) -> None:
        """Apply changes one after another: the positions of each are in the text before it."""
        for change in changes:
            text = change.text
            self._position = len(text)
            if change.start is not None and change.end is not None:
                old = self._lines
                start = old.offset(*change.start, encoding)
                end = max(old.offset(*change.end, encoding), start)
                self._position = start + len(text)
                text = old.text[:start] + text + old.text[end:]
            self._lines = Lines(text)
            self._tree = None
        self.version = version

    def tree(self) -> Tree | None:
        """Return the tree; of a text that is not well formed, a recovered or the last good one.

        Return None if neither exists.
        """
        if self._tree is None:
            self._tree = self._made()
        return self._tree

    def _made(self) -> Tree | None:
        epp, tasks = self.is_template, self.is_plan
        source = Source(self.text, self.path or None)
        try:
            self._program = parse(source, epp=epp, tasks=tasks)
            return Tree(self._program, self.text)
        except PuppetError as error:
            # Nobody has written in a text that was just opened: its error shows the line.
            position = self._position or error.start or 0
            program = recovered(self._lines, position, epp=epp, tasks=tasks)
        if program is not None:
            return Tree(program, self.text, recovered=True)
        if self._program is not None:
            return Tree(self._program, self.text, recovered=True, earlier=True)
        return None
