"""What a session exports to other nodes and collects from them: Puppet's setting storeconfigs."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog import issues
from puppet_repl.catalog.export_data import exported_by, exporter
from puppet_repl.catalog.exports import ExportStore, content_of, exported_query
from puppet_repl.catalog.exports_file import ExportsError, read_exports, resource_of_row
from puppet_repl.catalog.resource import Parameter, Resource
from puppet_repl.language.runtime.puppetdb_address import is_address, server_name
from puppet_repl.language.values.hash import from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.export_data import ExportedResource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.options import Options


class Storeconfigs:
    """The store of exported resources of a session, which has those of its own catalog, too.

    ``changed`` is called with the store after each of its changes. ``dropped`` are the resources
    that the catalog exported when they were dropped from the store.
    """

    __slots__ = ("_options", "_store", "changed", "dropped")

    def __init__(self, options: Options, store: ExportStore | None) -> None:
        self.changed: Callable[[ExportStore], None] | None = None
        self._options = options
        self._store = store
        self.dropped: list[tuple[object, ...]] | None = None

    def store(self) -> ExportStore | None:
        """Return the store, which is made when it is first needed; None without the option."""
        if not self._options.storeconfigs:
            return None
        if self._store is None:
            self._store = self._initial()
        return self._store

    def _initial(self) -> ExportStore:
        path = self._options.puppetdb
        if path is None or is_address(path):
            return ExportStore()
        try:
            return read_exports(path)
        except ExportsError as error:
            raise RuntimeFailure(str(error)) from None

    def keep(self, context: Context) -> ExportStore | None:
        """Store what a catalog exports; return the store. Without a catalog nothing changes."""
        if self._options.storeconfigs and context.has_catalog:
            node, exported = _exported(context)
            if self.dropped is not None and self.dropped != content_of(exported):
                self.dropped = None
            if (exported or self._store is not None) and self.dropped is None:
                store = self.store()
                assert store is not None
                if store.keep(node, exported):
                    self._tell(store)
        return self.store()

    def keep_at_change(self, context: Context) -> None:
        """Store a catalog's exports if ``changed`` is set; if not, ``keep`` is called on demand."""
        if self.changed is not None:
            self.keep(context)

    def clear(self, context: Context, certname: str | None) -> int:
        """Drop the exports of a node, or of all nodes; return the number of dropped resources."""
        store = self.keep(context)
        if store is None:
            return 0
        if context.has_catalog:
            node, exported = _exported(context)
            if certname in (None, node):
                self.dropped = content_of(exported)
        dropped = store.clear(certname)
        if dropped:
            self._tell(store)
        return dropped

    def _tell(self, store: ExportStore) -> None:
        if self.changed is not None:
            self.changed(store)


def _exported(context: Context) -> tuple[str, list[ExportedResource]]:
    """Return the name that the catalog exports under, and its exported resources."""
    return exporter(context.catalog), exported_by(context.catalog)


def collected(
    store: ExportStore,
    collector: Collector,
    context: Context,
    definitions: Definitions,
    resources: Resources,
) -> list[Resource]:
    """Add what a collector finds in the store and has not added yet, in its scope; return it.

    Raises the error of a resource that is declared here, or exported by two nodes.
    """
    assert collector.type is not None
    known = {resource.origin for resource in collector.collected}
    added = []
    for found in (
        *store.search(collector.type, context.node_name, collector.filter),
        *_of_server(store, collector, context),
    ):
        if found.origin in known:
            continue
        existing = resources.find(found.type, found.title)
        if existing is None:
            added.append(_add(found, collector, definitions, resources))
        elif existing.origin != found.origin:
            raise issues.duplicate_exported(found.ref)
    return added


def _of_server(
    store: ExportStore, collector: Collector, context: Context
) -> tuple[ExportedResource, ...]:
    """Return what a collector finds in a PuppetDB at an address; it is asked once.

    The store has what nodes export that were compiled here.
    """
    address = context.options.puppetdb
    if address is None or not is_address(address):
        return ()
    if collector.answered is None:
        query = exported_query(str(collector.type), context.node_name, collector.filter)
        collector.answered = _resources(context.query_puppetdb(context, query), address)
    here = store.nodes()
    return tuple(each for each in collector.answered if each.certname not in here)


def _resources(rows: Any, address: str) -> tuple[ExportedResource, ...]:
    name = server_name(address)
    if not isinstance(rows, list):
        raise RuntimeFailure(f"PuppetDB at {name} has answered with no array of resources")
    try:
        found = [resource_of_row(row, f"resource {n}") for n, row in enumerate(rows, 1)]
    except ExportsError as error:
        raise RuntimeFailure(f"PuppetDB at {name}: {error}") from None
    return tuple(each for each in found if each is not None)


def _add(
    found: ExportedResource, collector: Collector, definitions: Definitions, resources: Resources
) -> Resource:
    declarable = definitions.declarable_types[found.type]
    if declarable is None:  # a class, which cannot be exported
        raise issues.unknown_resource_type(found.type)
    definer = definitions.definer_of(collector.scope)
    resource = Resource(
        declarable.title,
        found.title,
        collector.scope,
        definer,
        declarable.definition,
        declarable.kind,
        virtual=True,
        tags=declarable.tags,
    )
    resource.origin = found.origin
    resource.parameters = {
        name: Parameter(name, from_data(value), definer)
        for name, value in found.parameters.items()
        if value is not None
    }
    resources.prepare(resource)
    try:
        resources.add(resource)
    except RuntimeFailure as failure:
        raise issues.failed_in_compiler(failure) from None
    return resource
