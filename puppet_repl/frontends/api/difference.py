"""The difference of two catalogs, as Python programs look at it."""

from __future__ import annotations

from typing import Any

from puppet_repl.catalog.difference import compare, difference_data
from puppet_repl.frontends.api.relationships import Edge, edges_of
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.differences import render_difference, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.content import CatalogContent, ResourceContent
    from puppet_repl.catalog.difference_choice import Choice


class CatalogDifference:
    """The changes from one catalog to another one; true if there are any.

    Resources are named by their references, as in catalogs. ``str`` is the output of
    ``puppet-repl diff``, ``repr`` a line with the number of differences; neither has secrets.
    """

    def __init__(self, old: CatalogContent, new: CatalogContent, choice: Choice) -> None:
        self._difference = compare(old, new, choice)

    def __bool__(self) -> bool:
        return not self._difference.is_empty

    @property
    def added(self) -> list[str]:
        """The resources that only the new catalog has."""
        return _refs(self._difference.added)

    @property
    def removed(self) -> list[str]:
        """The resources that only the old catalog has."""
        return _refs(self._difference.removed)

    @property
    def changed(self) -> dict[str, list[str]]:
        """The attributes that differ of the resources that both catalogs have."""
        return {
            change.ref: [attribute.name for attribute in change.attributes]
            for change in self._difference.changed
        }

    @property
    def edges_added(self) -> list[Edge]:
        """The relationships that only the new catalog has."""
        return edges_of(self._difference.relationships_added)

    @property
    def edges_removed(self) -> list[Edge]:
        """The relationships that only the old catalog has."""
        return edges_of(self._difference.relationships_removed)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON data, with the values before and after."""
        return difference_data(self._difference)

    def __str__(self) -> str:
        return plain(render_difference(self._difference, None))

    def __repr__(self) -> str:
        return f"<CatalogDifference: {summary(self._difference)}>"


def _refs(resources: list[ResourceContent]) -> list[str]:
    return [resource.ref for resource in resources]
