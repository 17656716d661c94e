"""``puppet-repl diff A B``: what differs between two catalogs, for one node or for several.

Exit status: 0 where they are the same, 1 where they differ, 2 in trouble: wrong usage, a file that
cannot be read, a catalog that cannot be compiled.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from html import escape
from shutil import get_terminal_size

from puppet_repl.base.log_levels import PROBLEMS
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted
from puppet_repl.catalog.content import CatalogContent, DocumentError
from puppet_repl.catalog.difference import compare, difference_data
from puppet_repl.cli.program import colored
from puppet_repl.environment.facts import FactsError
from puppet_repl.environment.layout import parts_of
from puppet_repl.frontend.argument_parser import ArgumentParser, utf8_text
from puppet_repl.frontend.catalogs import (
    NotCompiled,
    content_compiled,
    content_of_file,
    contents_of_directory,
)
from puppet_repl.frontend.known_nodes import has_block, note_on_unknown
from puppet_repl.frontend.machines import Machine, machine_of, session_for
from puppet_repl.frontend.session_options import (
    UsageError,
    add_session_options,
    check_node_name,
    host_of,
)
from puppet_repl.rendering.differences import render_difference
from puppet_repl.rendering.differences_html import difference_html
from puppet_repl.rendering.fragments import ansi, plain
from puppet_repl.rendering.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any, TypeAlias

    from puppet_repl.catalog.difference import Difference
    from puppet_repl.session import Session

    Side: TypeAlias = "CatalogContent | dict[str, CatalogContent] | Machine"

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
FORMATS = ("text", "json", "html")
WIDTH = 80


def make_parser(name: str = "diff") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Show what differs between two catalogs.",
        epilog="A and B are JSON files with catalogs (of a server, of puppet catalog compile, of "
        "PuppetDB), directories with such files, one for each node, directories of environments, "
        "fact sets, files of facts, or names of nodes. "
        "Exit status: 0 no difference, 1 differences, 2 trouble.",
        conflict_handler="resolve",  # the option --node may be repeated here
    )
    parser.add_argument("old", metavar="A", help="the catalog before")
    parser.add_argument("new", metavar="B", help="the catalog after")
    parser.add_argument(
        "-e", metavar="CODE", dest="code", type=utf8_text, help="run CODE after the site manifests"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="text (default), json or html"
    )
    parser.add_argument("--tags", action="store_true", help="tags count as well")
    add_session_options(parser)
    parser.add_argument(
        "--node",
        metavar="NAME",
        dest="nodes",
        action="append",
        type=utf8_text,
        default=[],
        help="compare the catalogs of this node; may be repeated",
    )
    parser.set_defaults(node=None)
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    given = make_parser().parse_args(argv)
    try:
        with deep_calls:
            comparison = Comparison(given)
            results = [comparison.result(node) for node in comparison.nodes]
            _write(results, given)
        if comparison.unknown:
            print(f"puppet-repl: {visible(note_on_unknown(comparison.unknown))}", file=sys.stderr)
    except (UsageError, FactsError, DocumentError) as error:
        print(f"puppet-repl: {visible(str(error))}", file=sys.stderr)
        return TROUBLE
    except RecursionError:
        print("puppet-repl: a value is too deeply nested to be compared", file=sys.stderr)
        return TROUBLE
    if any(result.difference is None for result in results):
        return TROUBLE
    return SAME if all(result.is_same for result in results) else DIFFERENT


class Result:
    """The difference for one node, or why there is none."""

    __slots__ = ("difference", "node", "problem")

    def __init__(self, node: str | None, difference: Difference | None, problem: str = "") -> None:
        self.node = node
        self.difference = difference
        self.problem = problem

    @property
    def is_same(self) -> bool:
        """Whether the catalogs could be compared and are the same."""
        return self.difference is not None and self.difference.is_empty

    def data(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        node = {} if self.node is None else {"node": self.node}
        if self.difference is None:
            return {**node, "error": self.problem}
        return {**node, **difference_data(self.difference)}


class Comparison:
    """Two sides, each a catalog in a file or a machine to compile one for.

    Raises UsageError, FactsError or DocumentError where a side cannot be used.
    """

    def __init__(self, given: Namespace) -> None:
        self.names = given.old, given.new
        self.code: str | None = given.code
        self.may_color: bool = not given.no_color
        # Nodes that are a side, and that the site does not know.
        self.unknown: list[str] = []
        self._logged: set[tuple[str, str]] = set()
        self.tags: bool = given.tags
        for name in given.nodes:
            check_node_name(name)
        session = host_of(given).session
        self.session: Session = session
        self.sides = [_side(name, session, given.nodes) for name in self.names]
        if given.nodes and all(isinstance(side, CatalogContent) for side in self.sides):
            raise UsageError("--node is for catalogs that are compiled, and these are in files")
        stored = [name for side in self.sides if isinstance(side, dict) for name in side]
        self.nodes: list[str | None] = given.nodes or sorted(set(stored)) or [None]
        if stored and any(isinstance(side, CatalogContent) for side in self.sides):
            raise UsageError("the catalogs of a directory are compared with those of another one")
        machines = [side for side in self.sides if isinstance(side, Machine)]
        for machine in machines:
            _check(machine, compiles=bool(given.environment) or given.code is not None)
        if not given.stdlib and any(machine.environment for machine in machines):
            session.options.stdlib = "off"  # an environment brings its own modules

    def result(self, node: str | None) -> Result:
        """Return the result for one node; None is the node that the options describe."""
        try:
            old, new = (self._content(side, node) for side in self.sides)
        except NotCompiled as error:
            return Result(node, None, str(error))
        names = {"from_name": self.names[0], "to_name": self.names[1]}
        return Result(node, compare(old, new, tags=self.tags, **names))

    def _content(self, side: Side, node: str | None) -> CatalogContent:
        if isinstance(side, CatalogContent):
            return side
        if isinstance(side, dict):
            # Where only the other side has the node, all of it was added or removed.
            return side.get(node or "") or CatalogContent(node or "", "", {}, frozenset())
        unknown = self.unknown
        if node is not None:
            side.node, unknown = node, []

        def log(level: str, text: str) -> None:
            self._log(side.name, level, text)

        return content_compiled(side, self.session, self.code, unknown, log)

    def _log(self, name: str, level: str, text: str) -> None:
        """Print a warning or an error of a side, once: many nodes have the same environment."""
        if level in PROBLEMS and (name, text) not in self._logged:
            self._logged.add((name, text))
            line = log_line(level, text, color=self.may_color and colored(sys.stderr))
            print(f"{visible(name)}: {line}", file=sys.stderr)


def _side(name: str, session: Session, nodes: list[str]) -> Side:
    catalogs = contents_of_directory(name)
    if catalogs:
        return catalogs
    content = content_of_file(name)
    if content is not None:
        if len(nodes) > 1:
            raise UsageError(f"{name} is the catalog of one node, and --node names several")
        return content
    machine = machine_of(name, None, partial(_site_has_block, session))
    if nodes and machine.node is not None:
        raise UsageError(f"{name} is the name of a node: give nodes to compare, or --node")
    return machine


def _site_has_block(session: Session, name: str) -> bool:
    """Tell whether the manifests of the session's environment have a block for a node."""
    made, _ = session_for(Machine(name), session, replay=False)
    try:
        made.compile_site(has_node=False)
        return has_block(made, name)
    finally:
        made.close()


def _check(machine: Machine, *, compiles: bool) -> None:
    """Raise UsageError for a side from which no catalog would come but an empty one.

    ``compiles`` is whether the options name manifests or code.
    """
    name = machine.name
    directory = machine.environment
    if directory is None and not compiles:
        directory = os.path.expanduser(name)  # with manifests it is the name of a node
    if directory is not None and os.path.isdir(directory) and not parts_of(directory):
        raise UsageError(f"{name}: neither an environment nor a directory of catalogs")
    if machine.node is not None and not compiles:
        raise UsageError(
            f"{name}: there is no such file or directory, and no catalog for a "
            "node of this name without --environment or -e"
        )
    if machine.facts is not None:
        if not FACT_NAMES.intersection(machine.facts):
            raise UsageError(
                f"{name}: neither a catalog nor facts (it has none of Facter's, such as 'os')"
            )
        if not compiles:
            raise UsageError(
                f"{name}: these are facts, and no catalog for them without --environment or -e"
            )


def _write(results: list[Result], given: Namespace) -> None:
    """Print the differences, and on standard error for which nodes there are none."""
    if given.format == "text":
        _write_text(results, color=not given.no_color and colored(sys.stdout))
    elif given.format == "json":
        _write_json(results)
    else:
        _write_html(results)
    sys.stdout.flush()
    for result in results:
        if result.difference is None:
            print(f"puppet-repl: {visible_lines(result.problem)}", file=sys.stderr)


def _write_text(results: list[Result], *, color: bool) -> None:
    width = get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    show = ansi if color else plain
    for result in results:
        if len(results) > 1:
            sys.stdout.write(show([("heading", f"=== {result.node}")]) + "\n")
        if result.difference is not None:
            sys.stdout.write(show(render_difference(result.difference, width)) + "\n")
    if len(results) > 1:
        sys.stdout.write(f"\n{visible_lines(_summary(results))}\n")


def _summary(results: list[Result]) -> str:
    """Return for how many nodes the catalogs differ, and for which there are none."""
    same = sum(result.is_same for result in results)
    failed = [str(result.node) for result in results if result.difference is None]
    text = f"{counted(len(results), 'node')}: {same} the same"
    text += f", {len(results) - same - len(failed)} different"
    return text + (f", {len(failed)} failed ({', '.join(failed)})" if failed else "")


def _write_json(results: list[Result]) -> None:
    data = results[0].data()
    if len(results) > 1:
        same = all(result.is_same for result in results)
        data = {"same": same, "nodes": [result.data() for result in results]}
    print(visible_json(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)))


def _write_html(results: list[Result]) -> None:
    for result in results:
        if len(results) > 1:
            print(f"<h2>{escape(str(result.node))}</h2>")
        if result.difference is None:
            print(f"<p>{escape(result.problem)}</p>")
        else:
            print(difference_html(result.difference))
    if len(results) > 1:
        print(f"<p>{escape(_summary(results))}</p>")
