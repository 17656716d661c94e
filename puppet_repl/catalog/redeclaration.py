"""Statements to repeat when a later input declares their resource again.

Relationships, overrides and realize() change a resource when they are evaluated. An input that
declares the resource again makes a new one, to which the statements of other inputs apply, too. The
statements of the input that declared the old one do not: they are expected to be run again with it.
"""

from __future__ import annotations

from puppet_repl.catalog import tags
from puppet_repl.catalog.references import quoted_reference
from puppet_repl.catalog.resource import Parameter, related
from puppet_repl.language.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.overrides import Override
    from puppet_repl.catalog.relationships import Relationship
    from puppet_repl.catalog.resource import Key, Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context

    Change: TypeAlias = Callable[[Resource], object]
    Identity: TypeAlias = tuple[Any, ...]


class Statement:
    """One statement about a resource: ``apply`` changes the resource, ``revert`` undoes that.

    Statements about a resource that have equal identities do the same. ``input`` is the number of
    the input, ``definer`` the class, define or node with the statement in its body.
    """

    __slots__ = ("definer", "input")

    def __init__(self, evaluated: Relationship | Override | Collector) -> None:
        self.input = evaluated.input
        self.definer = evaluated.definer

    def apply(self, identity: Identity, resource: Resource) -> None:
        """Apply the statement to a resource."""
        raise NotImplementedError

    def revert(self, identity: Identity, resource: Resource) -> None:
        """Undo ``apply``."""
        raise NotImplementedError


class _Related(Statement):
    """A relationship; the metaparameter and a target are its identity."""

    __slots__ = ()

    def apply(self, identity: Identity, resource: Resource) -> None:
        """Add the target."""
        name, target = identity
        values = _targets(resource, name)
        if target not in values:
            resource.parameters[name] = _related(resource, name, (*values, target))

    def revert(self, identity: Identity, resource: Resource) -> None:
        """Remove the target."""
        name, target = identity
        left = tuple([one for one in _targets(resource, name) if one != target])
        if left:
            resource.parameters[name] = _related(resource, name, left)
        else:
            resource.parameters.pop(name, None)


def _related(resource: Resource, name: str, targets: tuple[object, ...]) -> Parameter:
    """Return the metaparameter of a resource, with other targets."""
    return related(resource.parameters.get(name), name, targets, resource.definer)


def _targets(resource: Resource, name: str) -> tuple[object, ...]:
    old = resource.parameters.get(name)
    if old is None or old.value is None:
        return ()
    return flatten(old.value if type(old.value) is tuple else (old.value,))


class _Changed(Statement):
    """A statement that is two functions."""

    __slots__ = ("_apply", "_revert")

    def __init__(
        self, evaluated: Relationship | Override | Collector, apply: Change, revert: Change
    ) -> None:
        super().__init__(evaluated)
        self._apply = apply
        self._revert = revert

    def apply(self, identity: Identity, resource: Resource) -> None:
        """Apply the statement to a resource."""
        self._apply(resource)

    def revert(self, identity: Identity, resource: Resource) -> None:
        """Undo ``apply``."""
        self._revert(resource)


class KeptStatements:
    """The statements of all inputs, by the resource that they are about."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state
        # The relationship that was added last, which has as many pairs as its collectors found.
        self._related: tuple[Relationship, _Related] | None = None

    # Adding

    def add_relationship(self, resource: Resource, target: str, relationship: Relationship) -> bool:
        """Add a relationship to a target; tell whether an earlier input has added the same one."""
        if self.context.options.bind_once:
            return False
        last = self._related
        if last is None or last[0] is not relationship:
            last = self._related = relationship, _Related(relationship)
        return self._add(resource, (relationship.metaparameter, target), last[1])

    def add_override(
        self, resource: Resource, override: Override, before: dict[str, Parameter]
    ) -> None:
        """Add a statement that has overridden attributes; ``before`` are all attributes before."""
        overridden = {name: resource.parameters[name] for name in override.parameters}

        def override_again(other: Resource) -> None:
            for name, new in override.parameters.items():
                old = other.parameters.get(name)
                if new.append and old is not None:
                    new = new.extending(old, flatten((old.value, new.value)))
                if name == "tag":
                    tags.tag_resource(other, new.value)
                other.parameters[name] = new

        def revert(other: Resource) -> None:
            for name, new in overridden.items():
                if other.parameters.get(name) is new:
                    del other.parameters[name]
                    if name in before:
                        other.parameters[name] = before[name]

        identity = (override.definer, *sorted(override.parameters))
        self._add(resource, identity, _Changed(override, override_again, revert))

    def add_realization(self, resource: Resource, collector: Collector) -> None:
        """Add the realization of a virtual resource by name."""

        def realize(other: Resource) -> None:
            other.virtual = False

        def revert(other: Resource) -> None:
            other.virtual = True

        self._add(resource, ("realize",), _Changed(collector, realize, revert))

    def _add(self, resource: Resource, identity: Identity, statement: Statement) -> bool:
        if self.context.options.bind_once:
            return False
        key: Key = (resource.type, resource.title)
        statements = self._writable(key)
        # A repeated statement is applied last, after those that have overridden it.
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
        """Apply the statements of earlier inputs to a resource that has replaced another one."""
        all_kept = self.state.tables.kept
        if not all_kept:
            return
        for identity, one in all_kept.get((resource.type, resource.title), {}).items():
            if one.input < self.state.input:
                one.apply(identity, resource)

    def drop(self, resource: Resource) -> None:
        """Forget the statements that go with a resource that is replaced.

        They are those about it of the input that declared it and, if it is a class, those about
        others in its body, which are reverted.
        """
        kept = self.state.writable().kept
        key: Key = (resource.type, resource.title)
        if key in kept:
            own = [each for each, one in kept[key].items() if one.input == resource.input]
            self._remove(key, own)
        if resource.is_class and resource.instance_of is not None:
            for other, statements in kept.items():
                definer = resource.instance_of
                inner = {each: one for each, one in statements.items() if one.definer is definer}
                if inner:
                    self._revert(other, inner)

    def _remove(self, key: Key, identities: Iterable[Identity]) -> None:
        statements = self._writable(key)
        for identity in identities:
            del statements[identity]

    def _revert(self, key: Key, statements: dict[Identity, Statement]) -> None:
        self._remove(key, statements)
        resource = self.state.tables.resources.get(key)
        if resource is None:
            return
        self.state.touch(resource)
        resource.checked = False
        for identity, one in reversed(statements.items()):
            one.revert(identity, resource)


def taken_over(pairs: Iterable[tuple[Resource, Resource]]) -> list[str]:
    """Return a note for each body of a class or define that has lost resources to another one.

    ``pairs`` are a lost resource and the one in its place.
    """
    lost: dict[tuple[str, str], list[Resource]] = {}
    for old, new in pairs:
        before = _owner(old.body) or "an earlier input"
        after = _owner(new.body) or "this input"
        if before != after and (old.body is not new.body):
            lost.setdefault((before, after), []).append(old)
    return [
        f"{quoted_reference(old.ref)}{_and_others(len(others))} of {before}"
        f" {'are' if others else 'is'} replaced by {'those' if others else 'that'} of {after}"
        for (before, after), (old, *others) in lost.items()
    ]


def _owner(body: Resource | None) -> str | None:
    """Return what a body is called, None for code outside of classes, defines and nodes."""
    if body is None or (body.is_class and body.title == "main"):
        return None
    return f"class {body.title.lower()}" if body.is_class else quoted_reference(body.ref)


def _and_others(count: int) -> str:
    return f" and {count} {'other' if count == 1 else 'others'}" if count else ""
