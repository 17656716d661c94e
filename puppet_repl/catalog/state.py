"""The tables of a catalog, copied before an input changes them first.

A snapshot is the tables as they are: whoever changes them next works on a copy (``own``). What a
resource or a collector of an earlier input was is written to a journal before it changes
(``touch``), and put back from there. So a snapshot costs nothing, an input that leaves the catalog
alone costs nothing, and one that changes it costs one shallow copy of the tables.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.relationships import Relationship
    from puppet_repl.catalog.resource import Key, Parameter, Resource
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.runtime.scope import Scope

    Defaults: TypeAlias = dict[str, dict[str, Parameter]]


class Tables:
    """What a catalog knows.

    ``resources`` finds a resource by (type, title) and by its aliases, ``members`` are all of them
    in the order they were added. ``edges`` are pairs of container and member. ``overrides`` wait
    for their resource, ``relationships`` and ``collectors`` for the end of the input.
    ``free_definers`` may override attributes of resources that others declared.
    """

    __slots__ = (
        "class_scopes",
        "classes",
        "collectors",
        "defaults",
        "defines",
        "definitions",
        "edges",
        "free_definers",
        "has_contained_classes",
        "members",
        "nodes",
        "overrides",
        "relationships",
        "resources",
        "tags",
    )

    def __init__(self) -> None:
        self.resources: dict[Key, Resource] = {}
        self.members: dict[Resource, None] = {}
        self.edges: dict[tuple[Resource, Resource], None] = {}
        self.tags: dict[str, None] = {}
        self.classes: dict[str, None] = {}
        self.class_scopes: dict[str, Scope] = {}
        self.definitions: dict[str, Definition] = {}
        self.defines: dict[str, Definition] = {}
        self.nodes: dict[str, Definition] = {}
        self.overrides: dict[Key, tuple[Resource, ...]] = {}
        self.relationships: tuple[Relationship, ...] = ()
        self.collectors: dict[Collector, None] = {}
        self.defaults: dict[Scope, Defaults] = {}
        self.free_definers: dict[Definition, None] = {}
        self.has_contained_classes = False

    def copy(self) -> Tables:
        """A copy whose tables can be changed without changing these."""
        copied = Tables.__new__(Tables)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(copied, name, value.copy() if type(value) is dict else value)
        return copied


class State:
    """The tables that count now, with the way back to earlier ones.

    ``fresh`` are the resources that were added or changed since the last snapshot, in order;
    ``removed`` says that resources went, ``spread`` that more than the fresh ones have to be
    gone through for what containers hand down.
    """

    __slots__ = ("epoch", "fresh", "journal", "removed", "shared", "spread", "tables")

    def __init__(self) -> None:
        self.tables = Tables()
        self.journal: list[tuple[Resource | Collector, Any]] = []
        self.epoch = 1
        self.shared = False
        self.fresh: dict[Resource, None] = {}
        self.removed = False
        self.spread = False

    def snapshot(self) -> tuple[Tables, int]:
        """What ``restore`` wants to bring this state back; it may be restored more than once."""
        self._begin()
        return self.tables, len(self.journal)

    def restore(self, snapshot: tuple[Tables, int]) -> None:
        """Go back to a snapshot; those taken after it become worthless."""
        self.tables, length = snapshot
        journal = self.journal
        while len(journal) > length:
            changed, before = journal.pop()
            changed.restore(before)
        self._begin()

    def _begin(self) -> None:
        self.shared = True
        self.epoch += 1
        self.fresh = {}
        self.removed = False
        self.spread = False

    def own(self) -> Tables:
        """The tables, to be changed."""
        if self.shared:
            self.tables = self.tables.copy()
            self.shared = False
        return self.tables

    def touch(self, changed: Resource) -> None:
        """Remember what a resource is before it changes in this input."""
        if changed.epoch != self.epoch:
            self.journal.append((changed, changed.state()))
            changed.epoch = self.epoch
            self.fresh[changed] = None

    def touch_collector(self, changed: Collector) -> None:
        """Remember what a collector has found before it finds more."""
        if changed.epoch != self.epoch:
            self.journal.append((changed, changed.state()))
            changed.epoch = self.epoch
