"""What the subcommands for many nodes have in common: which nodes, and who works for them."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager, nullcontext
from typing import Protocol

from puppet_repl.cli.reading import read_file, read_input
from puppet_repl.environment.facts import factset_names
from puppet_repl.frontend.dask_cluster import Cluster
from puppet_repl.frontend.fleet import Fleet, FleetError
from puppet_repl.frontend.node_facts import FactsDirectories, is_pattern
from puppet_repl.frontend.session_options import UsageError, check_node_name
from puppet_repl.frontend.worker_processes import default_processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager


def add_fleet_options(parser: ArgumentParser) -> None:
    """Add the options that say which nodes are meant, and who works for them."""
    parser.add_argument(
        "--nodes",
        metavar="FILE",
        action="append",
        help="a file with a node, or a pattern, on each line; - for the input; may be repeated",
    )
    parser.add_argument(
        "--jobs", type=_count, metavar="N", help="processes (default: one for each processor)"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="the scheduler of a Dask cluster that does the work: tcp://HOST:8786",
    )


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"not a number of processes: '{text}'")


def take_directories(given: Namespace) -> FactsDirectories | None:
    """Return the directories of facts among the values of --facts, which keeps the others.

    For a cluster what options name is made absolute: its workers are in other directories. Raises
    FactsError.
    """
    sets = factset_names()
    found = [name for name in given.facts or () if os.path.isdir(name) and name not in sets]
    given.facts = [name for name in given.facts or () if name not in found]
    if given.scheduler:
        found = [os.path.abspath(name) for name in found]
        _make_absolute(given)
    return FactsDirectories(found) if found else None


def _make_absolute(given: Namespace) -> None:
    if given.modulepath:
        parts = given.modulepath.split(os.pathsep)
        given.modulepath = os.pathsep.join(os.path.abspath(part) for part in parts if part)
    if given.hiera_config:
        given.hiera_config = os.path.abspath(given.hiera_config)
    given.stubs = [os.path.abspath(name) for name in given.stubs or ()]


def named_nodes(names: Iterable[str] | None, given: Namespace) -> list[str] | None:
    """Return the nodes of --node, and those in the files of --nodes; None where nobody names any.

    Raises UsageError or UnreadableError.
    """
    if not given.nodes:
        return None if names is None else list(names)
    found = list(names or ())
    for path in given.nodes:
        text = read_input() if path == "-" else read_file(path)
        lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
        found += [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise UsageError(f"--nodes: no node is named in {' and '.join(given.nodes)}")
    return found


def each_once(
    names: Iterable[str], of_nodes: FactsDirectories | None, *, fold: bool = True
) -> list[str]:
    """Return the nodes that are meant, each once; with ``fold`` in lower case as Puppet has them.

    Raises UsageError for what cannot be the name of a node, or matches none.
    """
    found: dict[str, None] = {}
    for name in names:
        check_node_name(name)
        if not is_pattern(name):
            found[name.lower() if fold else name] = None
            continue
        matching = of_nodes.matching(name) if of_nodes is not None else []
        if not matching:
            hint = "" if of_nodes is not None else " (patterns need a directory given to --facts)"
            raise UsageError(f"--node: no node matches '{name}'{hint}")
        found.update(dict.fromkeys(matching))
    return list(found)


@contextmanager
def fleet_of(given: Namespace, count: int) -> Iterator[Fleet | None]:
    """Have a fleet for so many nodes as the options say; None if this process is enough.

    Raises UsageError for a cluster that cannot be used.
    """
    processes = min(given.jobs or default_processes(), count)
    if given.scheduler:
        with _cluster(given.scheduler) as cluster, _fleet_on(cluster, given) as fleet:
            yield fleet
    elif processes > 1:
        with Fleet(processes, given.max_memory) as fleet:
            yield fleet
    else:
        yield None


def _fleet_on(cluster: Cluster, given: Namespace) -> Fleet:
    return Fleet(
        given.jobs or cluster.threads,
        given.max_memory,
        executor=cluster.executor,
        window=given.jobs or cluster.window,
        check=cluster.check,
    )


@contextmanager
def _cluster(address: str) -> Iterator[Cluster]:
    try:
        cluster = Cluster(address)
    except FleetError as error:
        raise UsageError(f"--scheduler: {error}") from None
    try:
        yield cluster
    finally:
        cluster.close()


class Progress(Protocol):
    """What a progress bar is told; where none is shown there is none of these."""

    def step(self) -> None:
        """Count a node that is done."""

    def fail(self) -> None:
        """Count a node that has failed."""


def progress(label: str, total: int) -> AbstractContextManager[Progress | None]:
    """Show a progress bar while its context lasts, if there are several nodes and someone watches.

    Lines that are printed on the terminal meanwhile would break it.
    """
    if total < 2 or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext()
    from puppet_repl.cli.progress_bar import progress_bar

    return progress_bar(label, total)
