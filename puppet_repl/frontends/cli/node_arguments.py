"""Which nodes the options of a subcommand mean, and where the facts of these are."""

from __future__ import annotations

import os
from typing import TypeVar

from puppet_repl.environment.facts.facts import is_factset
from puppet_repl.frontends.cli.fleets import add_fleet_options
from puppet_repl.frontends.cli.program_source import read_file, read_input
from puppet_repl.host.machine_words import nodes_of_site
from puppet_repl.host.machines import Machine, session_for
from puppet_repl.host.node_facts import FactsDirectories, NodeFacts, is_pattern
from puppet_repl.host.session_options import (
    UsageError,
    add_session_options,
    check_node_name,
    make_absolute,
)

Answer = TypeVar("Answer")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from puppet_repl.session import Options, Session


def add_node_options(parser: ArgumentParser, what: str) -> None:
    """Add the options of a session, those that name its nodes, and who works for them.

    ``what`` is the help of --node, which may be repeated here.
    """
    nodes = add_session_options(parser, what)
    nodes.add_argument(
        "--nodes",
        metavar="FILE",
        action="append",
        help="a file with a node or a pattern on each line, - for the input",
    )
    nodes.add_argument(
        "--all-nodes",
        action="store_true",
        help="all nodes with facts in a directory of --facts, else a block or a data file",
    )
    add_fleet_options(parser)


class ChosenNodes:
    """The nodes that options name, each once: ``names`` is None without any.

    With ``fold`` they are in lower case, as Puppet has them. The options lose their nodes and the
    ``directories`` of facts, so that a session can be made of the others. Raises UsageError,
    FactsError, or UnreadableError for a file of nodes.
    """

    def __init__(self, given: Namespace, *, fold: bool) -> None:
        self.directories = _take_directories(given)
        wanted, given.node = _named_nodes(given.node, given), None
        self.names = None if wanted is None else _each_once(wanted, self.directories, fold=fold)

    def take_all(self, machine: Machine, session: Session, options: Options | None = None) -> None:
        """Choose all nodes of a site, unless those of a directory will be.

        The site is that of a machine; ``with_site`` takes the same arguments. Raises UsageError.
        """
        if self.names is not None:
            raise UsageError("--all-nodes: --node and --nodes choose some of them")
        if self.directories is not None:
            return
        self.names = with_site(machine, session, nodes_of_site, options)
        if not self.names:
            raise UsageError(
                "--all-nodes: no node block and no data file names a node "
                "(--facts DIR has a file for each)"
            )

    def nodes(
        self,
        facts: Mapping[str, object] | None,
        *,
        stored: Sequence[str] = (),
        need_facts: bool = True,
    ) -> list[NodeFacts]:
        """Return the nodes with the files of their facts: the named, else the ``stored`` or all.

        The only node is '', the node of the facts, if no node is named. Raises FactsError for a
        node without facts, if they ``need_facts`` and there are no ``facts`` for all nodes.
        """
        names = self.names or stored
        if self.directories is None:
            return [NodeFacts(name) for name in names or [""]]
        nodes = [self.directories.of(name) for name in names or self.directories.names()]
        if need_facts:
            self.directories.check(nodes, facts)
        return nodes


def with_site(
    machine: Machine,
    session: Session,
    ask: Callable[[Session], Answer],
    options: Options | None = None,
) -> Answer:
    """Return the answer of a session that has compiled the manifests of a machine.

    The session has the ``options`` given, or those of ``session``.
    """
    made, _ = session_for(machine, session, replay=False, options=options)
    try:
        made.compile_site(machine.manifest or "", has_node=False)
        return ask(made)
    finally:
        made.close()


def _take_directories(given: Namespace) -> FactsDirectories | None:
    """Return the directories of facts among the values of --facts, which keeps the others.

    For a cluster what options name is made absolute: its workers are in other directories. Raises
    FactsError.
    """
    found = [name for name in given.facts or () if os.path.isdir(name) and not is_factset(name)]
    given.facts = [name for name in given.facts or () if name not in found]
    if given.scheduler:
        found = [os.path.abspath(name) for name in found]
        make_absolute(given)
    return FactsDirectories(found) if found else None


def _named_nodes(names: Iterable[str] | None, given: Namespace) -> list[str] | None:
    """Return the nodes of --node, and those in the files of --nodes; None if nobody names any.

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


def _each_once(names: Iterable[str], of_nodes: FactsDirectories | None, *, fold: bool) -> list[str]:
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
