"""Detection of dependency cycles among resources."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    # The beginning (False) or the end (True) of a resource.
    Point: TypeAlias = tuple[str, bool]


def find_cycle(
    order: Iterable[tuple[str, str]], contained: Iterable[tuple[str, str]]
) -> list[str] | None:
    """Return one cycle, its first resource again at the end; None without cycles.

    ``order`` are pairs of an earlier and a later resource, ``contained`` pairs of a container and a
    member. All members are applied between the beginning and the end of their container.
    """
    edges = _edges(order, contained)
    sorter: TopologicalSorter[Point] = TopologicalSorter()
    # The search starts at the points in the order in which they are added.
    for earlier, _ in edges:
        sorter.add(earlier)
    for earlier, later in edges:
        sorter.add(later, earlier)
    try:
        sorter.prepare()
    except CycleError as error:
        return _names(error.args[1])
    return None


def _edges(
    order: Iterable[tuple[str, str]], contained: Iterable[tuple[str, str]]
) -> list[tuple[Point, Point]]:
    edges: list[tuple[Point, Point]] = []
    for first, second in order:
        edges += [((name, False), (name, True)) for name in (first, second)]
        edges.append(((first, True), (second, False)))
    for outer, inner in contained:
        edges.append(((outer, False), (inner, False)))
        edges.append(((inner, False), (inner, True)))
        edges.append(((inner, True), (outer, True)))
    return edges


def _names(points: list[Point]) -> list[str]:
    """Return the names of the points, each once in a row, with the first again at the end."""
    names = [name for name, _ in points]
    single = [name for index, name in enumerate(names) if index == 0 or name != names[index - 1]]
    return single if len(single) > 1 and single[0] == single[-1] else [*single, single[0]]
