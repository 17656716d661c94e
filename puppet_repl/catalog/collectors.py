"""Collectors: ``Type <| query |> { overrides }``, ``<<| |>>`` and realize().

A collector looks at the catalog again whenever resources have been added, until nothing new comes.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog import issues, tags
from puppet_repl.catalog.overrides import Override
from puppet_repl.catalog.references import reference_text
from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.types.model.ruby import RuntimeType
from puppet_repl.language.values.protocols import Holder, RuntimeValue, Typed
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.catalog.defaults import Defaults
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.export_data import ExportedResource
    from puppet_repl.catalog.overrides import Overrides
    from puppet_repl.catalog.queries import Looked, Query
    from puppet_repl.catalog.redeclaration import KeptStatements
    from puppet_repl.catalog.resource import Parameter, Resource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.resource import CatalogEntryType
    from puppet_repl.language.values.protocols import Value

    CollectorState: TypeAlias = tuple[dict[Resource, None], tuple[Value, ...]]
    Operand: TypeAlias = "CatalogEntryType | Collector"


class Collector(Typed, RuntimeValue, Holder):
    """One collector. ``type`` None means realize(), with ``wanted`` the references to realize.

    ``answered`` are the resources that a PuppetDB has, once it was asked.
    ``collected`` are the resources that matched so far, in order; ``alternative`` is the left
    operand that replaces the collector in a chain of relationships where nothing matched.
    ``filter`` is the query of a collector of exported resources (see ``make_query``).
    ``input`` is the number of the input that stated it.
    ``repeated`` are attributes that were given twice, which fails once anything matches.
    """

    __slots__ = (
        "alternative",
        "answered",
        "collected",
        "definer",
        "epoch",
        "exported",
        "filter",
        "input",
        "line",
        "overrides",
        "query",
        "repeated",
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
        filter: Value = None,
        exported: bool = False,
        overrides: dict[str, Parameter] | None = None,
        wanted: tuple[Value, ...] = (),
        source: Source | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type
        self.scope = scope
        self.definer = definer
        self.query = query
        self.filter = filter
        self.exported = exported
        self.overrides = overrides
        self.wanted = wanted
        self.source = source
        self.line = line
        self.answered: tuple[ExportedResource, ...] | None = None
        self.collected: dict[Resource, None] = {}
        self.alternative: tuple[Operand, ...] = ()
        self.repeated: list[Parameter] = []
        self.epoch = 0
        self.input = 0

    def mark(self) -> CollectorState:
        """Return a copy of everything that can change, for ``return_to``."""
        return dict(self.collected), self.wanted

    def return_to(self, mark: CollectorState) -> None:
        """Return to a mark, earlier or later."""
        collected, self.wanted = mark
        self.collected = dict(collected)

    def puppet_text(self) -> str:
        """Return the text in an interpolated string."""
        return f"{self.puppet_label}[{self.type}]"

    def puppet_program(self) -> str:
        """Return the text as a string."""
        return quote(self.puppet_text())

    def held(self, most: int) -> tuple[Value, ...] | None:
        """Return references to the resources that matched so far; see ``Holder``."""
        if len(self.collected) > most:
            return None
        return tuple([ResourceType(found.type, found.title) for found in self.collected])

    @property
    def puppet_label(self) -> str:
        """The word for it in messages."""
        return f"{self._adjective}-Collector"

    @property
    def puppet_type(self) -> PuppetType:
        """The inferred type: Ruby's class."""
        return RuntimeType(
            "ruby", f"Puppet::Pops::Evaluator::Collectors::{self._adjective}Collector"
        )

    @property
    def _adjective(self) -> str:
        return "Exported" if self.exported else "Catalog"


class Collectors:
    """The collectors of a session; they are kept for the resources that later inputs add."""

    def __init__(
        self,
        context: Context,
        state: State,
        definitions: Definitions,
        defaults: Defaults,
        resources: Resources,
        overrides: Overrides,
        kept: KeptStatements,
    ) -> None:
        self.context = context
        self.state = state
        self.definitions = definitions
        self.defaults = defaults
        self.resources = resources
        self.overrides = overrides
        self.kept = kept

    def add(self, collector: Collector) -> None:
        """Note a collector, to be evaluated when the code of the input has run."""
        collector.epoch = self.state.epoch
        collector.input = self.state.input
        self.state.writable().collectors[collector] = None

    def evaluate(self, looked: Looked) -> bool:
        """Realize and override the matching resources; tell whether any of them was new.

        ``looked`` comes from the earlier rounds of the same input.
        """
        is_any_new = False
        for collector in list(self.state.tables.collectors):
            is_any_new = self._evaluate(collector, looked) or is_any_new
        return is_any_new

    def _evaluate(self, collector: Collector, looked: Looked) -> bool:
        if collector.type is None:
            return self._realize_wanted(collector)
        store = self.context.exports if collector.exported else None
        if collector.exported and store is None:
            return False
        matching = self._matching(collector, looked)
        if store is not None:
            from puppet_repl.catalog.storeconfigs import collected

            matching = [resource for resource in matching if resource.exported]
            matching += collected(store, collector, self.context, self.definitions, self.resources)
        for resource in matching:
            self._realize(resource)
        new = [resource for resource in matching if resource not in collector.collected]
        if not new:
            return False
        if collector.repeated:
            name = collector.repeated[0].name
            raise issues.duplicate_parameter(name, new[0].ref, collector.source, collector.line)
        if collector.overrides:
            self.state.writable().free_definers[collector.definer] = None
            for resource in new:
                self.overrides.merge(resource, self._override(collector, resource))
        self.state.touch_collector(collector)
        collector.collected.update(dict.fromkeys(new))
        return True

    def _matching(self, collector: Collector, looked: Looked) -> list[Resource]:
        query, wanted = collector.query, collector.type
        if wanted is None or collector.exported or self.state.removed:
            members = [one for one in self.state.tables.members if one.type == wanted]
        else:
            members = looked.new_to(collector, wanted, self.state)
        return members if query is None else [one for one in members if query(one)]

    def _realize(self, resource: Resource) -> None:
        if resource.virtual:
            self.state.touch(resource)
            resource.virtual = False

    def _override(self, collector: Collector, resource: Resource) -> Override:
        parameters = dict(collector.overrides or {})
        if "tag" in parameters:
            tags.check(parameters["tag"].value, collector.source, collector.line)
        for name, parameter in self.defaults.for_type(collector.scope, resource.type).items():
            parameters.setdefault(name, parameter)
        return Override(
            resource.type,
            resource.title,
            collector.definer,
            parameters,
            collector.source,
            collector.line,
        )

    def _realize_wanted(self, collector: Collector) -> bool:
        """Realize the resources that realize() named and that are there by now."""
        missing = []
        is_any_new = False
        for wanted in collector.wanted:
            try:
                resource = self.resources.find_by_text(reference_text(wanted))
            except RuntimeFailure as failure:
                raise issues.failed_in_compiler(failure) from None
            if resource is None:
                missing.append(wanted)
                continue
            self._realize(resource)
            self.kept.add_realization(resource, collector)
            if resource not in collector.collected:
                is_any_new = True
                self.state.touch_collector(collector)
                collector.collected[resource] = None
        if len(missing) != len(collector.wanted):
            self.state.touch_collector(collector)
            collector.wanted = tuple(missing)
            if not missing:
                del self.state.writable().collectors[collector]
        return is_any_new

    def fail_on_missing(self) -> None:
        """Raise the error of realize() for resources that never came."""
        missing = [
            reference_text(wanted)
            for collector in self.state.tables.collectors
            for wanted in collector.wanted
        ]
        if missing:
            raise issues.realizations_left(missing)
