"""Resources as the code that declares them, and where their attributes come from."""

from __future__ import annotations

import os

from puppet_repl.catalog.origins import text_of
from puppet_repl.catalog.puppet_code import code_of, is_reference, referred_to
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import Cell, Message, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.origins import Origin
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.tools.reports.parts import Part


def referred_code(session: Session, value: Value, limit: int) -> tuple[list[str], int]:
    """Return the code of at most ``limit`` resources that a reference, or an array, stands for.

    The number counts the resources beyond the limit, too.
    """
    if not is_reference(value):
        return [], 0
    resources = referred_to(value, SessionSymbols(session).resources())
    return [code_of(resource) for resource in resources[:limit]], len(resources)


def origins_of(session: Session, resource: Resource) -> list[Part]:
    """Return where a resource is declared, and what its attributes have from somewhere else."""
    rows = []
    for name, origins in session.origins([resource])[resource].items():
        if any(one.kind != "code" or one.file != resource.file for one in origins):
            text = text_of(origins, lambda one: _path(one, resource, session))
            rows.append((Cell(name, "dim"), Cell(text, "dim")))
    place = declared_at(resource)
    parts: list[Part] = [] if place is None else [place]
    return [*parts, Table(("", ""), rows, whole=(0, 1))] if rows else parts


def declared_at(resource: Resource) -> Message | None:
    """Return where a resource is declared, None for code without a name."""
    source = resource.source
    if source is None or source.name is None or resource.line is None:
        return None
    return Message(f"declared at {source.name}:{resource.line}", "dim")


def _path(origin: Origin, resource: Resource, session: Session) -> str:
    """Return the file of an origin as short as it can be: '' for that of the declaration."""
    path = origin.file or ""
    if path == resource.file:
        return ""
    directory = session.options.environment
    inside = directory and os.path.join(os.path.abspath(directory), "")
    return path.removeprefix(inside) if inside else path
