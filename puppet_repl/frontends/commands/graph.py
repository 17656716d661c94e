"""``:graph``: the graph of the session's catalog in its forms."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.matching import did_you_mean
from puppet_repl.catalog.cycles import cycle_message
from puppet_repl.catalog.order import order_of
from puppet_repl.catalog.puppet_code import reference
from puppet_repl.frontends.commands.catalog import FAILED, declared_in, finished, of_catalog
from puppet_repl.host.command_registry import GRAPH_FORMATS
from puppet_repl.language.values.quote import source_quote
from puppet_repl.language.values.text import to_text
from puppet_repl.tools.graph.model import Graph, Node
from puppet_repl.tools.graph.notations import dot_text, mermaid_text
from puppet_repl.tools.graph.svg import graph_svg
from puppet_repl.tools.reports.parts import (
    Code,
    CommandError,
    Drawing,
    Failure,
    Message,
    Report,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.catalog.order import Order
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.tools.graph.model import Arrow, Relationship

_METAPARAMETERS: tuple[tuple[str, Arrow, bool], ...] = (
    ("before", "->", True),
    ("notify", "~>", True),
    ("require", "->", False),
    ("subscribe", "~>", False),
)


def graph(call: Call) -> Report:
    """``:graph [--failed] [text|mermaid|dot|svg] [CLASS|RESOURCE]``; a notebook draws it."""
    return of_catalog(call, _graph)


def _graph(call: Call, argument: str) -> Report:
    format_, subject = _format_and_subject(argument)
    error = None if FAILED in call.words else finished(call).error
    if error is not None:
        return Report(Failure(error))
    try:
        return graph_of(call.session, format_, subject)
    except PuppetError as failure:  # of the Ruby of types
        return Report(Failure(failure))


def graph_of(session: Session, format_: str, subject: str = "") -> Report:
    """Return the graph of a catalog that is finished, or of a subject in it, in a format.

    The formats are those of ``:graph``; '' draws the graph if the front end can. Raises
    CommandError for a subject that the catalog lacks.
    """
    resources = declared_in(session)
    if not resources and (format_ != "svg" or subject):
        return Report(Message("no resources yet", "dim"))
    contained = _contained(session, resources)
    names = {each.ref: reference(each) for each in resources}
    applied = order_of(session.catalog)
    order = [*_relationships(session, resources), *_implied(applied, names)]
    cycles = applied.cycles()
    cycle = _drawn(cycles[0], names) if cycles else []
    drawn = Graph([_node(each) for each in resources], contained, order, cycle)
    if subject:
        chosen = _named(subject, drawn)
        inside = drawn.below(chosen)
        # Of what contains nothing the surroundings are of interest.
        drawn = inside if len(inside.nodes) > len(chosen) else drawn.around(chosen)
        cycles = [each for each in cycles if drawn.nodes.keys() & set(_drawn(each, names))]
    tree = Drawing(drawn, as_text=True)
    if format_ == "svg":
        # The picture itself shows a cycle: its file must not have other text.
        return Report(Code(lambda: graph_svg(drawn), "svg", readable=tree, graph=drawn))
    # Puppet refuses to apply a catalog with a cycle.
    warnings = [Message(cycle_message(cycles), "warning")] if cycles else []
    if format_ == "dot":
        return Report(Code(dot_text(drawn), "dot"), *warnings)
    if format_ == "mermaid":
        mermaid = Code(lambda: mermaid_text(drawn), "mermaid", readable=tree)
        return Report(mermaid, *warnings)
    return Report(tree if format_ == "text" else Drawing(drawn), *warnings)


def _drawn(cycle: list[str], names: dict[str, str]) -> list[str]:
    """Return the way of a cycle through what is drawn, each only once in a row."""
    found = [names[ref] for ref in cycle if ref in names]
    return [name for index, name in enumerate(found) if index == 0 or name != found[index - 1]]


def _format_and_subject(argument: str) -> tuple[str, str]:
    """Return the format and the subject, each may be empty; either may come first."""
    words = argument.split()
    if words and words[0] in GRAPH_FORMATS:
        return words[0], argument.removeprefix(words[0]).strip()
    if len(words) > 1 and words[-1] in GRAPH_FORMATS:
        return words[-1], argument.removesuffix(words[-1]).strip()
    return "", argument


def _named(subject: str, drawn: Graph) -> list[str]:
    """Return the nodes that a reference, or the name of a class or a type, stands for."""
    wanted = subject.lower().removeprefix("::")
    nodes = drawn.nodes.items()
    found = [name for name in drawn.nodes if _bare(name) == _bare(subject)]
    found = found or [name for name, node in nodes if (node.type, node.title) == ("Class", wanted)]
    found = found or [name for name, node in nodes if node.type.lower() == wanted]
    if found:
        return found
    titles = [node.title if node.type == "Class" else name for name, node in nodes]
    hint = did_you_mean(subject, titles)
    hint = hint or "give a class or a resource of the catalog, or text, mermaid, dot or svg"
    raise CommandError(f"the catalog has no '{subject}'", hint)


def _bare(reference_text: str) -> str:
    """Return a reference without quotes, its type in small letters."""
    type_name, bracket, title = reference_text.partition("[")
    return type_name.lower() + bracket + title.replace("'", "").replace('"', "")


def _node(resource: Resource) -> Node:
    mark = "@@" if resource.exported else "@" if resource.virtual else ""
    title = resource.title.lower() if resource.type == "Class" else resource.title
    return Node(reference(resource), resource.type, title, mark)


def _contained(session: Session, resources: list[Resource]) -> list[tuple[str, str]]:
    """Return pairs of container and member, by member."""
    containers: dict[Resource, list[Resource]] = {each: [] for each in resources}
    for container, member in session.catalog.tables.containment():
        if container in containers and member in containers:
            containers[member].append(container)
    return [
        (reference(container), reference(member))
        for member, found in containers.items()
        for container in found
    ]


def _relationships(session: Session, resources: list[Resource]) -> list[Relationship]:
    """Return the relationships of resources: first, second, and the arrow between them."""
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


def _implied(order: Order, names: dict[str, str]) -> Iterator[Relationship]:
    """Yield the relationships that types imply between resources that are drawn."""
    for (first, second), by in order.implied.items():
        if first in names and second in names:
            yield names[first], names[second], "..>" if by == second else ".->"


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
