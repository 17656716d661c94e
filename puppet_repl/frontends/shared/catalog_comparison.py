"""Comparing the catalogs of nodes on two sides, in this process or by a fleet."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from puppet_repl.base.log_levels import PROBLEMS
from puppet_repl.base.memory import collect_garbage
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.wording import listed
from puppet_repl.catalog.content import CatalogContent, relocated
from puppet_repl.catalog.difference import compare
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.frontends.shared.compiling import NodePlan
from puppet_repl.frontends.shared.fleet import Lost, work_for
from puppet_repl.host.catalogs import NotCompiled, content_compiled
from puppet_repl.host.machines import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    from puppet_repl.catalog.difference import Difference
    from puppet_repl.catalog.difference_choice import Choice
    from puppet_repl.catalog.export_data import ExportedResource
    from puppet_repl.frontends.shared.fleet import Fleet
    from puppet_repl.frontends.shared.revision_plans import RevisionPlan
    from puppet_repl.host.node_facts import NodeFacts
    from puppet_repl.language.runtime.placeholders import Placeholders
    from puppet_repl.session import Options, Shared

    Side: TypeAlias = "CatalogContent | Machine"
    Pair: TypeAlias = "tuple[Side, Side]"


class ComparisonPlan(NodePlan):
    """What the comparisons of all nodes have in common.

    ``code`` is run on top of the manifests, ``names`` are those of the sides. The ``choice`` says
    which differences count. ``revisions`` are the plans of sides that are revisions, by the
    directory of the environment.
    """

    __slots__ = ("choice", "code", "names", "revisions")

    def __init__(
        self,
        options: Options,
        facts: Mapping[str, object] | None,
        *,
        assignments: Sequence[str],
        code: str | None,
        exports: tuple[ExportedResource, ...] | None,
        names: tuple[str, str],
        choice: Choice,
        revisions: Mapping[str, RevisionPlan],
    ) -> None:
        super().__init__(options, facts, assignments=assignments, exports=exports)
        self.code = code
        self.names = names
        self.choice = choice
        self.revisions = dict(revisions)

    def in_checkout(self, text: str) -> str:
        """Return a text with the paths of the checkout in place of those of a revision."""
        for revision in self.revisions.values():
            text = revision.files.in_checkout(text)
        return text


class Compared:
    """The result for a node: its ``difference``, or the ``problem`` that prevents it.

    ``node`` is None for the node that the options describe. ``logs`` are the side, the level and
    the text of warnings and errors, ``placeholders`` those of secrets that could not be read, of
    the sides that were compiled. ``unknown`` are nodes that the site does not know. ``only_in`` is
    the name of the only directory of catalogs that has the node.
    """

    __slots__ = ("difference", "logs", "node", "only_in", "placeholders", "problem", "unknown")

    def __init__(self, node: str | None) -> None:
        self.node = node
        self.difference: Difference | None = None
        self.problem = ""
        self.only_in = ""
        self.logs: list[tuple[str, str, str]] = []
        self.placeholders: list[Placeholders] = []
        self.unknown: list[str] = []

    @property
    def is_same(self) -> bool:
        """Whether the catalogs could be compared and are the same."""
        return self.difference is not None and self.difference.is_empty and not self.only_in


def compare_nodes(
    plan: ComparisonPlan, tasks: Sequence[tuple[NodeFacts, Pair]], fleet: Fleet | None
) -> Iterator[Compared]:
    """Yield what came of each node, in the order of completion."""
    for (node, _), made in work_for(tasks, partial(_compare, plan), fleet, plan.run):
        if isinstance(made, Lost):
            lost = Compared(node.name or None)
            lost.problem = f"no catalogs for {node.name}: {made}"
            yield lost
        else:
            yield made


def _compare(plan: ComparisonPlan, task: tuple[NodeFacts, Pair], shared: Shared) -> Compared:
    """Compare the sides for one node."""
    node, sides = task
    result = Compared(node.name or None)
    try:
        with deep_calls:
            contents = _contents(plan, node, sides, result, shared)
            if contents is not None:
                from_name, to_name = plan.names
                result.difference = compare(
                    *contents, plan.choice, from_name=from_name, to_name=to_name
                )
    except FactsError as error:
        result.problem = str(error)
    except RecursionError:
        result.problem = "a value is too deeply nested to be compared"
    finally:
        collect_garbage(is_all=True)  # what is left are caches
    return result


def _contents(
    plan: ComparisonPlan, node: NodeFacts, sides: Pair, result: Compared, shared: Shared
) -> tuple[CatalogContent, CatalogContent] | None:
    """Return the catalogs of both sides, or None with the problem of the result set."""
    found: list[CatalogContent] = []
    failed: dict[str, str] = {}
    for side in sides:
        try:
            found.append(_content(plan, node, side, result, shared))
        except NotCompiled as error:
            failed[error.name] = str(error.error)
    if not failed:
        return found[0], found[1]
    *_, last = failed.values()
    if len({plan.in_checkout(message) for message in failed.values()}) == 1:
        failed = {listed(tuple(failed)): last}
    result.problem = "\n".join(
        f"no catalog for {name}: {message}" for name, message in failed.items()
    )
    return None


def _content(
    plan: ComparisonPlan, node: NodeFacts, side: Side, result: Compared, shared: Shared
) -> CatalogContent:
    if isinstance(side, CatalogContent):
        return side
    unknown: list[str] = []
    machine = side
    if node.name:
        machine = replace(side, node=node.name)

    def log(level: str, text: str) -> None:
        if level in PROBLEMS:
            result.logs.append((side.name, level, text))

    revision = plan.revisions.get(machine.environment or "")
    session = (revision or plan).session_for(node, shared)
    try:
        content = content_compiled(machine, session, plan.code, unknown, log, result.placeholders)
        if revision is None:
            return content
        return relocated(content, revision.files.root, revision.files.checkout)
    finally:
        session.close()
        if not node.name:
            result.unknown += unknown
