"""What a catalog says about the order of its resources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.catalog.content import Relationship

    # The beginning (False) or the end (True) of a resource.
    Point: TypeAlias = tuple[str, bool]


class Edge(NamedTuple):
    """A relationship of two resources, by their references as catalogs write them.

    ``kind`` is ``before`` or ``notify`` where ``source`` comes before ``target``, whatever stated
    it (``require`` and ``subscribe`` too), or ``contains`` where ``target`` is in ``source``.
    """

    source: str
    target: str
    kind: Literal["before", "notify", "contains"]


def edges_of(relationships: Iterable[Relationship]) -> list[Edge]:
    """Return the relationships of the content of a catalog, sorted."""
    found = (Edge(each.source, each.target, each.kind) for each in relationships)
    return sorted(found)


class Order:
    """The order that edges make: between the beginning and the end of a container is its content.

    A resource before a container is before all its content, at any depth; likewise after.
    """

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._next: dict[Point, list[Point]] = {}
        self._containers: dict[str, list[str]] = {}
        self._notified: set[tuple[str, str]] = set()
        for edge in edges:
            if edge.kind == "contains":
                self._containers.setdefault(edge.target, []).append(edge.source)
            elif edge.kind == "notify":
                self._notified.add((edge.source, edge.target))
            for ref in (edge.source, edge.target):
                self._add((ref, False), (ref, True))
            if edge.kind == "contains":
                self._add((edge.source, False), (edge.target, False))
                self._add((edge.target, True), (edge.source, True))
            else:
                self._add((edge.source, True), (edge.target, False))

    def _add(self, earlier: Point, later: Point) -> None:
        self._next.setdefault(earlier, []).append(later)

    def is_before(self, first: str, second: str) -> bool:
        """Tell whether a resource is done before another one begins."""
        waiting = [(first, True)]
        seen = set(waiting)
        while waiting:
            point = waiting.pop()
            for later in self._next.get(point, ()):
                if later == (second, False):
                    return True
                if later not in seen:
                    seen.add(later)
                    waiting.append(later)
        return False

    def is_notified(self, first: str, second: str) -> bool:
        """Tell whether a change of one resource refreshes another one.

        The content of a container notifies like the container, and is notified with it.
        """
        targets = self._around(second)
        return any(
            (source, target) in self._notified
            for source in self._around(first)
            for target in targets
        )

    def _around(self, ref: str) -> set[str]:
        """Return a resource with the containers that it is in."""
        found = {ref}
        waiting = [ref]
        while waiting:
            outer = [each for each in self._containers.get(waiting.pop(), ()) if each not in found]
            found.update(outer)
            waiting += outer
        return found
