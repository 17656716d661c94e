"""``puppet-repl diff A B``: the differences of two catalogs, for one node or for several.

Exit status: 0 if they are equal, 1 if they differ, 2 for errors: wrong usage, a file that cannot be
read, a catalog that cannot be compiled.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import some_of
from puppet_repl.catalog.content import CatalogContent, DocumentError
from puppet_repl.catalog.difference_choice import (
    EQUIVALENCES,
    Choice,
    ChoiceError,
    note_on_unmatched,
)
from puppet_repl.environment.facts.facts import FactsError, is_factset, layered_facts
from puppet_repl.environment.modules.layout import parts_of
from puppet_repl.frontends.cli.diff_output import FORMATS, write_results
from puppet_repl.frontends.cli.fleets import fleet_of, progress
from puppet_repl.frontends.cli.node_arguments import ChosenNodes, add_node_options, with_site
from puppet_repl.frontends.cli.program import colored
from puppet_repl.frontends.cli.program_source import UnreadableError
from puppet_repl.frontends.cli.revision_option import trees_of
from puppet_repl.frontends.shared.catalog_comparison import Compared, ComparisonPlan, compare_nodes
from puppet_repl.frontends.shared.counted_logs import CountedLogs
from puppet_repl.frontends.shared.fleet import FleetError
from puppet_repl.frontends.shared.revision_plans import RevisionPlan
from puppet_repl.frontends.shared.revisions import GitError
from puppet_repl.host.argument_parser import PROFILE_WORD, ArgumentParser, utf8_text
from puppet_repl.host.catalogs import (
    content_of_file,
    contents_of_directory,
    machine_with_manifest,
)
from puppet_repl.host.known_nodes import has_block, note_on_unknown
from puppet_repl.host.machines import Machine, machine_of
from puppet_repl.host.session_options import UsageError, host_of
from puppet_repl.host.surroundings import take_surroundings, take_two_profiles
from puppet_repl.tools.rendering.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace, _ActionsContainer
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from puppet_repl.frontends.shared.revision_trees import RevisionTree
    from puppet_repl.session import Session

    Side: TypeAlias = "CatalogContent | dict[str, CatalogContent] | Machine"

Given = TypeVar("Given")

# A file with any of these holds facts, of a new or an old Facter, or as Puppet keeps them.
FACT_NAMES = frozenset(
    (
        "architecture",
        "clientcert",
        "facterversion",
        "fqdn",
        "hostname",
        "ipaddress",
        "kernel",
        "kernelversion",
        "networking",
        "operatingsystem",
        "os",
        "osfamily",
        "processors",
        "puppetversion",
        "virtual",
    )
)
SAME, DIFFERENT, TROUBLE = 0, 1, 2
_NAMED = 5  # of nodes without a catalog


class _Parser(ArgumentParser):
    """A parser that takes two profiles in place of files."""

    def refuse_later_profiles(self, given: Namespace, unknown: list[str]) -> None:
        """End with an error for a profile that is neither the first word nor one of two."""
        if not _profiles(given):
            super().refuse_later_profiles(given, unknown)


def _profiles(given: Namespace) -> list[str]:
    """Return the names of two profiles that are to be compared."""
    found = [PROFILE_WORD.fullmatch(name or "") for name in (given.old, given.new)]
    names = [each[1] for each in found if each is not None]
    return names if len(names) == 2 else []


def make_parser(name: str = "diff") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = _Parser(
        prog=f"puppet-repl {name}",
        description="Show what differs between two catalogs.",
        epilog="A and B are JSON files with catalogs (of a server, of puppet catalog compile, of "
        "PuppetDB), directories with such files, one for each node, directories of environments, "
        "manifests, fact sets, files of facts, names of nodes, or two profiles: @A @B. "
        "Exit status: 0 no difference, 1 differences, 2 trouble.",
    )
    parser.add_argument("old", metavar="A", nargs="?", help="the catalog before")
    parser.add_argument("new", metavar="B", nargs="?", help="the catalog after")
    parser.add_argument(
        "--rev",
        metavar="REV",
        help="in place of B: compare the environment A (default: the working directory) with that "
        "of a revision of git; OLD..NEW compares two, OLD...NEW begins where NEW has left OLD",
    )
    parser.add_argument(
        "-e", metavar="CODE", dest="code", type=utf8_text, help="run CODE after the site manifests"
    )
    shown = parser.add_argument_group("what to print")
    shown.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text (default), json, html, or markdown for a review",
    )
    shown.add_argument(
        "--summary",
        action="store_true",
        help="each change once, with the nodes that have it, in place of a section for each node",
    )
    _add_choice(shown)
    add_node_options(parser, "compare the catalogs of this node; may be repeated")
    return parser


def _add_choice(parser: _ActionsContainer) -> None:
    """Add the options that say which differences count."""
    parser.add_argument("--tags", action="store_true", help="compare tags, too")
    for flag, what in (("--ignore", "leave out"), ("--only", "show only")):
        parser.add_argument(
            flag,
            metavar="PATTERN",
            action="append",
            type=_pattern,
            default=[],
            help=f"{what} such changes: TYPE, TYPE[TITLE], TYPE[TITLE][ATTRIBUTE] with * and ?, "
            f"with @TAG after it and + - ~ before it ({flag}=-File); may be repeated",
        )
    parser.add_argument(
        "--same",
        metavar="NAMES",
        type=_names_of_same,
        default=[],
        help="count as the same: "
        + ", ".join(f"{name} ({meaning})" for name, meaning in EQUIVALENCES.items())
        + "; with commas",
    )


def _pattern(text: str) -> str:
    return _checked(text, lambda: Choice(ignore=[text]))


def _names_of_same(text: str) -> list[str]:
    names = text.split(",")
    return _checked(names, lambda: Choice(same=names))


def _checked(value: Given, check: Callable[[], object]) -> Given:
    try:
        check()
    except ChoiceError as error:
        raise ArgumentTypeError(str(error)) from None
    return value


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    parser = make_parser()
    given = parser.parse_args(argv)
    if given.rev is None and given.new is None:
        missing = "B" if given.old is not None else "A, B"
        parser.error(f"the following arguments are required: {missing} (or --rev)")
    problems = UsageError, FactsError, DocumentError, UnreadableError, FleetError, GitError
    try:
        with deep_calls, ExitStack() as stack:
            profiles = _machines_of_profiles(given)
            take_surroundings(given)
            trees = trees_of(given, stack)
            comparison = Comparison(given, trees, profiles)
            notes = list(dict.fromkeys(comparison.notes))
            for note in notes:
                print(f"puppet-repl: {visible(note)}", file=sys.stderr)
            results = comparison.results()
            write_results(results, comparison.names, notes, given)
    except problems as error:
        print(f"puppet-repl: {visible(str(error))}", file=sys.stderr)
        return TROUBLE
    except RecursionError:
        print("puppet-repl: a value is too deeply nested to be compared", file=sys.stderr)
        return TROUBLE
    unknown = list(dict.fromkeys(name for result in results for name in result.unknown))
    if unknown:
        print(f"puppet-repl: {visible(note_on_unknown(unknown))}", file=sys.stderr)
    found = [result.difference for result in results if result.difference is not None]
    unmatched = note_on_unmatched(found)
    if unmatched is not None:
        print(f"puppet-repl: {visible(unmatched)}", file=sys.stderr)
    if any(result.difference is None for result in results):
        return TROUBLE
    return SAME if all(result.is_same for result in results) else DIFFERENT


class Comparison:
    """Two sides, each a catalog in a file or a machine to compile one for.

    ``notes`` name files of the checkout that count for a revision.
    Raises UsageError, FactsError or DocumentError where a side cannot be used, UnreadableError for
    a file of nodes.
    """

    def __init__(
        self, given: Namespace, trees: Sequence[RevisionTree], profiles: Sequence[Machine] = ()
    ) -> None:
        self._given = given
        self._trees = trees
        self._may_color: bool = not given.no_color
        self._logged: set[tuple[str, str]] = set()
        self._counted = CountedLogs()
        nodes = ChosenNodes(given, fold=False)
        chosen = nodes.names or []
        session = host_of(given).session
        if trees:
            machines = [Machine(tree.revision, environment=tree.directory) for tree in trees]
            if len(machines) == 1:
                machines.append(Machine(given.old, environment=os.path.abspath(given.old)))
            self.names = machines[0].name, machines[1].name
            self._sides: list[Side] = [*machines]
        elif profiles:
            self.names = given.old, given.new
            self._sides = [*profiles]
            if chosen and any(machine.node for machine in profiles):
                raise UsageError("--node: a profile that is compared has a node already")
        else:
            self.names = given.old, given.new
            self._sides = [_side(name, session, chosen) for name in self.names]
        stored = [name for side in self._sides if isinstance(side, dict) for name in side]
        _check_files(self._sides, self.names, chosen, stored)
        machines = [side for side in self._sides if isinstance(side, Machine)]
        for machine in machines:
            _check(machine, compiles=bool(given.environment) or given.code is not None)
        if not given.stdlib and any(machine.environment for machine in machines):
            session.options.stdlib = "off"  # an environment brings its own modules
        exports = session.keep_exports()
        kept = None if exports is None else tuple(exports.resources())
        revisions = {
            tree.directory: RevisionPlan(tree.files, given, session.options, session.facts, kept)
            for tree in trees
        }
        if given.all_nodes:
            self._take_all(nodes, session, revisions)
        self._nodes = nodes.nodes(
            session.facts,
            stored=sorted(set(stored)),
            need_facts=any(machine.facts is None for machine in machines),
        )
        if given.summary and any(not node.name for node in self._nodes):
            raise UsageError("--summary names the nodes of each change: give them with --node")
        self.notes = [note for tree in trees for note in tree.notes]
        for plan in revisions.values():
            plan.note_missing(self._nodes)
            self.notes += plan.notes
        self._plan = ComparisonPlan(
            session.options,
            session.facts,
            assignments=given.fact or (),
            code=given.code,
            exports=kept,
            names=self.names,
            revisions=revisions,
            choice=Choice(tags=given.tags, ignore=given.ignore, only=given.only, same=given.same),
        )

    def _take_all(
        self, nodes: ChosenNodes, session: Session, revisions: Mapping[str, RevisionPlan]
    ) -> None:
        """Choose all nodes of the site, unless those of a directory will be.

        A revision has options of its own: its hiera_config may name other nodes. Raises UsageError.
        """
        side = self._sides[1]
        if isinstance(side, Machine):
            plan = revisions.get(side.environment or "")
            nodes.take_all(side, session, None if plan is None else plan.options)

    def results(self) -> list[Compared]:
        """Return what came of each node. Raises UsageError or FleetError."""
        tasks = [
            (node, (self._side_for(0, node.name), self._side_for(1, node.name)))
            for node in self._nodes
        ]
        compiles = any(isinstance(side, Machine) for side in self._sides)
        done: dict[str, Compared] = {}
        with (
            fleet_of(self._given, len(tasks) if compiles else 1) as fleet,
            progress("Comparing", len(tasks)) as bar,
        ):
            for result in compare_nodes(self._plan, tasks, fleet):
                done[result.node or ""] = result
                if bar is not None:
                    bar.step()
                    if result.difference is None:
                        bar.fail()
        results = [done[node.name] for node in self._nodes]
        for result in results:
            result.only_in = self._only_in(result.node or "")
            for tree in self._trees:
                result.problem = tree.shown(result.problem)
            self._print_logs(result)
        for level, text in self._counted.messages():
            self._print_log("", level, text)
        return results

    def _only_in(self, node: str) -> str:
        """Return the name of the directory if only one of two has a catalog of a node."""
        having = [
            name
            for name, side in zip(self.names, self._sides, strict=True)
            if not isinstance(side, dict) or node in side
        ]
        return having[0] if len(having) == 1 else ""

    def _side_for(self, number: int, node: str) -> CatalogContent | Machine:
        side = self._sides[number]
        if isinstance(side, dict):
            # If only the other side has the node, all resources were added or removed.
            return side.get(node) or CatalogContent(node, "", {}, frozenset())
        return side

    def _print_logs(self, result: Compared) -> None:
        """Print what the sides have logged, once: many nodes have the same environment."""
        for placeholders in result.placeholders:
            self._counted.add(placeholders)
        for name, level, text in result.logs:
            if not self._counted.counts(text) and (name, text) not in self._logged:
                self._logged.add((name, text))
                self._print_log(f"{visible(name)}: ", level, text)

    def _print_log(self, begin: str, level: str, text: str) -> None:
        for tree in self._trees:
            text = tree.shown(text)
        line = log_line(level, text, color=self._may_color and colored(sys.stderr))
        print(begin + line, file=sys.stderr)


def _machines_of_profiles(given: Namespace) -> list[Machine]:
    """Return the machines of two profiles, none if others are compared. Raises UsageError.

    The options get what both profiles have.
    """
    names = _profiles(given)
    if not names:
        return []
    if given.rev is not None:
        raise UsageError("--rev: give one directory, or none; the revision is the other side")
    sides = take_two_profiles(given, names)
    return [
        Machine(
            f"@{name}",
            facts=layered_facts(side["facts"] or ()),
            node=side["node"],
            environment=side["environment"] and os.path.abspath(side["environment"]),
        )
        for name, side in zip(names, sides, strict=True)
    ]


def _side(name: str, session: Session, nodes: list[str]) -> Side:
    catalogs = contents_of_directory(name)
    if catalogs:
        return catalogs
    content = content_of_file(name)
    if content is not None:
        if len(nodes) > 1:
            raise UsageError(f"{name} is the catalog of one node, and --node names several")
        return content
    machine = machine_with_manifest(name)
    if machine is not None:
        return machine
    machine = machine_of(name, None, partial(_site_has_block, session))
    if nodes and machine.node is not None:
        raise UsageError(f"{name} is the name of a node: give nodes to compare, or --node")
    return machine


def _check_files(
    sides: list[Side], names: tuple[str, str], chosen: list[str], stored: list[str]
) -> None:
    """Raise UsageError for catalogs in files that cannot be compared for the ``chosen`` nodes.

    ``names`` are those of the sides, ``stored`` the nodes with a catalog in a directory.
    """
    if chosen and all(isinstance(side, CatalogContent) for side in sides):
        raise UsageError("--node is for catalogs that are compiled, and these are in files")
    if stored and any(isinstance(side, CatalogContent) for side in sides):
        raise UsageError("the catalogs of a directory are compared with those of another one")
    missing = [f"'{name}'" for name in chosen if name not in stored]
    if missing and all(isinstance(side, dict) for side in sides):
        raise UsageError(f"no catalog of {some_of(missing, _NAMED)} in {' or '.join(names)}")


def _site_has_block(session: Session, name: str) -> bool:
    """Tell whether the manifests of the session's environment have a block for a node."""
    return with_site(Machine(name), session, lambda made: has_block(made, name))


def _check(machine: Machine, *, compiles: bool) -> None:
    """Raise UsageError for a side from which no catalog would come but an empty one.

    ``compiles`` is whether the options name manifests or code.
    """
    name = machine.name
    directory = machine.environment
    compiles = compiles or directory is not None
    if directory is None and not compiles:
        directory = os.path.expanduser(name)  # with manifests it is the name of a node
    if directory is not None and os.path.isdir(directory) and not parts_of(directory):
        raise UsageError(f"{name}: neither an environment nor a directory of catalogs")
    if machine.node is not None and not compiles:
        raise UsageError(
            f"{name}: no such file or directory (to compare nodes, add --environment or -e)"
        )
    if machine.facts is not None:
        if not FACT_NAMES.intersection(machine.facts):
            raise UsageError(
                f"{name}: neither a catalog nor facts (it lacks Facter's facts, such as 'os')"
            )
        if not compiles:
            kind = "is a fact set" if is_factset(name) else "has facts"
            hint = "add --environment DIR or -e CODE to compile catalogs with them"
            raise UsageError(f"{name} {kind}; {hint}")
