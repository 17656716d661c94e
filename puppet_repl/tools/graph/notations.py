"""The graph of a catalog in the languages of Mermaid and of Graphviz."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puppet_repl.tools.graph.model import Graph

# In a label entities begin with a number sign.
_ENTITIES = str.maketrans({"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;"})


def mermaid_text(graph: Graph) -> str:
    """Return a flowchart: what contains others is a subgraph around them.

    What nothing connects is put into rows by links that are not drawn, as Mermaid would put all of
    it side by side.
    """
    numbers = {name: f"r{index}" for index, name in enumerate(sorted(graph.nodes))}
    children = graph.children()
    lines = ["flowchart TD"]
    # An explicit stack: containment may be deeper than Python recurses. None ends a subgraph.
    waiting: list[tuple[str | None, int]] = [(name, 1) for name in sorted(children[None])[::-1]]
    while waiting:
        name, depth = waiting.pop()
        lead = "  " * depth
        if name is None:
            lines.append(f"{lead}end")
            continue
        label = f'{numbers[name]}["{graph.nodes[name].label.translate(_ENTITIES)}"]'
        if name in children:
            lines.append(f"{lead}subgraph {label}")
            waiting.append((None, depth))
            waiting += [(inner, depth + 1) for inner in sorted(children[name])[::-1]]
        else:
            lines.append(f"{lead}{label}")
    for first, second, arrow in graph.order:
        # Mermaid refuses links between a subgraph and what is in it.
        if first not in graph.containers(second) and second not in graph.containers(first):
            implying = graph.implying((first, second, arrow))
            label = f"implied by {implying}" if implying else "notify"
            link = "-->" if arrow == "->" else f"-. {label} .->"
            lines.append(f"  {numbers[first]} {link} {numbers[second]}")
    for outer, inner in graph.also:
        if outer not in graph.containers(inner) and inner not in graph.containers(outer):
            lines.append(f"  {numbers[outer]} --- {numbers[inner]}")
    # What is connected, or a subgraph.
    placed = {name for first, second, _ in graph.order for name in (first, second)}
    placed.update(name for name in children if name is not None)
    for inside in children.values():
        loose = [name for name in sorted(inside) if name not in placed]
        lines += [f"  {numbers[upper]} ~~~ {numbers[lower]}" for upper, lower in _rows(loose)]
    return "\n".join(lines)


def _rows(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of nodes above each other that make rows of three or more."""
    columns = max(3, round(len(names) ** 0.5))
    yield from zip(names, names[columns:], strict=False)


def dot_text(graph: Graph) -> str:
    """Return a directed graph; what a node contains is joined to it by a line without an arrow."""
    lines = ["digraph catalog {", "  node [shape=box];"]
    lines += [f"  {_name(name)};" for name in sorted(graph.nodes)]
    for first, second, arrow in graph.order:
        implying = graph.implying((first, second, arrow))
        style = "" if arrow == "->" else " [style=dashed]"
        if implying:
            style = f' [style=dotted, label="implied by {implying}"]'
        lines.append(f"  {_name(first)} -> {_name(second)}{style};")
    for outer, inner in graph.contained():
        lines.append(f"  {_name(outer)} -> {_name(inner)} [arrowhead=none];")
    return "\n".join([*lines, "}"])


def _name(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
