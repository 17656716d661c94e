"""Documents: text with places where a line may break, and the choice of these places.

A document is a string without line breaks, or one of the classes below. ``flat`` is its width on
one line, UNBREAKABLE where it needs several; ``head`` is its width up to the first place where it
may break, and ``stops`` tells whether there is one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from puppet_repl.tools.formatting.alignment import Table
    from puppet_repl.tools.formatting.atoms import Comment, Heredoc

    Doc: TypeAlias = "str | Piece"

ENDLESS = 1 << 30
"""The flat width of what takes several lines."""


class Piece:
    """A document that is more than a string."""

    __slots__ = ("flat", "head", "stops")
    flat: int
    head: int
    stops: bool

    def __init__(self, flat: int = 0, head: int = 0, *, stops: bool = False) -> None:
        self.flat = flat
        self.head = head
        self.stops = stops


class Text(Piece):
    """The lines of a string that has several."""

    __slots__ = ("lines",)

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(len(lines[0]), len(lines[0]), stops=True)
        self.lines = lines


class Line(Piece):
    """A line break, or ``text`` on one line."""

    __slots__ = ("text",)

    def __init__(self, text: str = " ") -> None:
        super().__init__(len(text), 0, stops=True)
        self.text = text


class Hard(Piece):
    """A line break in any case; after an empty line if ``blank``."""

    __slots__ = ("blank",)

    def __init__(self, *, blank: bool = False) -> None:
        super().__init__(ENDLESS, 0, stops=True)
        self.blank = blank


class Blank(Piece):
    """An empty line, where the group around it is broken: its place is before a Line."""

    __slots__ = ()


class Cat(Piece):
    """Documents one after the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[Doc]) -> None:
        self.parts = parts
        flat = head = 0
        stops = False
        for part in parts:
            if type(part) is str:
                flat += len(part)
                if not stops:
                    head += len(part)
            else:
                flat += part.flat  # type: ignore[union-attr]
                if not stops:
                    head += part.head  # type: ignore[union-attr]
                    stops = part.stops  # type: ignore[union-attr]
        super().__init__(min(flat, ENDLESS), head, stops=stops)


class Group(Piece):
    """A document whose lines break all together: a ``broken`` one, or one that does not fit."""

    __slots__ = ("content",)

    def __init__(self, content: Piece, *, broken: bool = False) -> None:
        super().__init__(ENDLESS if broken else content.flat, content.head, stops=content.stops)
        self.content = content


class Indent(Piece):
    """A document whose lines are two columns deeper."""

    __slots__ = ("content",)

    def __init__(self, content: Doc) -> None:
        if type(content) is str:
            super().__init__(len(content), len(content))
        else:
            super().__init__(content.flat, content.head, stops=content.stops)  # type: ignore[union-attr]
        self.content = content


class Hug(Piece):
    """A list whose last item may keep the brackets on its own lines.

    ``start`` and the items before are on the line; the first form that fits is taken: all on one
    line, ``hugging``, or ``broken``. ``width`` is that of the first line if it hugs.
    """

    __slots__ = ("broken", "hugging", "width")

    def __init__(self, hugging: Cat, broken: Cat, width: int) -> None:
        super().__init__(hugging.flat, hugging.head, stops=True)
        self.head = broken.head
        self.hugging = hugging
        self.broken = broken
        self.width = width


class IfBroken(Piece):
    """A text that is there only where the group around it is broken."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__(0, len(text))
        self.text = text


class Suffix(Piece):
    """A comment for the end of the line, or ``is_above`` for a line above the item."""

    __slots__ = ("comment", "is_above")

    def __init__(self, comment: Comment, *, is_above: bool = False) -> None:
        super().__init__()
        self.comment = comment
        self.is_above = is_above


class Opened(Piece):
    """The place after an opening bracket, for the comments of its line but the first."""

    __slots__ = ()


class Below(Piece):
    """The text of a heredoc, which follows the line."""

    __slots__ = ("heredoc",)

    def __init__(self, heredoc: Heredoc) -> None:
        super().__init__()
        self.heredoc = heredoc


class Start(Piece):
    """The beginning of an item; with a ``table``, of one of its rows."""

    __slots__ = ("table",)

    def __init__(self, table: Table | None = None) -> None:
        super().__init__()
        self.table = table


class Mark(Piece):
    """A place in a row of a table: the text after it is aligned with that of other rows.

    It counts where the group around it is broken, or ``is_flat`` where that is on one line.
    """

    __slots__ = ("column", "is_flat", "table")

    def __init__(self, table: Table, column: int = 0, *, is_flat: bool = False) -> None:
        super().__init__()
        self.table = table
        self.column = column
        self.is_flat = is_flat


class Verbatim(Piece):
    """Lines of the source as they are."""

    __slots__ = ("lines",)

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(ENDLESS, ENDLESS, stops=True)
        self.lines = lines


def flat_of(doc: Doc) -> int:
    """Return the width of a document on one line."""
    return len(doc) if isinstance(doc, str) else doc.flat


def head_of(doc: Doc) -> int:
    """Return the width of a document up to the first place where it may break."""
    return len(doc) if isinstance(doc, str) else doc.head


def is_flat(doc: Doc) -> bool:
    """Tell whether a document can be on one line."""
    return flat_of(doc) < ENDLESS
