"""Who works for the nodes of a subcommand: options, processes or a cluster, and the progress."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Protocol

from puppet_repl.frontends.shared.dask_cluster import Cluster
from puppet_repl.frontends.shared.fleet import Fleet, FleetError
from puppet_repl.frontends.shared.worker_processes import default_processes
from puppet_repl.host.argument_parser import count_of
from puppet_repl.host.session_options import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace, _ActionsContainer
    from collections.abc import Iterator
    from contextlib import AbstractContextManager


def add_fleet_options(parser: _ActionsContainer) -> None:
    """Add the options that say who works for the nodes."""
    parser.add_argument(
        "--jobs",
        type=partial(count_of, "processes"),
        metavar="N",
        help="processes (default: one for each processor)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="the scheduler of a Dask cluster that does the work",
    )


@contextmanager
def fleet_of(given: Namespace, count: int) -> Iterator[Fleet | None]:
    """Give the fleet that the options describe for ``count`` nodes, or None for this process.

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
    """Events for a progress bar."""

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
    from puppet_repl.frontends.cli.progress_bar import progress_bar

    return progress_bar(label, total)
