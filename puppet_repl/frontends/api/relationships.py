"""What a catalog says about the order of its resources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.content import Relationship


class Edge(NamedTuple):
    """A relationship of two resources, by their references as catalogs write them.

    ``kind`` is ``before`` or ``notify`` where ``source`` comes before ``target``, whatever stated
    it (``require`` and ``subscribe`` too), ``implied`` where it does because a type says so, or
    ``contains`` where ``target`` is in ``source``.
    """

    source: str
    target: str
    kind: Literal["before", "notify", "contains", "implied"]


def edges_of(relationships: Iterable[Relationship]) -> list[Edge]:
    """Return the relationships of the content of a catalog, sorted."""
    found = (Edge(each.source, each.target, each.kind) for each in relationships)
    return sorted(found)
