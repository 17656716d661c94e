"""Resources that other nodes export, as resources of this catalog."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog import issues
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.language.values.hash import from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.export_data import ExportedResource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.language.runtime.context import Context


class ExportedResources:
    """Adds resources that other nodes export to the catalog, if a collector asks for them."""

    def __init__(self, context: Context, definitions: Definitions, resources: Resources) -> None:
        self.context = context
        self.definitions = definitions
        self.resources = resources

    @property
    def are_kept(self) -> bool:
        """Whether exported resources are stored at all."""
        return self.context.options.storeconfigs

    def collect(self, collector: Collector) -> list[Resource]:
        """Add what matches and is not there yet, in the scope of the collector; return it.

        Raises the error of a resource that is declared here, or exported by two nodes.
        """
        store = self.context.exports
        if store is None or collector.type is None:
            return []
        certname = certname_of(self.context)
        known = {resource.origin for resource in collector.collected}
        added = []
        for found in store.search(collector.type, certname, collector.filter):
            if found.origin in known:
                continue
            existing = self.resources.find(found.type, found.title)
            if existing is None:
                added.append(self._add(found, collector))
            elif existing.origin != found.origin:
                raise issues.duplicate_exported(found.ref)
        return added

    def _add(self, found: ExportedResource, collector: Collector) -> Resource:
        declarable = self.definitions.declarable_type(found.type)
        definer = self.definitions.definer_of(collector.scope)
        resource = Resource(
            declarable.title,
            found.title,
            collector.scope,
            definer,
            declarable.definition,
            declarable.kind,
            virtual=True,
        )
        resource.origin = found.origin
        resource.parameters = {
            name: Parameter(name, from_data(value), definer)
            for name, value in found.parameters.items()
            if value is not None
        }
        self.resources.prepare(resource, declarable.tags)
        try:
            self.resources.add(resource)
        except RuntimeFailure as failure:
            raise issues.failed_in_compiler(failure) from None
        return resource


def certname_of(context: Context) -> str:
    """Return the certname of the node; without given facts, that of this machine."""
    if context.facts is None:
        context.top_variable("facts")
    return context.options.certname(context.facts)
