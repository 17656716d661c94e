"""The order in which an agent applies the resources of a catalog, as a graph.

The graph is the same as Puppet's. A class, a defined
type and a stage have two points in it, a beginning and an end, with their content in between.
"""

from __future__ import annotations

from puppet_repl.catalog.cycles import cycle_message, find_cycles
from puppet_repl.catalog.implied_order import Others
from puppet_repl.catalog.json import edges, is_real, row_writer
from puppet_repl.catalog.references import reference_text
from puppet_repl.catalog.resource import COMPILABLE_TYPE
from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.language.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Final, TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.language.values.protocols import Value

    Links: TypeAlias = dict[str, dict[str, bool]]

# The metaparameters in the order in which an agent reads them: whether their resource comes first,
# and whether it notifies.
_METAPARAMETERS: Final = {
    "require": (False, False),
    "subscribe": (False, True),
    "before": (True, False),
    "notify": (True, True),
}
_BEGINNING = "Admissible"
_END = "Completed"


class Order:
    """The order of the resources of a catalog, by their references.

    ``after`` has the direct successors of each point, with whether a change is passed on to them.
    ``implied`` are pairs of resources in the order that the type of one implies, with that one.
    ``unknown`` says of a resource of each type whose code cannot be run here that its order is
    unknown, and why.
    """

    __slots__ = (
        "_containers",
        "_cycles",
        "_failures",
        "_notified",
        "_points",
        "_preceding",
        "after",
        "implied",
        "unknown",
    )

    def __init__(self, graph: _Graph, failures: list[str], unknown: list[str]) -> None:
        self.unknown = unknown
        self._failures = failures
        self._containers = graph.containers()
        self._notified = graph.notified()
        self._points = graph.divide_containers()
        self.after = graph.after
        self.implied = graph.implied
        self._cycles: list[list[str]] | None = None
        self._preceding: dict[str, list[str]] | None = None

    def cycles(self) -> list[list[str]]:
        """Return the dependency cycles, sorted, each as the references on a way through it."""
        if self._cycles is None:
            ref_of = {point: ref for ref, points in self._points.items() for point in points}
            ways = find_cycles(self.after)
            self._cycles = [[ref_of.get(point, point) for point in way] for way in ways]
        return self._cycles

    def refusals(self) -> list[str]:
        """Return what an agent says that does not apply the catalog, in its words.

        That is the first error of code that implies an order, and the dependency cycles.
        """
        cycles = self.cycles()
        return self._failures[:1] + ([cycle_message(cycles)] if cycles else [])

    def warnings(self) -> list[str]:
        """Return the refusals of an agent, after the resources whose order is unknown."""
        return self.unknown + self.refusals()

    def is_before(self, first: str, second: str) -> bool:
        """Tell whether a resource is done before another one begins."""
        wanted, _ = self._ends(second)
        waiting = [self._ends(first)[1]]
        seen = set(waiting)
        while waiting:
            for later in self.after.get(waiting.pop(), ()):
                if later == wanted:
                    return True
                if later not in seen:
                    seen.add(later)
                    waiting.append(later)
        return False

    def before(self, ref: str, others: Iterable[str]) -> list[str]:
        """Return those of other resources that are done before a resource begins."""
        if self._preceding is None:
            self._preceding = {}
            for earlier, links in self.after.items():
                for later in links:
                    self._preceding.setdefault(later, []).append(earlier)
        reached = _reached(self._ends(ref)[0], self._preceding)
        return [each for each in others if self._ends(each)[1] in reached]

    def following(self, ref: str, others: Iterable[str]) -> list[str]:
        """Return those of other resources that begin when a resource is done."""
        reached = _reached(self._ends(ref)[1], self.after)
        return [each for each in others if self._ends(each)[0] in reached]

    def is_notified(self, first: str, second: str) -> bool:
        """Tell whether a change of one resource refreshes another one.

        The content of a container notifies like the container, and is notified with it.
        """
        targets = self._around(_own(second))
        return any(
            (source, target) in self._notified
            for source in self._around(_own(first))
            for target in targets
        )

    def _ends(self, ref: str) -> tuple[str, str]:
        """Return the beginning and the end of a resource, which are the same for most."""
        own = _own(ref)
        return self._points.get(own, (own, own))

    def _around(self, ref: str) -> set[str]:
        """Return a resource with the containers that it is in."""
        found = {ref}
        waiting = [ref]
        while waiting:
            outer = [each for each in self._containers.get(waiting.pop(), ()) if each not in found]
            found.update(outer)
            waiting += outer
        return found


def _reached(start: str, links: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the points that links lead to, in any number of steps."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = [each for each in links.get(waiting.pop(), ()) if each not in reached]
        reached.update(new)
        waiting += new
    return reached


def order_of(catalog: Catalog) -> Order:
    """Return the order of a finished catalog as it is now; later inputs do not change it."""
    tables = catalog.tables
    members = [member for member in tables.members if is_real(member)]
    graph = _Graph(members)
    for edge in edges(tables, members):
        graph.contain(_own(edge["source"]), _own(edge["target"]))
    for member in members:
        for name in _METAPARAMETERS:
            parameter = member.parameters.get(name)
            if parameter is not None:
                for other in _named(catalog.resources, parameter.value):
                    graph.relate(*_link(member, name, other))
    failures: list[str] = []
    unknown: dict[str, str] = {}
    for member, kind, implied in _implied(catalog, members):
        if isinstance(implied, str):
            if kind == "unknown":
                unknown.setdefault(member.type, implied)
            else:
                failures.append(implied)
        else:
            graph.imply(*_link(member, kind, implied), _own(member.ref))
    return Order(graph, failures, list(unknown.values()))


def _implied(
    catalog: Catalog, members: list[Resource]
) -> Iterator[tuple[Resource, str, Resource | str]]:
    """Yield the relationships that types imply; a failure has its message as the other resource."""
    others = Others(members, catalog.resources)
    asked = [each for each in members if _says_order(each)]
    answers: dict[Resource, list[tuple[str, Resource | str]]] = {}
    if asked:
        row = row_writer(catalog)
        found = catalog.context.ruby.implied(asked, members, others.find, row)
        answers = dict(zip(asked, found, strict=True))
    for member in members:
        for kind, other in answers[member] if member in answers else others.of_core_type(member):
            yield member, kind, other


def _says_order(member: Resource) -> bool:
    return isinstance(member.definition, NativeType) and member.definition.checks_in_ruby


def _link(member: Resource, name: str, other: Resource) -> tuple[str, str, bool]:
    """Return the earlier and the later of two resources, and whether the earlier notifies."""
    is_first, notifies = _METAPARAMETERS[name]
    first, second = (member, other) if is_first else (other, member)
    return _own(first.ref), _own(second.ref), notifies


def _named(resources: Resources, value: Value) -> Iterator[Resource]:
    """Yield the resources that a metaparameter refers to."""
    for item in flatten((value,)):
        type_name, bracket, title = reference_text(item).partition("[")
        found = resources.find(type_name, title.removesuffix("]")) if bracket else None
        if found is not None and is_real(found):
            yield found


def _own(ref: str) -> str:
    """Return a reference as an agent writes it, for which main is a class like others."""
    return "Class[Main]" if ref == "Class[main]" else ref


def _point(side: str, container: str) -> str:
    """Return the name that an agent gives the beginning or the end of a container."""
    return f"Whit[{side}_{container[0].lower()}{container[1:]}]"


class _Graph:
    """The relationships of resources, in the order in which an agent takes them up."""

    def __init__(self, members: list[Resource]) -> None:
        self.after: Links = {_own(member.ref): {} for member in members}
        self._before: Links = {ref: {} for ref in self.after}
        self.implied: dict[tuple[str, str], str] = {}
        self._divided = [_own(each.ref) for each in members if _is_container(each)]
        self._contents: dict[str, list[str]] = {ref: [] for ref in self._divided}

    def contain(self, container: str, member: str) -> None:
        self._contents[container].append(member)

    def relate(self, earlier: str, later: str, notifies: bool = False) -> None:
        for links, one, other in ((self.after, earlier, later), (self._before, later, earlier)):
            of_one = links.setdefault(one, {})
            of_one[other] = notifies or of_one.get(other, False)

    def imply(self, earlier: str, later: str, notifies: bool, by: str) -> None:
        """Add what a type implies, unless the two are in a direct relationship already."""
        if later not in self.after[earlier] and earlier not in self.after[later]:
            self.relate(earlier, later, notifies)
            self.implied[earlier, later] = by

    def containers(self) -> dict[str, list[str]]:
        """Return what each resource is in."""
        found: dict[str, list[str]] = {}
        for container, members in self._contents.items():
            for member in members:
                found.setdefault(member, []).append(container)
        return found

    def notified(self) -> set[tuple[str, str]]:
        """Return the pairs of resources of which the first notifies the second."""
        return {
            (earlier, later)
            for earlier, links in self.after.items()
            for later, notifies in links.items()
            if notifies
        }

    def divide_containers(self) -> dict[str, tuple[str, str]]:
        """Replace each container by its beginning and its end, with its content in between.

        Return them by the container.
        """
        begin = {ref: _point(_BEGINNING, ref) for ref in self._divided}
        end = {ref: _point(_END, ref) for ref in self._divided}
        for ref in self._divided:
            for point in (begin[ref], end[ref]):
                self.after[point] = {}
                self._before[point] = {}
        for ref, members in self._contents.items():
            if not members:
                self.relate(begin[ref], end[ref])
            for member in members:
                self.relate(begin[ref], begin.get(member, member), notifies=True)
                self.relate(end.get(member, member), end[ref], notifies=True)
            for earlier, notifies in list(self._before[ref].items()):
                self.relate(end.get(earlier, earlier), begin[ref], notifies=notifies)
                self._part(earlier, ref)
            for later, notifies in list(self.after[ref].items()):
                self.relate(end[ref], begin.get(later, later), notifies=notifies)
                self._part(ref, later)
        for ref in self._divided:
            del self.after[ref], self._before[ref]
        return {ref: (begin[ref], end[ref]) for ref in self._divided}

    def _part(self, earlier: str, later: str) -> None:
        del self.after[earlier][later]
        del self._before[later][earlier]


def _is_container(member: Resource) -> bool:
    return member.kind != COMPILABLE_TYPE or member.type == "Stage"
