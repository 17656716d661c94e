"""The layout of a graph whose nodes may contain others: boxes within boxes, and routes.

Each container is laid out by itself, the innermost ones first. An edge that leaves one is led to
its border, where it has a port; outside it goes on from there. So every level is a graph of boxes
side by side: what is connected there is placed in layers, all else is packed in rows.
"""

from __future__ import annotations

from puppet_repl.tools.graph.layers import reversed_edges
from puppet_repl.tools.graph.model import depths
from puppet_repl.tools.graph.placement import GAP, Edge, placed, without_repeats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    Size: TypeAlias = tuple[float, float]

    Point: TypeAlias = tuple[float, float]

    Pair: TypeAlias = tuple[str, str]

MAX_WIDTH = 860.0
# Inside the border of a container.
PADDING = 14.0
# What has many boxes is about this much wider than high.
_RATIO = 1.8
_NARROWEST = 420.0
_LOOP = 9.0
_LOOP_SIDE = 18.0


class Box:
    """A rectangle, by its left upper corner and its size."""

    __slots__ = ("height", "width", "x", "y")

    def __init__(self, x: float, y: float, width: float, height: float) -> None:
        self.x = x
        self.y = y
        self.width = width
        self.height = height


class Layout:
    """A box for each node, a route for each edge from its first node to its second, and a size."""

    __slots__ = ("boxes", "height", "routes", "width")

    def __init__(self, boxes: dict[str, Box], routes: list[list[Point]], size: Size) -> None:
        self.boxes = boxes
        self.routes = routes
        self.width, self.height = size


class _Level:
    """One container from the inside.

    ``ports`` tells for edges, by their numbers, where they meet the border: from the left side of
    the inside. ``size`` is that of the inside.
    """

    __slots__ = ("arriving", "corners", "leaving", "members", "passing", "ports", "routes", "size")

    def __init__(self) -> None:
        self.members: list[str] = []
        # Numbers of edges between two members, from a member to the border, and the other way.
        self.passing: dict[int, Pair] = {}
        self.leaving: dict[int, str] = {}
        self.arriving: dict[int, str] = {}
        self.corners: dict[str, Point] = {}
        self.routes: dict[int, list[Point]] = {}
        self.ports: dict[int, float] = {}
        self.size: Size = (0.0, 0.0)

    def shift(self, way: float) -> None:
        """Move all to the right."""
        self.corners = {name: (x + way, y) for name, (x, y) in self.corners.items()}
        self.ports = {number: x + way for number, x in self.ports.items()}
        for number, points in self.routes.items():
            self.routes[number] = [(x + way, y) for x, y in points]


def laid_out(
    sizes: Mapping[str, Size],
    parents: Mapping[str, str],
    edges: Sequence[Pair],
    max_width: float = MAX_WIDTH,
) -> Layout:
    """Lay a graph out.

    ``sizes`` are those of boxes, and for nodes that contain others those of their headings.
    ``parents`` names the containers; it must not lead in a circle. Edges lead down where those
    between the boxes side by side have no cycle.
    """
    return _Compound(sizes, parents, edges, max_width).layout()


class _Compound:
    """The work on one graph."""

    def __init__(
        self,
        sizes: Mapping[str, Size],
        parents: Mapping[str, str],
        edges: Sequence[Pair],
        max_width: float,
    ) -> None:
        self._sizes = dict(sizes)
        self._headings = sizes
        self._parents = parents
        self._edges = edges
        self._max_width = max_width
        self._levels: dict[str | None, _Level] = {None: _Level()}
        self._depths = depths(parents, sizes)
        for name in sizes:
            self._levels.setdefault(parents.get(name), _Level()).members.append(name)
        self._turned = self._enter_edges()

    def layout(self) -> Layout:
        """Return the layout."""
        inside_out = sorted(
            (name for name in self._levels if name is not None),
            key=lambda name: -self._depths[name],
        )
        for name in inside_out:
            self._lay_out_container(name)
        top = self._levels[None]
        self._lay_out_level(top, self._max_width)
        boxes = self._boxes()
        routes = [self._route(number, boxes) for number in range(len(self._edges))]
        return Layout(boxes, routes, top.size)

    # Edges

    def _enter_edges(self) -> set[int]:
        """Tell the levels which edges pass through them; return the numbers of those turned round.

        At each level edges are turned that would close a cycle of boxes side by side.
        """
        meetings: dict[str | None, dict[int, Pair]] = {}
        for number, (first, second) in enumerate(self._edges):
            level, first_box, second_box = self._meeting(first, second)
            if first_box is not None and second_box is not None:
                meetings.setdefault(level, {})[number] = (first_box, second_box)
            elif first != second:
                self._lead(number, first, second, level)
        turned: set[int] = set()
        for level, pairs in meetings.items():
            index = {name: number for number, name in enumerate(self._levels[level].members)}
            numbered = [(index[first], index[second]) for first, second in pairs.values()]
            back = reversed_edges(len(index), numbered)
            for (number, pair), numbers in zip(pairs.items(), numbered, strict=True):
                first, second = self._edges[number]
                if numbers in back:
                    turned.add(number)
                    pair = pair[::-1]
                    first, second = second, first
                self._levels[level].passing[number] = pair
                self._lead(number, first, second, level)
        return turned

    def _meeting(self, first: str, second: str) -> tuple[str | None, str | None, str | None]:
        """Return the innermost level that has both nodes, and their boxes there.

        A node that contains the other one is that level itself, and has no box there.
        """
        first_box: str | None = None
        second_box: str | None = None
        outer_first: str | None = first
        outer_second: str | None = second
        while outer_first != outer_second:
            depth_first = -1 if outer_first is None else self._depths[outer_first]
            depth_second = -1 if outer_second is None else self._depths[outer_second]
            if depth_first >= depth_second and outer_first is not None:
                first_box, outer_first = outer_first, self._parents.get(outer_first)
            if depth_second >= depth_first and outer_second is not None:
                second_box, outer_second = outer_second, self._parents.get(outer_second)
        return outer_first, first_box, second_box

    def _lead(self, number: int, upper: str, lower: str, level: str | None) -> None:
        """Lead an edge out of the containers of one node and into those of the other."""
        for container, inner in self._way(upper, level, lower == level):
            self._levels[container].leaving[number] = inner
        for container, inner in self._way(lower, level, upper == level):
            self._levels[container].arriving[number] = inner

    def _way(self, name: str, level: str | None, has_level: bool) -> Iterator[tuple[str, str]]:
        """Yield the containers of a node up to a level, each with the box inside of it.

        The level itself is among them with ``has_level``: an edge ends at its border then.
        """
        inner = name
        while inner != level:
            container = self._parents.get(inner)
            if container is None or (container == level and not has_level):
                return
            yield container, inner
            inner = container

    # Sizes and places, from the inside out

    def _lay_out_container(self, name: str) -> None:
        level = self._levels[name]
        room = self._max_width - 2 * PADDING * (self._depths[name] + 1)
        self._lay_out_level(level, max(room, _NARROWEST))
        heading_width, heading_height = self._headings[name]
        width, height = level.size
        level.shift(max(heading_width - width, 0.0) / 2)
        self._sizes[name] = (
            max(width, heading_width) + 2 * PADDING,
            heading_height + height + 2 * PADDING,
        )

    def _lay_out_level(self, level: _Level, max_width: float) -> None:
        """Place the members of a level, and lead its edges."""
        parts = self._parts(level)
        if level.leaving or level.arriving:
            main = self._placed(level, parts.pop(0), max_width)
        else:
            main = _Block()
        is_loose = [len(part) == 1 and part[0] not in self._levels for part in parts]
        loose = [part[0] for part, is_one in zip(parts, is_loose, strict=True) if is_one]
        groups = [
            self._placed(level, part, max_width)
            for part, is_one in zip(parts, is_loose, strict=True)
            if not is_one
        ]
        sizes = [block.size for block in groups] + [self._sizes[name] for name in loose]
        area = sum((width + GAP) * (height + GAP) for width, height in sizes)
        widest = max([main.size[0], *(width for width, _ in sizes)], default=0.0)
        best = max(_NARROWEST, (area * _RATIO) ** 0.5)
        target = max(min(best, max_width), widest)
        groups.sort(key=lambda block: -block.size[1])
        if loose:
            groups.append(self._packed(loose, target))
        aside = _Block()
        corners = shelves([block.size for block in groups], target, GAP)
        for block, (x, y) in zip(groups, corners, strict=True):
            aside.add(block, x, y)
        whole = _joined(main, aside, bool(level.arriving), bool(level.leaving))
        level.corners, level.routes, level.size = whole.corners, whole.routes, whole.size
        for number in level.leaving:
            level.ports[number] = level.routes[number][-1][0]
        for number in level.arriving:
            level.ports[number] = level.routes[number][0][0]

    def _packed(self, names: Sequence[str], max_width: float) -> _Block:
        """Return a block of members that nothing connects."""
        sizes = [self._sizes[name] for name in names]
        corners = grid(sizes, max_width, GAP)
        block = _Block()
        block.corners = dict(zip(names, corners, strict=True))
        block.size = extent(corners, sizes)
        return block

    def _parts(self, level: _Level) -> list[list[str]]:
        """Return the members of a level in connected parts; the ports are parts of the first."""
        leader = {name: name for name in level.members}

        def find(name: str) -> str:
            while leader[name] != name:
                leader[name] = leader[leader[name]]
                name = leader[name]
            return name

        for first, second in level.passing.values():
            leader[find(second)] = find(first)
        at_border = [*level.leaving.values(), *level.arriving.values()]
        for name in at_border:
            leader[find(name)] = find(at_border[0])
        parts: dict[str, list[str]] = {find(name): [] for name in at_border[:1]}
        for name in level.members:
            parts.setdefault(find(name), []).append(name)
        return list(parts.values())

    def _placed(self, level: _Level, names: Sequence[str], max_width: float) -> _Block:
        """Return a block of members that are connected, with the routes of their edges."""
        index = {name: number for number, name in enumerate(names)}
        sizes = [self._sizes[name] for name in names]
        edges = {
            number: Edge(index[pair[0]], index[pair[1]], *self._ports_of(pair, number))
            for number, pair in level.passing.items()
            if pair[0] in index
        }
        arriving = [number for number, name in level.arriving.items() if name in index]
        leaving = [number for number, name in level.leaving.items() if name in index]
        first_port = len(sizes)
        for port, number in enumerate(arriving, first_port):
            name = level.arriving[number]
            edges[number] = Edge(port, index[name], 0.0, self._port(name, number))
        for port, number in enumerate(leaving, first_port + len(arriving)):
            name = level.leaving[number]
            edges[number] = Edge(index[name], port, self._port(name, number), 0.0)
        sizes += [(0.0, 0.0)] * (len(arriving) + len(leaving))
        placement = placed(
            sizes,
            list(edges.values()),
            first=range(first_port, first_port + len(arriving)),
            last=range(first_port + len(arriving), len(sizes)),
            max_width=max_width,
        )
        block = _Block()
        block.corners = dict(zip(names, placement.corners, strict=False))
        block.routes = dict(zip(edges, placement.routes, strict=True))
        block.size = placement.size
        return block

    def _ports_of(self, pair: Pair, number: int) -> tuple[float | None, float | None]:
        return self._port(pair[0], number), self._port(pair[1], number)

    def _port(self, name: str, number: int) -> float | None:
        """Return where an edge meets the border of a box, from its left; None for no port."""
        level = self._levels.get(name)
        port = None if level is None else level.ports.get(number)
        return None if port is None else port + PADDING

    # From the outside in

    def _boxes(self) -> dict[str, Box]:
        boxes: dict[str, Box] = {}
        outside_in = sorted(self._sizes, key=lambda name: self._depths[name])
        for name in outside_in:
            x, y = self._inside(self._parents.get(name), boxes)
            left, top = self._levels[self._parents.get(name)].corners[name]
            boxes[name] = Box(x + left, y + top, *self._sizes[name])
        return {name: boxes[name] for name in self._sizes}

    def _inside(self, name: str | None, boxes: Mapping[str, Box]) -> Point:
        """Return the left upper corner of the inside of a container."""
        if name is None:
            return (0.0, 0.0)
        box = boxes[name]
        return (box.x + PADDING, box.y + PADDING + self._headings[name][1])

    def _route(self, number: int, boxes: Mapping[str, Box]) -> list[Point]:
        first, second = self._edges[number]
        if first == second:
            return _loop(boxes[first])
        points: list[Point] = []
        upper, lower = (second, first) if number in self._turned else (first, second)
        container = self._parents.get(upper)
        while container is not None and number in self._levels[container].leaving:
            points += self._moved(container, number, boxes)
            box = boxes[container]
            points.append((points[-1][0], box.y + box.height))
            container = self._parents.get(container)
        level, first_box, second_box = self._meeting(upper, lower)
        if first_box is not None and second_box is not None:
            points += self._moved(level, number, boxes)
        for name in self._entered(lower, number):
            piece = self._moved(name, number, boxes)
            points += [(piece[0][0], boxes[name].y), *piece]
        points = without_repeats(points)
        return points[::-1] if number in self._turned else points

    def _entered(self, name: str, number: int) -> list[str]:
        """Return the containers that an edge enters, the outermost one first."""
        found = []
        container = self._parents.get(name)
        while container is not None and number in self._levels[container].arriving:
            found.append(container)
            container = self._parents.get(container)
        return found[::-1]

    def _moved(self, name: str | None, number: int, boxes: Mapping[str, Box]) -> list[Point]:
        """Return the route of an edge inside of a container as points of the whole drawing."""
        left, top = self._inside(name, boxes)
        return [(left + x, top + y) for x, y in self._levels[name].routes[number]]


class _Block:
    """Members and routes that are placed together."""

    __slots__ = ("corners", "routes", "size")

    def __init__(self) -> None:
        self.corners: dict[str, Point] = {}
        self.routes: dict[int, list[Point]] = {}
        self.size: Size = (0.0, 0.0)

    def add(self, other: _Block, left: float, top: float) -> None:
        """Take in another block, moved to a place."""
        for name, (x, y) in other.corners.items():
            self.corners[name] = (x + left, y + top)
        for number, points in other.routes.items():
            self.routes[number] = [(x + left, y + top) for x, y in points]
        self.size = (
            max(self.size[0], left + other.size[0]),
            max(self.size[1], top + other.size[1]),
        )


def _joined(main: _Block, aside: _Block, has_arriving: bool, has_leaving: bool) -> _Block:
    """Put what has routes to the border together with what has none, so that these stay free.

    The latter is below, above, or beside it where there are routes to the top and to the bottom.
    """
    if not aside.corners:
        return main
    if not main.corners:
        return aside
    whole = _Block()
    if has_arriving and has_leaving:
        whole.add(main, 0.0, 0.0)
        whole.add(aside, main.size[0] + GAP, 0.0)
    else:
        upper, lower = (main, aside) if has_arriving else (aside, main)
        whole.add(upper, 0.0, 0.0)
        whole.add(lower, 0.0, upper.size[1] + GAP)
    return whole


def _loop(box: Box) -> list[Point]:
    """Return a route from the bottom of a box round its right side to its top."""
    right = box.x + box.width
    start, end = right - _LOOP_SIDE, right + _LOOP
    top, bottom = box.y - _LOOP, box.y + box.height + _LOOP
    return [
        (start, box.y + box.height), (start, bottom), (end, bottom),
        (end, top), (start, top), (start, box.y),
    ]  # fmt: skip


def grid(sizes: Sequence[Size], max_width: float, gap: float) -> list[Point]:
    """Return the corners of boxes in rows, their columns aligned.

    There are as many columns as fit into the width, but not more than make a square of boxes twice
    as wide as high.
    """
    count = len(sizes)
    columns = min(count, max(3, round((2 * count) ** 0.5)))
    while columns > 1 and sum(_columns(sizes, columns)) + gap * (columns - 1) > max_width:
        columns -= 1
    if not count:
        return []
    widths = _columns(sizes, columns)
    lefts = [sum(widths[:column]) + gap * column for column in range(columns)]
    corners: list[Point] = []
    top = 0.0
    for start in range(0, count, columns):
        row = sizes[start : start + columns]
        corners += [(left, top) for left, _ in zip(lefts, row, strict=False)]
        top += max(height for _, height in row) + gap
    return corners


def _columns(sizes: Sequence[Size], columns: int) -> list[float]:
    return [max(width for width, _ in sizes[column::columns]) for column in range(columns)]


def shelves(sizes: Sequence[Size], max_width: float, gap: float) -> list[Point]:
    """Return the corners of boxes in rows, each as high as its highest box."""
    corners: list[Point] = []
    left = top = height = 0.0
    for width, high in sizes:
        if left and left + width > max_width:
            top += height + gap
            left = height = 0.0
        corners.append((left, top))
        left += width + gap
        height = max(height, high)
    return corners


def extent(corners: Sequence[Point], sizes: Sequence[Size]) -> Size:
    """Return the width and the height that boxes take together."""
    return (
        max((x + width for (x, _), (width, _) in zip(corners, sizes, strict=True)), default=0.0),
        max((y + height for (_, y), (_, height) in zip(corners, sizes, strict=True)), default=0.0),
    )
