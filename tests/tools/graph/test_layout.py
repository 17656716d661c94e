"""Laws of the layout of any graph: what is drawn once, what does not overlap, what leads down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from puppet_repl.tools.graph.layout import PADDING, Box, Layout, laid_out
from puppet_repl.tools.graph.model import depths

Size = tuple[float, float]
Point = tuple[float, float]
CLOSE = 1e-6


class Given:
    """A graph to lay out."""

    def __init__(
        self, sizes: dict[str, Size], parents: dict[str, str], edges: list[tuple[str, str]]
    ) -> None:
        self.sizes = sizes
        self.parents = parents
        self.edges = edges

    def __repr__(self) -> str:
        return f"Given({self.sizes}, {self.parents}, {self.edges})"

    def layout(self) -> Layout:
        return laid_out(self.sizes, self.parents, self.edges, max_width=600)

    def containers(self, name: str) -> list[str]:
        found = []
        while name in self.parents:
            name = self.parents[name]
            found.append(name)
        return found

    def siblings(self) -> Iterator[list[str]]:
        """Yield the nodes side by side in each container."""
        levels: dict[str | None, list[str]] = {}
        for name in self.sizes:
            levels.setdefault(self.parents.get(name), []).append(name)
        yield from levels.values()

    def leaves(self) -> list[str]:
        outer = set(self.parents.values())
        return [name for name in self.sizes if name not in outer]


@st.composite
def graphs(draw: st.DrawFn, *, flat: bool = False) -> Given:
    count = draw(st.integers(1, 14))
    names = [f"n{number}" for number in range(count)]
    side = st.integers(20, 300)
    sizes = {name: (float(draw(side)), float(draw(st.integers(10, 80)))) for name in names}
    parents = {}
    if not flat:
        for number, name in enumerate(names[1:], 1):
            outer = draw(st.none() | st.integers(0, number - 1))
            if outer is not None:
                parents[name] = names[outer]
    edges = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=20))
    return Given(sizes, parents, edges)


def overlap(first: Box, second: Box) -> bool:
    return (
        first.x + CLOSE < second.x + second.width
        and second.x + CLOSE < first.x + first.width
        and first.y + CLOSE < second.y + second.height
        and second.y + CLOSE < first.y + first.height
    )


def corners_of_curves(points: list[Point]) -> Iterator[Box]:
    """Yield the rectangle that each piece of a route stays in."""
    for (x, y), (to_x, to_y) in pairwise(points):
        yield Box(min(x, to_x), min(y, to_y), abs(x - to_x), abs(y - to_y))


@given(graphs())
def test_each_node_has_one_box_of_its_size(graph: Given) -> None:
    boxes = graph.layout().boxes
    assert list(boxes) == list(graph.sizes)
    for name in graph.leaves():
        assert (boxes[name].width, boxes[name].height) == graph.sizes[name]


@given(graphs())
def test_boxes_side_by_side_do_not_overlap(graph: Given) -> None:
    boxes = graph.layout().boxes
    for names in graph.siblings():
        for first, second in combinations(names, 2):
            assert not overlap(boxes[first], boxes[second]), (first, second)


@given(graphs())
def test_what_is_contained_is_inside_and_below_the_heading(graph: Given) -> None:
    boxes = graph.layout().boxes
    for name, container in graph.parents.items():
        inner, outer = boxes[name], boxes[container]
        assert outer.x < inner.x
        assert inner.x + inner.width < outer.x + outer.width
        assert outer.y + graph.sizes[container][1] < inner.y
        assert inner.y + inner.height < outer.y + outer.height
        assert outer.width >= graph.sizes[container][0]


@given(graphs())
def test_all_is_inside_of_the_drawing(graph: Given) -> None:
    layout = graph.layout()
    for box in layout.boxes.values():
        assert min(box.x, box.y) >= -CLOSE
        assert box.x + box.width <= layout.width + CLOSE
        assert box.y + box.height <= layout.height + CLOSE


@given(graphs())
def test_routes_lead_from_one_border_to_the_other(graph: Given) -> None:
    layout = graph.layout()
    for (first, second), route in zip(graph.edges, layout.routes, strict=True):
        for name, (x, y) in ((first, route[0]), (second, route[-1])):
            box = layout.boxes[name]
            assert box.x - CLOSE <= x <= box.x + box.width + CLOSE
            assert min(abs(y - box.y), abs(y - box.y - box.height)) < CLOSE


@given(graphs())
@example(Given({"a": (50, 20), "b": (50, 20), "c": (50, 20)}, {}, [("a", "b"), ("b", "a")]))
def test_routes_pass_through_no_other_box(graph: Given) -> None:
    """But for those that contain one of the two nodes, and for edges from a node to itself."""
    layout = graph.layout()
    for (first, second), route in zip(graph.edges, layout.routes, strict=True):
        if first == second:
            continue
        around = {first, second, *graph.containers(first), *graph.containers(second)}
        for name in graph.sizes.keys() - around:
            if around.isdisjoint((name, *graph.containers(name)[:-1])) or name in graph.leaves():
                for piece in corners_of_curves(route):
                    assert not overlap(piece, layout.boxes[name]), (first, second, name)


@given(graphs(flat=True))
def test_edges_lead_down_if_there_is_no_cycle(graph: Given) -> None:
    number = {name: index for index, name in enumerate(graph.sizes)}
    graph.edges = [(a, b) for a, b in graph.edges if number[a] < number[b]]
    layout = graph.layout()
    for (first, second), route in zip(graph.edges, layout.routes, strict=True):
        upper, lower = layout.boxes[first], layout.boxes[second]
        assert upper.y + upper.height < lower.y
        assert all(above[1] <= below[1] + CLOSE for above, below in pairwise(route))


@given(graphs())
def test_edges_lead_down_between_containers_that_have_no_cycle(graph: Given) -> None:
    """All edges lead from what is declared earlier to what is later, at each level."""
    number = {name: index for index, name in enumerate(graph.sizes)}

    def path(name: str) -> list[int]:
        return [number[each] for each in (*graph.containers(name)[::-1], name)]

    def is_ordered(first: str, second: str) -> bool:
        one, other = path(first), path(second)
        pairs = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
        return bool(pairs) and pairs[0][0] < pairs[0][1]

    graph.edges = [edge for edge in graph.edges if is_ordered(*edge)]
    assume(graph.edges)
    layout = graph.layout()
    for (first, second), route in zip(graph.edges, layout.routes, strict=True):
        upper, lower = layout.boxes[first], layout.boxes[second]
        assert upper.y + upper.height < lower.y
        assert all(above[1] <= below[1] + CLOSE for above, below in pairwise(route))


@given(graphs())
def test_the_same_graph_has_the_same_layout(graph: Given) -> None:
    def numbers() -> tuple[object, ...]:
        layout = graph.layout()
        boxes = [(box.x, box.y, box.width, box.height) for box in layout.boxes.values()]
        return boxes, layout.routes

    assert numbers() == numbers()


@given(st.integers(4, 60), st.integers(40, 200))
def test_what_nothing_connects_stands_in_rows(count: int, width: int) -> None:
    layout = laid_out({f"n{number}": (float(width), 40.0) for number in range(count)}, {}, [])
    rows = {box.y for box in layout.boxes.values()}
    columns = {box.x for box in layout.boxes.values()}
    assert len(rows) > 1
    assert layout.width <= 860
    assert len(rows) * len(columns) < count + len(columns)


def test_a_layer_that_is_too_wide_becomes_several() -> None:
    sizes = dict.fromkeys(["root", *(f"n{number}" for number in range(20))], (150.0, 40.0))
    edges = [("root", name) for name in sizes if name != "root"]
    layout = laid_out(sizes, {}, edges, max_width=600)
    assert len({layout.boxes[name].y for name in sizes}) == 1 + 7
    assert layout.width < 700


def test_a_chain_is_straight() -> None:
    sizes = {"a": (80.0, 40.0), "b": (200.0, 40.0), "c": (90.0, 40.0)}
    layout = laid_out(sizes, {}, [("a", "b"), ("b", "c")])
    assert {round(x, 6) for route in layout.routes for x, _ in route} == {100.0}


def test_two_edges_that_need_not_cross_do_not() -> None:
    sizes = dict.fromkeys("abcd", (80.0, 40.0))
    layout = laid_out(sizes, {}, [("a", "d"), ("b", "c")])
    left = {name: layout.boxes[name].x for name in sizes}
    assert (left["a"] < left["b"]) == (left["d"] < left["c"])


def test_depths_of_a_long_chain_of_containers() -> None:
    parents = {f"n{number}": f"n{number - 1}" for number in range(1, 5000)}
    found = depths(parents, [f"n{number}" for number in range(5000)][::-1])
    assert found["n4999"] == 4999
    assert found["n0"] == 0


@pytest.mark.parametrize("depth", [2000])
def test_containment_may_be_deeper_than_python_recurses(depth: int) -> None:
    sizes = {f"n{number}": (80.0, 20.0) for number in range(depth)}
    parents = {f"n{number}": f"n{number - 1}" for number in range(1, depth)}
    assert len(laid_out(sizes, parents, []).boxes) == depth


def test_a_container_is_as_large_as_its_content_and_heading() -> None:
    wide, narrow = (200.0, 40.0), (80.0, 16.0)
    for heading, content in ((narrow, wide), (wide, narrow)):
        layout = laid_out({"k": heading, "a": content}, {"a": "k"}, [])
        outer, inner = layout.boxes["k"], layout.boxes["a"]
        assert outer.width == 200 + 2 * PADDING
        assert outer.height == 56 + 2 * PADDING
        assert inner.x - outer.x == (outer.width - content[0]) / 2
        assert outer.y + outer.height - (inner.y + inner.height) == PADDING


@pytest.mark.parametrize("max_width", [600, 900])
def test_what_is_in_containers_stays_within_the_width(max_width: int) -> None:
    names = [f"n{number:03}" for number in range(300)]
    sizes = {"k": (50.0, 20.0), "l": (50.0, 20.0), **dict.fromkeys(names, (11.0, 40.0))}
    parents = {"l": "k", **dict.fromkeys(names, "l")}
    layout = laid_out(sizes, parents, [], max_width=max_width)
    columns = {layout.boxes[name].x for name in names}
    assert layout.width <= max_width
    assert len(columns) > max_width / 45


@given(graphs())
def test_routes_cross_the_borders_of_containers_at_right_angles(graph: Given) -> None:
    layout = graph.layout()
    for (first, second), route in zip(graph.edges, layout.routes, strict=True):
        left, entered = graph.containers(first), graph.containers(second)
        for name in {*left, *entered} - ({*left} & {*entered}) - {first, second}:
            box = layout.boxes[name]
            borders = (box.y, box.y + box.height)
            crossing = [
                (one, other)
                for one, other in pairwise(route)
                for border in borders
                if min(one[1], other[1]) - CLOSE <= border <= max(one[1], other[1]) + CLOSE
                and box.y - CLOSE <= (one[1] + other[1]) / 2 <= box.y + box.height + CLOSE
            ]
            assert crossing
            assert all(abs(one[0] - other[0]) < CLOSE for one, other in crossing)


def test_an_edge_to_its_own_node_goes_round_it() -> None:
    layout = laid_out({"a": (80.0, 40.0)}, {}, [("a", "a")])
    [box], [route] = layout.boxes.values(), layout.routes
    assert route[0] == (route[-1][0], box.y + box.height) and route[-1][1] == box.y
    xs, ys = zip(*route[1:-1], strict=True)
    assert min(ys) < box.y and max(ys) > box.y + box.height and max(xs) > box.x + box.width
    assert not any(
        box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height for x, y in route[1:-1]
    )
    assert all(one[0] == other[0] or one[1] == other[1] for one, other in pairwise(route))
