"""The store of exported resources: what nodes export (``@@``), for other nodes to collect.

It is what PuppetDB is for a Puppet server: a node's catalog replaces what the node exported before,
and a query finds the resources of all other nodes. Attributes are JSON-like data, as in PuppetDB.
"""

from __future__ import annotations

import json

from puppet_repl.catalog.export_data import stringified
from puppet_repl.catalog.references import reference_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.catalog.export_data import ExportedResource, Json
    from puppet_repl.language.values.protocols import Value


class ExportStore:
    """What each node exports, in the order in which the nodes were first kept."""

    def __init__(self, resources: Iterable[ExportedResource] = ()) -> None:
        self._by_node: dict[str, tuple[ExportedResource, ...]] = {}
        for resource in resources:
            known = self._by_node.get(resource.certname, ())
            self._by_node[resource.certname] = (*known, resource)

    def keep(self, certname: str, resources: Iterable[ExportedResource]) -> bool:
        """Replace what a node exports; tell whether anything has changed."""
        kept = tuple(resources)
        if not self.would_change(certname, kept):
            return False
        if kept:
            self._by_node[certname] = kept
        else:
            self._by_node.pop(certname, None)
        return True

    def would_change(self, certname: str, resources: Iterable[ExportedResource]) -> bool:
        """Tell whether something else is kept of a node than these resources."""
        return content_of(resources) != content_of(self.of(certname))

    def clear(self, certname: str | None = None) -> int:
        """Drop what a node exports, or all there is; return how many resources that were."""
        before = len(self.resources())
        if certname is None:
            self._by_node.clear()
        else:
            self._by_node.pop(certname, None)
        return before - len(self.resources())

    def resources(self) -> list[ExportedResource]:
        """Return all resources, by node."""
        return [resource for kept in self._by_node.values() for resource in kept]

    def nodes(self) -> list[str]:
        """Return the names of the nodes that export something."""
        return list(self._by_node)

    def of(self, certname: str) -> tuple[ExportedResource, ...]:
        """Return what a node exports."""
        return self._by_node.get(certname, ())

    def take_over_changes(self, old: ExportStore, new: ExportStore) -> None:
        """Take the exports of the nodes that differ between two stores from ``new``."""
        for certname in dict.fromkeys((*old.nodes(), *new.nodes())):
            if content_of(old.of(certname)) != content_of(new.of(certname)):
                self.keep(certname, new.of(certname))

    def copy(self) -> ExportStore:
        """Return a store of its own with the same resources."""
        return ExportStore(self.resources())

    def search(self, type_name: str, certname: str, query: Value) -> list[ExportedResource]:
        """Return the resources of a type that other nodes than ``certname`` export.

        ``query`` is the query of a collector (see ``make_query``), None for all resources. As in
        PuppetDB an attribute has to be equal as a whole: an Array is not searched.
        """
        return [
            resource
            for node, kept in self._by_node.items()
            if node != certname
            for resource in kept
            if resource.type == type_name and _matches(resource, query)
        ]


def exported_query(type_name: str, certname: str, query: Value) -> list[Json]:
    """Return the query in PuppetDB's AST language for what ``ExportStore.search`` finds."""
    own: list[Json] = ["not", ["=", "certname", certname]]
    parts: list[Json] = [["=", "type", type_name], ["=", "exported", True], own]
    if type(query) is tuple:
        parts.append(_in_ast(query))
    return ["from", "resources", ["and", *parts]]


def _in_ast(query: Any) -> list[Json]:
    operator = query[0]
    if operator in ("and", "or"):
        return [operator, *map(_in_ast, query[1:])]
    _, left, right = query
    name = reference_text(left)
    found: list[Json] = ["=", ["parameter", name], stringified(right)]
    if name == "title":
        found = ["=", "title", right]
    elif name == "tag":
        tags = right if type(right) is tuple else (right,)
        found = ["or", *(["=", "tag", reference_text(tag).lower()] for tag in tags)]
    return found if operator == "==" else ["not", found]


def content_of(resources: Iterable[ExportedResource]) -> list[tuple[object, ...]]:
    """Return resources in a form that can be compared."""
    return [
        (each.origin, each.tags, _text(each.parameters), each.file, each.line) for each in resources
    ]


def _matches(resource: ExportedResource, query: Value) -> bool:
    if type(query) is not tuple:
        return True
    operator = query[0]
    if operator == "and":
        return all(_matches(resource, part) for part in query[1:])
    if operator == "or":
        return any(_matches(resource, part) for part in query[1:])
    _, left, right = query
    return _is_equal(resource, reference_text(left), right) is (operator == "==")


def _is_equal(resource: ExportedResource, name: str, wanted: Value) -> bool:
    if name == "tag":
        tags = wanted if type(wanted) is tuple else (wanted,)
        return any(reference_text(tag).lower() in resource.tags for tag in tags)
    if name == "title":
        return resource.title == wanted
    if name not in resource.parameters:
        return False
    return _text(resource.parameters[name]) == _text(stringified(wanted))


def _text(data: Json) -> str:
    """Return data as a text that is the same for equal data only: 1 is not true."""
    return json.dumps(data, sort_keys=True)
