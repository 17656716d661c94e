"""Services that eight clients ask at once: ``batch``, the language server, the Python API.

A client of ``batch`` and an editor have a process of their own, as they are run; clients of the API
are threads of one process. Each asks again as soon as it has its answer. An answer to one of eight
should take eight times as long as to one, by the cores that work on it: that is the reference, so
a ratio below 1 is what the clients cost each other. Seconds are those of the clock.

``python -m tests.benchmarks.services KIND DIRECTORY`` is the process of the API.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, NamedTuple

import psutil

import puppet_repl
from puppet_repl.host.node_facts import NodeFacts
from tests.benchmarks import puppet
from tests.benchmarks.control_repository import write_repository
from tests.benchmarks.editors import INCLUDE, OURS, WORD, Editing, manifest, survey
from tests.benchmarks.fleet import nodes_of, puppet_catalogs
from tests.benchmarks.parsing import CORPUS
from tests.benchmarks.rows import Absent, Row, Rows
from tests.benchmarks.timing import PROGRAM, as_installed, process_seconds
from tests.frontends.cli.batch import Batch

CLIENTS = 8
NODES = 40
WARM = 20
"""Catalogs that either side makes before the clock starts."""
STARTS = 3
ANSWERS = 30
"""How often a client asks; one client alone asks three times as often."""
SESSIONS = 200
MEMORY = 1.5e6
EQUAL_SHARES = "one client, for each of 8"
GOAL = 0.8
"""The part of an equal share of the machine that a client of eight is to have at least."""

IDLE_CODE = "include profile::base"
EVALUATED = "$facts['os']['family'].downcase"
SIMPLE = "import puppet_repl; puppet_repl.evaluate('1 + 1', facts={})"
LINES = 1000

Ask = Callable[[], object]


class Limits(NamedTuple):
    """Seconds for the median and for 95 of 100 answers to one client, and to one of eight."""

    one: float
    most_of_one: float
    eight: float
    most_of_eight: float


class Measured(NamedTuple):
    """The seconds of answers to a client that is alone, and to each of eight."""

    alone: list[float]
    together: list[float]


def services() -> Rows:
    """Yield the first answer of each service, and the later ones to one client and to eight."""
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        write_repository(directory, NODES)
        yield from _by_reference(_first_answers())
        yield from _by_reference(_batch(directory))
        yield from _by_reference(_api(directory))
        yield from _idle(directory)
    yield from _by_reference(_language_server())


def asked(clients: Sequence[Ask], times: int) -> list[float]:
    """Return the seconds of each answer; the clients ask at the same time."""
    spent: list[float] = []
    start = Barrier(len(clients))

    def work(ask: Ask) -> None:
        start.wait()
        for _ in range(times):
            before = time.perf_counter()
            ask()
            spent.append(time.perf_counter() - before)

    threads = [Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(spent) != len(clients) * times:
        raise ValueError("a client has got no answer")
    return spent


def _rows(group: str, name: str, measured: Measured, cores: int, limits: Limits) -> list[Row]:
    """Return the rows of a kind of answer; the share of a client counts as a mean."""
    alone, together = measured
    one, eight = statistics.mean(alone), statistics.mean(together)
    limited = {
        name: (statistics.median(alone), limits.one),
        f"{name}, 95 of 100": (_most(alone), limits.most_of_one),
        f"{name}, 8 clients": (statistics.median(together), limits.eight),
        f"{name}, 8 clients, 95 of 100": (_most(together), limits.most_of_eight),
    }
    share = one * CLIENTS / min(cores, CLIENTS)
    return [
        *[Row(group, label, spent, limit=limit) for label, (spent, limit) in limited.items()],
        Row(group, f"{name}, 8 clients, mean", eight, share, EQUAL_SHARES, GOAL),
    ]


def _by_reference(rows: Iterable[Row | Absent]) -> Rows:
    """Yield rows, those with the same reference together: each reference has a heading."""
    yield from sorted(rows, key=lambda row: row.beside if isinstance(row, Row) else "")


def _most(spent: list[float]) -> float:
    return statistics.quantiles(spent, n=20)[-1]


def _first_answers() -> Rows:
    """Yield how long a new process takes to its first answer, to a short program."""
    group = "services, the first answer of a new process"
    given = {
        "batch": ([PROGRAM, "batch"], '{"code": "1 + 1"}\n'),
        "Python API": ([sys.executable, "-c", SIMPLE], ""),
    }
    for name, (command, text) in given.items():
        work = partial(process_seconds, command, text)
        spent = [_clocked(work) for _ in range(STARTS + 1)][1:]
        wall, cpu = (statistics.median(each) for each in zip(*spent, strict=True))
        yield Row(group, name, wall, limit=0.15)
        yield Row(group, f"{name}, CPU", cpu, limit=0.1)
        many = asked([work] * CLIENTS, 2)
        share = wall * CLIENTS / min(_cores(), CLIENTS)
        label = f"{name}, 8 at once"
        yield Row(group, label, statistics.median(many), share, EQUAL_SHARES, GOAL)


def _clocked(work: Callable[[], float]) -> tuple[float, float]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def _cores() -> int:
    return os.cpu_count() or 1


def _batch(directory: Path) -> Rows:
    """Yield catalogs of processes that have made some before, one client beside Puppet."""
    group = "services, batch"
    nodes = nodes_of(directory)
    with ExitStack() as stack:
        clients = [_of_nodes(stack.enter_context(Batch()), directory) for _ in range(CLIENTS)]
        asked(clients, WARM)
        measured = Measured(asked(clients[:1], 3 * ANSWERS), asked(clients, ANSWERS))
    yield from _rows(group, "catalog of a node", measured, _cores(), Limits(0.01, 0.02, 0.05, 0.1))
    theirs = [answer["seconds"] for answer in puppet_catalogs(directory, nodes).values()][WARM:]
    if not theirs:
        yield Absent(group, puppet.NO_PUPPET)
        return
    ours, other = statistics.median(measured.alone), statistics.mean(theirs)
    yield Row(group, "catalog of a node", ours, other, f"{puppet.version()}, warm")


def _of_nodes(batch: Batch, directory: Path) -> Ask:
    """Return a client that asks for the catalog of the next node each time."""
    environment = str(directory / "production")
    request = {"mode": "catalog", "environment": environment}
    nodes = [{"node": node.name, "facts": _facts(node)} for node in nodes_of(directory)]
    following = itertools.cycle([request | node for node in nodes])

    def ask() -> None:
        answer = batch.ask(next(following))
        if "error" in answer:
            raise ValueError(answer["error"]["message"])

    return ask


def _facts(node: NodeFacts) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(str(node.path)).read_text(encoding="utf-8"))
    return found


def _api(directory: Path) -> Rows:
    """Yield calls in one process, whose threads take turns: eight of them have one core."""
    group = "services, Python API"
    limits = {
        "evaluate": Limits(0.001, 0.005, 0.008, 0.04),
        "compile": Limits(0.015, 0.03, 0.12, 0.4),
    }
    for kind in KINDS:
        for name in (kind, f"{kind}, shared"):
            found = _of_process(name, directory)
            measured = Measured(found["alone"], found["together"])
            yield from _rows(group, name, measured, 1, limits[kind])


def _idle(directory: Path) -> Rows:
    """Yield what a session holds that waits, after one input with modules."""
    group = "services, memory of a session that waits"
    grown = _of_process("sessions", directory)["bytes"]
    yield Row(group, "Python API", grown[0], limit=MEMORY, unit="bytes")
    request: dict[str, Any] = {"code": IDLE_CODE, "environment": str(directory / "production")}
    request["facts"] = _facts(nodes_of(directory)[0])
    with Batch() as batch:

        def memory(first: int) -> float:
            for number in range(first, first + SESSIONS):
                batch.ask(request | {"session": f"s{number}"})
            return batch.usage().memory * 1e6

        before, after = memory(0), memory(SESSIONS)
    yield Row(group, "batch", (after - before) / SESSIONS, limit=MEMORY, unit="bytes")


def _of_process(kind: str, directory: Path) -> dict[str, list[float]]:
    """Return what main() writes of a kind of work, in a process of its own."""
    command = [sys.executable, "-m", __name__, kind, os.fspath(directory)]
    written = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=as_installed()
    ).stdout
    found: dict[str, list[float]] = json.loads(written)
    return found


def main() -> None:
    """Do a kind of work of the API in this process; write what it took as JSON."""
    kind, directory = sys.argv[1], Path(sys.argv[2])
    if kind == "sessions":
        found = {"bytes": [_bytes_of_session(directory)]}
    else:
        name, _, is_shared = kind.partition(", ")
        with puppet_repl.Shared() as shared:
            ask = KINDS[name](directory, shared if is_shared else None)
            asked([ask] * CLIENTS, 5)
            times = ANSWERS if name == "compile" else 5 * ANSWERS
            found = {
                "alone": asked([ask], 3 * times),
                "together": asked([ask] * CLIENTS, times),
            }
    print(json.dumps(found))


def _evaluation(directory: Path, shared: puppet_repl.Shared | None) -> Ask:
    return partial(puppet_repl.evaluate, EVALUATED, facts="debian-12", shared=shared)


def _compilation(directory: Path, shared: puppet_repl.Shared | None) -> Ask:
    node = nodes_of(directory)[0]
    return partial(
        puppet_repl.compile,
        environment=directory / "production",
        facts=str(node.path),
        node=node.name,
        shared=shared,
    )


KINDS = {"evaluate": _evaluation, "compile": _compilation}


def _bytes_of_session(directory: Path) -> float:
    """Return by how many bytes this process grows with a session that waits."""
    options = puppet_repl.Options(environment=str(directory / "production"))
    node = nodes_of(directory)[0]
    kept: list[puppet_repl.Session] = []
    process = psutil.Process()
    before = 0
    for number in range(2 * SESSIONS):
        session = puppet_repl.Session(options, facts=_facts(node))
        session.execute(IDLE_CODE).unwrap()
        kept.append(session)
        if number + 1 == SESSIONS:
            before = process.memory_info().rss
    return (process.memory_info().rss - before) / SESSIONS


def _language_server() -> Rows:
    """Yield what eight authors wait for in the same directory, a server each."""
    group = "services, language server"
    directory = Path(os.environ.get("CONTROL_REPOSITORY", CORPUS))
    _, used = survey(directory)
    if not used:
        yield Absent(group, "no manifests here (make corpus)")
        return
    text = manifest(LINES, used)
    with tempfile.TemporaryDirectory() as cache, ExitStack() as stack:
        authors = []
        for _ in range(CLIENTS):
            authors.append(Editing(OURS, directory, cache))
            stack.callback(authors[-1].end)
        yield from _loading(group, authors, text)
        for name, limits in _AUTHORS_LIMITS.items():
            clients = [partial(_author, author, name, text) for author in authors]
            asked(clients, 2)
            times = ANSWERS // 4
            measured = Measured(asked(clients[:1], 3 * times), asked(clients, times))
            yield from _rows(group, name, measured, _cores(), limits)


def _loading(group: str, authors: Sequence[Editing], text: str) -> Rows:
    """Yield what servers take that start at once, until they know the names of all files."""
    yield Row(group, "initialize, one", authors[0].seconds_to_start, limit=0.2)
    for author in authors:
        author.open(text)
    found = asked([author.seconds_to_names for author in authors], 1)
    yield Row(group, "names of all files, 8 at once", statistics.median(found), limit=20)


def _author(author: Editing, name: str, text: str) -> None:
    if name == "change to diagnostics":
        author.change(f"{text}# {author.version}\n")
    elif author.seconds(name, WORD if name == "completion" else INCLUDE) is None:
        raise ValueError(f"no {name}")


_AUTHORS_LIMITS = {
    "change to diagnostics": Limits(0.05, 0.1, 0.25, 0.4),
    "completion": Limits(0.03, 0.06, 0.15, 0.24),
    "hover": Limits(0.02, 0.04, 0.1, 0.16),
}


if __name__ == "__main__":
    main()
