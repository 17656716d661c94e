"""Boxes in layers with the routes of the edges between them.

A route is a list of points. From one to the next it is a straight line if that is horizontal or
vertical, and otherwise a curve that begins and ends vertically: it stays in the gap between two
layers, so that no route passes through a box.
"""

from __future__ import annotations

from itertools import pairwise

from puppet_repl.tools.graph.coordinates import horizontal
from puppet_repl.tools.graph.layers import layered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from puppet_repl.tools.graph.layers import Layered
    from puppet_repl.tools.graph.layout import Point, Size

GAP = 24.0
_EDGE_GAP = 14.0
_LAYER_GAP = 34.0
_PORT_GAP = 20.0
# Where many edges turn, there is more room for it.
_TURN = 1.5
_MOST_TURNS = 30.0
# Edges at one side of a box are apart by this, if it is wide enough.
_SPREAD = 16.0
_CORNER = 12.0


class Edge:
    """An edge from one box down to another, by their numbers.

    ``leaves`` and ``enters`` are where it is attached, from the left sides of the boxes; None where
    that is left to the placement.
    """

    __slots__ = ("enters", "leaves", "lower", "upper")

    def __init__(
        self, upper: int, lower: int, leaves: float | None = None, enters: float | None = None
    ) -> None:
        self.upper = upper
        self.lower = lower
        self.leaves = leaves
        self.enters = enters


class Placement:
    """Where boxes are, the route of each edge, and the size of all together."""

    __slots__ = ("corners", "routes", "size")

    def __init__(self, corners: list[Point], routes: list[list[Point]], size: Size) -> None:
        self.corners = corners
        self.routes = routes
        self.size = size


def placed(
    sizes: Sequence[Size],
    edges: Sequence[Edge],
    *,
    first: Collection[int] = (),
    last: Collection[int] = (),
    max_width: float,
) -> Placement:
    """Place the boxes of an acyclic graph; ``first`` are alone at the top, ``last`` at the bottom.

    Layers are at most ``max_width`` wide without what passes them, but for one that has a single
    box.
    """
    widths = [width for width, _ in sizes]
    pairs = [(edge.upper, edge.lower) for edge in edges]
    in_layers = layered(widths, pairs, first=first, last=last, max_width=max_width, gap=GAP)
    attached = [
        (
            widths[edge.upper] / 2 if edge.leaves is None else edge.leaves,
            widths[edge.lower] / 2 if edge.enters is None else edge.enters,
        )
        for edge in edges
    ]
    left = horizontal(in_layers, widths, attached, GAP, _EDGE_GAP)
    attached = _spread(in_layers, edges, widths, attached, left)
    bands = _bands(in_layers, sizes, bool(first), bool(last))
    corners = []
    for node, (_, height) in enumerate(sizes):
        top, bottom = bands[in_layers.layer_of[node]]
        corners.append((left[node], (top + bottom - height) / 2))
    routes = [
        _route(chain, ends, in_layers, left, corners, sizes, bands)
        for chain, ends in zip(in_layers.chains, attached, strict=True)
    ]
    widest = max((left[node] + width for node, width in enumerate(widths)), default=0.0)
    width = max([widest, *left])
    return Placement(corners, routes, (width, bands[-1][1] if bands else 0.0))


def _bands(
    in_layers: Layered, sizes: Sequence[Size], has_first: bool, has_last: bool
) -> list[tuple[float, float]]:
    """Return the top and the bottom of each layer."""
    layers = in_layers.layers
    turns = [0] * len(layers)
    for upper, _ in in_layers.links():
        turns[in_layers.layer_of[upper]] += 1
    bands: list[tuple[float, float]] = []
    top = 0.0
    for number, layer in enumerate(layers):
        height = max((sizes[node][1] for node in layer if node < in_layers.count), default=0.0)
        bands.append((top, top + height))
        is_port = (has_first and number == 0) or (has_last and number == len(layers) - 2)
        more = min(_TURN * turns[number], _MOST_TURNS)
        top += height + (_PORT_GAP if is_port else _LAYER_GAP) + more
    return bands


def _spread(
    in_layers: Layered,
    edges: Sequence[Edge],
    widths: Sequence[float],
    attached: Sequence[tuple[float, float]],
    left: Sequence[float],
) -> list[tuple[float, float]]:
    """Return where edges are attached, with those at the same side of a box apart."""
    # For each side of a box what is next on the way: where that is, and by which edges.
    sides: dict[tuple[int, bool], dict[tuple[float, int], list[int]]] = {}
    for number, (edge, chain) in enumerate(zip(edges, in_layers.chains, strict=True)):
        if edge.leaves is None:
            near = _x_of(chain[1], 1, chain, attached[number], left), chain[1]
            sides.setdefault((edge.upper, True), {}).setdefault(near, []).append(number)
        if edge.enters is None:
            near = _x_of(chain[-2], 0, chain, attached[number], left), chain[-2]
            sides.setdefault((edge.lower, False), {}).setdefault(near, []).append(number)
    result = [list(ends) for ends in attached]
    for (node, is_upper), ends in sides.items():
        room = max(widths[node] - 2 * _CORNER, 0.0)
        step = min(_SPREAD, room / max(len(ends) - 1, 1))
        start = widths[node] / 2 - step * (len(ends) - 1) / 2
        for index, near in enumerate(sorted(ends)):
            for number in ends[near]:
                result[number][0 if is_upper else 1] = start + step * index
    return [(leaves, enters) for leaves, enters in result]


def _x_of(
    node: int, end: int, chain: Sequence[int], ends: tuple[float, float], left: Sequence[float]
) -> float:
    """Return where a neighbour in a chain is met: at its attachment if it is the chain's end."""
    return left[node] + (ends[end] if node in (chain[0], chain[-1]) else 0.0)


def _route(
    chain: Sequence[int],
    ends: tuple[float, float],
    in_layers: Layered,
    left: Sequence[float],
    corners: Sequence[Point],
    sizes: Sequence[Size],
    bands: Sequence[tuple[float, float]],
) -> list[Point]:
    """Return the route of an edge, from the bottom of its first box to the top of its second."""
    upper, lower = chain[0], chain[-1]
    x = left[upper] + ends[0]
    points = [(x, corners[upper][1] + sizes[upper][1]), (x, bands[in_layers.layer_of[upper]][1])]
    for place in chain[1:-1]:
        top, bottom = bands[in_layers.layer_of[place]]
        points += [(left[place], top), (left[place], bottom)]
    x = left[lower] + ends[1]
    points += [(x, bands[in_layers.layer_of[lower]][0]), (x, corners[lower][1])]
    return without_repeats(points)


def without_repeats(points: Sequence[Point]) -> list[Point]:
    """Return points without those that are like the one before."""
    found = list(points[:1])
    found += [point for before, point in pairwise(points) if point != before]
    return found
