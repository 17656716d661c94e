"""Catalogs of nodes: one compiled and written in a format, or many, by a fleet of processes.

What one node exports another collects. So that the order of the nodes does not count, nodes that
collect are compiled again when others have exported something new, as if each agent had run twice.
"""

from __future__ import annotations

import json
from functools import partial

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.errors import CompileError, PuppetError, TimeLimitExceeded
from puppet_repl.base.memory import ExtraMemory, collect_garbage
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.stops import stop_message
from puppet_repl.catalog.export_data import ExportedResource, exported_by
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.json import document, document_text, is_real
from puppet_repl.catalog.order import order_of
from puppet_repl.catalog.puppet_code import code_of
from puppet_repl.catalog.tree import tree_text
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.frontends.commands.catalog import declared_in, table_of
from puppet_repl.frontends.commands.graph import graph_of
from puppet_repl.frontends.shared.fleet import Lost, new_run, work_for
from puppet_repl.host.source_files import missing_sources
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.session import Session
from puppet_repl.tools.rendering.diagnostics import error_text
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.reports.parts import Report
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.frontends.shared.fleet import Fleet
    from puppet_repl.host.node_facts import NodeFacts
    from puppet_repl.language.runtime.placeholders import Placeholders
    from puppet_repl.session import Options, Outcome

FORMATS = ("json", "ndjson", "code", "table", "graph", "dot", "svg", "tree")
# What Puppet code declares in another way than as a resource.
_NOT_DECLARED = ("Class", "Node")


class NodePlan:
    """The common part of sessions that are made for nodes.

    The facts of a node override ``facts``, ``assignments`` (``NAME=VALUE``) override both.
    ``exports`` are exported resources, None if they are not kept. All nodes of a ``run`` see the
    same modules.
    """

    __slots__ = ("assignments", "exports", "facts", "options", "run")

    def __init__(
        self,
        options: Options,
        facts: Mapping[str, object] | None,
        *,
        assignments: Sequence[str] = (),
        exports: tuple[ExportedResource, ...] | None = (),
    ) -> None:
        self.options = options
        self.facts = facts
        self.assignments = tuple(assignments)
        self.exports = exports
        self.run = new_run()

    def session_for(self, node: NodeFacts, shared: Shared | None) -> Session:
        """Return the session of a node. Raises FactsError for a file that cannot be used."""
        facts = node.on_top_of(self.facts, self.assignments)
        options = self.options.copy()
        options.node = node.name or None
        exports = None if self.exports is None else ExportStore(self.exports)
        return Session(options, facts=facts, shared=shared, exports=exports)


class Plan(NodePlan):
    """The common part of catalogs that are compiled for nodes.

    ``code`` replaces the manifests of the environment, ``file`` is its file. ``width`` is the
    width of tables, in columns. ``color`` is for the catalog, ``error_color`` for the error, which
    goes to another stream. ``redacted`` hides Sensitive values in JSON, for a screen. Dependency
    cycles are an error where the plan ``checks_order``, else a warning. With ``origins`` JSON has
    the origins of attributes, which Puppet's documents lack.
    """

    __slots__ = (
        "checks_order",
        "code",
        "color",
        "error_color",
        "file",
        "format",
        "origins",
        "redacted",
        "width",
    )

    def __init__(
        self,
        options: Options,
        facts: Mapping[str, object] | None,
        *,
        assignments: Sequence[str] = (),
        code: str | None = None,
        file: str | None = None,
        format: str = "json",
        color: bool = False,
        error_color: bool = False,
        width: int = 80,
        redacted: bool = False,
        checks_order: bool = False,
        origins: bool = False,
    ) -> None:
        super().__init__(options, facts, assignments=assignments)
        self.checks_order = checks_order
        self.code = code
        self.file = file
        self.format = format
        self.color = color
        self.error_color = error_color
        self.origins = origins
        self.width = width
        self.redacted = redacted


class Compiled:
    """The result for a node: ``text`` is the catalog in the format, or there is an ``error``.

    ``name`` is the name of the node in lower case, as in the catalog, ``origin`` says which
    file has the facts of the node, if others have some, too. ``collects`` is whether the catalog
    depends on exports of other nodes. ``exports`` are those of the node, None without a catalog:
    the earlier ones stay. ``placeholders`` are those of secrets that could not be read.
    """

    __slots__ = (
        *("collects", "error", "exports", "logs", "name"),
        *("origin", "placeholders", "text"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = ""
        self.error: str | None = None
        self.logs: list[tuple[str, str]] = []
        self.exports: tuple[ExportedResource, ...] | None = None
        self.collects = False
        self.placeholders: Placeholders | None = None
        self.origin: str | None = None


def compile_node(plan: Plan, node: NodeFacts, shared: Shared | None = None) -> Compiled:
    """Compile the catalog of one node and write it in its format; nothing is raised."""
    result = Compiled(node.name)
    try:
        session = plan.session_for(node, shared)
    except FactsError as error:
        result.error = visible_lines(f"Error: {error}")
        return result
    if node.others:
        result.origin = f"{node.path}, not of {', '.join(node.others)}"
    try:
        # A node that fails has the same name, because the file of its last catalog is removed.
        result.name = session.catalog.context.node_name
        with session.deadline():
            _compile(session, plan, result)
        result.placeholders = session.catalog.context.placeholders
    except (Exception, TimeLimitExceeded) as error:
        # One node must not keep the others from being compiled.
        with ExtraMemory():
            message = stop_message(error, session.options.spelt("max_memory"))
            result.error = f"Error: {message}"
            print_traceback(error)
    finally:
        session.close()
        del session
        # Otherwise a hundred nodes would take the memory of a hundred. Only caches are left.
        collect_garbage(is_all=True)
    return result


def _compile(session: Session, plan: Plan, result: Compiled) -> None:
    outcome = session.compile_site(plan.code or "", plan.file)
    result.logs = list(outcome.logs)
    outcome = session.finish_catalog(outcome)
    result.collects = _collects(session, outcome)
    if outcome.error is not None:
        result.error = _shown(outcome.error, plan)
        return
    catalog = session.catalog
    try:
        text = _written(session, plan, outcome)
    except PuppetError as error:
        result.error = _shown(error, plan)
        return
    order = order_of(catalog)
    # A server has stored them when the agent finds a cycle.
    result.exports = tuple(exported_by(catalog))
    refusals = order.refusals() if plan.checks_order else []
    warnings = order.unknown if plan.checks_order else order.warnings()
    warnings = [*warnings, *missing_sources(catalog)]
    result.logs += [("warning", each) for each in warnings]
    if refusals:
        result.error = _shown(CompileError("\n".join(refusals)), plan)
        return
    result.text = text


def _add_origins(rows: list[dict[str, Any]], session: Session) -> None:
    """Add the origins of attributes to the resources of a document, beside their parameters."""
    members = [each for each in session.catalog.tables.members if is_real(each)]
    found = session.origins(members)
    for row, member in zip(rows, members, strict=True):
        origins = {name: [one.to_dict() for one in each] for name, each in found[member].items()}
        if origins:
            row["origins"] = origins


def _shown(error: PuppetError, plan: Plan) -> str:
    return error_text(error, text=plan.code, color=plan.error_color).rstrip("\n")


def _collects(session: Session, outcome: Outcome) -> bool:
    """Return whether a catalog depends on the exports of other nodes; a failed one may."""
    if outcome.error is not None:
        return True
    return any(collector.exported for collector in session.catalog.tables.collectors)


def _written(session: Session, plan: Plan, outcome: Outcome) -> str:
    if plan.format in ("json", "ndjson"):
        written = None if plan.redacted else outcome.rows
        data = document(session.catalog, redacted=plan.redacted, written=written)
        if plan.origins:
            _add_origins(data["resources"], session)
        return document_text(data, is_wide=plan.format == "ndjson")
    if plan.format == "code":
        return visible_lines("\n\n".join(code_of(each) for each in _declared(session)))
    if plan.format == "tree":
        return visible_lines(tree_text(session.catalog))
    if plan.format == "table":
        report = Report(table_of(declared_in(session)))
    else:
        drawn = graph_of(session, "mermaid" if plan.format == "graph" else plan.format)
        report = Report(drawn.parts[0])  # without its warning
    fragments = render_report(report, plan.width)
    return ansi(fragments) if plan.color else plain(fragments)


def _declared(session: Session) -> list[Resource]:
    """Return the resources of a catalog that Puppet code declares one by one."""
    return [
        member
        for member in session.catalog.tables.members
        if is_real(member)
        and member.type not in _NOT_DECLARED
        and (member.type, member.title) != ("Stage", "main")
    ]


def compile_nodes(
    plan: Plan,
    nodes: Sequence[NodeFacts],
    store: ExportStore,
    fleet: Fleet | None = None,
    *,
    done: Callable[[], None] | None = None,
) -> Iterator[tuple[NodeFacts, Compiled]]:
    """Yield each node with its catalog, in the order of completion.

    ``store`` has what nodes export, at the end that of these, too. Without a ``fleet`` this process
    compiles them. ``done`` is called when a node is compiled, also if it has to be once more.
    """
    changed: set[str] = set()
    waiting: list[tuple[NodeFacts, Compiled]] = []
    for node, result in _round(plan, nodes, store, fleet, changed):
        if done is not None:
            done()
        if not result.collects:
            yield node, result
            continue
        if changed - {result.name}:
            result.text = ""  # which will be written again
        waiting.append((node, result))
    again = []
    for node, result in waiting:
        if changed - {result.name}:
            again.append(node)
        else:
            yield node, result
    yield from _round(plan, again, store, fleet, set())


def _round(
    plan: Plan,
    nodes: Sequence[NodeFacts],
    store: ExportStore,
    fleet: Fleet | None,
    changed: set[str],
) -> Iterator[tuple[NodeFacts, Compiled]]:
    """Compile each node once, with the present store; then add the exports of all to the store.

    The names of nodes whose exports have changed are added to ``changed`` at once. The store keeps
    the order of the nodes, because collected resources are ordered.
    """
    plan.exports = tuple(store.resources())
    exported: dict[str, tuple[str, tuple[ExportedResource, ...]]] = {}
    for node, result in _compiled(plan, nodes, fleet):
        if result.exports is not None and store.would_change(result.name, result.exports):
            changed.add(result.name)
            exported[node.name] = result.name, result.exports
        yield node, result
    for node in nodes:
        if node.name in exported:
            store.keep(*exported[node.name])


def _compiled(
    plan: Plan, nodes: Sequence[NodeFacts], fleet: Fleet | None
) -> Iterator[tuple[NodeFacts, Compiled]]:
    for node, made in work_for(nodes, partial(compile_node, plan), fleet, plan.run):
        if isinstance(made, Lost):
            result = Compiled(node.name)
            result.error = visible_lines(f"Error: {made}")
            yield node, result
        else:
            yield node, made


def joined(results: Iterable[Compiled], format: str) -> str:
    """Return the catalogs of several nodes as one text, those that failed left out.

    As JSON it is an object with a document for each node, and null for those that failed.
    """
    if format == "json":
        entries = [
            f"{json.dumps(result.name)}: {'null' if result.error is not None else result.text}"
            for result in results
        ]
        return "{" + ",\n".join(entries) + "}"
    mark = {"code": "# ", "graph": "%% ", "dot": "// "}.get(format, "")
    texts = [f"{mark}{result.name}\n{result.text}" for result in results if result.error is None]
    return "\n\n".join(texts)
