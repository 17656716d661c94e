"""The graph of a catalog in the language of Graphviz."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.graph.model import Graph


def dot_text(graph: Graph) -> str:
    """Return a directed graph; what a node contains is joined to it by a line without an arrow."""
    lines = ["digraph catalog {", "  node [shape=box];"]
    lines += [f"  {_name(name)};" for name in sorted(graph.nodes)]
    for first, second, arrow in graph.order:
        style = "" if arrow == "->" else " [style=dashed]"
        lines.append(f"  {_name(first)} -> {_name(second)}{style};")
    for outer, inner in graph.contained():
        lines.append(f"  {_name(outer)} -> {_name(inner)} [arrowhead=none];")
    return "\n".join([*lines, "}"])


def _name(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
