"""``puppet-repl compile``: the catalogs of nodes, as JSON, Puppet code, a table, a graph, a picture
or a tree.

Exit status: 0 when all catalogs were compiled, 1 when one was not, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from puppet_repl.base.replacing import replace_file
from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import failure_with_file, why_unusable
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.exports_file import ExportsError, ExportsFile
from puppet_repl.cli.invocation import refuse
from puppet_repl.cli.program import FAILED, colored
from puppet_repl.cli.reading import UnreadableError, read_program
from puppet_repl.environment.facts import FactsError, factset_names, overlaid, override
from puppet_repl.frontend.argument_parser import ArgumentParser, utf8_text
from puppet_repl.frontend.compiling import (
    FORMATS,
    Compiled,
    Job,
    compile_jobs,
    default_processes,
    joined,
)
from puppet_repl.frontend.node_facts import FactsDirectories, is_pattern
from puppet_repl.frontend.session_options import (
    UsageError,
    add_session_options,
    check_node_name,
    host_of,
    may_name_file,
)
from puppet_repl.rendering.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prompt_toolkit.shortcuts import ProgressBarCounter

    from puppet_repl.session import Session

_ENDINGS = {"code": ".pp", "dot": ".dot", "graph": ".mmd", "json": ".json", "svg": ".svg"}
# Tables that are not printed on a terminal are not cut at its width.
_WIDE = 1000

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
        conflict_handler="resolve",
    )
    parser.add_argument(
        "program",
        nargs="?",
        metavar="FILE",
        help="a manifest in place of those of the environment, or Puppet code; - for the input",
    )
    parser.add_argument(
        "-e", metavar="CODE", dest="code", type=utf8_text, help="Puppet code in place of FILE"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="json", help="how to print them (default: json)"
    )
    parser.add_argument(
        "--output", metavar="DIR", help="write each catalog to a file in DIR, named after its node"
    )
    parser.add_argument(
        "--jobs", type=_count, metavar="N", help="processes (default: one for each processor)"
    )
    add_session_options(parser)
    parser.add_argument(
        "--node",
        metavar="NAME",
        action="append",
        type=utf8_text,
        help="a node, or a pattern; may be repeated",
    )
    return parser


def main(argv: list[str]) -> int:
    """Compile what the arguments ask for; return the exit status."""
    given = make_parser().parse_intermixed_args(argv)
    puppetdb, given.puppetdb = given.puppetdb, None  # kept once, for all nodes
    try:
        jobs, origins = _jobs(given)
        kept = ExportsFile(puppetdb) if puppetdb else None
        store = kept.store() if kept is not None else ExportStore()
        if given.output:
            os.makedirs(given.output, exist_ok=True)
    except (UsageError, FactsError, UnreadableError, ExportsError) as error:
        return refuse(str(error))
    except OSError as error:
        return refuse(f"--output: {failure_with_file(error)}")
    results = _compiled(jobs, store, given.jobs or default_processes())
    for job, result in zip(jobs, results, strict=True):
        _report(result, origins.get(job.name), job)
    try:
        if kept is not None:
            kept.write(store)
        if given.output:
            _write_files(given, results)
        else:
            _print(given, results)
    except (ExportsError, UnwritableError) as error:
        return refuse(str(error))
    if len(results) > 1:
        good = sum(result.error is None for result in results)
        print(f"{good} of {len(results)} catalogs compiled", file=sys.stderr)
    return FAILED if any(result.error is not None for result in results) else 0


def _jobs(given: Namespace) -> tuple[list[Job], dict[str, str]]:
    """Return what is to be compiled, and for each node with facts of its own where they are from.

    Raises UsageError, FactsError or UnreadableError.
    """
    sets = factset_names()
    directories = [name for name in given.facts or () if os.path.isdir(name) and name not in sets]
    given.facts = [name for name in given.facts or () if name not in directories]
    wanted, given.node = given.node, None
    of_nodes = FactsDirectories(directories) if directories else None
    if given.code is not None and given.program is not None:
        raise UsageError("give either -e CODE or a file, not both")
    text, file = (given.code, None) if given.code is not None else read_program(given.program)
    if text is None and not given.environment:
        raise UsageError("give --environment DIR, a manifest, or code")
    session = host_of(given).session
    nodes = _node_names(wanted, of_nodes, session)
    if given.format == "svg" and len(nodes) > 1 and not given.output:
        raise UsageError("--format svg of several nodes needs --output DIR: a picture for each")
    may_color = not given.no_color
    is_printed = len(nodes) == 1 and not given.output
    jobs, origins = [], {}
    for name in nodes:
        options = session.options.copy()
        options.node = name or None
        facts = session.facts
        own, problem = None, None
        try:
            own = of_nodes.facts_of(name) if of_nodes is not None else None
        except FactsError as error:
            problem = str(error)  # of one node, which the others need not wait for
        if own is not None:
            facts = overlaid(facts, own[0])
            for assignment in given.fact or ():
                facts = override(facts, assignment)
            origins[name] = own[1]
        elif problem is None and of_nodes is not None and facts is None:
            raise UsageError(f"--facts: there are no facts of {name} in {', '.join(directories)}")
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDE
        job = Job(name, options, facts, code=text, file=file, format=given.format)
        job.color = may_color and is_printed and colored(sys.stdout)
        job.error_color = may_color and colored(sys.stderr)
        job.width = width
        job.redacted = not given.output and sys.stdout.isatty()
        job.problem = problem
        jobs.append(job)
    return jobs, origins


def _node_names(
    wanted: list[str] | None, of_nodes: FactsDirectories | None, session: Session
) -> list[str]:
    """Return the names of the nodes, each once, in lower case as Puppet has them.

    '' is for the node that the facts are of.
    """
    if wanted is None:
        return of_nodes.names() if of_nodes is not None else [session.options.node or ""]
    names: dict[str, None] = {}
    for name in wanted:
        check_node_name(name)
        if not is_pattern(name):
            names[name.lower()] = None
            continue
        matching = of_nodes.matching(name) if of_nodes is not None else []
        if not matching:
            hint = "" if of_nodes is not None else " (patterns need a directory given to --facts)"
            raise UsageError(f"--node: no node matches '{name}'{hint}")
        names.update(dict.fromkeys(matching))
    return list(names)


def _compiled(jobs: list[Job], store: ExportStore, processes: int) -> list[Compiled]:
    """Compile, with a progress bar where there are several nodes and someone watches."""
    if len(jobs) == 1 or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return compile_jobs(jobs, store, processes=processes)
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import create_output
    from prompt_toolkit.output.vt100 import Vt100_Output
    from prompt_toolkit.shortcuts import ProgressBar

    output = create_output(stdout=sys.stderr)
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # the shell would read the answer
    # What is typed meanwhile is for the shell.
    with create_pipe_input() as silent, ProgressBar(output=output, input=silent) as bar:
        counter: ProgressBarCounter[Job] = bar(label="Compiling", total=len(jobs))
        return compile_jobs(
            jobs, store, processes=processes, done=lambda _: counter.item_completed()
        )


def _report(result: Compiled, origin: str | None, job: Job) -> None:
    """Print the logs of a node, where its facts are from, and its error."""
    name = result.name or job.options.certname(dict(job.facts or {}))
    if origin is not None:
        print(f"{visible(name)}: facts of {visible(origin)}", file=sys.stderr)
    for level, message in result.logs:
        print(
            f"{visible(name)}: {log_line(level, message, color=job.error_color)}", file=sys.stderr
        )
    if result.error is not None:
        print(f"{visible(name)}: {result.error}", file=sys.stderr)


def _write_files(given: Namespace, results: list[Compiled]) -> None:
    """Write each catalog to a file. Raises UnwritableError."""
    for result in results:
        if result.error is None:
            if not may_name_file(result.name):  # facts are data, of anybody
                problem = f"'{result.name}', which the facts say, is no name of a node"
                raise UnwritableError(f"--output: {problem}")
            path = os.path.join(given.output, result.name + _ENDINGS.get(given.format, ".txt"))
            try:
                replace_file(path, result.text + "\n", sync=False)
            except OSError as error:
                raise UnwritableError(f"cannot write {path}: {why_unusable(error)}") from None


def _print(given: Namespace, results: list[Compiled]) -> None:
    """Print the catalogs."""
    if len(results) == 1:
        text = results[0].text if results[0].error is None else ""
    else:
        text = joined(results, given.format)
    if text:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"not a number of processes: '{text}'")
