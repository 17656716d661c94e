"""Resources that wait for each other, so that none of them can be the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Point = tuple[str, bool]
"""The beginning (False) or the end (True) of a resource."""


def find_cycle(
    order: Iterable[tuple[str, str]], contained: Iterable[tuple[str, str]]
) -> list[str] | None:
    """One cycle, its first resource again at the end; None where there is none.

    ``order`` are pairs of what comes first and what comes after, ``contained`` pairs of a container
    and what it holds: all of this is done between the beginning and the end of the container.
    """
    after: dict[Point, list[Point]] = {}
    for first, second in order:
        for name in (first, second):
            after.setdefault((name, False), []).append((name, True))
        after.setdefault((first, True), []).append((second, False))
    for outer, inner in contained:
        after.setdefault((outer, False), []).append((inner, False))
        after.setdefault((inner, False), []).append((inner, True))
        after.setdefault((inner, True), []).append((outer, True))
    done: set[Point] = set()
    for point in after:
        found = _cycle_from(point, after, done)
        if found is not None:
            return found
    return None


def _cycle_from(
    start: Point, after: dict[Point, list[Point]], done: set[Point]
) -> list[str] | None:
    if start in done:
        return None
    path = {start: 0}
    open_points: list[tuple[Point, Iterator[Point]]] = [(start, iter(after[start]))]
    while open_points:
        point, rest = open_points[-1]
        following = next(rest, None)
        if following is None:
            open_points.pop()
            del path[point]
            done.add(point)
        elif following in path:
            return _names([*list(path)[path[following] :], following])
        elif following not in done:
            path[following] = len(open_points)
            open_points.append((following, iter(after.get(following, ()))))
    return None


def _names(points: list[Point]) -> list[str]:
    names = [name for name, _ in points]
    single = [name for index, name in enumerate(names) if index == 0 or name != names[index - 1]]
    return single if len(single) > 1 and single[0] == single[-1] else [*single, single[0]]
