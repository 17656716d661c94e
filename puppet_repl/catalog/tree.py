"""A catalog as a tree of text: what contains what."""

from __future__ import annotations

from puppet_repl.catalog.puppet_code import reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Resource


def tree_text(catalog: Catalog) -> str:
    """Return the containment of a catalog, a resource a line, Class['main'] at the top.

    Classes are below their stage, or below the class that contains them. Virtual resources are left
    out. A resource with several containers is shown in full once; further lines end with ``...``.
    """
    tables = catalog.tables
    members: dict[Resource, list[Resource]] = {}
    for container, member in tables.containment():
        if not (container.virtual or member.virtual):
            members.setdefault(container, []).append(member)
    contained = {member for inner in members.values() for member in inner}
    tops = [each for each in tables.members if not (each.virtual or each in contained)]
    lines: list[str] = []
    shown: set[Resource] = set()
    for top in tops:
        # An explicit stack: containment may be deeper than Python recurses.
        waiting = [(top, "", "", "")]
        while waiting:
            resource, lead, branch, below = waiting.pop()
            inner = members.get(resource, [])
            is_again = resource in shown and bool(inner)
            lines.append(f"{lead}{branch}{_label(resource)}{' ...' if is_again else ''}")
            if not is_again:
                shown.add(resource)
                waiting += _branches(inner, lead + below)
    return "\n".join(lines)


def _branches(inner: Collection[Resource], lead: str) -> list[tuple[Resource, str, str, str]]:
    """Return the members of a resource with the lines that lead to them, the last one first."""
    last = len(inner) - 1
    return [
        (member, lead, "└─ " if index == last else "├─ ", "   " if index == last else "│  ")
        for index, member in enumerate(inner)
    ][::-1]


def _label(resource: Resource) -> str:
    return reference(resource) + (" (exported)" if resource.exported else "")
