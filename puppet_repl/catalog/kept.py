"""What inputs have said about resources that others declare: it outlives a declaration.

Relationships, overrides and realize() are applied to a resource when they are evaluated. An input
that declares the resource again makes a new one, so that they are noted here, to be applied to it
too. What the input said that declared the resource before is taken for a part of what is run again,
and forgotten.
"""

from __future__ import annotations

from puppet_repl.catalog import tags
from puppet_repl.catalog.resource import Parameter
from puppet_repl.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.catalog.pending import Collector, Override, Relationship
    from puppet_repl.catalog.resource import Key, Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.runtime.context import Context

    Change: TypeAlias = Callable[[Resource], object]


class Statement:
    """One statement about a resource: ``apply`` does what it says, ``revert`` takes that back.

    Those with equal ``identity`` say the same. ``input`` is the number of the input, ``definer``
    the class, define or node whose body it is from.
    """

    __slots__ = ("definer", "identity", "input")

    def __init__(self, identity: object, said: Relationship | Override | Collector) -> None:
        self.identity = identity
        self.input = said.input
        self.definer = said.definer

    def apply(self, resource: Resource) -> None:
        """Say it of a resource."""
        raise NotImplementedError

    def revert(self, resource: Resource) -> None:
        """Take back what it says of a resource."""
        raise NotImplementedError


class _Related(Statement):
    """A relationship; its identity is the metaparameter and the target. There are many of them."""

    __slots__ = ()
    identity: tuple[str, str]

    def apply(self, resource: Resource) -> None:
        """Add the target."""
        name, target = self.identity
        values = self._targets(resource)
        if target not in values:
            resource.parameters[name] = Parameter(name, (*values, target), resource.definer)

    def revert(self, resource: Resource) -> None:
        """Take the target away."""
        name, target = self.identity
        left = tuple([one for one in self._targets(resource) if one != target])
        if left:
            resource.parameters[name] = Parameter(name, left, resource.definer)
        else:
            resource.parameters.pop(name, None)

    def _targets(self, resource: Resource) -> tuple[object, ...]:
        old = resource.parameters.get(self.identity[0])
        if old is None or old.value is None:
            return ()
        return flatten(old.value if type(old.value) is tuple else (old.value,))


class _Changed(Statement):
    """A statement that is two functions."""

    __slots__ = ("_apply", "_revert")

    def __init__(
        self,
        identity: object,
        said: Relationship | Override | Collector,
        apply: Change,
        revert: Change,
    ) -> None:
        super().__init__(identity, said)
        self._apply = apply
        self._revert = revert

    def apply(self, resource: Resource) -> None:
        """Say it of a resource."""
        self._apply(resource)

    def revert(self, resource: Resource) -> None:
        """Take back what it says of a resource."""
        self._revert(resource)


class KeptStatements:
    """The statements of earlier inputs, by the resource that they are about."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state

    # Noting

    def add_relationship(self, resource: Resource, target: str, relationship: Relationship) -> bool:
        """Note a relationship to a target; tell whether an earlier input has noted the same one."""
        if self.context.options.bind_once:
            return False
        identity = relationship.metaparameter, target
        return self._add(resource, _Related(identity, relationship))

    def add_override(
        self, resource: Resource, override: Override, before: dict[str, Parameter]
    ) -> None:
        """Note the attributes that a statement has overridden; ``before`` are those till then."""
        overridden = {name: resource.parameters[name] for name in override.parameters}

        def override_again(other: Resource) -> None:
            for name, new in override.parameters.items():
                old = other.parameters.get(name)
                if new.append and old is not None:
                    new = new.with_value(flatten((old.value, new.value)))
                if name == "tag":
                    tags.tag_resource(other, new.value)
                other.parameters[name] = new

        def put_back(other: Resource) -> None:
            for name, new in overridden.items():
                if other.parameters.get(name) is new:
                    del other.parameters[name]
                    if name in before:
                        other.parameters[name] = before[name]

        identity = (override.definer, *sorted(override.parameters))
        self._add(resource, _Changed(identity, override, override_again, put_back))

    def add_realization(self, resource: Resource, collector: Collector) -> None:
        """Note that a virtual resource was realized by name."""

        def realize(other: Resource) -> None:
            other.virtual = False

        def put_back(other: Resource) -> None:
            other.virtual = True

        self._add(resource, _Changed("realize", collector, realize, put_back))

    def _add(self, resource: Resource, statement: Statement) -> bool:
        if self.context.options.bind_once:
            return False
        key: Key = (resource.type, resource.title)
        statements = self._writable(key)
        # What is said again is said last, after what has overridden it.
        earlier = statements.pop(statement.identity, None)
        statements[statement.identity] = statement
        return earlier is not None and earlier.input < self.state.input

    def _writable(self, key: Key) -> dict[object, Statement]:
        """Return the statements about a resource for a change: a copy where others share them."""
        tables = self.state.writable()
        if key not in tables.own_kept:
            tables.own_kept.add(key)
            tables.kept[key] = dict(tables.kept.get(key, {}))
        return tables.kept[key]

    # Declaring again

    def apply(self, resource: Resource) -> None:
        """Apply what earlier inputs have said about a resource to a new one in its place."""
        for one in self.state.tables.kept.get((resource.type, resource.title), {}).values():
            if one.input < self.state.input:
                one.apply(resource)

    def drop(self, resource: Resource) -> None:
        """Forget what goes with a resource that is replaced.

        That is what the input said about it that declared it, and what the body of a class said
        about others.
        """
        kept = self.state.writable().kept
        key: Key = (resource.type, resource.title)
        if key in kept:
            self._remove(key, [one for one in kept[key].values() if one.input == resource.input])
        if resource.is_class and resource.instance_of is not None:
            for other, statements in kept.items():
                said = [one for one in statements.values() if one.definer is resource.instance_of]
                if said:
                    self._take_back(other, said)

    def _remove(self, key: Key, said: list[Statement]) -> None:
        statements = self._writable(key)
        for one in said:
            del statements[one.identity]

    def _take_back(self, key: Key, said: list[Statement]) -> None:
        self._remove(key, said)
        resource = self.state.tables.resources.get(key)
        if resource is None:
            return
        self.state.touch(resource)
        resource.checked = False
        for one in reversed(said):
            one.revert(resource)
