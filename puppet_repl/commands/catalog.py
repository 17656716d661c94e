"""Commands about the catalog."""

from __future__ import annotations

import json

from puppet_repl.base.matching import has_wildcards, matches_wildcards
from puppet_repl.base.safe_text import visible_json
from puppet_repl.catalog.cycles import find_cycle
from puppet_repl.catalog.json import document
from puppet_repl.catalog.puppet_code import attributes_of, code_of, reference
from puppet_repl.commands.results import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Report,
    Table,
    ValueCell,
)
from puppet_repl.errors import PuppetError
from puppet_repl.inspection.symbols import SessionSymbols
from puppet_repl.session import Outcome
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.quote import source_quote
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.commands.model import Call
    from puppet_repl.session import Session
    from puppet_repl.values.protocols import Value

# In a label of a Mermaid diagram entities begin with a number sign.
_MERMAID = str.maketrans({"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;"})
# What Puppet itself puts into every catalog.
_FRAME = frozenset((("Stage", "main"), ("Class", "Settings"), ("Class", "Main"), ("Class", "main")))


def declared_in(session: Session) -> list[Resource]:
    """Return the resources of the catalog that code declared."""
    return [
        resource
        for resource in SessionSymbols(session).resources()
        if (resource.type, resource.title) not in _FRAME
        and not (resource.type == "Class" and resource.title in ("", "settings"))
    ]


def resources(call: Call) -> Report:
    """``:resources [PATTERN]``."""
    found = declared_in(call.session)
    pattern = call.argument
    chosen = [resource for resource in found if _matches(resource, pattern)]
    if pattern and len(chosen) == 1:
        return Report(Code(code_of(chosen[0])), *_origin(chosen[0]))
    rows = []
    for resource in chosen:
        state = "exported" if resource.exported else "virtual" if resource.virtual else ""
        attributes = ValueCell(PuppetHash(attributes_of(resource)))
        rows.append((Cell(reference(resource), "type"), state, attributes))
    empty = f"no resource matches '{pattern}'" if pattern else "no resources yet"
    return Report(Table(("Resource", "", "Attributes"), rows, empty=empty, whole=(0,)))


def _matches(resource: Resource, pattern: str) -> bool:
    """Tell whether a reference has a pattern in it, or its type, title or all of it match one."""
    wanted = _without_quotes(pattern).lower()
    type_name, title = resource.type.lower(), _without_quotes(resource.title).lower()
    whole = f"{type_name}[{title}]"
    if not has_wildcards(wanted):
        return wanted in whole
    return any(matches_wildcards(text, wanted) for text in (whole, type_name, title))


def _without_quotes(text: str) -> str:
    return text.replace('"', "").replace("'", "")


def _origin(resource: Resource) -> list[Message]:
    source = resource.source
    if source is None or source.name is None or resource.line is None:
        return []
    return [Message(f"declared at {source.name}:{resource.line}", "dim")]


def _finished(call: Call) -> Outcome:
    """Return the outcome of the catalog's final checks, and roll back what they changed."""
    with call.session.temporarily():
        return call.session.finish_catalog(Outcome())


def catalog(call: Call) -> Report:
    """``:catalog [json|code]``; code is shown beside what is wrong with the catalog."""
    format_ = call.argument or "code"
    if format_ not in ("json", "code"):
        raise CommandError(f"there is no format '{format_}'", "the formats are code and json")
    error = _finished(call).error
    if format_ == "code":
        found = [each for each in declared_in(call.session) if each.type not in ("Class", "Node")]
        report = Report(Message("no resources yet", "dim"))
        if found:
            report = Report(Code("\n\n".join(code_of(resource) for resource in found)))
        if error is not None:
            report.parts.append(Failure(error))
        return report
    if error is not None:
        return Report(Failure(error))
    try:
        content = document(call.session.catalog)
    except PuppetError as failure:
        return Report(Failure(failure))
    text = json.dumps(content, ensure_ascii=False, indent=2, default=str, allow_nan=False)
    return Report(Code(visible_json(text), "json"))


def graph(call: Call) -> Report:
    """``:graph [text|mermaid|dot]``; a notebook draws Mermaid, and shows the text beside it."""
    format_ = call.argument or "mermaid"
    if format_ not in ("text", "mermaid", "dot"):
        hint = "the formats are text, mermaid and dot"
        raise CommandError(f"there is no format '{format_}'", hint)
    outcome = _finished(call)
    if outcome.error is not None:
        return Report(Failure(outcome.error))
    shown = {reference(resource) for resource in declared_in(call.session)}
    order = _relationships(call)
    contained = [
        (edge["source"], edge["target"])
        for edge in outcome.edges
        if _is_shown(edge["source"], shown) and _is_shown(edge["target"], shown)
    ]
    if not shown:
        return Report(Message("no resources yet", "dim"))
    cycle = _cycle(order, contained)
    if format_ == "dot":
        return Report(Code(_dot(shown, contained, order), "dot"), *cycle)
    table = _edge_table(order, contained)
    if format_ == "mermaid":
        return Report(Code(_mermaid(shown, contained, order), "mermaid", readable=table), *cycle)
    return Report(table, *cycle)


def _cycle(order: list[tuple[str, str, str]], contained: list[tuple[str, str]]) -> list[Message]:
    """Return a warning if there is a dependency cycle: Puppet refuses to apply such a catalog."""
    names = find_cycle(
        [(first, second) for first, second, _ in order],
        [(_quoted(outer), _quoted(inner)) for outer, inner in contained],
    )
    if names is None:
        return []
    return [Message(f"dependency cycle: ({' => '.join(names)})", "warning")]


def _edge_table(order: list[tuple[str, str, str]], contained: list[tuple[str, str]]) -> Table:
    rows: list[tuple[Cell | str, ...]] = [
        (Cell(left, "type"), Cell(arrow, "operator"), Cell(right, "type"))
        for left, right, arrow in order
    ]
    rows += [
        (Cell(_quoted(left), "type"), Cell("contains", "dim"), Cell(_quoted(right), "type"))
        for left, right in contained
    ]
    return Table(("", "", ""), rows, empty="no resource depends on another", whole=(0, 2))


def _is_shown(name: str, shown: set[str]) -> bool:
    return _quoted(name) in shown


def _relationships(call: Call) -> list[tuple[str, str, str]]:
    """Pairs of what comes first and what comes after, with the arrow between them."""
    found: dict[tuple[str, str, str], None] = {}
    for resource in declared_in(call.session):
        own = reference(resource)
        for name, arrow, is_source in (
            ("before", "->", True),
            ("notify", "~>", True),
            ("require", "->", False),
            ("subscribe", "~>", False),
        ):
            parameter = resource.parameters.get(name)
            if parameter is None:
                continue
            for other in _references(call.session, parameter.value):
                pair = (own, other, arrow) if is_source else (other, own, arrow)
                found[pair] = None
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


def _mermaid(
    shown: set[str], contained: list[tuple[str, str]], order: list[tuple[str, str, str]]
) -> str:
    numbers = {name: f"r{index}" for index, name in enumerate(sorted(shown))}
    lines = ["flowchart TD"]
    lines += [f'  {number}["{name.translate(_MERMAID)}"]' for name, number in numbers.items()]
    for left, right, arrow in order:
        link = "-->" if arrow == "->" else "-. notify .->"
        if left in numbers and right in numbers:
            lines.append(f"  {numbers[left]} {link} {numbers[right]}")
    for left, right in contained:
        first, second = numbers.get(_quoted(left)), numbers.get(_quoted(right))
        if first and second:
            lines.append(f"  {first} --- {second}")
    return "\n".join(lines)


def _quoted(name: str) -> str:
    type_name, _, title = name.partition("[")
    title = title.removesuffix("]").strip("'")
    return f"{type_name}['{title.lower() if type_name == 'Class' else title}']"


def _dot(
    shown: set[str], contained: list[tuple[str, str]], order: list[tuple[str, str, str]]
) -> str:
    lines = ["digraph catalog {", "  node [shape=box];"]
    lines += [f"  {_dot_name(name)};" for name in sorted(shown)]
    for left, right, arrow in order:
        style = "" if arrow == "->" else " [style=dashed]"
        lines.append(f"  {_dot_name(left)} -> {_dot_name(right)}{style};")
    for left, right in contained:
        first, second = _dot_name(_quoted(left)), _dot_name(_quoted(right))
        lines.append(f"  {first} -> {second} [arrowhead=none];")
    return "\n".join([*lines, "}"])


def _dot_name(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
