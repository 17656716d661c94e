"""The graph of a catalog as a picture: SVG that is legible on light and dark pages.

Pages show it as an image, so that it has no styles of theirs and may not count on a background:
text is on a ground of its own, and the colours of lines are between light and dark.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise

from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted
from puppet_repl.tools.graph.folding import folded
from puppet_repl.tools.graph.layout import laid_out
from puppet_repl.tools.graph.model import IMPLIED, depths
from puppet_repl.tools.graph.titles import title_lines
from puppet_repl.tools.rendering.width import crop, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from puppet_repl.tools.graph.layout import Box, Layout, Point, Size
    from puppet_repl.tools.graph.model import Graph, Node

    Pieces: TypeAlias = set[tuple[float, float, float, float, str]]

_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_FONT_SIZE = 13
# A little more than the characters of these fonts take.
_CELL = 8.0
_LINE = 17.0
_INSET = 12.0
_ABOVE = 8.0
# From the top of a line to its baseline.
_BASELINE = 13.0
_SMALLEST = 72.0
_HEADING = 24.0
_MARGIN = 12.0
_WIDEST_HEADING = 60
_TIP = 8.0
_NOTE = 90
_MOST_DESCRIBED = 50
_LONGEST_NAME = 300

# Ground, line and text of a box.
_PLAIN = ("#f6f8fa", "#8c959f", "#424a53")
_OUTER = ("#fff8c5", "#bf8700", "#7d4e00")
_PEOPLE = ("#ffeff7", "#d36fa8", "#99286e")
_COLOURS = {
    "Class": _OUTER,
    "Exec": ("#fff1e5", "#d4804d", "#953800"),
    "File": ("#ddf4ff", "#5a9fd6", "#0550ae"),
    "Group": _PEOPLE,
    "Package": ("#f6edff", "#a47be0", "#6639ba"),
    "Service": ("#dafbe1", "#5aa36d", "#116329"),
    "User": _PEOPLE,
}
_TEXT = "#1f2328"
_EDGE = "#768390"
_CYCLE = "#e5484d"
_DASHES = {"~>": "6 4", "..>": "2 3", ".->": "2 3"}
_AREA = 'fill="#8c959f" fill-opacity="0.12" stroke="#8c959f"'


def graph_svg(graph: Graph) -> str:
    """Return the picture of a graph, a large one with folded boxes."""
    return _Picture(folded(graph)).text()


def summary(graph: Graph) -> str:
    """Return what a picture shows, in a few words."""
    resources = counted(graph.total, "resource")
    return f"Graph of {resources} and {counted(len(graph.order), 'relationship')}"


def description(graph: Graph) -> str:
    """Return the relationships in words, for those who do not see the picture."""
    found = []
    for relationship in graph.order[:_MOST_DESCRIBED]:
        first, second, arrow = relationship
        words = "comes before and notifies" if arrow == "~>" else "comes before"
        implying = graph.implying(relationship)
        reason = f" (implied by {implying})" if implying else ""
        found.append(f"{_named(graph.nodes[first])} {words} {_named(graph.nodes[second])}{reason}")
    more = len(graph.order) - len(found)
    if more:
        found.append(f"and {more} more")
    return _visible("; ".join(found) or "no resource depends on another")


class _Picture:
    """The work on one picture."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._containers = set(graph.parents.values())
        self._lines = {name: _lines(node) for name, node in graph.nodes.items()}
        self._contained = [
            (outer, inner)
            for outer, inner in graph.also
            if inner not in graph.containers(outer) and outer not in graph.containers(inner)
        ]

    def text(self) -> str:
        """Return the picture."""
        graph = self._graph
        sizes = {name: self._size(name) for name in graph.nodes}
        edges = [(first, second) for first, second, _ in graph.order]
        layout = laid_out(sizes, graph.parents, [*edges, *self._contained])
        notes = _Notes(graph)
        width = max(layout.width, notes.width) + 2 * _MARGIN
        height = layout.height + 2 * _MARGIN + (notes.height + _MARGIN if notes.height else 0)
        across, down = _number(width), _number(height)
        name = _escaped(summary(graph))
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
                f'viewBox="0 0 {across} {down}" role="img" aria-label="{name}" '
                f'font-family="{_FONT}" font-size="{_FONT_SIZE}" fill="{_TEXT}">',
                f"<title>{name}</title>",
                f"<desc>{_escaped(description(graph))}</desc>",
                f'<g transform="translate({_number(_MARGIN)} {_number(_MARGIN)})">',
                *self._areas(layout),
                *self._edges(layout),
                *self._headings(layout),
                *self._boxes(layout),
                "</g>",
                *notes.drawn(_MARGIN, layout.height + 2 * _MARGIN),
                "</svg>",
            ]
        )

    def _size(self, name: str) -> Size:
        """Return the size of a box, or that of the heading of one that contains others."""
        if name in self._containers:
            return (_text_width(_heading(self._graph.nodes[name])) + 2 * _INSET, _HEADING)
        widest = max(_text_width(line) for line in self._lines[name])
        height = len(self._lines[name]) * _LINE + 2 * _ABOVE
        return (max(widest + 2 * _INSET, _SMALLEST), height)

    def _areas(self, layout: Layout) -> Iterator[str]:
        depth = depths(self._graph.parents, self._graph.nodes)
        for name in sorted(self._containers, key=lambda name: (depth[name], name)):
            yield f'<rect {_place(layout.boxes[name])} rx="8" {_AREA}/>'

    def _headings(self, layout: Layout) -> Iterator[str]:
        for name, node in self._graph.nodes.items():
            if name in self._containers:
                box = layout.boxes[name]
                ground, line, colour = _OUTER
                text = _heading(node)
                width = _number(_text_width(text) + 2 * _INSET)
                yield (
                    f"<g><title>{_escaped(_named(node))}</title>"
                    f'<rect x="{_number(box.x)}" y="{_number(box.y)}" width="{width}" '
                    f'height="{_number(_HEADING)}" rx="8" fill="{ground}" stroke="{line}"/>'
                    f"{_text(text, box.x + _INSET, box.y + 16, colour, is_bold=True)}</g>"
                )

    def _boxes(self, layout: Layout) -> Iterator[str]:
        for name, node in self._graph.nodes.items():
            if name in self._containers:
                continue
            box = layout.boxes[name]
            ground, line, colour = _colours(node)
            dashes = ' stroke-dasharray="4 3"' if node.mark else ""
            parts = [f"<g><title>{_escaped(_named(node))}</title>"]
            if node.hidden:
                behind = f'x="{_number(box.x + 4)}" y="{_number(box.y + 4)}"'
                size = f'width="{_number(box.width)}" height="{_number(box.height)}"'
                parts.append(f'<rect {behind} {size} rx="6" fill="{ground}" stroke="{line}"/>')
            parts.append(f'<rect {_place(box)} rx="6" fill="{ground}" stroke="{line}"{dashes}/>')
            for index, text in enumerate(self._lines[name]):
                top = box.y + _ABOVE + index * _LINE
                style = colour if index == 0 else _TEXT
                parts.append(
                    _text(text, box.x + _INSET, top + _BASELINE, style, is_bold=index == 0)
                )
            yield "".join([*parts, "</g>"])

    def _edges(self, layout: Layout) -> Iterator[str]:
        cyclic = self._graph.cyclic()
        routes = iter(layout.routes)
        drawn: Pieces = set()
        for relationship, route in zip(self._graph.order, routes, strict=False):
            colour = _CYCLE if relationship[:2] in cyclic else _EDGE
            drawing = _arrow(route, colour, drawn, _DASHES.get(relationship[2], ""))
            implying = self._graph.implying(relationship)
            title = f"<title>{_escaped(_visible(f'implied by {implying}'))}</title>"
            yield f"<g>{title}{drawing}</g>" if implying else drawing
        for _, route in zip(self._contained, routes, strict=True):
            yield f'<path d="{_path(route, set(), "")}" {_stroke(_EDGE)} stroke-dasharray="1 4"/>'


class _Notes:
    """The text below the boxes: the meanings of arrows, and notes."""

    def __init__(self, graph: Graph) -> None:
        arrows = {"..>" if arrow in IMPLIED else arrow for _, _, arrow in graph.order}
        meanings = (
            ("->", "comes before"),
            ("~>", "comes before, and notifies"),
            ("..>", "comes before, implied by a type"),
        )
        self._legend = [(arrow, text) for arrow, text in meanings if arrow in arrows]
        lines = [] if graph.nodes else ["no resources"]
        if len(graph.nodes) < graph.total:
            total = counted(graph.total, "resource")
            lines.append(f"{total}, some of them folded; :graph text lists all relationships")
        if graph.cycle:
            labels = [_named(graph.nodes[name]) for name in graph.cycle]
            lines += _wrapped(f"dependency cycle: {' => '.join(labels)}")
        self._lines = lines
        widths = [_text_width(line) for line in lines]
        self._steps = [44 + _text_width(text) + 20 for _, text in self._legend]
        rows = len(lines) + bool(self._legend)
        self.width = max([sum(self._steps) - 20, *widths]) + 2 * _INSET if rows else 0.0
        self.height = rows * _LINE + 2 * _ABOVE if rows else 0.0

    def drawn(self, left: float, top: float) -> Iterator[str]:
        """Yield the elements of the notes."""
        if not self.height:
            return
        ground, line, colour = _PLAIN
        box = f'x="{_number(left)}" y="{_number(top)}" width="{_number(self.width)}"'
        yield (
            f'<rect {box} height="{_number(self.height)}" rx="6" fill="{ground}" stroke="{line}"/>'
        )
        x, y = left + _INSET, top + _ABOVE
        for (arrow, text), step in zip(self._legend, self._steps, strict=True):
            middle = y + 9
            route = [(x, middle), (x + 34, middle)]
            yield _arrow(route, _EDGE, set(), _DASHES.get(arrow, ""))
            yield _text(text, x + 44, y + _BASELINE, colour)
            x += step
        y += _LINE if self._legend else 0
        for index, text in enumerate(self._lines):
            yield _text(text, left + _INSET, y + index * _LINE + _BASELINE, colour)


def _lines(node: Node) -> list[str]:
    lines = [node.mark + node.type, *title_lines(_visible(node.title))]
    return [*lines, node.inside] if node.hidden else lines


def _heading(node: Node) -> str:
    return "".join(title_lines(_visible(node.mark + node.label), _WIDEST_HEADING, most=1))


def _named(node: Node) -> str:
    """Return what a node is called in a sentence."""
    return crop(node.label, _LONGEST_NAME)


def _colours(node: Node) -> tuple[str, str, str]:
    is_closed = node.hidden and (node.title or not node.is_group)
    if is_closed or "::" in node.type or node.type == "Node":
        return _OUTER
    return _COLOURS.get(node.type, _PLAIN)


def _wrapped(text: str) -> list[str]:
    """Return a note in lines, broken at blanks."""
    lines = [""]
    for word in _visible(text).split(" "):
        if lines[-1] and display_width(lines[-1]) + 1 + display_width(word) > _NOTE:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


# Elements


def _arrow(route: Sequence[Point], colour: str, drawn: Pieces, dash: str) -> str:
    """Return a line along a route with a tip at its end, without the pieces that are drawn."""
    (x, y), (end_x, end_y) = route[-2:]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    if y == end_y:
        way = (1.0 if end_x > x else -1.0, 0.0)
    else:
        way = (0.0, 1.0 if end_y > y else -1.0)
    base = (end_x - way[0] * _TIP, end_y - way[1] * _TIP)
    aside = (way[1] * _TIP * 0.45, way[0] * _TIP * 0.45)
    corners = [
        (end_x, end_y),
        (base[0] + aside[0], base[1] + aside[1]),
        (base[0] - aside[0], base[1] - aside[1]),
    ]
    tip = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
    line = _path([*route[:-1], base], drawn, colour + dashes)
    path = f'<path d="{line}" {_stroke(colour)}{dashes}/>' if line else ""
    return f'{path}<polygon points="{tip}" fill="{colour}"/>'


def _path(route: Sequence[Point], drawn: Pieces, style: str) -> str:
    """Return a route as the data of a path, without the pieces that are drawn in this style.

    Edges may share a part of their way: dashes would fill each other's gaps.
    """
    parts: list[str] = []
    here: Point | None = None
    for (x, y), (to_x, to_y) in pairwise(route):
        piece = (x, y, to_x, to_y, style)
        if piece in drawn:
            continue
        drawn.add(piece)
        if here != (x, y):
            parts.append(f"M{_number(x)} {_number(y)}")
        here = (to_x, to_y)
        end = f"{_number(to_x)} {_number(to_y)}"
        if abs(x - to_x) < 0.5 or y == to_y:
            parts.append(f"L{end}")
        else:
            middle = _number((y + to_y) / 2)
            parts.append(f"C{_number(x)} {middle} {_number(to_x)} {middle} {end}")
    return "".join(parts)


def _stroke(colour: str) -> str:
    return f'fill="none" stroke="{colour}" stroke-width="1.5"'


def _place(box: Box) -> str:
    return (
        f'x="{_number(box.x)}" y="{_number(box.y)}" '
        f'width="{_number(box.width)}" height="{_number(box.height)}"'
    )


def _text(text: str, x: float, y: float, colour: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="600"' if is_bold else ""
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" fill="{colour}"{weight} xml:space="preserve">'
        f"{_escaped(text)}</text>"
    )


def _text_width(text: str) -> float:
    return display_width(text) * _CELL


def _number(value: float) -> str:
    """Return a number with one digit, and none if it is 0."""
    return f"{value:.1f}".removesuffix(".0")


def _visible(text: str) -> str:
    """Return a text whose characters can be seen, and may be in XML."""
    return visible(text).translate({0x9: " ", 0xFFFE: "\ufffd", 0xFFFF: "\ufffd"})


def _escaped(text: str) -> str:
    """Return a text for an element; an attribute must not be of text with quotes."""
    return escape(_visible(text), quote=False)
