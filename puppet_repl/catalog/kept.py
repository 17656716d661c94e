"""What inputs have said about resources that others declare: it outlives a declaration.

Relationships, overrides and realize() are applied to a resource when they are evaluated. An input
that declares the resource again makes a new one, so that they are noted here, to be applied to it
too. What the input said that declared the resource before is taken for a part of what is run again,
and forgotten.
"""

from __future__ import annotations

from puppet_repl.catalog import tags
from puppet_repl.catalog.resource import Parameter
from puppet_repl.language.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    from puppet_repl.catalog.pending import Collector, Override, Relationship
    from puppet_repl.catalog.resource import Key, Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context

    Change: TypeAlias = Callable[[Resource], object]
    Identity: TypeAlias = tuple[Any, ...]


class Statement:
    """One statement about resources: ``apply`` does what it says, ``revert`` takes that back.

    Those with equal identity say the same of a resource. ``input`` is the number of the input,
    ``definer`` the class, define or node whose body it is from.
    """

    __slots__ = ("definer", "input")

    def __init__(self, said: Relationship | Override | Collector) -> None:
        self.input = said.input
        self.definer = said.definer

    def apply(self, identity: Identity, resource: Resource) -> None:
        """Say it of a resource."""
        raise NotImplementedError

    def revert(self, identity: Identity, resource: Resource) -> None:
        """Take back what it says of a resource."""
        raise NotImplementedError


class _Related(Statement):
    """A relationship; the metaparameter and a target are its identity."""

    __slots__ = ()

    def apply(self, identity: Identity, resource: Resource) -> None:
        """Add the target."""
        name, target = identity
        values = _targets(resource, name)
        if target not in values:
            resource.parameters[name] = Parameter(name, (*values, target), resource.definer)

    def revert(self, identity: Identity, resource: Resource) -> None:
        """Take the target away."""
        name, target = identity
        left = tuple([one for one in _targets(resource, name) if one != target])
        if left:
            resource.parameters[name] = Parameter(name, left, resource.definer)
        else:
            resource.parameters.pop(name, None)


def _targets(resource: Resource, name: str) -> tuple[object, ...]:
    old = resource.parameters.get(name)
    if old is None or old.value is None:
        return ()
    return flatten(old.value if type(old.value) is tuple else (old.value,))


class _Changed(Statement):
    """A statement that is two functions."""

    __slots__ = ("_apply", "_revert")

    def __init__(
        self, said: Relationship | Override | Collector, apply: Change, revert: Change
    ) -> None:
        super().__init__(said)
        self._apply = apply
        self._revert = revert

    def apply(self, identity: Identity, resource: Resource) -> None:
        """Say it of a resource."""
        self._apply(resource)

    def revert(self, identity: Identity, resource: Resource) -> None:
        """Take back what it says of a resource."""
        self._revert(resource)


class KeptStatements:
    """The statements of earlier inputs, by the resource that they are about."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state
        # The relationship that was noted last, which has as many pairs as its collectors found.
        self._related: tuple[Relationship, _Related] | None = None

    # Noting

    def add_relationship(self, resource: Resource, target: str, relationship: Relationship) -> bool:
        """Note a relationship to a target; tell whether an earlier input has noted the same one."""
        if self.context.options.bind_once:
            return False
        last = self._related
        if last is None or last[0] is not relationship:
            last = self._related = relationship, _Related(relationship)
        return self._add(resource, (relationship.metaparameter, target), last[1])

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
        self._add(resource, identity, _Changed(override, override_again, put_back))

    def add_realization(self, resource: Resource, collector: Collector) -> None:
        """Note that a virtual resource was realized by name."""

        def realize(other: Resource) -> None:
            other.virtual = False

        def put_back(other: Resource) -> None:
            other.virtual = True

        self._add(resource, ("realize",), _Changed(collector, realize, put_back))

    def _add(self, resource: Resource, identity: Identity, statement: Statement) -> bool:
        if self.context.options.bind_once:
            return False
        key: Key = (resource.type, resource.title)
        statements = self._writable(key)
        # What is said again is said last, after what has overridden it.
        earlier = statements.pop(identity, None)
        statements[identity] = statement
        return earlier is not None and earlier.input < self.state.input

    def _writable(self, key: Key) -> dict[Identity, Statement]:
        """Return the statements about a resource for a change: a copy where others share them."""
        tables = self.state.writable()
        if key not in tables.own_kept:
            tables.own_kept.add(key)
            tables.kept[key] = dict(tables.kept.get(key, {}))
        return tables.kept[key]

    # Declaring again

    def apply(self, resource: Resource) -> None:
        """Apply what earlier inputs have said about a resource to a new one in its place."""
        all_kept = self.state.tables.kept
        if not all_kept:
            return
        for identity, one in all_kept.get((resource.type, resource.title), {}).items():
            if one.input < self.state.input:
                one.apply(identity, resource)

    def drop(self, resource: Resource) -> None:
        """Forget what goes with a resource that is replaced.

        That is what the input said about it that declared it, and what the body of a class said
        about others.
        """
        kept = self.state.writable().kept
        key: Key = (resource.type, resource.title)
        if key in kept:
            own = [each for each, one in kept[key].items() if one.input == resource.input]
            self._remove(key, own)
        if resource.is_class and resource.instance_of is not None:
            for other, statements in kept.items():
                definer = resource.instance_of
                said = {each: one for each, one in statements.items() if one.definer is definer}
                if said:
                    self._take_back(other, said)

    def _remove(self, key: Key, identities: Iterable[Identity]) -> None:
        statements = self._writable(key)
        for identity in identities:
            del statements[identity]

    def _take_back(self, key: Key, said: dict[Identity, Statement]) -> None:
        self._remove(key, said)
        resource = self.state.tables.resources.get(key)
        if resource is None:
            return
        self.state.touch(resource)
        resource.checked = False
        for identity, one in reversed(said.items()):
            one.revert(identity, resource)
