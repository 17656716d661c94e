"""The queries of collectors as predicates, and which resources a collector has yet to ask about.

Compiled code makes tuples of queries.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice

from puppet_repl.catalog import issues
from puppet_repl.catalog.references import reference_text
from puppet_repl.language.runtime.declarations import UnsupportedOperand
from puppet_repl.language.values.compare import equals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Set
    from typing import TypeAlias

    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.language.values.protocols import Value

    Query: TypeAlias = Callable[[Resource], bool]


def make_query(query: Value) -> Query | None:
    """Return the predicate of a query; None matches everything.

    A query is ``(operator, name, value)``, or ``("or", query, query, ...)``, with ``and`` likewise.
    """
    if query is None:
        return None
    if type(query) is UnsupportedOperand:
        raise issues.untransformable(query.kind)
    if type(query) is not tuple or len(query) < 3:
        return lambda resource: False
    operator = query[0]
    if operator == "and" or operator == "or":
        parts = [part for part in map(make_query, query[1:]) if part is not None]
        if len(parts) < 2:
            return parts[0] if parts else None
        return _all(parts) if operator == "and" else _any(parts)
    if operator not in ("==", "!=") or len(query) != 3:
        return lambda resource: False
    return _comparison(operator, query[1], query[2])


def attributes_of(query: Value) -> frozenset[str]:
    """Return the names of the attributes that the answer of a query depends on."""
    if type(query) is not tuple or len(query) < 3:
        return frozenset()
    if query[0] == "and" or query[0] == "or":
        return frozenset().union(*map(attributes_of, query[1:]))
    return frozenset((reference_text(query[1]),))


def _all(parts: list[Query]) -> Query:
    return lambda resource: all(part(resource) for part in parts)


def _any(parts: list[Query]) -> Query:
    return lambda resource: any(part(resource) for part in parts)


def _comparison(operator: str, name: Value, wanted: Value) -> Query:
    for operand in (name, wanted):
        if type(operand) is UnsupportedOperand:
            raise issues.untransformable(operand.kind)
    key = reference_text(name)
    if operator == "!=":
        return lambda resource: not equals(resource.value(key), wanted)
    if key == "tag":
        return _has_tag(wanted)

    def matches(resource: Resource) -> bool:
        value = resource.value(key)
        if type(value) is tuple:
            return any(equals(item, wanted) for item in value)
        return equals(value, wanted)

    return matches


def _has_tag(wanted: Value) -> Query:
    tags = []
    for tag in wanted if type(wanted) is tuple else (wanted,):
        if type(tag) is int or type(tag) is float:
            raise issues.number_as_tag()
        tags.append(reference_text(tag).lower())

    parts = [_has_one_tag(tag) for tag in tags]
    return parts[0] if len(parts) == 1 else _any(parts)


def _has_one_tag(tag: str) -> Query:
    def matches(resource: Resource) -> bool:
        inside = resource
        while not inside.has_tag(tag):
            container: Resource | None = inside.scope.resource
            if container is None or container is inside:
                return False
            inside = container
        return True

    return matches


def _tag_of(query: Value) -> str | None:
    """Return a tag that everything has that matches a query, if it asks for one."""
    if type(query) is not tuple or len(query) < 3:
        return None
    if query[0] == "and":
        return next((tag for tag in map(_tag_of, query[1:]) if tag is not None), None)
    is_one = query[0] == "==" and len(query) == 3 and type(query[2]) is str
    return query[2].lower() if is_one and reference_text(query[1]) == "tag" else None


class _TagIndex:
    """The positions of resources by some tags of them or of their containers.

    It holds until a tag is set on a resource that is there: ``changes`` is their number.
    """

    __slots__ = ("_count", "_of_containers", "changes", "positions")

    def __init__(self, tags: Iterable[str], changes: int) -> None:
        self.positions: dict[str, list[int]] = {tag: [] for tag in tags}
        self.changes = changes
        self._count = 0
        self._of_containers: dict[Resource, Set[str]] = {}

    def add_new(self, resources: list[Resource]) -> None:
        """Add the resources that are new at the end of a list."""
        positions = self.positions
        for position in range(self._count, len(resources)):
            for tag in self._tags_of(resources[position]):
                positions[tag].append(position)
        self._count = len(resources)

    def _tags_of(self, resource: Resource) -> Set[str]:
        """Return which of the tags a resource has, or a container around it, however far."""
        wanted, known = self.positions.keys(), self._of_containers
        outside = []
        inside = resource
        outer: Set[str] = frozenset()
        while True:
            container: Resource | None = inside.scope.resource
            if container is None or container is inside:
                break
            if container in known:
                outer = known[container]
                break
            outside.append(container)
            inside = container
        for container in reversed(outside):
            outer = known[container] = outer | (wanted & container.tags.keys())
        return outer | (wanted & resource.tags.keys())


class Looked:
    """The resources that each collector has examined, while no resource is removed.

    In later rounds a collector examines new resources only, unless an attribute in its query has
    been set on an older resource: otherwise its matches are the same. If its query asks for a tag,
    it examines only those with that tag.
    """

    __slots__ = ("_by_tag", "_by_type", "_count", "_counts")

    def __init__(self) -> None:
        self._count = 0
        self._by_type: dict[str, list[Resource]] = {}
        self._by_tag: dict[str, _TagIndex] = {}
        self._counts: dict[Collector, tuple[int, int]] = {}

    def new_to(self, collector: Collector, wanted: str, state: State) -> list[Resource]:
        """Return the resources of a type that the collector has to look at."""
        self._add_new(state.tables.members)
        known = self._by_type.get(wanted, [])
        get_count = state.changes.get
        changes = sum([get_count(name, 0) for name in attributes_of(collector.filter)])
        start, earlier_changes = self._counts.get(collector, (0, 0))
        self._counts[collector] = len(known), changes
        start = start if changes == earlier_changes else 0
        if start == len(known):
            return []
        tag = _tag_of(collector.filter)
        if tag is None:
            return known[start:]
        positions = self._positions(tag, wanted, known, state)
        return [known[each] for each in positions[bisect_left(positions, start) :]]

    def _positions(self, tag: str, wanted: str, known: list[Resource], state: State) -> list[int]:
        """Return the positions of the resources of a type that have a tag."""
        index = self._by_tag.get(wanted)
        changes = state.changes.get("tag", 0)
        if index is None or index.changes != changes or tag not in index.positions:
            filters = [one.filter for one in state.tables.collectors if one.type == wanted]
            tags = {tag, *[each for each in map(_tag_of, filters) if each is not None]}
            index = self._by_tag[wanted] = _TagIndex(tags, changes)
        index.add_new(known)
        return index.positions[tag]

    def _add_new(self, members: dict[Resource, None]) -> None:
        if len(members) == self._count:
            return
        by_type = self._by_type
        for resource in islice(members, self._count, None):
            known = by_type.get(resource.type)
            if known is None:
                known = by_type[resource.type] = []
            known.append(resource)
        self._count = len(members)
