"""Relationships formed with ``->``, ``~>``, ``<-`` and ``<~``.

An operand is a reference, a string with one, a collector, or an array of these. A relationship is
only noted at first: its resources may be declared later, and what a collector finds is known at
the end of the input.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.wording import with_article
from puppet_repl.catalog import issues
from puppet_repl.catalog.collectors import Collector
from puppet_repl.catalog.references import (
    ResourceReference,
    check_named,
    quoted_reference,
    reference_text,
)
from puppet_repl.catalog.resource import Parameter, Resource, related
from puppet_repl.catalog.resource_types import RELATIONSHIP_SET
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.resource import CatalogEntryType, ResourceType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.labels import value_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from puppet_repl.catalog.collectors import Operand
    from puppet_repl.catalog.redeclaration import KeptStatements
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

_METAPARAMETERS = {"->": "before", "<-": "before", "~>": "notify", "<~": "notify"}
_WRITTEN = ("before", "notify")
# The metaparameters with which the target could have stated a relationship.
_PASSIVE = {"before": "require", "notify": "subscribe"}


class Relationship:
    """One source, one target, and the metaparameter.

    ``definer`` is the class, define or node whose body it is from, ``input`` the number of the
    input that stated it. ``written`` are the pairs that an earlier input has written already.
    """

    __slots__ = ("definer", "input", "metaparameter", "source", "target", "written")

    def __init__(
        self,
        source: Operand,
        target: Operand,
        metaparameter: str,
        definer: Definition,
        input: int,
        written: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self.source = source
        self.target = target
        self.metaparameter = metaparameter
        self.definer = definer
        self.input = input
        self.written = written

    def without(self, sources: Container[str]) -> Relationship:
        """Return it without the pairs that were written to resources that are gone."""
        left = [pair for pair in self.written if pair[0] not in sources]
        return self if len(left) == len(self.written) else self.having(frozenset(left))

    def having(self, written: frozenset[tuple[str, str]]) -> Relationship:
        """Return it with other pairs written."""
        return Relationship(
            self.source, self.target, self.metaparameter, self.definer, self.input, written
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that is equal for equal relationships, whoever states them."""
        return self.source, self.target, self.metaparameter, self.definer

    @property
    def has_collector(self) -> bool:
        """Whether later resources may belong to it too."""
        return type(self.source) is Collector or type(self.target) is Collector


class Declared:
    """The resources that references name, each found once while none is removed."""

    __slots__ = ("_found", "_resources")

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._found: dict[object, Resource] = {}

    def find(self, text: str) -> Resource | None:
        """Return a resource by a text like ``File[/x]``."""
        found = self._found.get(text)
        if found is None:
            found = self._resources.find_by_text(text)
            if found is not None:
                self._found[text] = found
        return found

    def know(self, resource: Resource) -> str:
        """Return the text of a resource that a collector has found, which needs no search."""
        text = f"{resource.type}[{resource.title}]"
        if resource.title and resource in self._resources.state.tables.members:
            self._found[text] = resource
        return text

    def is_found(self, value: Value) -> bool:
        """Tell whether a value is a reference that was looked for before, and found."""
        if type(value) is ResourceReference:
            return (value.type_name, value.title) in self._found
        return False

    def has(self, value: Value) -> bool:
        """Tell whether what a metaparameter refers to is declared."""
        if type(value) is str:
            return value in self._found or self.find(value) is not None
        if not isinstance(value, ResourceType):
            return self.find(reference_text(value)) is not None
        key = value.type_name, value.title
        if key in self._found:
            return True
        found = self.find(reference_text(value))
        if found is not None:
            self._found[key] = found
        return found is not None


class _Writing:
    """The attributes that are written in one evaluation of relationships.

    In Puppet the resources that inherited an attribute share one array, and appending changes all
    resources. ``shared`` has such resources by their parameter, ``grown`` the values of new
    parameters until they are complete, ``stated`` the references in parameters that were searched.
    """

    __slots__ = ("grown", "shared", "stated")

    def __init__(self, members: Iterable[Resource]) -> None:
        self.grown: dict[Parameter, list[Value]] = {}
        self.stated: dict[Parameter, set[str]] = {}
        self.shared: dict[Parameter, list[Resource]] = {}
        for resource in members:
            parameters = resource.parameters
            for name in _WRITTEN:
                if name in parameters and type(parameters[name].value) is tuple:
                    self.shared.setdefault(parameters[name], []).append(resource)

    def has_stated(self, parameter: Parameter, target: str) -> bool:
        """Tell whether a metaparameter has a reference."""
        targets = self.stated.get(parameter)
        if targets is None:
            values = flatten((tuple(self.grown.get(parameter, ())) or parameter.value,))
            targets = {reference_text(value) for value in values if value is not None}
            self.stated[parameter] = targets
        return target in targets

    def finish(self) -> None:
        """Give the new parameters their values."""
        for parameter, values in self.grown.items():
            parameter.value = tuple(values)


class Relationships:
    """The relationships of a session."""

    def __init__(
        self, context: Context, state: State, resources: Resources, kept: KeptStatements
    ) -> None:
        self.context = context
        self.state = state
        self.resources = resources
        self.kept = kept

    def relate(self, scope: Scope, operator: str, left: Value, right: Value) -> Value:
        """Note relationships between all of left and all of right; return the right operand.

        If right is empty, the left operand is returned, so that ``a -> [] -> b`` relates a to b.
        """
        left_side = self._operands(left)
        right_side = self._operands(right)
        metaparameter = _METAPARAMETERS[operator]
        sources, targets = left_side, right_side
        if operator[0] == "<":
            sources, targets = right_side, left_side
        definer = self.resources.definitions.definer_of(scope)
        noted = tuple(
            [
                Relationship(source, target, metaparameter, definer, self.state.input)
                for source in sources
                for target in targets
            ]
        )
        if noted:
            for operand in (*left_side, *right_side):
                if isinstance(operand, CatalogEntryType):
                    check_named(operand)
            tables = self.state.writable()
            tables.relationships = tables.relationships + noted
        if not right_side:
            return tuple(left_side)
        only = right_side[0]
        if len(right_side) == 1 and type(only) is Collector:
            only.alternative = tuple(left_side)
        return tuple(right_side)

    def _operands(self, value: Value) -> list[Operand]:
        operands: dict[Operand, None] = {}
        for item in flatten((value,)):
            operands[self._operand(item)] = None
        return list(operands)

    def _operand(self, value: Value) -> Operand:
        if type(value) is Collector:
            return value
        if type(value) is str:
            from puppet_repl.language.types.making.parse import parse_type

            value = parse_type(value, self.context)
        if isinstance(value, PuppetType):
            from puppet_repl.language.types.model.wrapper import WrappingType

            entry = value.type if isinstance(value, WrappingType) else value
            if not isinstance(entry, CatalogEntryType):
                raise issues.not_catalog_type(str(value))
            return entry
        raise issues.illegal_relationship_operand(with_article(value_label(value)))

    def declared(self) -> Declared:
        """Return what finds resources until one is removed."""
        return Declared(self.resources)

    def evaluate(self, declared: Declared, *, may_wait: bool) -> None:
        """Write all relationships noted into the metaparameters of their sources.

        Those with a collector stay, for what later inputs add, and those with a resource that is
        not declared if they ``may_wait`` for it: once, however often they are stated.
        """
        self._forget_gone()
        noted = self.state.tables.relationships
        if not noted:
            return
        kept: dict[object, Relationship] = {}
        writing = _Writing(self.state.tables.members)
        for relationship in noted:
            pairs = _pairs(relationship, declared)
            written = relationship.written
            waiting = []
            for pair, label in pairs.items():
                if pair in written:
                    continue
                if may_wait and self._has_to_wait(declared, *pair, relationship.metaparameter):
                    waiting.append(pair)
                else:
                    source = _check_ends(declared, *pair, label)
                    self._write(source, pair[1], relationship, writing)
            if relationship.has_collector or waiting:
                done = written.union(pairs) if written else frozenset(pairs)
                left = relationship.having(done.difference(waiting) if waiting else done)
                kept[left.identity] = left
        writing.finish()
        self.state.writable().relationships = tuple(kept.values())

    def _forget_gone(self) -> None:
        """Forget relationships of resources that are replaced, so that they can be written again.

        The relationships of a class body go with the class, except those that the body has stated
        in this input: these belong to the class in its place.
        """
        gone = self.state.tables.gone
        if not gone:
            return
        sources = {resource.ref for resource in gone}
        bodies = {resource.definition for resource in gone if resource.is_class}
        tables = self.state.writable()
        tables.gone = {}
        tables.relationships = tuple(
            [
                one.without(sources)
                for one in tables.relationships
                if one.input == self.state.input or one.definer not in bodies
            ]
        )

    def _has_to_wait(self, declared: Declared, source: str, target: str, name: str) -> bool:
        """Tell whether an end of a relationship is missing, and warn once of each missing end."""
        has_to_wait = False
        for missing, other, stated in (
            (source, target, _PASSIVE[name]),
            (target, source, name),
        ):
            if declared.find(missing) is None:
                has_to_wait = True
                self._warn(missing, other, stated, "yet")
        return has_to_wait

    def _warn(self, missing: str, other: str, stated: str, when: str) -> None:
        self.context.warn_once(
            f"reference {missing} {stated} {other}",
            issues.not_declared(quoted_reference(missing), quoted_reference(other), stated, when),
        )

    def fail_on_waiting(self, declared: Declared) -> None:
        """Raise the error of relationships with resources that never came."""
        for relationship in self.state.tables.relationships:
            for pair, label in _pairs(relationship, declared).items():
                if pair not in relationship.written:
                    _check_ends(declared, *pair, label)

    def _write(
        self, resource: Resource, target: str, relationship: Relationship, writing: _Writing
    ) -> None:
        """Add a target to the metaparameter of a source.

        As in Puppet, a relationship that one program states twice is written twice. A relationship
        of an earlier input is not added again, unless an override has removed it since.
        """
        name = relationship.metaparameter
        old = resource.parameters.get(name)
        is_noted = self.kept.add_relationship(resource, target, relationship)
        if is_noted and old is not None and writing.has_stated(old, target):
            return
        new = old
        if old is None or old not in writing.grown:
            new = self._begin(resource, name, old, writing)
        assert new is not None
        writing.grown[new].append(target)
        if new in writing.stated:
            writing.stated[new].add(target)

    def _begin(
        self, resource: Resource, name: str, old: Parameter | None, writing: _Writing
    ) -> Parameter:
        """Return a new parameter in the place of an old one, which targets can be added to."""
        users = [resource]
        values: list[Value] = []
        if old is not None and type(old.value) is tuple:
            values = list(old.value)
            new = related(old, name, old.value, old.definer, (old.source, old.line))
            users = writing.shared.get(old, users)
        else:
            if old is not None and old.value is not None:
                values = [old.value]
            new = related(old, name, None, resource.definer)
        for user in users:
            self.state.touch(user)
            user.parameters[name] = new
        writing.grown[new] = values
        if old is not None and old in writing.stated:
            writing.stated[new] = writing.stated.pop(old)
        return new

    def validate(
        self, resources: Iterable[Resource], declared: Declared, *, may_wait: bool
    ) -> None:
        """Check that before, notify, require and subscribe name resources of the catalog.

        If references ``may_wait`` for a later input, missing resources are only a warning.
        """
        for resource in resources:
            if resource.virtual or RELATIONSHIP_SET.isdisjoint(resource.parameters):
                continue
            for name, parameter in resource.parameters.items():
                if name not in RELATIONSHIP_SET or declared.is_found(parameter.value):
                    continue
                for value in _undeclared(parameter, declared):
                    text = reference_text(value)
                    if not may_wait:
                        where = parameter.source, parameter.line
                        raise issues.reference_not_found(text, name, *where)
                    is_new = resource in self.state.fresh
                    self._warn(text, resource.ref, name, "yet" if is_new else "any more")


def _undeclared(parameter: Parameter, declared: Declared) -> Iterator[Value]:
    """Yield the values of a metaparameter that refer to nothing of the catalog."""
    try:
        for value in flatten((parameter.value,)):
            if value is not None and not declared.has(value):
                yield value
    except RuntimeFailure as failure:
        raise issues.at_line(failure.message, parameter.source, parameter.line) from None


def _check_ends(declared: Declared, source: str, target: str, label: str) -> Resource:
    """Return the source of a relationship; raise if its source or target is not declared."""
    resource = declared.find(source)
    if resource is None:
        raise issues.relationship_source_not_found(label, target)
    if declared.find(target) is None:
        raise issues.relationship_target_not_found(label, target)
    return resource


def _pairs(relationship: Relationship, declared: Declared) -> dict[tuple[str, str], str]:
    """Return source and target of what a relationship stands for, with the source for messages."""
    operand = relationship.source
    # What replaces an empty collector is shown as program text.
    is_replaced = isinstance(operand, Collector) and not operand.collected
    targets = _texts(_members(relationship.target, leftmost=False), declared)
    sources = _members(operand, leftmost=True)
    return {
        (text, target): str(source) if is_replaced else text
        for source, text in zip(sources, _texts(sources, declared), strict=True)
        for target in targets
    }


def _members(operand: Operand, *, leftmost: bool) -> list[Operand | Resource]:
    """Return what an operand stands for: a collector for the resources that it has found."""
    if not isinstance(operand, Collector):
        return [operand]
    collected: list[Operand | Resource] = list(operand.collected)
    if collected or not leftmost:
        return collected
    alternative = operand.alternative
    if len(alternative) == 1 and isinstance(alternative[0], Collector):
        return _members(alternative[0], leftmost=True)
    return list(alternative)


def _texts(operands: list[Operand | Resource], declared: Declared) -> list[str]:
    return [
        declared.know(operand) if type(operand) is Resource else reference_text(operand)
        for operand in operands
    ]
