"""Collectors: ``Type <| query |> { overrides }``, ``<<| |>>`` and realize().

A collector looks at the catalog again whenever resources have been added, until nothing new comes.
"""

from __future__ import annotations

from puppet_repl.catalog import issues, references
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.values import compare
from puppet_repl.values.protocols import Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.runtime.scope import Scope
    from puppet_repl.syntax.source import Source
    from puppet_repl.types.model.base import PuppetType

    Query: TypeAlias = Callable[[Resource], bool]


class Collector(Typed):
    """One collector. ``type`` None means realize(), with ``wanted`` the references to realize.

    ``collected`` is what it found, in order; ``alternative`` the left operand that stands in where
    it finds nothing in a chain of relationships.
    """

    __slots__ = (
        "alternative",
        "collected",
        "definer",
        "epoch",
        "exported",
        "line",
        "overrides",
        "query",
        "scope",
        "source",
        "type",
        "wanted",
    )

    def __init__(
        self,
        type: str | None,
        scope: Scope,
        definer: Definition,
        *,
        query: Query | None = None,
        exported: bool = False,
        overrides: dict[str, Parameter] | None = None,
        wanted: tuple[Any, ...] = (),
        source: Source | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type
        self.scope = scope
        self.definer = definer
        self.query = query
        self.exported = exported
        self.overrides = overrides
        self.wanted = wanted
        self.source = source
        self.line = line
        self.collected: dict[Resource, None] = {}
        self.alternative: tuple[Any, ...] = ()
        self.epoch = 0

    def state(self) -> tuple[dict[Resource, None], tuple[Any, ...]]:
        """What it found and what it still waits for."""
        return dict(self.collected), self.wanted

    def restore(self, state: tuple[dict[Resource, None], tuple[Any, ...]]) -> None:
        """Put back what ``state`` gave."""
        self.collected, self.wanted = state

    def puppet_text(self) -> str:
        """The text in an interpolated string."""
        kind = "Exported" if self.exported else "Catalog"
        return f"{kind}-Collector[{self.type}]"

    @property
    def puppet_type(self) -> PuppetType:
        """The inferred type: Puppet has none of its own for this."""
        from puppet_repl.types.model.ruby import RuntimeType

        kind = "Exported" if self.exported else "Catalog"
        return RuntimeType("ruby", f"Puppet::Pops::Evaluator::Collectors::{kind}Collector")

    def evaluate(self, catalog: Catalog) -> bool:
        """Realize and override what matches; whether there was anything new."""
        if self.type is None:
            return self._realize(catalog)
        if self.exported:
            return False  # there is no database of what other nodes export
        found = self._matching(catalog)
        for resource in found:
            if resource.virtual:
                catalog.state.touch(resource)
                resource.virtual = False
        new = [resource for resource in found if resource not in self.collected]
        if not new:
            return False
        if self.overrides:
            from puppet_repl.catalog.overrides import merge

            catalog.state.own().free_definers[self.definer] = None
            for resource in new:
                merge(catalog, resource, self._override(catalog, resource))
        catalog.state.touch_collector(self)
        self.collected.update(dict.fromkeys(new))
        return True

    def _matching(self, catalog: Catalog) -> list[Resource]:
        query = self.query
        wanted = self.type
        return [
            resource
            for resource in catalog.state.tables.members
            if resource.type == wanted
            and (query is None or query(resource))
            and resource.scope is not None
        ]

    def _override(self, catalog: Catalog, resource: Resource) -> Resource:
        override = Resource(
            resource.type,
            resource.title,
            scope=self.scope,
            definer=self.definer,
            definition=resource.definition,
            kind=resource.kind,
            source=self.source,
            line=self.line,
        )
        from puppet_repl.catalog import declaring

        override.parameters.update(self.overrides or {})
        if "tag" in override.parameters:
            declaring.tag_resource(override, override.parameters["tag"].value)
        for name, parameter in declaring.defaults_for(catalog, self.scope, resource.type).items():
            override.parameters.setdefault(name, parameter)
        return override

    def _realize(self, catalog: Catalog) -> bool:
        left = []
        new = False
        for wanted in self.wanted:
            resource = references.find_by_text(catalog, references.reference_text(wanted))
            if resource is None:
                left.append(wanted)
                continue
            if resource.virtual:
                catalog.state.touch(resource)
                resource.virtual = False
            if resource not in self.collected:
                new = True
                catalog.state.touch_collector(self)
                self.collected[resource] = None
        if len(left) != len(self.wanted):
            catalog.state.touch_collector(self)
            self.wanted = tuple(left)
            if not left:
                del catalog.state.own().collectors[self]
        return new


_OPERATORS = frozenset(("and", "or", "==", "!="))


def make_query(query: Any) -> Query | None:
    """A function that tests a resource, from the tree of tuples that compiled code gives."""
    if query is None:
        return None
    if type(query) is not tuple or len(query) != 3 or query[0] not in _OPERATORS:
        return lambda resource: False
    operator = query[0]
    if operator in ("and", "or"):
        left, right = make_query(query[1]), make_query(query[2])
        if left is None or right is None:
            return left or right
        return _both(left, right) if operator == "and" else _either(left, right)
    return _comparison(operator, query[1], query[2])


def _both(left: Query, right: Query) -> Query:
    return lambda resource: left(resource) and right(resource)


def _either(left: Query, right: Query) -> Query:
    return lambda resource: left(resource) or right(resource)


def _comparison(operator: str, name: Any, wanted: Any) -> Query:
    equals = compare.equals
    key = references.reference_text(name)
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


def _has_tag(wanted: Any) -> Query:
    tags = []
    for tag in wanted if type(wanted) is tuple else (wanted,):
        if type(tag) is int or type(tag) is float:
            raise issues.number_as_tag()
        tags.append(references.reference_text(tag).lower())

    def matches(resource: Resource) -> bool:
        inside: Resource | None = resource
        while inside is not None:
            for tag in tags:
                if tag in inside.tags:
                    return True
            container = inside.container
            inside = None if container is inside else container
        return False

    return matches
