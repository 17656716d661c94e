"""The tables of a catalog, and the way back to earlier tables.

``State.mark`` freezes the tables: the next change is made to a copy of them (``writable``). Before
a resource or a collector changes, a ``Step`` keeps a copy of it (``touch``). So a mark costs next
to nothing, and an input that changes the catalog costs one shallow copy of the tables.

Steps form a tree, and every mark is at one of them. ``State.return_to`` walks from the current step
to the step of the mark: it undoes steps up to the common ancestor, and from there repeats the steps
to the mark. So it can return to any mark, earlier or later, as often as needed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol, TypeAlias

    from puppet_repl.base.stamp import NotedFiles
    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.overrides import Override
    from puppet_repl.catalog.redeclaration import Identity, Statement
    from puppet_repl.catalog.relationships import Relationship
    from puppet_repl.catalog.resource import Key, Parameter, Resource
    from puppet_repl.catalog.used_files import InputFiles
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope

    DefaultsByType: TypeAlias = dict[str, dict[str, Parameter]]
    ChangeDefaults: TypeAlias = Callable[[str, dict[str, Parameter]], dict[str, Parameter]]
    Version: TypeAlias = "tuple[Tables, Step]"
    Mark: TypeAlias = "tuple[Version, int, dict[Resource, None], bool, bool, bool]"

    class Changing(Protocol):
        """A resource or a collector."""

        def mark(self) -> Any:
            """Return a copy of everything that can change."""

        def return_to(self, mark: Any) -> None:
            """Return to a mark, earlier or later."""


# Stage[main], Class[Settings] and Class[main] are always there.
INITIAL = 3


class Tables:
    """What a catalog knows.

    ``resources`` finds a resource by (type, title) and by its aliases, ``members`` are all of them
    in the order they were added. ``edges`` are pairs of container and class, with the resource that
    was the newest one; what a body holds needs no entry (see ``containment``). ``overrides`` wait
    for their resource, ``relationships`` and ``collectors`` for the end of the input.
    ``free_definers`` may override attributes of resources that others declared. ``kept`` is what
    inputs have said about resources, ``uses`` which classes the body of a class or define has
    included, and ``used_files`` the files that it has used.
    ``changed_defaults`` are what Ruby code does to the defaults of scopes.
    ``own_kept`` are the keys of ``kept`` whose statements no other tables share.
    ``gone`` are the resources that were removed since the relationships were last evaluated.
    """

    __slots__ = (
        "changed_defaults",
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
        "used_files",
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
        self.changed_defaults: dict[Scope, ChangeDefaults] = {}
        self.free_definers: dict[Definition, None] = {}
        self.gone: dict[Resource, None] = {}
        self.has_contained_classes = False
        self.kept: dict[Key, dict[Identity, Statement]] = {}
        self.own_kept: set[Key] = set()
        self.uses: dict[Resource, tuple[str, ...]] = {}
        self.used_files: dict[Resource, tuple[NotedFiles, InputFiles]] = {}

    def contain(self, container: Resource, member: Resource) -> None:
        """Note that a stage, class or define instance contains a class."""
        self.edges.setdefault((container, member), next(reversed(self.members)))

    def containment(self) -> Iterator[tuple[Resource, Resource]]:
        """Yield pairs of container and member, in the order in which they came about."""
        members = self.members
        noted: dict[Resource, list[tuple[Resource, Resource]]] = {}
        for edge, newest in self.edges.items():
            # If that resource was removed since, the edge takes the place of the class.
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


class Step:
    """A change of one resource or collector, with marks of this from before and after it.

    The second one is set when the step is undone for the first time. ``parent`` is the step before.
    """

    __slots__ = ("_after", "_before", "_changed", "depth", "parent")

    def __init__(self, parent: Step | None, changed: Changing | None) -> None:
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._changed = changed
        self._before = None if changed is None else changed.mark()
        self._after: Any = None

    def undo(self) -> Step:
        """Undo the change; return the step before."""
        assert self.parent is not None
        assert self._changed is not None
        if self._after is None:  # an interrupted call may already have changed something
            self._after = self._changed.mark()
        self._changed.return_to(self._before)
        return self.parent

    def repeat(self) -> None:
        """Make the change again if it was undone, even in part."""
        if self._after is not None:
            assert self._changed is not None
            self._changed.return_to(self._after)


class State:
    """The current tables, with the way to earlier and later tables.

    ``input`` is the number of the input that runs. ``fresh`` are the resources that this input has
    added or changed, in order; ``removed`` says that it has removed resources, ``written`` that it
    has changed the tables; ``replaced`` are pairs of a removed resource and the one in its place.
    ``spread`` says that tags and metaparameters have to be propagated to all resources, not only to
    the fresh ones. ``changes`` counts how often an attribute was set on an existing resource.
    ``epoch`` is the number of the last mark.
    """

    __slots__ = (
        "_is_shared",
        "_step",
        "changes",
        "epoch",
        "fresh",
        "input",
        "removed",
        "replaced",
        "spread",
        "tables",
        "written",
    )

    def __init__(self) -> None:
        self.tables = Tables()
        self._step = Step(None, None)
        self._is_shared = False
        self.input = 1
        self.epoch = 1
        self.fresh: dict[Resource, None] = {}
        self.replaced: list[tuple[Resource, Resource]] = []
        self.changes: dict[str, int] = {}
        self.removed = False
        self.spread = False
        self.written = False

    def begin_input(self) -> None:
        """Start an input, which has changed nothing so far."""
        self.input += 1
        self.fresh = {}
        self.replaced = []
        self.removed = self.spread = self.written = False

    @property
    def version(self) -> Version:
        """The tables and the step; two versions are equal if nothing has changed between them."""
        return self.tables, self._step

    @property
    def is_initial(self) -> bool:
        """Whether the tables have only the initial resources."""
        tables = self.tables
        return not (
            len(tables.members) > INITIAL
            or tables.definitions
            or tables.defines
            or tables.nodes
            or tables.defaults
            or tables.changed_defaults
            or tables.overrides
            or tables.collectors
            or tables.relationships
        )

    def mark(self) -> Mark:
        """Return this state, for ``return_to``."""
        mark = self.version, self.input, self.fresh, self.removed, self.spread, self.written
        self._protect()
        return mark

    def return_to(self, mark: Mark) -> None:
        """Return to a mark, earlier or later; call it again after an interrupt."""
        (self.tables, step), self.input, self.fresh, self.removed, self.spread, self.written = mark
        self._protect()
        self._walk_to(step)

    def _protect(self) -> None:
        """Let further changes leave alone what belongs to a mark."""
        self._is_shared = True
        self.epoch += 1
        self.fresh = dict(self.fresh)

    def _walk_to(self, step: Step) -> None:
        # At any time only the change of the current step may be made in part, by a call that was
        # interrupted: so a step is left after it is undone, and entered before it is repeated.
        ahead = []
        while step is not self._step:
            if step.depth > self._step.depth:
                assert step.parent is not None
                ahead.append(step)
                step = step.parent
            else:
                self._step = self._step.undo()
        step.repeat()
        for each in reversed(ahead):
            self._step = each
            each.repeat()

    def writable(self) -> Tables:
        """Return the tables for a change: a copy of them where a mark has them."""
        if self._is_shared:
            self.tables = self.tables.copy()
            self._is_shared = False
        self.written = True
        return self.tables

    def touch(self, resource: Resource) -> None:
        """Keep a copy of a resource before its first change since the last mark."""
        if resource.epoch != self.epoch:
            self._step = Step(self._step, resource)
            resource.epoch = self.epoch
            self.fresh[resource] = None

    def keep(self, part: Changing) -> None:
        """Keep a copy of anything else that is about to change."""
        self._step = Step(self._step, part)

    def count_change(self, attribute: str) -> None:
        """Note that a resource that collectors may have looked at has got an attribute."""
        self.changes[attribute] = self.changes.get(attribute, 0) + 1

    def touch_collector(self, collector: Collector) -> None:
        """Keep a copy of a collector before it finds more."""
        if collector.epoch != self.epoch:
            self._step = Step(self._step, collector)
            collector.epoch = self.epoch
