"""The graph of a catalog: resources, what contains them, and their order."""

from __future__ import annotations

from puppet_repl.base.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Final, Literal, TypeAlias

    # The dotted ones are implied by the type of the second resource, or of the first one.
    Arrow: TypeAlias = Literal["->", "~>", "..>", ".->"]
    # The first resource, the second one, and the arrow between them.
    Relationship: TypeAlias = tuple[str, str, Arrow]


IMPLIED: Final = ("..>", ".->")


class Node:
    """A resource in a graph, or a box that stands for several.

    ``name`` tells nodes apart, and is the reference to a resource. ``type`` and ``title`` are
    shown. ``mark`` is ``@`` for virtual and ``@@`` for exported resources. ``hidden`` is the number
    of resources that are inside of it or that it is for, and are not shown.
    """

    __slots__ = ("hidden", "is_group", "mark", "name", "title", "type")

    def __init__(
        self,
        name: str,
        type: str,
        title: str,
        mark: str = "",
        *,
        hidden: int = 0,
        is_group: bool = False,
    ) -> None:
        self.name = name
        self.type = type
        self.title = title
        self.mark = mark
        self.hidden = hidden
        self.is_group = is_group

    @property
    def label(self) -> str:
        """The reference to a resource, or what a group has in common, with what is hidden."""
        text = f"{self.type} {self.title}".rstrip() if self.is_group else self.name
        return f"{text} ({self.inside})" if self.hidden else text

    @property
    def inside(self) -> str:
        """How many resources are not shown: ``12 resources``; an empty string for none."""
        return counted(self.hidden, "resource") if self.hidden else ""


class Graph:
    """Nodes by name in the order of their declaration, their containers, and relationships.

    ``parents`` names the container of each node that is in one, and never leads in a circle; what
    else contains a node is in ``also``, pairs of container and node. ``cycle`` names the resources
    of a dependency cycle, the first one again at the end. ``total`` is the number of resources
    before any were folded. ``leaving`` are relationships with what is not in the graph.
    """

    __slots__ = ("also", "cycle", "leaving", "nodes", "order", "parents", "total")

    def __init__(
        self,
        nodes: Iterable[Node],
        contained: Iterable[tuple[str, str]] = (),
        order: Sequence[Relationship] = (),
        cycle: Sequence[str] = (),
    ) -> None:
        self.nodes: dict[str, Node] = {node.name: node for node in nodes}
        self.parents: dict[str, str] = {}
        self.also: list[tuple[str, str]] = []
        self.order = [each for each in order if each[0] in self.nodes and each[1] in self.nodes]
        self.leaving = [
            each
            for each in order
            if (each[0] in self.nodes) != (each[1] in self.nodes) and each[2] not in IMPLIED
        ]
        self.cycle = tuple(cycle)
        self.total = len(self.nodes)
        for outer, inner in contained:
            if outer in self.nodes and inner in self.nodes:
                self._contain(outer, inner)

    def _contain(self, outer: str, inner: str) -> None:
        if inner in self.parents or inner in (outer, *self.containers(outer)):
            self.also.append((outer, inner))
        else:
            self.parents[inner] = outer

    def containers(self, name: str) -> list[str]:
        """Return what a node is in, from the inside out."""
        found = []
        while name in self.parents:
            name = self.parents[name]
            found.append(name)
        return found

    def below(self, tops: Iterable[str]) -> Graph:
        """Return the part of a graph that is some of its nodes and what they contain."""
        inside: dict[str, list[str]] = {}
        for outer, inner in self.contained():
            inside.setdefault(outer, []).append(inner)
        found = set(tops)
        waiting = list(found)
        while waiting:
            new = [name for name in inside.get(waiting.pop(), ()) if name not in found]
            found.update(new)
            waiting += new
        return self._part(found)

    def around(self, names: Iterable[str]) -> Graph:
        """Return the part with some nodes, their containers, and the nodes before and after them.

        Relationships of a container apply to its content, too.
        """
        found = set(names)
        for name in list(found):
            found.update(self.containers(name))
        ends = [(first, second) for first, second, _ in self.order]
        near = {end for pair in ends if not found.isdisjoint(pair) for end in pair}
        return self._part(found | near)

    def _part(self, names: set[str]) -> Graph:
        cycle = self.cycle if names.issuperset(self.cycle) else ()
        nodes = [node for name, node in self.nodes.items() if name in names]
        return Graph(nodes, self.contained(), [*self.order, *self.leaving], cycle)

    def children(self) -> dict[str | None, list[str]]:
        """Return the nodes in each container, and under None those that are in none."""
        found: dict[str | None, list[str]] = {None: []}
        for name in self.nodes:
            found.setdefault(self.parents.get(name), []).append(name)
        return found

    def implying(self, relationship: Relationship) -> str:
        """Return the type that implies a relationship; an empty string if code states it."""
        first, second, arrow = relationship
        if arrow not in IMPLIED:
            return ""
        node = self.nodes[second if arrow == "..>" else first]
        # The type may be that of a resource in a closed container.
        return "a type" if node.hidden and (node.title or not node.is_group) else node.type

    def contained(self) -> list[tuple[str, str]]:
        """Return all pairs of container and member."""
        return [(outer, inner) for inner, outer in self.parents.items()] + self.also

    def cyclic(self) -> set[tuple[str, str]]:
        """Return the pairs of resources that follow each other in the dependency cycle."""
        return set(zip(self.cycle, self.cycle[1:], strict=False))


def depths(parents: Mapping[str, str], names: Iterable[str]) -> dict[str, int]:
    """Return how many containers each node is in."""
    found: dict[str, int] = {}
    for name in names:
        chain = [name]
        while chain[-1] not in found and chain[-1] in parents:
            chain.append(parents[chain[-1]])
        found.setdefault(chain[-1], 0)
        for outer, inner in zip(chain[:0:-1], chain[-2::-1], strict=True):
            found[inner] = found[outer] + 1
    return found
