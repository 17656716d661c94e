"""Many nodes of a control repository: nodes a second beside Puppet's, and the memory of processes.

Both sides are warm: ours is a process that compiles one node after the other, Puppet's one process
with an environment that it keeps. What counts is CPU time. All catalogs that Puppet makes are
compared with ours. ``python -m tests.benchmarks.fleet [NODES [PUPPET'S NODES]]``.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from puppet_repl.base.memory import tune_process
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.frontends.shared.compiling import Compiled, Plan, compile_nodes
from puppet_repl.frontends.shared.dask_cluster import Cluster
from puppet_repl.frontends.shared.fleet import Fleet
from puppet_repl.host.node_facts import FactsDirectories, NodeFacts
from puppet_repl.session import Options
from tests.benchmarks import puppet, report
from tests.benchmarks.control_repository import write_repository
from tests.benchmarks.rows import Absent, Row, Rows
from tests.recorded import lines

COMPILER = Path(__file__).parent.parent / "corpus" / "control_repos" / "environments.rb"
NODES = 1000
PUPPETS_NODES = 100
# Nodes that are compiled before the clock starts, by either side.
WARM = 20
MEMORY = 1 << 30
FLAT = 0.95
"""The memory of a worker after a tenth of the nodes, as a part of that after all."""


class Speed(NamedTuple):
    """CPU seconds a node, in a warm process; Puppet's is None where it cannot be run."""

    ours: float
    puppet: float | None
    different: list[str]


def plan_of(directory: Path) -> Plan:
    """Return what is to be compiled in a repository of ``write_repository``."""
    options = Options(environment=str(directory / "production"), stdlib="off")
    return Plan(options, None, format="ndjson")


def nodes_of(directory: Path) -> list[NodeFacts]:
    """Return its nodes."""
    facts = FactsDirectories([str(directory / "facts")])
    return [facts.of(name) for name in facts.names()]


def measure_speed(directory: Path, count: int) -> Speed:
    """Compile the nodes of a repository in this process, and ``count`` of them with Puppet."""
    nodes = nodes_of(directory)
    step = max(1, len(nodes) // count)
    chosen = {node.name for node in nodes[::step]}
    catalogs: dict[str, dict[str, Any]] = {}
    start = 0.0
    for number, (node, result) in enumerate(
        compile_nodes(plan_of(directory), nodes, ExportStore())
    ):
        if result.error is not None:
            raise ValueError(f"{node.name}: {result.error}")
        if node.name in chosen:
            catalogs[node.name] = json.loads(result.text)
        if number + 1 == WARM:
            start = time.process_time()
    ours = (time.process_time() - start) / (len(nodes) - WARM)
    theirs = puppet_catalogs(directory, [node for node in nodes if node.name in chosen])
    different = [
        name
        for name, answer in theirs.items()
        if resources_of(answer) != resources_of(catalogs[name])
    ]
    seconds = [answer["seconds"] for answer in theirs.values()][WARM:]
    mean = sum(seconds) / len(seconds) if seconds else None
    return Speed(ours, mean, different)


def puppet_catalogs(directory: Path, nodes: list[NodeFacts]) -> dict[str, dict[str, Any]]:
    """Return Puppet's catalogs by node, with the CPU ``seconds``; {} where there is no Puppet."""
    requests = [
        {
            "id": node.name,
            "node": node.name,
            "environment": str(directory / "production"),
            "facts": json.loads(Path(str(node.path)).read_text(encoding="utf-8")),
            "strict": "error",
            "strict_variables": True,
        }
        for node in nodes
    ]
    given = "".join(json.dumps(request) + "\n" for request in requests)
    return {answer["id"]: answer for answer in lines(puppet.output(COMPILER, given=given))}


def resources_of(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the resources of a catalog but for the frame of all catalogs, to be compared."""
    return sorted(
        (each["type"], each["title"], json.dumps(each.get("parameters", {}), sort_keys=True))
        for each in document.get("resources", ())
        if each["type"] not in ("Stage", "Class", "Node")
    )


def measure_command(directory: Path, processes: int) -> tuple[float, float]:
    """Return wall-clock and CPU seconds of the whole command for all nodes of a repository."""
    program = str(Path(sys.executable).with_name("puppet-repl"))
    given = (
        "--environment",
        "production",
        "--facts",
        "facts",
        "--output",
        "catalogs",
        "--format",
        "ndjson",
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(
        [program, "compile", *given, "--jobs", str(processes)],
        cwd=directory,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_memory(directory: Path, processes: int, at: tuple[int, ...]) -> dict[int, float]:
    """Return the bytes of the largest worker when so many nodes are done.

    The nodes are compiled as often as it takes.
    """
    nodes = nodes_of(directory)
    many = nodes * -(-max(at) // len(nodes))
    found: dict[int, float] = {}
    with Fleet(processes, MEMORY) as fleet:
        catalogs = compile_nodes(plan_of(directory), many[: max(at)], ExportStore(), fleet)
        for done, _ in enumerate(catalogs, 1):
            if done in at:
                found[done] = max(child.memory_info().rss for child in psutil.Process().children())
    return found


def survive(directory: Path) -> tuple[int, int]:
    """Compile all nodes on a Dask cluster, one of whose two workers is killed half way.

    Return how many results came, each node's once, and how many are those of one process.
    """
    from distributed import LocalCluster

    nodes = nodes_of(directory)
    plan = plan_of(directory)
    alone = {n.name: contents(r) for n, r in compile_nodes(plan, nodes, ExportStore())}
    found: dict[str, dict[str, Any]] = {}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers:
        cluster = Cluster(workers.scheduler_address)
        with Fleet(
            cluster.threads, MEMORY, executor=cluster.executor, window=cluster.window
        ) as on_cluster:
            for number, (node, result) in enumerate(
                compile_nodes(plan, nodes, ExportStore(), on_cluster)
            ):
                if number == len(nodes) // 2:
                    os.kill(workers.workers[0].pid, signal.SIGKILL)
                assert node.name not in found
                found[node.name] = contents(result)
        cluster.close()
    return len(found), sum(found[name] == alone[name] for name in found)


def contents(result: Compiled) -> dict[str, Any]:
    """Return a catalog without what marks a compilation: its time and its identifier."""
    if result.error is not None:
        return {"error": result.error}
    document: dict[str, Any] = json.loads(result.text)
    return {k: v for k, v in document.items() if k not in ("version", "catalog_uuid")}


def fleets(count: int = NODES, puppets: int = PUPPETS_NODES) -> Rows:
    """Yield the rows of many nodes: a node beside Puppet's, the memory of a worker over time."""
    group = f"{count:,} nodes of a control repository"
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        write_repository(directory, count)
        speed = measure_speed(directory, puppets)
        if speed.different:
            raise ValueError(f"not the catalogs of Puppet: {' '.join(speed.different)}")
        if speed.puppet is None:
            yield Absent(group, puppet.NO_PUPPET)
        yield Row(group, "a node, warm", speed.ours, speed.puppet, puppet.version() or "")
        early, late = count // 10, count
        memory = measure_memory(directory, 2, (early, late))
        beside = f"after {early:,} nodes"
        yield Row(
            *(group, f"a worker after {late:,} nodes", memory[late], memory[early], beside),
            goal=FLAT,
            unit="bytes",
        )


def main() -> None:
    """Print the rows for so many nodes, what the command takes, and what outlives a kill."""
    tune_process(1 << 34)
    count, *puppets = map(int, sys.argv[1:] or (NODES,))
    print(*report.lines(list(fleets(count, *puppets)), {}), sep="\n")
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        write_repository(directory, count)
        wall, spent = measure_command(directory, 2)
        print(f"puppet-repl compile --jobs 2, all of it: {wall:.1f} s, CPU {spent:.1f} s", end="")
        print(f", {count / spent:.0f} nodes a CPU second")
        results, equal = survive(directory)
        print(f"Dask, two workers, one killed half way: {results} results, ", end="")
        print(f"{equal} equal to those of one process")


if __name__ == "__main__":
    main()
