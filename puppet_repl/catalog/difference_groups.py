"""The changes of many nodes, those that are the same put together."""

from __future__ import annotations

import json

from puppet_repl.catalog.difference import Difference, difference_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class ChangeGroup:
    """One change, as a difference of nothing else, and the names of the nodes that have it."""

    __slots__ = ("change", "nodes")

    def __init__(self, change: Difference) -> None:
        self.change = change
        self.nodes: list[str] = []


def grouped(differences: Iterable[tuple[str, Difference]]) -> list[ChangeGroup]:
    """Return the changes of the nodes of these names, those of most nodes first.

    Changes are the same where their data are: of a secret these do not tell what it was.
    """
    groups: dict[str, ChangeGroup] = {}
    for node, difference in differences:
        for change in _changes(difference):
            key = json.dumps(difference_data(change), sort_keys=True)
            if key not in groups:
                groups[key] = ChangeGroup(change)
            groups[key].nodes.append(node)
    return sorted(groups.values(), key=lambda group: -len(group.nodes))


def _changes(difference: Difference) -> Iterator[Difference]:
    """Yield each change of a difference as one of its own: a resource, or a relationship."""

    def empty() -> Difference:
        return Difference(difference.from_name, difference.to_name)

    for resource in difference.removed:
        made = empty()
        made.removed.append(resource)
        yield made
    for resource in difference.added:
        made = empty()
        made.added.append(resource)
        yield made
    for change in difference.changed:
        made = empty()
        made.changed.append(change)
        yield made
    for sign, relationship in difference.relationships():
        made = empty()
        is_added = sign == "+"
        (made.relationships_added if is_added else made.relationships_removed).append(relationship)
        yield made
