"""Large graphs with fewer boxes: nothing is lost, and what fits is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.tools.graph.folding import MOST_BOXES, folded
from puppet_repl.tools.graph.model import Graph, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.graph.model import Relationship


def resources(type: str, count: int, prefix: str = "") -> list[Node]:
    return [
        Node(f"{type}['{prefix}{number}']", type, f"{prefix}{number}") for number in range(count)
    ]


def labels(graph: Graph) -> set[str]:
    return {node.label for node in graph.nodes.values()}


def counted(graph: Graph) -> int:
    """The resources that are shown or counted in boxes."""
    shown = [node for node in graph.nodes.values() if not node.is_group]
    return len(shown) + sum(node.hidden for node in graph.nodes.values())


def test_a_small_graph_is_left_as_it_is() -> None:
    graph = Graph(resources("File", MOST_BOXES))
    assert folded(graph) is graph


def test_resources_of_a_type_are_one_box() -> None:
    files, services = resources("File", 100), resources("Service", 1)
    order: list[Relationship] = [(file.name, "Service['0']", "~>") for file in files]
    graph = folded(Graph([*files, *services], order=order))
    assert labels(graph) == {"File (100 resources)", "Service['0']"}
    assert graph.order == [("File", "Service['0']", "~>")]
    assert graph.total == 101


def test_small_containers_are_opened_as_long_as_there_is_room() -> None:
    names = ["small", "middle", "large"]
    classes = [Node(f"Class['{name}']", "Class", name) for name in names]
    inside = {"small": 5, "middle": 40, "large": 50}
    nodes, contained = list(classes), []
    for name, count in inside.items():
        for node in [*resources("File", count, name), *resources("Exec", count, name)]:
            nodes.append(node)
            contained.append((f"Class['{name}']", node.name))
    graph = folded(Graph(nodes, contained))
    assert graph.nodes["Class['small']"].hidden == 0
    assert len(graph.children()["Class['small']"]) == 10
    # What is too much stands in boxes by type.
    for name in ("middle", "large"):
        inner = [graph.nodes[each].label for each in graph.children()[f"Class['{name}']"]]
        count = inside[name]
        assert inner == [f"File ({count} resources)", f"Exec ({count} resources)"]


def test_classes_are_grouped_by_module_and_containers_by_type() -> None:
    nodes = [Node(f"Class['m{n % 3}::c{n}']", "Class", f"m{n % 3}::c{n}") for n in range(90)]
    sites = resources("Web::Site", 70)
    files = resources("File", 70)
    contained = [(site.name, file.name) for site, file in zip(sites, files, strict=True)]
    graph = folded(Graph([*nodes, *sites, *files], contained))
    assert labels(graph) == {
        "Class m0: 30 classes (30 resources)",
        "Class m1: 30 classes (30 resources)",
        "Class m2: 30 classes (30 resources)",
        "Web::Site 70 instances (140 resources)",
    }


def test_groups_of_one_type_in_two_containers_are_two_boxes() -> None:
    outer = resources("Class", 2)
    nodes, contained = list(outer), []
    for each in outer:
        for node in resources("File", 80, each.title):
            nodes.append(node)
            contained.append((each.name, node.name))
    graph = folded(Graph(nodes, contained))
    assert len(graph.nodes) == 4
    assert counted(graph) == 162


def test_a_cycle_stays_one() -> None:
    files, services = resources("File", 100), resources("Service", 1)
    order: list[Relationship] = [
        (files[0].name, files[1].name, "->"),
        (files[1].name, "Service['0']", "->"),
        ("Service['0']", files[0].name, "->"),
    ]
    cycle = [files[0].name, files[1].name, "Service['0']", files[0].name]
    graph = folded(Graph([*files, *services], order=order, cycle=cycle))
    assert graph.cycle == ("File", "Service['0']", "File")
    assert graph.cyclic() == {("File", "Service['0']"), ("Service['0']", "File")}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    types = st.sampled_from(["File", "Exec", "Class", "Web::Site"])
    count = draw(st.integers(1, 40))
    kinds = [draw(types) for _ in range(count)]
    nodes = [
        Node(f"{kind}['m::{number}']", kind, f"m::{number}") for number, kind in enumerate(kinds)
    ]
    names = [node.name for node in nodes]
    contained = [
        (names[draw(st.integers(0, number - 1))], names[number])
        for number in range(1, count)
        if draw(st.booleans())
    ]
    name = st.sampled_from(names)
    order = draw(st.lists(st.tuples(name, name, st.sampled_from(["->", "~>"])), max_size=30))
    return Graph(nodes, contained, order)


@given(graphs(), st.integers(4, 12))
def test_each_resource_is_shown_or_counted_once(graph: Graph, most: int) -> None:
    result = folded(graph, most)
    assert counted(result) == len(graph.nodes) == result.total
    if result is not graph:
        assert len(result.nodes) <= max(most, 4)


@given(graphs(), st.integers(4, 12))
def test_no_relationship_between_boxes_is_lost(graph: Graph, most: int) -> None:
    result = folded(graph, most)
    ends = {name for first, second, _ in result.order for name in (first, second)}
    assert ends <= result.nodes.keys()
    kept = {(first, second, arrow) for first, second, arrow in graph.order}
    for first, second, arrow in kept:
        if first in result.nodes and second in result.nodes:
            assert (first, second, arrow) in result.order


def test_what_types_imply_is_folded_too() -> None:
    files, users = resources("File", 100), resources("User", 100)
    box = Node("Class['k']", "Class", "k")
    contained = [(box.name, user.name) for user in users]
    order: list[Relationship] = [
        (users[0].name, files[0].name, "..>"),
        (files[1].name, users[1].name, ".->"),
        (files[2].name, users[2].name, "..>"),
        (files[3].name, users[3].name, "->"),
    ]
    graph = folded(Graph([*files, box, *users], contained, order), 2)
    # What code states between the same boxes is enough.
    assert graph.order == [("Class['k']", "File", "..>"), ("File", "Class['k']", "->")]
    assert [graph.implying(each) for each in graph.order] == ["File", ""]
    assert graph.implying(("File", "Class['k']", "..>")) == "a type"
