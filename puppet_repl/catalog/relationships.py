"""Relationships formed with ``->``, ``~>``, ``<-`` and ``<~``.

An operand is a reference, a text holding one, a collector, or an array of these. What is formed is
only noted down: the resources may yet come, and what a collector finds is known at the end alone.
"""

from __future__ import annotations

from puppet_repl.base.wording import with_article
from puppet_repl.catalog import issues, references
from puppet_repl.catalog.collectors import Collector
from puppet_repl.catalog.resource import Parameter
from puppet_repl.catalog.resource_types import RELATIONSHIPS
from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.model.base import PuppetType
from puppet_repl.types.model.resource import CatalogEntryType, ResourceType
from puppet_repl.values.array import flatten
from puppet_repl.values.labels import value_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Resource

_METAPARAMETERS = {"->": "before", "<-": "before", "~>": "notify", "<~": "notify"}


class Relationship:
    """One source, one target (a reference or a collector each), and the metaparameter.

    ``written`` are the pairs that have been written already, by an earlier input.
    """

    __slots__ = ("metaparameter", "source", "target", "written")

    def __init__(
        self,
        source: Any,
        target: Any,
        metaparameter: str,
        written: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self.source = source
        self.target = target
        self.metaparameter = metaparameter
        self.written = written

    @property
    def has_collector(self) -> bool:
        """Whether later resources may belong to it too."""
        return type(self.source) is Collector or type(self.target) is Collector


def relate(catalog: Catalog, operator: str, left: Any, right: Any) -> Any:
    """Note relationships between all of left and all of right; the value is the right operand.

    Where right is empty the left is the value, so that ``a -> [] -> b`` relates a to b.
    """
    left_side = _operands(catalog, left)
    right_side = _operands(catalog, right)
    metaparameter = _METAPARAMETERS[operator]
    sources, targets = left_side, right_side
    if operator[0] == "<":
        sources, targets = right_side, left_side
    made = tuple(
        Relationship(source, target, metaparameter) for source in sources for target in targets
    )
    if made:
        tables = catalog.state.own()
        tables.relationships = tables.relationships + made
    if not right_side:
        return tuple(left_side)
    if len(right_side) == 1 and type(right_side[0]) is Collector:
        right_side[0].alternative = tuple(left_side)
    return tuple(right_side)


def _operands(catalog: Catalog, value: Any) -> list[Any]:
    found: dict[Any, None] = {}
    for item in flatten((value,)):
        found[_operand(catalog, item)] = None
    return list(found)


def _operand(catalog: Catalog, value: Any) -> Any:
    if type(value) is Collector:
        return value
    if type(value) is str:
        from puppet_repl.types.making.parse import parse_type

        value = parse_type(value, catalog.context)
    if isinstance(value, PuppetType):
        entry = _entry(value)
        if entry is None:
            raise issues.not_catalog_type(str(value))
        return entry
    raise issues.illegal_relationship_operand(with_article(value_label(value)))


def _entry(value: PuppetType) -> CatalogEntryType | None:
    if isinstance(value, CatalogEntryType):
        return value
    inner = getattr(value, "type", None)
    return inner if isinstance(inner, CatalogEntryType) else None


def evaluate(catalog: Catalog) -> None:
    """Write all relationships noted into the metaparameters of their sources.

    Those with a collector stay, for what later inputs add.
    """
    noted = catalog.state.tables.relationships
    if not noted:
        return
    kept = []
    for relationship in noted:
        shown = _resources(relationship.source, leftmost=True)
        targets = [_text(target) for target in _resources(relationship.target, leftmost=False)]
        pairs = [(_text(source), target) for source in shown for target in targets]
        name, written = relationship.metaparameter, relationship.written
        # What stands in for an empty collector is shown as program text.
        is_stand_in = type(relationship.source) is Collector and not relationship.source.collected
        for index, pair in enumerate(pairs):
            if pair not in written:
                label = str(shown[index // len(targets)]) if is_stand_in else pair[0]
                _write(catalog, *pair, name, label)
        if relationship.has_collector:
            kept.append(
                Relationship(relationship.source, relationship.target, name, written.union(pairs))
            )
    catalog.state.own().relationships = tuple(kept)


def _resources(operand: Any, *, leftmost: bool) -> list[Any]:
    if type(operand) is not Collector:
        return [operand]
    collected = list(operand.collected)
    if collected or not leftmost:
        return collected
    alternative = operand.alternative
    if len(alternative) == 1 and type(alternative[0]) is Collector:
        return _resources(alternative[0], leftmost=True)
    return list(alternative)


def _write(catalog: Catalog, source: str, target: str, name: str, label: str) -> None:
    resource = references.find_by_text(catalog, source)
    if resource is None:
        raise issues.relationship_source_not_found(label, target)
    if references.find_by_text(catalog, target) is None:
        raise issues.relationship_target_not_found(label, target)
    old = resource.parameters.get(name)
    values: tuple[Any, ...] = ()
    if old is not None and old.value is not None:
        values = old.value if type(old.value) is tuple else (old.value,)
    catalog.state.touch(resource)
    values = (*values, target)
    if old is not None and type(old.value) is tuple:
        resource.parameters[name] = old.with_value(values)
    else:
        resource.parameters[name] = Parameter(name, values, resource.definer)


def _text(operand: Any) -> str:
    # A collector answers the resources themselves.
    text: str | None = getattr(operand, "ref", None)
    return references.reference_text(operand) if text is None else text


def validate(catalog: Catalog, resources: Iterable[Resource]) -> None:
    """Check that before, notify, require and subscribe name resources of the catalog."""
    find = references.find_by_text
    known = catalog.state.tables.resources
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
                text = references.reference_text(value)
                try:
                    found = find(catalog, text)
                except RuntimeFailure as failure:
                    raise issues.at_line(
                        failure.message, parameter.source, parameter.line
                    ) from None
                if found is None:
                    raise issues.reference_not_found(text, name, parameter.source, parameter.line)
