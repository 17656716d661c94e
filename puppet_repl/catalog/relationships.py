"""Relationships formed with ``->``, ``~>``, ``<-`` and ``<~``.

An operand is a reference, a string with one, a collector, or an array of these. A relationship is
only noted at first: its resources may be declared later, and what a collector finds is known at
the end of the input.
"""

from __future__ import annotations

from puppet_repl.base.wording import with_article
from puppet_repl.catalog import issues
from puppet_repl.catalog.pending import Collector, Relationship
from puppet_repl.catalog.references import check_named, quoted_reference, reference_text
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.catalog.resource_types import RELATIONSHIPS
from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.model.base import PuppetType
from puppet_repl.types.model.resource import CatalogEntryType, ResourceType
from puppet_repl.values.array import flatten
from puppet_repl.values.labels import value_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from puppet_repl.catalog.kept import KeptStatements
    from puppet_repl.catalog.pending import Operand
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.state import State
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.values.protocols import Value

    Shared: TypeAlias = dict[Parameter, list[Resource]]
    Stated: TypeAlias = dict[Parameter, set[str]]

_METAPARAMETERS = {"->": "before", "<-": "before", "~>": "notify", "<~": "notify"}
_WRITTEN = ("before", "notify")
# What the target of a relationship could have stated as well.
_PASSIVE = {"before": "require", "notify": "subscribe"}


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

        Where right is empty the left is the value, so that ``a -> [] -> b`` relates a to b.
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
            from puppet_repl.types.making.parse import parse_type

            value = parse_type(value, self.context)
        if isinstance(value, PuppetType):
            from puppet_repl.types.model.wrapper import WrappingType

            entry = value.type if isinstance(value, WrappingType) else value
            if not isinstance(entry, CatalogEntryType):
                raise issues.not_catalog_type(str(value))
            return entry
        raise issues.illegal_relationship_operand(with_article(value_label(value)))

    def evaluate(self, *, may_wait: bool) -> None:
        """Write all relationships noted into the metaparameters of their sources.

        Those with a collector stay, for what later inputs add, and those with a resource that is
        not declared if they ``may_wait`` for it: once, however often they are stated.
        """
        self._forget_gone()
        noted = self.state.tables.relationships
        if not noted:
            return
        kept: dict[object, Relationship] = {}
        shared = self._shared_parameters()
        stated: Stated = {}
        for relationship in noted:
            pairs = _pairs(relationship)
            written = relationship.written
            waiting = []
            for pair, label in pairs.items():
                if pair in written:
                    continue
                if may_wait and self._has_to_wait(*pair, relationship.metaparameter):
                    waiting.append(pair)
                else:
                    self._write(*pair, relationship, label, shared, stated)
            if relationship.has_collector or waiting:
                left = relationship.having(written.union(pairs).difference(waiting))
                kept[left.identity] = left
        self.state.writable().relationships = tuple(kept.values())

    def _forget_gone(self) -> None:
        """Let relationships be written anew to what has come in the place of resources.

        Those of the body of a class go with it, but for what the body has stated in this input,
        which is that of the class in its place.
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

    def _shared_parameters(self) -> Shared:
        """Return the resources that have got one array from one attribute, by its parameter.

        In Puppet the array itself is what all of them have: what is added for one of them is added
        for all.
        """
        shared: Shared = {}
        for resource in self.state.tables.members:
            for name in _WRITTEN:
                parameter = resource.parameters.get(name)
                if parameter is not None and type(parameter.value) is tuple:
                    shared.setdefault(parameter, []).append(resource)
        return shared

    def _has_to_wait(self, source: str, target: str, name: str) -> bool:
        """Tell whether an end of a relationship is not declared; warn once of each that is not."""
        has_to_wait = False
        for missing, other, stated in (
            (source, target, _PASSIVE[name]),
            (target, source, name),
        ):
            if self.resources.find_by_text(missing) is None:
                has_to_wait = True
                self._warn(missing, other, stated, "yet")
        return has_to_wait

    def _warn(self, missing: str, other: str, stated: str, when: str) -> None:
        self.context.warn_once(
            f"reference {missing} {stated} {other}",
            issues.not_declared(quoted_reference(missing), quoted_reference(other), stated, when),
        )

    def fail_on_waiting(self) -> None:
        """Raise the error of relationships with resources that never came."""
        for relationship in self.state.tables.relationships:
            for pair, label in _pairs(relationship).items():
                if pair not in relationship.written:
                    self._check_ends(*pair, label)

    def _check_ends(self, source: str, target: str, label: str) -> Resource:
        """Return the source of a relationship; raise where an end of it is not declared."""
        resource = self.resources.find_by_text(source)
        if resource is None:
            raise issues.relationship_source_not_found(label, target)
        if self.resources.find_by_text(target) is None:
            raise issues.relationship_target_not_found(label, target)
        return resource

    def _write(
        self,
        source: str,
        target: str,
        relationship: Relationship,
        label: str,
        shared: Shared,
        stated: Stated,
    ) -> None:
        """Add a target to the metaparameter of a source.

        As in Puppet, what one program states twice is there twice; what an earlier input has stated
        is not added again, unless an override has taken it away since.
        """
        name = relationship.metaparameter
        resource = self._check_ends(source, target, label)
        old = resource.parameters.get(name)
        is_noted = self.kept.add_relationship(resource, target, relationship)
        if is_noted and old is not None and target in _stated_targets(old, stated):
            return
        values: tuple[Value, ...] = ()
        if old is not None and old.value is not None:
            values = old.value if type(old.value) is tuple else (old.value,)
        values = (*values, target)
        if old is not None and type(old.value) is tuple:
            new = old.with_value(values)
            users = shared.pop(old, [resource])
        else:
            new = Parameter(name, values, resource.definer)
            users = [resource]
        for user in users:
            self.state.touch(user)
            user.parameters[name] = new
        shared[new] = users
        known = None if old is None else stated.pop(old, None)
        if known is not None:
            known.add(target)
            stated[new] = known

    def validate(self, resources: Iterable[Resource], *, may_wait: bool) -> None:
        """Check that before, notify, require and subscribe name resources of the catalog.

        If they ``may_wait`` for a later input, those that do not are told by a warning.
        """
        known = self.state.tables.resources
        for resource in resources:
            if resource.virtual:
                continue
            for name, parameter in resource.parameters.items():
                if name not in RELATIONSHIPS:
                    continue
                for value in flatten((parameter.value,)):
                    if value is None:
                        continue
                    if isinstance(value, ResourceType) and (value.type_name, value.title) in known:
                        continue
                    if self._is_declared(value, parameter):
                        continue
                    text = reference_text(value)
                    if not may_wait:
                        where = parameter.source, parameter.line
                        raise issues.reference_not_found(text, name, *where)
                    is_new = resource in self.state.fresh
                    self._warn(text, resource.ref, name, "yet" if is_new else "any more")

    def _is_declared(self, value: Value, parameter: Parameter) -> bool:
        try:
            return self.resources.find_by_text(reference_text(value)) is not None
        except RuntimeFailure as failure:
            raise issues.at_line(failure.message, parameter.source, parameter.line) from None


def _pairs(relationship: Relationship) -> dict[tuple[str, str], str]:
    """Return source and target of what a relationship stands for, with the source for messages."""
    operand = relationship.source
    # What replaces an empty collector is shown as program text.
    is_replaced = isinstance(operand, Collector) and not operand.collected
    targets = [_text(target) for target in _members(relationship.target, leftmost=False)]
    return {
        (_text(source), target): str(source) if is_replaced else _text(source)
        for source in _members(operand, leftmost=True)
        for target in targets
    }


def _stated_targets(parameter: Parameter, stated: Stated) -> set[str]:
    """Return the references in a metaparameter, which are kept for its next target."""
    targets = stated.get(parameter)
    if targets is None:
        values = [value for value in flatten((parameter.value,)) if value is not None]
        targets = stated[parameter] = {reference_text(value) for value in values}
    return targets


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


def _text(operand: Operand | Resource) -> str:
    return operand.ref if isinstance(operand, Resource) else reference_text(operand)
