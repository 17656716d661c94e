"""Graphs as text: the tree, Mermaid and Graphviz; and the parts of a graph."""

from __future__ import annotations

import itertools
import re

import pytest

from puppet_repl.tools.graph.model import Graph, Node
from puppet_repl.tools.graph.notations import dot_text, mermaid_text
from puppet_repl.tools.graph.tree import MAX_NOTES, graph_tree
from puppet_repl.tools.rendering.width import display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.graph.model import Relationship

CONTAINED = [("k", "a"), ("k", "d"), ("d", "b"), ("l", "b"), ("a", "k")]
ORDER: list[Relationship] = [("a", "b", "->"), ("k", "l", "~>"), ("k", "b", "->"), ("b", "o", "->")]


def graph(**options: object) -> Graph:
    """``k`` contains ``a`` and ``d``, which contains ``b``; ``l`` contains ``b``, too."""
    nodes = [Node(name, "T", name) for name in ("k", "l", "d", "a", "b")]
    return Graph(nodes, CONTAINED, ORDER, **options)  # type: ignore[arg-type]


def tree(graph: Graph, width: int = 80) -> list[str]:
    return "".join(text for _, text in graph_tree(graph, width)).splitlines()


# Parts


def test_what_types_imply_leaves_no_graph() -> None:
    order: list[Relationship] = [("a", "o", "..>"), ("o", "a", ".->"), ("a", "b", "..>")]
    part = Graph([Node("a", "T", "a"), Node("b", "U", "b")], order=order)
    assert part.leaving == []
    assert tree(part) == ["a  ⇢ b (implied by U)", "b"]


def test_a_node_is_in_one_container_and_never_in_itself() -> None:
    whole = graph()
    assert whole.containers("b") == ["d", "k"]
    assert whole.parents == {"a": "k", "d": "k", "b": "d"}
    assert whole.also == [("l", "b"), ("a", "k")]
    assert whole.children() == {None: ["k", "l"], "k": ["d", "a"], "d": ["b"]}
    assert set(whole.contained()) == set(CONTAINED)
    assert whole.leaving == [("b", "o", "->")]


def test_what_is_below_and_around() -> None:
    whole = graph(cycle=("a", "b", "a"))
    below = whole.below(["d"])
    assert list(below.nodes) == ["d", "b"]
    assert below.order == [] and below.cycle == ()
    assert below.leaving == [("a", "b", "->"), ("k", "b", "->"), ("b", "o", "->")]
    assert list(whole.below(["k"]).nodes) == ["k", "d", "a", "b"]
    assert whole.below(["k"]).cycle == ("a", "b", "a")
    assert list(whole.below(["l", "a"]).nodes) == ["k", "l", "d", "a", "b"]
    assert list(whole.around(["l"]).nodes) == ["k", "l"]
    assert list(whole.around(["a"]).nodes) == ["k", "l", "a", "b"]
    assert whole.cyclic() == {("a", "b"), ("b", "a")}


# The tree


def test_the_tree() -> None:
    assert tree(graph()) == [
        "k  ~→ l  → b",
        "├─ d",
        "│  └─ b  → o (outside)",
        "└─ a  → b",
        "   └─ k (as above or below)",
        "l",
        "└─ b (as above or below)",
    ]


def test_what_comes_from_outside_and_marks() -> None:
    nodes = [Node("n", "T", "n", "@@"), Node("g", "T", "", hidden=3, is_group=True)]
    order: list[Relationship] = [("o", "n", "->"), ("p", "n", "~>"), ("x", "y", "->")]
    assert tree(Graph(nodes, order=order)) == [
        "@@n  ← o (outside)  ←~ p (outside)",
        "T (3 resources)",
    ]


def test_links_of_a_cycle_are_marked() -> None:
    fragments = graph_tree(graph(cycle=("a", "b", "a")), 80)
    styles = {text: style for style, text in fragments}
    assert styles["→ b"] == "bad"
    assert styles["→ o (outside)"] == "dim"


@pytest.mark.parametrize("count", [MAX_NOTES, MAX_NOTES + 1, MAX_NOTES + 10])
def test_the_number_of_further_notes_is_told(count: int) -> None:
    names = [f"n{number:02}" for number in range(count)]
    nodes = [Node(name, "T", name) for name in ("a", *names)]
    [row, *_] = tree(Graph(nodes, order=[("a", name, "->") for name in names]), 200)
    assert row.count("→") == MAX_NOTES
    assert row.endswith(f"  … {count - MAX_NOTES} more") is (count > MAX_NOTES)


@pytest.mark.parametrize("width", [5, 12, 20, 30, 60, 100])
def test_no_row_is_wider_than_the_screen(width: int) -> None:
    names = [f"Some::Type['a long title of number {number}']" for number in range(30)]
    nodes = [Node(name, "T", name) for name in names]
    contained = list(itertools.pairwise(names[:20]))
    order: list[Relationship] = [(names[number], names[29], "~>") for number in range(25)]
    rows = tree(Graph(nodes, contained, order), width)
    assert max(map(display_width, rows)) <= width
    assert len(rows) >= 30


def test_notes_that_do_not_fit_have_rows_of_their_own() -> None:
    names = ["File['/etc/long/name']", "a", "b", "Service['with a name']"]
    order: list[Relationship] = [(names[0], names[3], "->"), (names[0], "a", "~>")]
    order += [("b", names[3], "->"), ("a", "b", "->")]
    whole = Graph([Node(name, "T", name) for name in names], [(names[0], "a"), ("a", "b")], order)
    assert tree(whole, 50)[0] == "File['/etc/long/name']"
    assert tree(whole, 30) == [
        "File['/etc/long/name']",
        "│  → Service['with a name']",
        "│  ~→ a",
        "└─ a  → b",
        "   └─ b",
        "         → Service…th a name']",
        "Service['with a name']",
    ]


# Mermaid and Graphviz


def test_mermaid() -> None:
    assert mermaid_text(graph()).splitlines() == [
        "flowchart TD",
        '  subgraph r3["k"]',
        '    r0["a"]',
        '    subgraph r2["d"]',
        '      r1["b"]',
        "    end",
        "  end",
        '  r4["l"]',
        "  r0 --> r1",
        "  r3 -. notify .-> r4",
        "  r4 --- r1",
    ]


def test_labels_of_mermaid_are_no_markup() -> None:
    text = mermaid_text(Graph([Node("T['<b>\"#1\"']", "T", "x")]))
    assert text.splitlines()[1] == "  r0[\"T['#lt;b#gt;#quot;#35;1#quot;']\"]"


@pytest.mark.parametrize(
    ("count", "links"),
    [
        (3, []),
        (4, [(0, 3)]),
        (7, [(0, 3), (1, 4), (2, 5), (3, 6)]),
        (16, [(n, n + 4) for n in range(12)]),
    ],
)
def test_what_nothing_connects_is_in_rows(count: int, links: list[tuple[int, int]]) -> None:
    names = [f"n{number:02}" for number in range(count)]
    found = re.findall(r"r(\d+) ~~~ r(\d+)", mermaid_text(Graph([Node(n, "T", n) for n in names])))
    assert [(int(upper), int(lower)) for upper, lower in found] == links


def test_what_is_connected_is_not_in_rows() -> None:
    names = [f"n{number}" for number in range(6)]
    nodes = [Node(name, "T", name) for name in names]
    text = mermaid_text(Graph(nodes, [("n0", "n1")], [("n2", "n3", "->")]))
    assert "~~~" not in text
    assert "r2 --> r3" in text


def test_dot() -> None:
    name = "T['a \"b\" \\ c']"
    whole = Graph([*graph().nodes.values(), Node(name, "T", "x")], CONTAINED[:1], ORDER)
    assert dot_text(whole).splitlines() == [
        "digraph catalog {",
        "  node [shape=box];",
        '  "T[\'a \\"b\\" \\\\ c\']";',
        '  "a";',
        '  "b";',
        '  "d";',
        '  "k";',
        '  "l";',
        '  "a" -> "b";',
        '  "k" -> "l" [style=dashed];',
        '  "k" -> "b";',
        '  "k" -> "a" [arrowhead=none];',
        "}",
    ]
