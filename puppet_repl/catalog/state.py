"""The tables of a catalog, copied before an input changes them first.

A snapshot is the tables as they are: whoever changes them next works on a copy (``writable``).
What a resource or a collector of an earlier input was is written to a journal before it changes
(``touch``), and put back from there. So a snapshot costs nothing, an input that leaves the catalog
alone costs nothing, and one that changes it costs one shallow copy of the tables.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol, TypeAlias

    from puppet_repl.catalog.kept import Identity, Statement
    from puppet_repl.catalog.pending import Collector, Override, Relationship
    from puppet_repl.catalog.resource import Key, Parameter, Resource
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope

    DefaultsByType: TypeAlias = dict[str, dict[str, Parameter]]
    Snapshot: TypeAlias = "tuple[Tables, int, int]"
    Held: TypeAlias = "tuple[Tables, bool, dict[Resource, None], bool, bool, int]"

    class Changing(Protocol):
        """What the journal holds: a resource or a collector."""

        def state(self) -> Any:
            """Return a copy of everything that can change."""

        def restore(self, state: Any) -> None:
            """Put back what ``state`` returned."""

    Changes: TypeAlias = "list[tuple[Changing, Any]]"
    Savepoint: TypeAlias = "tuple[Snapshot, Changes, Changes]"


# Stage[main], Class[Settings] and Class[main] are always there.
INITIAL = 3


class Tables:
    """What a catalog knows.

    ``resources`` finds a resource by (type, title) and by its aliases, ``members`` are all of them
    in the order they were added. ``edges`` are pairs of container and class, with the resource that
    was the newest one; what a body holds needs no entry (see ``containment``). ``overrides`` wait
    for their resource, ``relationships`` and ``collectors`` for the end of the input.
    ``free_definers`` may override attributes of resources that others declared. ``kept`` is what
    inputs have said about resources, and ``uses`` which classes the body of a class has included.
    ``own_kept`` are the keys of ``kept`` whose statements no other tables share.
    ``gone`` are the resources that were removed since the relationships were last evaluated.
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
        "gone",
        "has_contained_classes",
        "kept",
        "members",
        "nodes",
        "overrides",
        "own_kept",
        "relationships",
        "resources",
        "tags",
        "uses",
    )

    def __init__(self) -> None:
        self.resources: dict[Key, Resource] = {}
        self.members: dict[Resource, None] = {}
        self.edges: dict[tuple[Resource, Resource], Resource] = {}
        self.tags: dict[str, None] = {}
        self.classes: dict[str, None] = {}
        self.class_scopes: dict[str, Scope] = {}
        self.definitions: dict[str, Definition] = {}
        self.defines: dict[str, Definition] = {}
        self.nodes: dict[str, Definition] = {}
        self.overrides: dict[Key, tuple[Override, ...]] = {}
        self.relationships: tuple[Relationship, ...] = ()
        self.collectors: dict[Collector, None] = {}
        self.defaults: dict[Scope, DefaultsByType] = {}
        self.free_definers: dict[Definition, None] = {}
        self.gone: dict[Resource, None] = {}
        self.has_contained_classes = False
        self.kept: dict[Key, dict[Identity, Statement]] = {}
        self.own_kept: set[Key] = set()
        self.uses: dict[Resource, tuple[str, ...]] = {}

    def contain(self, container: Resource, member: Resource) -> None:
        """Note that a stage, class or define instance contains a class."""
        self.edges.setdefault((container, member), next(reversed(self.members)))

    def containment(self) -> Iterator[tuple[Resource, Resource]]:
        """Yield pairs of container and member, in the order in which they came about."""
        members = self.members
        noted: dict[Resource, list[tuple[Resource, Resource]]] = {}
        for edge, newest in self.edges.items():
            # One that was removed since leaves the place of the class itself.
            noted.setdefault(newest if newest in members else edge[1], []).append(edge)
        for member in members:
            container = member.body
            if container is not None:
                yield container, member
            if member in noted:
                yield from noted[member]

    def copy(self) -> Tables:
        """Return a copy whose tables can be changed without changing these."""
        copied = Tables.__new__(Tables)
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(copied, name, value.copy() if type(value) is dict else value)
        copied.own_kept = set()
        return copied


class State:
    """The current tables, with the way back to earlier ones.

    ``input`` is the number of the input that runs, ``epoch`` that of the last snapshot. ``fresh``
    are the resources that were added or changed since the last snapshot, in order. ``changes``
    counts how often an attribute was set on a resource that was there. ``removed``
    says that resources were removed. ``spread`` says that tags and metaparameters have to be
    propagated to all resources, not only to the fresh ones.
    """

    __slots__ = (
        "changes",
        "epoch",
        "fresh",
        "input",
        "journal",
        "removed",
        "shared",
        "spread",
        "tables",
    )

    def __init__(self) -> None:
        self.tables = Tables()
        self.journal: Changes = []
        self.input = 1
        self.epoch = 1
        self.shared = False
        self.fresh: dict[Resource, None] = {}
        self.changes: dict[str, int] = {}
        self.removed = False
        self.spread = False

    def snapshot(self) -> Snapshot:
        """Return what ``restore`` needs to bring this state back, once or more often."""
        self._begin()
        return self.tables, len(self.journal), self.input

    def has_changed(self, snapshot: Snapshot) -> bool:
        """Tell whether anything has changed since a snapshot."""
        return self.tables is not snapshot[0] or len(self.journal) != snapshot[1]

    @property
    def is_initial(self) -> bool:
        """Whether nothing but what is always there is in the tables."""
        tables = self.tables
        return not (
            len(tables.members) > INITIAL
            or tables.definitions
            or tables.defines
            or tables.nodes
            or tables.defaults
            or tables.overrides
            or tables.collectors
            or tables.relationships
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Roll back to a snapshot; those taken after it become worthless."""
        self.tables, length, self.input = snapshot
        self._undo_to(length)
        self._begin()

    def hold(self) -> Held:
        """Return what ``go_on`` needs to bring back this state of an input that is under way."""
        held = self.tables, self.shared, self.fresh, self.removed, self.spread, len(self.journal)
        # What changes from here on changes copies, and is in the journal.
        self.shared = True
        self.epoch += 1
        self.fresh = dict(self.fresh)
        return held

    def go_on(self, held: Held) -> None:
        """Undo what has changed since ``hold``; the snapshots from before stay valid."""
        self._undo_to(held[-1])
        # The input works on with the tables that it had, if it owned them. The epoch is a new one:
        # what it changes again is noted once more in the journal, which does no harm.
        self.tables, self.shared, self.fresh, self.removed, self.spread, _ = held
        self.epoch += 1

    def savepoint(self, earlier: Snapshot) -> Savepoint:
        """Return what ``reach_again`` needs after this state was rolled back to an earlier one."""
        journal = self.journal[earlier[1] :]
        return earlier, journal, [(changed, changed.state()) for changed, _ in journal]

    def reach_again(self, savepoint: Savepoint) -> None:
        """Make the snapshots valid again that were taken up to a savepoint."""
        earlier, journal, changes = savepoint
        self.restore(earlier)
        for changed, state in changes:
            changed.restore(state)
        self.journal.extend(journal)

    def _undo_to(self, length: int) -> None:
        """Take back the newest entries of the journal until it has a length."""
        journal = self.journal
        while len(journal) > length:
            changed, state = journal[-1]
            changed.restore(state)
            journal.pop()  # afterwards: an interrupt in between does no harm

    def _begin(self) -> None:
        self.shared = True
        self.epoch += 1
        self.fresh = {}
        self.removed = False
        self.spread = False

    def writable(self) -> Tables:
        """Return the tables for a change: a copy of them where a snapshot shares them."""
        if self.shared:
            self.tables = self.tables.copy()
            self.shared = False
        return self.tables

    def touch(self, resource: Resource) -> None:
        """Remember what a resource is before it changes in this input."""
        if resource.epoch != self.epoch:
            self.journal.append((resource, resource.state()))
            resource.epoch = self.epoch
            self.fresh[resource] = None

    def count_change(self, attribute: str) -> None:
        """Note that a resource that collectors may have looked at has got an attribute."""
        self.changes[attribute] = self.changes.get(attribute, 0) + 1

    def touch_collector(self, collector: Collector) -> None:
        """Remember what a collector has found before it finds more."""
        if collector.epoch != self.epoch:
            self.journal.append((collector, collector.state()))
            collector.epoch = self.epoch
