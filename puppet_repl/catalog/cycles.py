"""Dependency cycles in a graph of resources, and the message of an agent about them.

A graph names the direct successors of each of its points, in the order in which they were added.
"""

from __future__ import annotations

from itertools import chain

from puppet_repl.base.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import TypeAlias

    Graph: TypeAlias = Mapping[str, Collection[str]]

_MOST_LINKS = 500_000
"""How many links a search for the shortest way through one set looks at, about."""


def cycle_message(cycles: Sequence[Sequence[str]]) -> str:
    """Return what an agent says about dependency cycles, each on a line of its own."""
    lines = [f"({' => '.join(cycle)})" for cycle in cycles]
    return "\n".join([f"Found {counted(len(cycles), 'dependency cycle')}:", *lines])


def find_cycles(graph: Graph) -> list[list[str]]:
    """Return a way through each set of points that all depend on each other, sorted by name.

    A way begins at the first point of its set. It ends at a point that it has visited before, often
    the first one. An agent shows the same way, which is one of the shortest. In a set of more than
    some hundred points that search may take too long; the way is then the shortest that was found.
    """
    return [_way(graph, points) for points in sorted(map(sorted, _circular(graph)))]


def _circular(graph: Graph) -> Iterable[list[str]]:
    """Yield the sets of points in which each comes after all others, by Tarjan's algorithm."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_points: list[str] = []
    is_open: set[str] = set()
    for root in graph:
        # An explicit stack: a chain of resources may be longer than Python recurses.
        waiting = [(root, iter((root,)))] if root not in numbers else []
        while waiting:
            point, following = waiting[-1]
            for later in following:
                if later not in numbers:
                    numbers[later] = lowest[later] = len(numbers)
                    open_points.append(later)
                    is_open.add(later)
                    waiting.append((later, iter(graph.get(later, ()))))
                    break
                if later in is_open:
                    lowest[point] = min(lowest[point], numbers[later])
            else:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    lowest[above] = min(lowest[above], lowest[point])
                if lowest[point] == numbers[point] and point in is_open:
                    found = [open_points.pop()]
                    while found[-1] != point:
                        found.append(open_points.pop())
                    is_open.difference_update(found)
                    if len(found) > 1 or point in graph.get(point, ()):
                        yield found


def _way(graph: Graph, points: Sequence[str]) -> list[str]:
    """Return the way through points that all depend on each other.

    It is the shortest way from the first point to a point visited before. Among several, each step
    goes to the successor that was added first.
    """
    inside = set(points)
    after = {point: [each for each in graph[point] if each in inside] for point in points}
    before: dict[str, list[str]] = {point: [] for point in points}
    for point, following in after.items():
        for later in following:
            before[later].append(point)
    rests, goals = _shortest_rests(after, before, points[0])
    way: dict[str, None] = {}
    point, left = points[0], rests[points[0]]
    while point not in way:
        way[point] = None
        if point in goals:
            # From now on the way may also end here.
            _come_nearer(rests, before, point, left)
        left -= 1
        point = next(later for later in after[point] if rests.get(later, left + 1) <= left)
    return [*way, point]


def _come_nearer(steps: dict[str, int], before: Graph, goal: str, most: int) -> None:
    """Lower the numbers of steps for the points that are nearer to a goal, up to a distance."""
    steps[goal] = 0
    edge = [goal]
    for count in range(1, most + 1):
        new = [one for point in edge for one in before[point] if count < steps.get(one, most + 1)]
        edge = list(dict.fromkeys(new))
        steps.update(dict.fromkeys(edge, count))
        if not edge:
            break


def _shortest_rests(after: Graph, before: Graph, start: str) -> tuple[dict[str, int], set[str]]:
    """Return how many steps a shortest way still has from each point that it may visit.

    Return also the points at which it may end.
    """
    away = _Search(after).distances(start, len(after))
    search = _Search(after)
    shortest = len(after)
    rings: dict[str, int] = {}
    for point, steps in away.items():
        if steps >= shortest or search.links > _MOST_LINKS:
            break
        # A ring through a point with one predecessor also contains that, which is nearer.
        if len(before[point]) > 1 or point == start:
            ring = search.ring(point, shortest - steps)
            if ring is not None:
                rings[point] = ring
                shortest = steps + ring
    back = _Search(before)
    rests: dict[str, int] = {}
    goals: set[str] = set()
    for point, ring in rings.items():
        if away[point] + ring == shortest and (
            search.links + back.links <= _MOST_LINKS or not goals
        ):
            goals.add(point)
            for earlier, steps in back.distances(point, away[point]).items():
                rests[earlier] = min(rests.get(earlier, steps + ring), steps + ring)
    return rests, goals


class _Search:
    """Searches along the links of a graph, and how many links they have looked at."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.links = 0

    def _next(self, edge: Collection[str]) -> Iterable[str]:
        """Return the successors of some points, each as often as a link leads to it."""
        following = list(chain.from_iterable(map(self._graph.__getitem__, edge)))
        self.links += len(following)
        return following

    def distances(self, start: str, most: int) -> dict[str, int]:
        """Return the distances of the points that are at most some steps away from a start."""
        found = {start: 0}
        edge = [start]
        while edge and found[edge[0]] < most:
            steps = found[edge[0]] + 1
            edge = list(dict.fromkeys(each for each in self._next(edge) if each not in found))
            found.update(dict.fromkeys(edge, steps))
        return found

    def ring(self, point: str, most: int) -> int | None:
        """Return the length of the shortest ring through a point; None if all are longer."""
        found: set[str] = set()
        edge: Collection[str] = [point]
        for steps in range(1, most + 1):
            edge = dict.fromkeys(each for each in self._next(edge) if each not in found)
            if point in edge:
                return steps
            found.update(edge)
        return None
