"""Items: the elements between the separators of a bracket, with their comments.

Statements, options of ``case``, attributes, bodies of resources, elements and parameters are items.
"""

from __future__ import annotations

from puppet_repl.tools.formatting.structure import Bracket, first_atom, last_atom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.formatting.atoms import Atom, Comment, Heredoc
    from puppet_repl.tools.formatting.structure import Element


class Item:
    """The elements between two separators of a bracket, with their comments."""

    __slots__ = ("above", "behind", "blank", "elements", "separator", "verbatim")

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self.above: list[Comment] = []
        """Comments on lines of their own before it."""
        self.behind: list[Comment] = []
        """Comments after it, or after its separator, on the same line."""
        self.blank = False
        """Whether an empty line is above it, and above its comments."""
        self.separator: Atom | None = None
        self.verbatim: list[str] | None = None
        """The lines of the source, where the author wants no other form."""

    @property
    def is_apart(self) -> bool:
        """Whether an empty line is directly above it."""
        return bool(self.elements) and first_atom(self.elements[0]).blank

    @property
    def end(self) -> int:
        """The offset after it, its separator and its heredocs."""
        atom = self.separator or last_atom(self.elements[-1])
        texts = _heredocs(self.elements)
        return max([atom.end, *[each.end - 1 for each in texts]])


class Items:
    """The items of a bracket, and the comments that belong to none of them."""

    __slots__ = ("above_end", "found", "opening")

    def __init__(self) -> None:
        self.found: list[Item] = []
        self.opening: list[Comment] = []
        """Comments after the opening bracket, on its line."""
        self.above_end: list[Comment] = []
        """Comments on lines of their own before the closing one."""

    @property
    def commented(self) -> bool:
        """Whether there is a comment between items."""
        return bool(self.opening or self.above_end) or any(
            each.above or each.behind for each in self.found
        )

    def add(self, atom: Atom) -> Item:
        """Add an item that begins with an atom, whose comments are split up."""
        item = Item()
        item.above = self.split(atom)
        item.blank = item.above[0].blank if item.above else atom.blank
        self.found.append(item)
        return item

    def split(self, atom: Atom) -> list[Comment]:
        """Return the comments above an atom; those on the line before belong to the item before."""
        comments = atom.claim()
        number = 0
        while number < len(comments) and not comments[number].own:
            number += 1
        (self.found[-1].behind if self.found else self.opening).extend(comments[:number])
        return comments[number:]


def read_items(
    children: Sequence[Element],
    closer: Atom | None,
    text: str,
    *,
    starts: set[int] | None = None,
    separator: str = ",",
) -> Items:
    """Return the items of a bracket in a text.

    They begin at the offsets ``starts``, or else end with a separator. Without a ``closer`` the
    comments before the end of the bracket are somebody else's.
    """
    items = Items()
    current: Item | None = None
    for child in children:
        atom = first_atom(child)
        if starts is None and atom.kind == separator and child is atom:
            if current is None:  # `file { '/a': , }` has a separator and no item
                (items.found[-1].behind if items.found else items.opening).extend(atom.claim())
            else:
                current.behind += atom.claim()
                current.separator = atom
            current = None
            continue
        if current is None or (starts is not None and atom.start in starts):
            current = items.add(atom)
        current.elements.append(child)
    if closer is not None:
        items.above_end = items.split(closer)
    if separator == ",":
        _leave_alone(items, text)
    return items


def _leave_alone(items: Items, text: str) -> None:
    """Keep the source between ``# format: off`` and ``# format: on``."""
    rest = items.above_end
    found = items.found
    number = 0
    while number < len(found):
        item = found[number]
        number += 1
        off = _switch(item.above, "off")
        if off is None or _switch(item.above[off:], "on") is not None:
            continue
        start = text.find("\n", item.above[off].start) + 1
        del item.above[off + 1 :]
        following = next(
            (at for at in range(number, len(found)) if _switch(found[at].above, "on") is not None),
            len(found),
        )
        comments = found[following].above if following < len(found) else rest
        on = _switch(comments, "on")
        last = found[following - 1]
        if on is None:
            end = last.end
            item.behind = last.behind
        else:
            end = text.rfind("\n", 0, comments[on].start)
            item.behind = []
            del comments[:on]
            if following < len(found):
                found[following].blank = False
        del found[number:following]
        item.verbatim = text[start:end].split("\n")
        item.elements = []


def _switch(comments: list[Comment], state: str) -> int | None:
    """Return which comment switches the form on or off."""
    return next((at for at, each in enumerate(comments) if each.switches(state)), None)


def _heredocs(elements: Sequence[Element]) -> list[Heredoc]:
    found: list[Heredoc] = []
    for element in elements:
        if isinstance(element, Bracket):
            found += _heredocs([*element.children, element.closer])
        else:
            found += element.heredocs
    return found
