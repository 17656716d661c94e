"""The graph of a catalog as a tree of text: containers with their content, notes on the order.

::

    Class['web']
    ├─ File['/srv/www']  → Service['web']
    └─ Service['web']

An arrow leads from what comes first to what comes after; ``~→`` notifies it, and ``⇢`` says that a
type implies the order.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from puppet_repl.base.safe_text import visible
from puppet_repl.tools.graph.titles import shortened
from puppet_repl.tools.rendering.fragments import Fragment, joined
from puppet_repl.tools.rendering.width import ELLIPSIS, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from puppet_repl.tools.graph.model import Graph

_ARROWS = {"->": "→", "~>": "~→", "..>": "⇢", ".->": "⇢"}
# Of one resource; the number of the others is told.
MAX_NOTES = 6
# Cells that a name gets however deep it is, if the screen has them at all.
MIN_ROOM = 18
_ELSEWHERE = " (as above or below)"


@dataclass(slots=True, eq=False)
class _Row:
    """A node in the tree: what is before its name, and before the rows below it."""

    name: str
    lead: str = ""
    branch: str = ""
    below: str = ""
    _: KW_ONLY
    is_again: bool = False


def graph_tree(graph: Graph, width: int) -> list[Fragment]:
    """Return a graph as a tree, each row of at most ``width`` cells; names are cut in the middle.

    A node that several contain is in full where its first container is.
    """
    children = graph.children()
    also: dict[str, list[str]] = {}
    for outer, inner in graph.also:
        also.setdefault(outer, []).append(inner)
    notes = _notes(graph)
    rows: list[list[Fragment]] = []
    # An explicit stack: containment may be deeper than Python recurses.
    waiting = [_Row(name) for name in children[None][::-1]]
    while waiting:
        row = waiting.pop()
        own = [] if row.is_again else children.get(row.name, [])
        again = [] if row.is_again else also.get(row.name, [])
        rows += _rows(graph, row, notes, width, has_inner=bool(own or again))
        waiting += _inner(own, again, row.lead + row.below)
    return joined(rows)


def _inner(own: Sequence[str], again: Sequence[str], lead: str) -> list[_Row]:
    """Return the rows of the content of a node, last one first."""
    found = [(name, False) for name in own] + [(name, True) for name in again]
    last = len(found) - 1
    return [
        _Row(
            name,
            lead,
            "└─ " if index == last else "├─ ",
            "   " if index == last else "│  ",
            is_again=is_again,
        )
        for index, (name, is_again) in enumerate(found)
    ][::-1]


def _notes(graph: Graph) -> Mapping[str, list[Fragment]]:
    """Return a note for each node: the nodes after it, and those before it outside of the graph."""
    found: dict[str, list[Fragment]] = {}
    cyclic = graph.cyclic()
    for first, second, arrow in (*graph.order, *graph.leaving):
        style = "bad" if (first, second) in cyclic else "dim"
        if first in graph.nodes:
            outside = "" if second in graph.nodes else " (outside)"
            implying = graph.implying((first, second, arrow))
            remark = f" (implied by {implying})" if implying else outside
            found.setdefault(first, []).append(
                (style, visible(f"{_ARROWS[arrow]} {second}{remark}"))
            )
        else:
            reverse = "←" if arrow == "->" else "←~"
            found.setdefault(second, []).append((style, visible(f"{reverse} {first} (outside)")))
    return found


def _rows(
    graph: Graph, row: _Row, notes: Mapping[str, list[Fragment]], width: int, *, has_inner: bool
) -> list[list[Fragment]]:
    """Return the row of a node, and more of them where its notes do not fit after its name."""
    node = graph.nodes[row.name]
    lead = _shortened_lead(row.lead, width - len(row.branch))
    room = width - display_width(lead + row.branch)
    label = visible(node.mark + node.label)
    if row.is_again:
        label = shortened(label, max(room - len(_ELSEWHERE), MIN_ROOM))
        return [[("dim", lead + row.branch), ("type", label), ("dim", _ELSEWHERE)]]
    label = shortened(label, room)
    first: list[Fragment] = [("dim", lead + row.branch), ("type", label)]
    own = notes.get(row.name, [])
    if not own:
        return [first]
    left = len(own) - MAX_NOTES
    if left > 0:
        own = [*own[:MAX_NOTES], ("dim", f"{ELLIPSIS} {left} more")]
    behind = joined([[note] for note in own], "  ")
    if display_width(label) + 2 + sum(display_width(text) for _, text in behind) <= room:
        return [[*first, ("", "  "), *behind]]
    margin = _shortened_lead(row.lead + row.below, width) + ("│  " if has_inner else "   ")
    size = max(width - display_width(margin), 1)
    return [first, *([("dim", margin), (style, shortened(text, size))] for style, text in own)]


def _shortened_lead(lead: str, width: int) -> str:
    """Return the lines that lead to a node; of very many only those next to it."""
    most = max(width - MIN_ROOM, 0)
    return lead if len(lead) <= most else ELLIPSIS + lead[len(lead) - most + 1 :] if most else ""
