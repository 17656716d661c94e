"""Layers of a directed graph, and the order in each that makes few edges cross.

This is the method of Sugiyama, Tagawa and Toda: cycles are broken, nodes are put into layers so
that edges lead down, edges over several layers get a place in each, and the layers are sorted by
the barycentre of their neighbours. Nodes are numbers from 0.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, deque
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import TypeAlias

    Pair: TypeAlias = tuple[int, int]

# Places of long edges in the layers between; the longest get none if there would be more.
MAX_PLACES = 1500
# Each sweep sorts all layers once, downwards and upwards in turn; of large graphs fewer are done.
_SWEEPS = 12
_WORK = 40_000


class Layered:
    """Nodes and places in layers.

    ``layers`` has numbers from left to right in each layer, from the top. Those from ``count`` on
    are places of edges. ``chains`` has for each edge what it passes, from its first node to its
    second.
    """

    __slots__ = ("chains", "count", "layer_of", "layers")

    def __init__(
        self, count: int, layers: list[list[int]], layer_of: list[int], chains: list[list[int]]
    ) -> None:
        self.count = count
        self.layers = layers
        self.layer_of = layer_of
        self.chains = chains

    def links(self) -> list[Pair]:
        """Return the pairs of neighbours in adjacent layers, each once.

        An edge over several layers that has no places has none.
        """
        found: dict[Pair, None] = {}
        for chain in self.chains:
            for upper, lower in pairwise(chain):
                if self.layer_of[lower] == self.layer_of[upper] + 1:
                    found[upper, lower] = None
        return list(found)


def reversed_edges(count: int, edges: Sequence[Pair]) -> set[Pair]:
    """Return edges that make a graph acyclic when they are turned round.

    Only edges of cycles are among them, and none that leads from a node to itself.
    """
    after: list[list[int]] = [[] for _ in range(count)]
    for first, second in edges:
        if first != second:
            after[first].append(second)
    found: set[Pair] = set()
    unseen, open_, done = 0, 1, 2
    state = [unseen] * count
    for start in range(count):
        if state[start] != unseen:
            continue
        state[start] = open_
        # An explicit stack: chains may be longer than Python recurses.
        stack = [(start, iter(after[start]))]
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if state[other] == unseen:
                    state[other] = open_
                    stack.append((other, iter(after[other])))
                    break
                if state[other] == open_:
                    found.add((node, other))
            else:
                state[node] = done
                stack.pop()
    return found


def layered(
    widths: Sequence[float],
    edges: Sequence[Pair],
    *,
    first: Collection[int] = (),
    last: Collection[int] = (),
    max_width: float,
    gap: float,
) -> Layered:
    """Put the nodes of an acyclic graph into layers.

    Nodes ``first`` are alone in the top layer, nodes ``last`` in the bottom one. Any other layer is
    at most ``max_width`` wide with ``gap`` between its nodes, unless it has only one.
    """
    layer_of = _assigned(widths, edges, first, last, _Room(max_width, gap))
    result = _with_places(len(widths), edges, layer_of)
    _sort(result)
    return result


class _Room:
    """How much of the width of each layer is taken."""

    def __init__(self, max_width: float, gap: float) -> None:
        self._max_width = max_width
        self._gap = gap
        self._taken: dict[int, float] = {}

    def has(self, layer: int, width: float) -> bool:
        taken = self._taken.get(layer, 0)
        return not taken or taken + self._gap + width <= self._max_width

    def take(self, layer: int, width: float) -> None:
        taken = self._taken.get(layer, 0)
        self._taken[layer] = taken + width + (self._gap if taken else 0)

    def free(self, layer: int, width: float) -> None:
        self._taken[layer] = max(self._taken[layer] - width - self._gap, 0)


def _assigned(
    widths: Sequence[float],
    edges: Sequence[Pair],
    first: Collection[int],
    last: Collection[int],
    room: _Room,
) -> list[int]:
    """Return the layer of each node: below those before it, and near to those after it."""
    count = len(widths)
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in edges:
        before[lower].append(upper)
        after[upper].append(lower)
    order = _topological(before, after)
    top = 1 if first else 0
    layer_of = [0] * count
    for node in order:
        if node in first or node in last:
            continue
        layer = max([top, *(layer_of[each] + 1 for each in before[node])])
        while not room.has(layer, widths[node]):
            layer += 1
        layer_of[node] = layer
        room.take(layer, widths[node])
    for node in reversed(order):
        following = [layer_of[each] for each in after[node] if each not in last]
        if not following or len(after[node]) <= len(before[node]) or node in first:
            continue
        for layer in range(min(following) - 1, layer_of[node], -1):
            if room.has(layer, widths[node]):
                room.free(layer_of[node], widths[node])
                room.take(layer, widths[node])
                layer_of[node] = layer
                break
    bottom = max(layer_of, default=0) + 1
    for node in last:
        layer_of[node] = bottom
    numbers = {layer: number for number, layer in enumerate(sorted(set(layer_of)))}
    return [numbers[layer] for layer in layer_of]


def _topological(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[int]:
    missing = [len(each) for each in before]
    waiting = deque(node for node, number in enumerate(missing) if not number)
    order = []
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for other in after[node]:
            missing[other] -= 1
            if not missing[other]:
                waiting.append(other)
    return order


def _with_places(count: int, edges: Sequence[Pair], layer_of: list[int]) -> Layered:
    """Give edges over several layers a place in each layer between, the short ones first.

    Those from the same node, or to the same one, share their places: a trunk with branches takes
    less room than many lines.
    """
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    chains = [list(edge) for edge in edges]
    for node in _depth_first(count, edges):
        layers[layer_of[node]].append(node)
    long = [chain for chain in chains if layer_of[chain[1]] - layer_of[chain[0]] > 1]
    long.sort(key=lambda chain: layer_of[chain[1]] - layer_of[chain[0]])
    leaving = Counter(chain[0] for chain in long)
    entering = Counter(chain[1] for chain in long)
    # By the node that has the trunk, whether it leaves it, and the layer.
    places: dict[tuple[int, bool, int], int] = {}
    for chain in long:
        upper, lower = chain
        leaves = leaving[upper] >= entering[lower]
        node = upper if leaves else lower
        keys = [(node, leaves, layer) for layer in range(layer_of[upper] + 1, layer_of[lower])]
        if len(places) + len(keys) > MAX_PLACES:
            break
        for key in keys:
            if key not in places:
                places[key] = len(layer_of)
                layer_of.append(key[2])
                # In the middle, where its branches have as much room on both sides.
                layers[key[2]].insert(len(layers[key[2]]) // 2, places[key])
        chain[1:1] = [places[key] for key in keys]
    return Layered(count, layers, layer_of, chains)


def _depth_first(count: int, edges: Sequence[Pair]) -> list[int]:
    """Return all nodes, those that are connected near to each other."""
    after: list[list[int]] = [[] for _ in range(count)]
    entered = [False] * count
    for upper, lower in edges:
        after[upper].append(lower)
        entered[lower] = True
    seen: dict[int, None] = {}
    for start in sorted(range(count), key=lambda node: entered[node]):
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen[node] = None
                stack += reversed(after[node])
    return list(seen)


def _sort(layered: Layered) -> None:
    """Sort each layer so that few edges cross."""
    above: list[list[int]] = [[] for _ in layered.layer_of]
    below: list[list[int]] = [[] for _ in layered.layer_of]
    links = layered.links()
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    sweeps = min(_SWEEPS, max(_WORK // (len(links) + 1), 2))
    layers = layered.layers
    position = [0] * len(layered.layer_of)
    for layer in layers:
        _number(layer, position)
    best, fewest = [list(layer) for layer in layers], _crossings(layers, below, position)
    for sweep in range(sweeps):
        if not fewest:
            break
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        for layer in layers if downwards else reversed(layers):
            layer.sort(key=_barycentre(neighbours, position))
            _number(layer, position)
        crossings = _crossings(layers, below, position)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    layered.layers = best


def _number(layer: Sequence[int], position: list[int]) -> None:
    for index, node in enumerate(layer):
        position[node] = index


def _barycentre(
    neighbours: Sequence[Sequence[int]], position: Sequence[int]
) -> Callable[[int], float]:
    def key(node: int) -> float:
        near = neighbours[node]
        if not near:
            return position[node]
        return sum([position[each] for each in near]) / len(near)

    return key


def _crossings(
    layers: Sequence[Sequence[int]], below: Sequence[Sequence[int]], position: Sequence[int]
) -> int:
    """Return how many pairs of edges between adjacent layers cross."""
    found = 0
    for layer in layers:
        ends: list[int] = []
        for node in layer:
            lower = sorted([position[each] for each in below[node]])
            for end in lower:
                found += len(ends) - bisect_right(ends, end)
            for end in lower:
                insort(ends, end, lo=bisect_left(ends, end))
    return found
