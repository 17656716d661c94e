"""Why a comparison with a catalog or a resource does not hold, in lines for pytest."""

from __future__ import annotations

from collections.abc import Mapping

from puppet_repl.frontends.api.assertions import assert_contains, differences
from puppet_repl.frontends.api.resource import Resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.frontends.api.catalog import Catalog


def missing_lines(key: Any, catalog: Catalog) -> list[str] | None:
    """Return what a catalog has in place of a resource; None where it has the resource."""
    try:
        assert_contains(catalog, key, {})
    except AssertionError as error:
        return str(error).split("\n")
    return None


def resource_lines(resource: Resource, other: object) -> list[str] | None:
    """Return how the attributes of a resource differ from those of another one, or a mapping."""
    if not isinstance(other, Mapping):
        return None
    lines = [f"{resource.ref} == {dict(other)!r}"]
    if isinstance(other, Resource):
        lines = [f"{resource.ref} == {other.ref}"]
    for problem in differences(resource, other):
        lines += problem.split("\n")
    further = [f"{name}: {resource[name]!r} is set, too" for name in resource if name not in other]
    return lines + further
