"""Tables and sections as nodes, for the directives that write the reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes
from docutils.nodes import Node


def table(heads: Sequence[str], rows: Iterable[Sequence[Sequence[Node]]]) -> nodes.table:
    """Return a table of cells that hold nodes."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=1) for _ in heads]
    head = nodes.row("", *[_cell([nodes.Text(text)]) for text in heads])
    body = [nodes.row("", *[_cell(cell) for cell in row]) for row in rows]
    group += nodes.thead("", head)
    group += nodes.tbody("", *body)
    return nodes.table("", group)


def section(title: str, *content: Node, name: str = "") -> nodes.section:
    """Return a section; its anchor is the name, or else its title."""
    return nodes.section(
        "", nodes.title("", title), *content, ids=[nodes.make_id(name or title)], names=[]
    )


def literals(texts: Iterable[str]) -> list[Node]:
    """Return texts as code, with commas between them."""
    found: list[Node] = []
    for text in texts:
        found += [nodes.Text(", ")] if found else []
        found.append(nodes.literal(text, text))
    return found


def _cell(content: Sequence[Node]) -> nodes.entry:
    return nodes.entry("", nodes.paragraph("", "", *content))
