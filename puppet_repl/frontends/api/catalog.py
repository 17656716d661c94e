"""A compiled catalog, detached from the session that compiled it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar, overload

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.wording import counted
from puppet_repl.catalog.content import (
    CatalogContent,
    aliases,
    content_of_document,
    named_in,
    normal_name,
)
from puppet_repl.catalog.difference_choice import Choice
from puppet_repl.catalog.export_data import ExportedResource, exported_by
from puppet_repl.catalog.json import document, document_text, is_real, redacted_document
from puppet_repl.catalog.order import Order, order_of
from puppet_repl.environment.facts.facts import machine_facts
from puppet_repl.environment.facts.sample_facts import facts_of_node
from puppet_repl.frontends.api.assertions import (
    assert_before,
    assert_contains,
    assert_count,
    assert_lacks,
    assert_notifies,
)
from puppet_repl.frontends.api.difference import CatalogDifference
from puppet_repl.frontends.api.relationships import Edge, edges_of
from puppet_repl.frontends.api.resource import MissingError, Resource, copied, resource_of
from puppet_repl.host.catalogs import content_of_file
from puppet_repl.host.source_files import add_sources, missing_sources
from puppet_repl.tools.graph.model import Graph, Node
from puppet_repl.tools.graph.notations import dot_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Options, Outcome, Session
    from puppet_repl.tools.graph.model import Relationship

Key: TypeAlias = "str | tuple[str, str] | Resource"
"""A resource: ``"File[/etc/motd]"``, ``("File", "/etc/motd")``, or one of a catalog."""

Default = TypeVar("Default")

# What Puppet puts into every catalog, and what the block of a node becomes.
_FRAME = frozenset((("Stage", "main"), ("Class", "Settings"), ("Class", "main")))
_FRAME_TYPE = "Node"


class LogMessage(NamedTuple):
    """What code has logged: ``level`` is Puppet's (``notice``, ``warning``)."""

    level: str
    message: str


class Catalog:
    """The catalog of a node as the agent gets it, with the logs of its compilation.

    ``cat["File", "/etc/motd"]`` or ``cat["File[/etc/motd]"]`` is a resource, found by its title,
    its alias, its name or its path, with its type in any case. It raises KeyError for a missing
    resource; ``in`` tests for one. Both raise TypeError for a key that cannot name a resource.
    Iteration yields the declared resources in order, with classes, but without virtual resources
    and the resources of every catalog (``Stage[main]``, ``Class[main]``, ``Class[Settings]``).
    """

    def __init__(
        self,
        members: list[Resource],
        data: dict[str, Any],
        content: CatalogContent,
        order: Order,
        *,
        cycles: list[list[str]],
        missing_sources: list[str],
        logs: list[tuple[str, str]],
        facts: Mapping[str, Any] | None,
        options: Options,
        exports: tuple[ExportedResource, ...],
    ) -> None:
        self._data = data
        self._content = content
        self._order = order
        self._cycles = cycles
        self._missing_sources = missing_sources
        self._options = options
        self._given_facts = facts
        self._members = members
        self._real = {each.ref: each for each in members if not each.virtual}
        self.name: str = data["name"]
        """The name of the node, in lower case."""
        self.environment: str = data["environment"]
        """The name of the environment."""
        self.exports = exports
        """Exported resources for other nodes, for ``compile(exports=[...])``."""
        self._logs = [LogMessage(*each) for each in logs]
        self._on_found: Callable[[Resource], None] | None = None

    # Resources

    def __getitem__(self, key: Key) -> Resource:
        __tracebackhide__ = True  # of pytest: the line of the test is what counts
        found = self._find(key)
        if found is None:
            raise MissingError(self._missing(key))
        return found

    @overload
    def get(self, key: Key, default: None = None) -> Resource | None: ...

    @overload
    def get(self, key: Key, default: Default) -> Resource | Default: ...

    def get(self, key: Key, default: object = None) -> object:
        """Return a resource, or the default where the catalog has no such one."""
        found = self._find(key)
        return default if found is None else found

    def __contains__(self, key: object) -> bool:
        __tracebackhide__ = True
        return self._find(key) is not None

    def __iter__(self) -> Iterator[Resource]:
        return iter(self.resources())

    def __len__(self) -> int:
        return len(self.resources())

    def resources(self, type: str | None = None) -> list[Resource]:
        """Return the resources that code has declared, or those of a type, in order."""
        wanted = None if type is None else normal_name(type, "")[0]
        return [each for each in self._real.values() if _is_declared(each, wanted)]

    @property
    def virtual(self) -> list[Resource]:
        """The virtual resources that nothing has realized; exported ones are in ``exported``."""
        return [each for each in self._members if each.virtual and not each.exported]

    @property
    def exported(self) -> list[Resource]:
        """The resources that the node exports."""
        return [each for each in self._members if each.exported]

    @property
    def classes(self) -> list[str]:
        """The names of the classes in the catalog, in the order of their evaluation."""
        declared = {each.title.lower() for each in self.resources("Class")}
        return [name for name in self._data["classes"] if name in declared]

    def _find(self, key: object) -> Resource | None:
        found = self._named(key)
        if found is not None and self._on_found is not None:
            self._on_found(found)
        return found

    def _named(self, key: object) -> Resource | None:
        if isinstance(key, Resource):
            return self._real.get(key.ref)
        named = _named(key)
        ref = f"{named[0]}[{named[1]}]"
        found = self._real.get(ref)
        return self._real.get(self._aliases.get(ref, "")) if found is None else found

    @cached_property
    def _aliases(self) -> dict[str, str]:
        return {
            alias: resource.ref
            for resource in self._content.resources.values()
            for alias in aliases(resource)
        }

    def _missing(self, key: Key) -> str:
        named = _named(key)
        ref = f"{named[0]}[{named[1]}]"
        unrealized = next((each for each in self._members if each.ref == ref), None)
        if unrealized is not None:
            kind = "exported" if unrealized.exported else "virtual"
            return f"the catalog has no {ref}: it is {kind}, and nothing has realized it"
        hint = did_you_mean(ref, [each.ref for each in self.resources()])
        return f"the catalog has no {ref}" + (f"; {hint}" if hint else "")

    # Their order

    @property
    def edges(self) -> list[Edge]:
        """The relationships that code states or types imply, and what contains what, sorted."""
        implied = [Edge(*pair, "implied") for pair in self._order.implied]
        return sorted([*edges_of(self._content.relationships), *implied])

    @property
    def cycles(self) -> list[list[str]]:
        """The dependency cycles; an agent does not apply the resources in a cycle.

        Each is a list of references to resources, classes and stages, every one before the next.
        ``refusals`` has the message about them.
        """
        return [[*cycle] for cycle in self._cycles]

    @property
    def refusals(self) -> list[str]:
        """Why an agent does not apply the catalog, in its words; they are warnings, too.

        That is the first resource whose type, written in Ruby in a module, refuses its values, and
        the dependency cycles. The plugin for pytest raises them.
        """
        return self._order.refusals()

    @property
    def missing_sources(self) -> list[str]:
        """A message for each file whose ``source`` names a file that a module does not have.

        An agent fails there; they are warnings, too. Modules that are not here are left out.
        """
        return [*self._missing_sources]

    def before(self, first: Key, second: Key) -> bool:
        """Tell whether a resource is certainly done before another one begins.

        The order follows from the catalog: ``before``, ``notify``, ``require``, ``subscribe``, the
        arrows, and containment, over any number of steps. A resource before a class or a defined
        type is before all resources in it. The types that Puppet brings along imply more, such as a
        file after its directory and its owner. The order in the manifest does not count. Raises
        KeyError for a resource that is not in the catalog.
        """
        return self._order.is_before(self[first].ref, self[second].ref)

    def notifies(self, first: Key, second: Key) -> bool:
        """Tell whether a change of a resource refreshes another one.

        What counts are ``notify``, ``subscribe`` and the arrows ``~>`` and ``<~``, of the resources
        themselves or of the classes and defined types that they are in. Raises KeyError for a
        resource that is not in the catalog.
        """
        return self._order.is_notified(self[first].ref, self[second].ref)

    def dependencies(self, key: Key) -> list[Resource]:
        """Return the resources that are done before a resource begins, as ``before`` says.

        They are in the order of the catalog. Raises KeyError for a resource that is not in the
        catalog.
        """
        refs = self._order.before(self[key].ref, [each.ref for each in self])
        return [self._real[each] for each in refs]

    def dependents(self, key: Key) -> list[Resource]:
        """Return the resources that begin after a resource is done; see ``dependencies``."""
        refs = self._order.following(self[key].ref, [each.ref for each in self])
        return [self._real[each] for each in refs]

    def to_dot(self) -> str:
        """Return the resources and their relationships as a graph for Graphviz."""
        nodes = [Node(each.ref, each.type, each.title) for each in self]
        edges = edges_of(self._content.relationships)
        contained = [edge[:2] for edge in edges if edge.kind == "contains"]
        order: list[Relationship] = [
            (edge.source, edge.target, "~>" if edge.kind == "notify" else "->")
            for edge in edges
            if edge.kind != "contains"
        ]
        for pair, by in self._order.implied.items():
            order.append((*pair, "..>" if by == pair[1] else ".->"))
        return dot_text(Graph(nodes, contained, order)) + "\n"

    # For tests

    def assert_contains(
        self, type: str, title: str | None = None, /, **attributes: object
    ) -> Resource:
        """Return a resource; raise AssertionError unless it is there and has these attributes.

        ``assert_contains("File", "/etc/motd", mode="0644")``, or with the reference
        ``"File[/etc/motd]"``. The expectation for an attribute is a value, a pattern of ``re``, a
        function that returns whether the value is right, or None for an attribute that must not be
        set. A Sensitive attribute is expected as ``Sensitive(...)`` of a value, a pattern or a
        function. The naming attribute is the title where it is not set. The message has the
        actual values, but no secrets.
        """
        __tracebackhide__ = True
        return assert_contains(self, _key(type, title), attributes)

    def assert_contains_only(
        self, type: str, title: str | None = None, /, **attributes: object
    ) -> Resource:
        """Return a resource as ``assert_contains`` does; it must not set other attributes.

        Its naming attribute (``path`` of a file) counts only where it is expected.
        """
        __tracebackhide__ = True
        return assert_contains(self, _key(type, title), attributes, is_all=True)

    def assert_count(self, number: int, type: str | None = None) -> None:
        """Raise AssertionError unless there are so many resources, of a type or without classes."""
        __tracebackhide__ = True
        assert_count(self, number, type)

    def assert_lacks(self, type: str, title: str | None = None, /) -> None:
        """Raise AssertionError if there is a resource."""
        __tracebackhide__ = True
        assert_lacks(self, _key(type, title))

    def assert_before(self, first: Key, second: Key) -> None:
        """Raise AssertionError unless a resource comes before another one, as ``before`` says."""
        __tracebackhide__ = True
        assert_before(self, first, second)

    def assert_notifies(self, first: Key, second: Key) -> None:
        """Raise AssertionError unless a change of a resource refreshes another one."""
        __tracebackhide__ = True
        assert_notifies(self, first, second)

    # As a whole

    @property
    def logs(self) -> list[LogMessage]:
        """The logged messages, in order."""
        return [*self._logs]

    @property
    def warnings(self) -> list[str]:
        """The messages that were logged as warnings."""
        return [each.message for each in self._logs if each.level == "warning"]

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the node."""
        found: dict[str, Any] = copied(self._facts)
        return found

    @cached_property
    def _facts(self) -> dict[str, Any]:
        given = machine_facts() if self._given_facts is None else self._given_facts
        return facts_of_node(given, self._options.node, self._options.profile)

    def diff(
        self,
        other: Catalog | os.PathLike[str] | str,
        *,
        tags: bool = False,
        ignore: Iterable[str] = (),
        only: Iterable[str] = (),
        same: Iterable[str] = (),
    ) -> CatalogDifference:
        """Return the changes from this catalog to another one.

        The other one is a catalog, or the path of a JSON file with a catalog from a server or from
        PuppetDB. Values, relationships and the files of modules that ``source`` names are compared,
        and with ``tags`` also tags; the places of declarations are ignored.

        ``ignore`` and ``only`` are lists of patterns as for ``puppet-repl diff``, such as
        ``File[/tmp/*][mode]``, ``Exec`` or ``@TAG``. ``same`` is a list of names: with ``order``
        the order of arrays does not count, with ``single`` a value is the same as an array of it,
        with ``text`` a number as its text. Raises ValueError for other patterns and names.
        """
        content = other._content if isinstance(other, Catalog) else _content_in(other)
        choice = Choice(
            tags=tags,
            ignore=_texts("ignore", ignore),
            only=_texts("only", only),
            same=_texts("same", same),
        )
        return CatalogDifference(self._content, content, choice)

    def to_dict(self, *, redacted: bool = False) -> dict[str, Any]:
        """Return the document in Puppet's catalog format, as a server sends it to the agent.

        It has the secrets in it, unless they are ``redacted``.
        """
        copied: dict[str, Any] = json.loads(json.dumps(self._data))
        return redacted_document(copied) if redacted else copied

    def to_json(self, *, redacted: bool = False) -> str:
        """Return ``to_dict`` as JSON, as ``puppet-repl compile`` prints it."""
        return document_text(redacted_document(self._data) if redacted else self._data)

    def __repr__(self) -> str:
        return f"<Catalog of {self.name}: {counted(len(self), 'resource')}>"


def _texts(name: str, given: Iterable[str]) -> Iterable[str]:
    """Return what an argument lists; a text would be read as its characters."""
    if isinstance(given, str):
        raise TypeError(f"{name} is a list of texts, not a text: [{given!r}]")
    return given


def _key(type: str, title: str | None) -> Key:
    return type if title is None else (type, title)


def _is_declared(resource: Resource, wanted: str | None) -> bool:
    if wanted is not None and resource.type != wanted:
        return False
    return (resource.type, resource.title) not in _FRAME and resource.type != _FRAME_TYPE


def _named(key: object) -> tuple[str, str]:
    """Return type and title of what a key names, as catalogs write them. Raises TypeError."""
    if isinstance(key, Resource):
        return key.type, key.title
    named = named_in(key) if isinstance(key, str) else None
    if named is None and isinstance(key, tuple) and len(key) == 2:
        if isinstance(key[0], str) and isinstance(key[1], str):
            named = normal_name(*key)
    if named is None:
        raise TypeError(f"a resource is 'Type[title]' or ('Type', 'title'), not {key!r}")
    return named


def _content_in(path: os.PathLike[str] | str) -> CatalogContent:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"a catalog is compared with a Catalog, or the path of one, not {path!r}")
    name = os.fspath(path)
    content = content_of_file(name)
    if content is None:
        is_there = os.path.exists(os.path.expanduser(name))
        reason = (
            "this is not a catalog in JSON"
            if is_there
            else "there is no file with a catalog of this name"
        )
        raise ValueError(f"{name}: {reason}")
    return content


def watch_lookups(catalog: Catalog, tell: Callable[[Resource], None]) -> None:
    """Call a function with each resource that is looked up, for the coverage of tests."""
    catalog._on_found = tell


def catalog_of(session: Session, outcome: Outcome, *, origins: bool = False) -> Catalog:
    """Return the catalog that a session has compiled, finished; ``outcome`` is the last one.

    With ``origins`` its resources have them.

    Raises PuppetError for a number that a catalog cannot say.
    """
    live = session.catalog
    data = document(live, redacted=False, written=outcome.rows)
    content = content_of_document(data)
    if session.environment is not None:
        add_sources(content.resources.values(), session.environment)
    order = order_of(live)
    logs = [*outcome.logs]
    missing = missing_sources(live)
    for warning in (*order.warnings(), *missing):
        logs.append(("warning", warning))
        live.context.log(*logs[-1])
    declared = [*live.tables.members]
    rows = iter(data["resources"])
    members = [
        resource_of(member, live.context, next(rows) if is_real(member) else None)
        for member in declared
    ]
    if origins:
        found = session.origins(declared)
        for member, each in zip(declared, members, strict=True):
            each.know_origins(found[member])
    return Catalog(
        members,
        data,
        content,
        order,
        cycles=order.cycles(),
        missing_sources=missing,
        logs=logs,
        facts=session.facts,
        options=session.options,
        exports=tuple(exported_by(live)),
    )
