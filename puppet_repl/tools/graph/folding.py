"""Large graphs with fewer boxes: containers closed, and resources of one type as one."""

from __future__ import annotations

from puppet_repl.base.wording import counted
from puppet_repl.tools.graph.model import IMPLIED, Graph, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from puppet_repl.tools.graph.model import Relationship

    Children: TypeAlias = Mapping[str | None, Sequence[str]]

MOST_BOXES = 60


def folded(graph: Graph, most: int = MOST_BOXES) -> Graph:
    """Return a graph of about ``most`` boxes or fewer; a smaller one as it is.

    From the outside in, containers are opened as long as what is in them has room, the small ones
    first. What is in one but would be too much is in boxes by type, classes by module. Boxes
    that stand for others have their number in ``hidden``, and their relationships.
    """
    if len(graph.nodes) <= most:
        return graph
    return _Folding(graph, most).graph()


class _Folding:
    """The work on one graph."""

    def __init__(self, graph: Graph, most: int) -> None:
        self._graph = graph
        self._children: Children = graph.children()
        self._sizes = _sizes(graph, self._children)
        self._room = most
        # Each node that is shown, and the box for each that is not.
        self._shown: dict[str, Node] = {}
        self._parents: dict[str, str] = {}
        self._stands_for: dict[str, str] = {}

    def graph(self) -> Graph:
        """Return the graph with fewer boxes."""
        closed = self._open(None)
        while closed:
            closed.sort(key=lambda name: len(self._children[name]))
            closed = [inner for name in closed for inner in self._open(name)]
        graph = Graph(self._shown.values(), self._contained(), self._order(), self._cycle())
        graph.total = self._graph.total
        return graph

    def _open(self, container: str | None) -> list[str]:
        """Show what is in a container, if there is room; return the containers in it."""
        inner = self._children[container]
        if len(inner) <= self._room:
            groups = {name: [name] for name in inner}
        else:
            groups = _grouped([self._graph.nodes[name] for name in inner])
            if len(groups) > self._room and container is not None:
                return []
        self._room -= len(groups)
        if container is not None:
            self._shown[container].hidden = 0
        opened = []
        for key, names in groups.items():
            box = self._box(key, names, container)
            self._shown[box.name] = box
            if container is not None:
                self._parents[box.name] = container
            for name in names:
                self._stands_for[name] = box.name
            if len(names) == 1 and names[0] in self._children:
                opened.append(names[0])
        return opened

    def _box(self, key: str, names: Sequence[str], container: str | None) -> Node:
        """Return the box for one node, closed, or for several."""
        inside = sum(self._sizes[name] for name in names)
        if len(names) == 1:
            node = self._graph.nodes[names[0]]
            return Node(node.name, node.type, node.title, node.mark, hidden=inside)
        type_, _, module = key.partition(" ")
        if module:
            title = f"{module}: {counted(len(names), 'class', 'classes')}"
        else:
            # What contains nothing is told by the number of resources already.
            title = counted(len(names), "instance") if inside else ""
        name = f"{key} in {container}" if container is not None else key
        return Node(name, type_, title, hidden=len(names) + inside, is_group=True)

    def _box_of(self, name: str) -> str:
        """Return the box that shows a node: its own, or the innermost one around it."""
        while name not in self._stands_for:
            name = self._graph.parents[name]
        return self._stands_for[name]

    def _contained(self) -> list[tuple[str, str]]:
        """Return what contains which box; what two boxes stand for may be in each other."""
        pairs = [(outer, inner) for inner, outer in self._parents.items()]
        also = {
            (self._box_of(outer), self._box_of(inner)): None for outer, inner in self._graph.also
        }
        return pairs + [pair for pair in also if pair[0] != pair[1]]

    def _order(self) -> list[Relationship]:
        """Return relationships between boxes, each once, without those inside of a box."""
        found: dict[Relationship, None] = {}
        for first, second, arrow in self._graph.order:
            outer, inner = self._box_of(first), self._box_of(second)
            if outer != inner or first == second:
                found[outer, inner, arrow] = None
        stated = {each[:2] for each in found if each[2] not in IMPLIED}
        return [each for each in found if each[2] not in IMPLIED or each[:2] not in stated]

    def _cycle(self) -> list[str]:
        boxes = [self._box_of(name) for name in self._graph.cycle]
        return [box for index, box in enumerate(boxes) if index == 0 or box != boxes[index - 1]]


def _sizes(graph: Graph, children: Children) -> dict[str, int]:
    """Return how many resources are inside of each node."""
    found = dict.fromkeys(graph.nodes, 0)
    waiting: list[str | None] = [None]
    outside_in: list[str] = []
    while waiting:
        inner = children.get(waiting.pop(), ())
        outside_in += inner
        waiting += inner
    for name in reversed(outside_in):
        if name in graph.parents:
            found[graph.parents[name]] += found[name] + 1
    return found


def _grouped(nodes: Sequence[Node]) -> dict[str, list[str]]:
    """Return names of nodes by what they have in common; a node alone by its own name."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        key = node.type
        if node.type == "Class":
            key = f"Class {node.title.partition('::')[0]}"
        found.setdefault(key, []).append(node.name)
    return {names[0] if len(names) == 1 else key: names for key, names in found.items()}
