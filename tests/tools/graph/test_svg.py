"""The picture of a graph: well-formed, with all that is in the graph, whatever its names hold."""

from __future__ import annotations

import re
import time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.tools.graph.model import Graph, Node
from puppet_repl.tools.graph.svg import graph_svg
from puppet_repl.tools.graph.titles import WIDTH, title_lines
from puppet_repl.tools.rendering.width import display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.graph.model import Relationship

SVG = "{http://www.w3.org/2000/svg}"
CHAIN = Graph(
    [
        Node("Class['web']", "Class", "web"),
        Node("File['/a']", "File", "/a"),
        Node("Service['s']", "Service", "s"),
        Node("User['u']", "User", "u", "@"),
    ],
    [("Class['web']", "File['/a']"), ("Class['web']", "Service['s']")],
    [("File['/a']", "Service['s']", "~>")],
)


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def titles(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}title")]


def test_all_is_drawn_once() -> None:
    svg = graph_svg(CHAIN)
    assert titles(svg) == [
        "Graph of 4 resources and 1 relationship",
        "Class['web']",
        "File['/a']",
        "Service['s']",
        "User['u']",
    ]
    assert texts(svg) == [
        *("Class['web']", "File", "/a", "Service", "s", "@User", "u"),
        "comes before, and notifies",
    ]


def test_it_is_described_for_those_who_do_not_see_it() -> None:
    root = ElementTree.fromstring(graph_svg(CHAIN))
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Graph of 4 resources and 1 relationship"
    described = root.find(f"{SVG}desc")
    assert described is not None
    assert described.text == "File['/a'] comes before and notifies Service['s']"


def test_only_notifications_and_virtual_resources_are_dashed() -> None:
    svg = graph_svg(CHAIN)
    assert svg.count('stroke-dasharray="6 4"') == 2  # the edge, and the legend
    assert svg.count('stroke-dasharray="4 3"') == 1
    assert "stroke-dasharray" not in graph_svg(Graph([Node("File['/a']", "File", "/a")]))


def test_it_needs_no_styles_scripts_or_other_files() -> None:
    svg = graph_svg(CHAIN)
    elements = {each.tag.removeprefix(SVG) for each in ElementTree.fromstring(svg).iter()}
    assert elements <= {"svg", "title", "desc", "g", "rect", "path", "polygon", "text"}
    assert not re.search(r"\bid=|href|url\(|style=", svg)


def test_a_cycle_is_told_and_drawn_in_red() -> None:
    names = ["Notify['a']", "Notify['b']"]
    nodes = [Node(name, "Notify", name[8]) for name in names]
    order: list[Relationship] = [(names[0], names[1], "->"), (names[1], names[0], "->")]
    svg = graph_svg(Graph(nodes, (), order, [*names, names[0]]))
    assert svg.count("<polygon") == 3
    assert len(re.findall(r'<polygon[^>]*fill="#e5484d"', svg)) == 2
    assert "dependency cycle: Notify['a'] => Notify['b'] => Notify['a']" in texts(svg)


def test_a_graph_of_nothing_says_so() -> None:
    assert texts(graph_svg(Graph([]))) == ["no resources"]


def test_a_large_catalog_is_folded_quickly_and_says_so() -> None:
    nodes, contained = [Node("Class['c']", "Class", "c")], []
    order: list[Relationship] = []
    for number in range(500):
        file, exec_ = f"File['/{number}']", f"Exec['/{number}']"
        nodes += [Node(file, "File", f"/{number}"), Node(exec_, "Exec", f"/{number}")]
        contained += [("Class['c']", file)]
        order += [(file, exec_, "~>")]
    start = time.process_time()
    svg = graph_svg(Graph(nodes, contained, order))
    assert time.process_time() - start < 0.5
    assert "1001 resources, some of them folded; :graph text lists all relationships" in texts(svg)
    assert "500 resources" in texts(svg)


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_title_is_text_that_can_be_seen(title: str) -> None:
    svg = graph_svg(Graph([Node(f"Notify['{title}']", "Notify", title)]))
    shown = texts(svg)
    assert shown[0] == "Notify"
    for text in shown:
        assert "\x1b" not in text
        assert "\u202e" not in text
    # Lone surrogates, too, become what can be encoded.
    graph_svg(Graph([Node("Notify['x']", "Notify", f"{title}\ud800\uffff\x00")])).encode()


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("", []),
        ("nginx", ["nginx"]),
        ("x" * WIDTH, ["x" * WIDTH]),
        ("x" * (WIDTH + 1), ["x" * WIDTH, "x"]),
        ("/etc/apache2/mods-enabled/ssl.load", ["/etc/apache2/mods-enabled/", "ssl.load"]),
        ("one-two-three-four-five-six-seven-8", ["one-two-three-four-five-six-", "seven-8"]),
        ("x" * 95, ["x" * 30, "x" * 30, "x" * 14 + "…" + "x" * 15]),
    ],
)
def test_long_titles_have_several_lines(title: str, lines: list[str]) -> None:
    assert title_lines(title) == lines


@given(st.text(max_size=200), st.integers(4, 40), st.integers(1, 4))
def test_no_line_of_a_title_is_too_wide(title: str, width: int, most: int) -> None:
    lines = title_lines(title, width, most)
    assert len(lines) <= most
    assert all(display_width(line) <= width for line in lines)
    if len("".join(lines)) >= len(title):
        assert "".join(lines) == title
