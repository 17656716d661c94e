"""``puppet-repl compile``: the catalogs of nodes, as JSON, Puppet code, a table, a graph, a picture
or a tree.

Exit status: 0 when all catalogs were compiled, 1 when one was not, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys

from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.safe_text import visible, visible_json
from puppet_repl.base.wording import failure_with_file, why_unusable
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.exports_file import ExportsError, ExportsFile
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.frontends.cli.fleets import fleet_of, progress
from puppet_repl.frontends.cli.invocation import refuse
from puppet_repl.frontends.cli.node_arguments import ChosenNodes, add_node_options
from puppet_repl.frontends.cli.program import FAILED, colored
from puppet_repl.frontends.cli.program_source import UnreadableError, read_program
from puppet_repl.frontends.shared.compiling import FORMATS, Compiled, Plan, compile_nodes, joined
from puppet_repl.frontends.shared.counted_logs import CountedLogs
from puppet_repl.frontends.shared.fleet import FleetError
from puppet_repl.host.argument_parser import ArgumentParser, utf8_text
from puppet_repl.host.machines import Machine
from puppet_repl.host.session_options import (
    UsageError,
    host_of,
)
from puppet_repl.host.session_setup import may_name_file
from puppet_repl.host.surroundings import take_surroundings
from puppet_repl.language.runtime.puppetdb_address import is_address
from puppet_repl.tools.rendering.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from puppet_repl.frontends.cli.fleets import Progress
    from puppet_repl.host.node_facts import NodeFacts

_ENDINGS = {
    "code": ".pp",
    "dot": ".dot",
    "graph": ".mmd",
    "json": ".json",
    "ndjson": ".json",
    "svg": ".svg",
}
# Tables that are not printed on a terminal are not cut at its width.
_WIDE = 1 << 30

EPILOG = """\
A directory given to --facts holds a file for each node: NODE.yaml or NODE.json, as below yaml/facts
in Puppet's vardir. Without --node all of them are compiled; in --node, * ? [...] are patterns.

What a node exports (@@) the others collect; with --puppetdb it is kept in a file.

examples:
  puppet-repl compile --environment . --node web01.example.com
  puppet-repl compile --environment . --node web01 --node db01 --format code
  puppet-repl compile --environment . --facts /var/cache/puppet/yaml/facts --output catalogs
  puppet-repl compile --facts rocky-9 'file { "/etc/motd": }' --format tree
"""


class UnwritableError(Exception):
    """A file that cannot be written; the message says why."""


def make_parser(name: str = "compile") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Compile the catalogs of nodes, as a Puppet server does, and print them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "program",
        nargs="?",
        metavar="FILE",
        help="a manifest or code instead of the site manifests, - for the input",
    )
    parser.add_argument(
        "-e", metavar="CODE", dest="code", type=utf8_text, help="Puppet code in place of FILE"
    )
    parser.add_argument(
        "--check-order",
        action="store_true",
        help="refuse catalogs that agents refuse: cycles, invalid values",
    )
    shown = parser.add_argument_group("what to print")
    shown.add_argument(
        "--format",
        choices=FORMATS,
        help="the form (default: json; ndjson: a catalog on each line)",
    )
    shown.add_argument(
        "--output", metavar="DIR", help="write each catalog to a file in DIR, named after its node"
    )
    shown.add_argument(
        "--quiet",
        action="store_true",
        help="print no messages, only errors and a count",
    )
    shown.add_argument(
        "--origins",
        action="store_true",
        help="add to JSON where each attribute comes from",
    )
    add_node_options(parser, "a node, or a pattern; may be repeated")
    return parser


def main(argv: list[str]) -> int:
    """Compile what the arguments ask for; return the exit status."""
    given = make_parser().parse_args(argv)
    # With JSON that was asked for, the log is the same as that of Puppet.
    counts_logs = given.format not in ("json", "ndjson")
    given.format = given.format or "json"
    try:
        plan, nodes = _planned(given)
        puppetdb = given.puppetdb
        kept = ExportsFile(puppetdb) if puppetdb and not is_address(puppetdb) else None
        store = kept.store() if kept is not None else ExportStore()
        if given.output:
            _make_directory(given.output)
        catalogs = _Catalogs(given, plan, nodes, CountedLogs() if counts_logs else None)
        catalogs.compile(store)
        if kept is not None:
            kept.write(store)
        catalogs.print()
    except (
        *(UsageError, FactsError, UnreadableError, ExportsError),
        *(FleetError, UnwritableError),
    ) as error:
        return refuse(str(error))
    return FAILED if catalogs.good < len(nodes) else 0


def _make_directory(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--output: {failure_with_file(error)}") from None


def _planned(given: Namespace) -> tuple[Plan, list[NodeFacts]]:
    """Return the plan and the nodes of the compilation.

    Raises UsageError, FactsError or UnreadableError.
    """
    take_surroundings(given)
    chosen = ChosenNodes(given, fold=True)
    if given.code is not None and given.program is not None:
        raise UsageError("give either -e CODE or a file, not both")
    text, file = (given.code, None) if given.code is not None else read_program(given.program)
    if text is None and not given.environment:
        raise UsageError("give --environment DIR, a manifest, or code")
    session = host_of(given).session
    if given.all_nodes:
        chosen.take_all(Machine("", manifest=text), session)
    nodes = chosen.nodes(session.facts)
    if given.format == "svg" and len(nodes) > 1 and not given.output:
        raise UsageError("--format svg of several nodes needs --output DIR: a picture for each")
    if given.origins and given.format not in ("json", "ndjson"):
        raise UsageError(f"--origins is for JSON, not for --format {given.format}")
    may_color = not given.no_color
    plan = Plan(
        session.options,
        session.facts,
        assignments=given.fact or (),
        code=text,
        file=file,
        format=given.format,
        color=may_color and len(nodes) == 1 and not given.output and colored(sys.stdout),
        error_color=may_color and colored(sys.stderr),
        width=shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDE,
        redacted=not given.output and sys.stdout.isatty(),
        checks_order=given.check_order,
        origins=given.origins,
    )
    return plan, nodes


class _Catalogs:
    """The catalogs of a run: files or lines that are written as they come, or one text of all.

    With ``counted`` messages that come for many nodes are counted.
    """

    def __init__(
        self, given: Namespace, plan: Plan, nodes: list[NodeFacts], counted: CountedLogs | None
    ) -> None:
        self._given = given
        self._counted = counted
        self._plan = plan
        self._nodes = nodes
        self._streams: bool = bool(given.output) or given.format == "ndjson"
        self._kept: dict[str, Compiled] = {}
        self._failed: set[str] = set()
        self.good = 0
        """How many have been compiled."""

    def compile(self, store: ExportStore) -> None:
        """Compile them; ``store`` keeps what the nodes export.

        Raises UsageError or FleetError, UnwritableError for a file.
        """
        count = len(self._nodes)
        is_watched = self._streams and not self._given.output and sys.stdout.isatty()
        try:
            with (
                fleet_of(self._given, count) as fleet,
                progress("Compiling", 0 if is_watched else count) as bar,
            ):
                step = None if bar is None else bar.step
                for node, result in compile_nodes(self._plan, self._nodes, store, fleet, done=step):
                    self._take(node, result, bar)
        except KeyboardInterrupt:
            if self._streams:
                self.print()  # the catalogs so far stay
            raise

    def _take(self, node: NodeFacts, result: Compiled, bar: Progress | None) -> None:
        if self._counted is not None:
            self._counted.add(result.placeholders)
            logs = [each for each in result.logs if not self._counted.counts(each[1])]
            result.logs = logs
        if result.error is None:
            self.good += 1
        else:
            self._failed.add(node.name)
            if bar is not None:
                bar.fail()
        if self._given.output:
            _write_file(self._given, result)
        elif self._streams:
            _print_line(result)
        if self._streams:
            result.text = ""
            if bar is None:
                self._report(result)
                return
        self._kept[node.name] = result

    def print(self) -> None:
        """Print the kept results: messages and errors, catalogs, and which nodes failed."""
        if self._counted is not None and not self._given.quiet:
            for level, text in self._counted.messages():
                print(log_line(level, text, color=self._plan.error_color), file=sys.stderr)
        kept = [self._kept[node.name] for node in self._nodes if node.name in self._kept]
        for result in kept:
            self._report(result)
        if not self._streams:
            _print(kept, self._given.format)
        if len(self._nodes) > 1 or self._given.quiet:
            names = [node.name for node in self._nodes if node.name in self._failed]
            if any(names):
                print(f"failed: {visible(', '.join(names))}", file=sys.stderr)
            print(f"{self.good} of {len(self._nodes)} catalogs compiled", file=sys.stderr)

    def _report(self, result: Compiled) -> None:
        """Print the logs of a node, where its facts are from, and its error.

        The name of the node comes first, unless there is one node and nobody has named it.
        """
        plan = self._plan
        name = visible(result.name or plan.options.certname(dict(plan.facts or {}))) + ": "
        if [node.name for node in self._nodes] == [""]:
            name = ""
        if not self._given.quiet:
            if result.origin is not None:
                print(f"{name}facts of {visible(result.origin)}", file=sys.stderr)
            for level, message in result.logs:
                line = log_line(level, message, color=plan.error_color)
                print(f"{name}{line}", file=sys.stderr)
        if result.error is not None:
            print(f"{name}{result.error}", file=sys.stderr)


def _write_file(given: Namespace, result: Compiled) -> None:
    """Write a catalog to a file, or remove that of another run where there is none now.

    Raises UnwritableError.
    """
    # Facts, and the names of their files, are untrusted data.
    if not may_name_file(result.name) or not result.name.isprintable():
        if result.error is not None:
            return
        problem = f"'{result.name}', which the facts say, is not a valid node name"
        raise UnwritableError(f"--output: {problem}")
    path = os.path.join(given.output, result.name + _ENDINGS.get(given.format, ".txt"))
    try:
        if result.error is None:
            replace_file(path, result.text + "\n", sync=False)
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
    except OSError as error:
        raise UnwritableError(f"cannot write {path}: {why_unusable(error)}") from None


def _print_line(result: Compiled) -> None:
    """Print a catalog as a line, or the error that there is in its place."""
    text = result.text
    if result.error is not None:
        text = visible_json(json.dumps({"name": result.name, "error": result.error}))
    _write(text)


def _print(results: list[Compiled], format: str) -> None:
    """Print the catalogs."""
    if len(results) == 1:
        text = results[0].text if results[0].error is None else ""
    else:
        text = joined(results, format)
    if text:
        _write(text)


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()
