"""``:graph``: the graph of the session's catalog in its forms."""

from __future__ import annotations

from puppet_repl.catalog.cycles import find_cycle
from puppet_repl.catalog.puppet_code import reference
from puppet_repl.commands.catalog import declared_in, finished
from puppet_repl.commands.results import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Report,
    Table,
)
from puppet_repl.graph.dot import dot_text
from puppet_repl.graph.mermaid import mermaid_text
from puppet_repl.graph.model import Graph, Node
from puppet_repl.graph.svg import graph_svg
from puppet_repl.values.quote import source_quote
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.commands.model import Call
    from puppet_repl.graph.model import Arrow, Relationship
    from puppet_repl.session import Session
    from puppet_repl.values.protocols import Value

_FORMATS = ("text", "mermaid", "dot", "svg")
_METAPARAMETERS: tuple[tuple[str, Arrow, bool], ...] = (
    ("before", "->", True),
    ("notify", "~>", True),
    ("require", "->", False),
    ("subscribe", "~>", False),
)


def graph(call: Call) -> Report:
    """``:graph [text|mermaid|dot|svg]``; a notebook draws it, and shows the text beside it."""
    format_ = call.argument or "mermaid"
    if format_ not in _FORMATS:
        hint = "the formats are text, mermaid, dot and svg"
        raise CommandError(f"there is no format '{format_}'", hint)
    error = finished(call).error
    if error is not None:
        return Report(Failure(error))
    resources = declared_in(call.session)
    if not resources and format_ != "svg":
        return Report(Message("no resources yet", "dim"))
    order = _relationships(call.session, resources)
    contained = _contained(call.session, resources)
    table = _table(order, contained)
    cycle = find_cycle([(first, second) for first, second, _ in order], contained) or []
    drawn = Graph([_node(each) for each in resources], contained, order, cycle)
    if format_ == "svg":
        # The picture tells of a cycle itself: nothing else may stand in its file.
        return Report(Code(lambda: graph_svg(drawn), "svg", readable=table, graph=drawn))
    # Puppet refuses to apply a catalog with a cycle.
    warnings = [Message(f"dependency cycle: ({' => '.join(cycle)})", "warning")] if cycle else []
    if format_ == "dot":
        return Report(Code(dot_text(drawn), "dot"), *warnings)
    if format_ == "mermaid":
        # Those who ask for Mermaid get no other picture.
        picture = None if call.argument else drawn
        mermaid = Code(lambda: mermaid_text(drawn), "mermaid", readable=table, graph=picture)
        return Report(mermaid, *warnings)
    return Report(table, *warnings)


def _node(resource: Resource) -> Node:
    mark = "@@" if resource.exported else "@" if resource.virtual else ""
    title = resource.title.lower() if resource.type == "Class" else resource.title
    return Node(reference(resource), resource.type, title, mark)


def _table(order: list[Relationship], contained: list[tuple[str, str]]) -> Table:
    rows: list[tuple[Cell | str, ...]] = [
        (Cell(left, "type"), Cell(arrow, "operator"), Cell(right, "type"))
        for left, right, arrow in order
    ]
    rows += [
        (Cell(left, "type"), Cell("contains", "dim"), Cell(right, "type"))
        for left, right in contained
    ]
    return Table(("", "", ""), rows, empty="no resource depends on another", whole=(0, 2))


def _contained(session: Session, resources: list[Resource]) -> list[tuple[str, str]]:
    """Return pairs of what contains and what is in it, by the latter."""
    containers: dict[Resource, list[Resource]] = {each: [] for each in resources}
    for container, member in session.catalog.tables.edges:
        if container in containers and member in containers:
            containers[member].append(container)
    return [
        (reference(container), reference(member))
        for member, found in containers.items()
        for container in found
    ]


def _relationships(session: Session, resources: list[Resource]) -> list[Relationship]:
    """Return what comes first and what comes after, with the arrow between them."""
    found: dict[Relationship, None] = {}
    for resource in resources:
        own = reference(resource)
        for name, arrow, is_source in _METAPARAMETERS:
            parameter = resource.parameters.get(name)
            if parameter is None:
                continue
            for other in _references(session, parameter.value):
                found[(own, other, arrow) if is_source else (other, own, arrow)] = None
    return list(found)


def _references(session: Session, value: Value) -> list[str]:
    """Return what a metaparameter refers to; a resource by its title, whatever alias is given."""
    if type(value) is tuple:
        return [text for item in value for text in _references(session, item)]
    text = to_text(value)
    type_name, bracket, title = text.partition("[")
    if not bracket:
        return []
    title = title.removesuffix("]").strip("'")
    resource = session.catalog.resources.find(type_name, title)
    if resource is not None:
        return [reference(resource)]
    return [f"{type_name}[{source_quote(title)}]"]
