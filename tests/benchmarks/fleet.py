"""Many nodes of a control repository: nodes a second beside Puppet's, and the memory of processes.

Both sides are warm: ours is a process that compiles one node after the other, Puppet's one process
with an environment that it keeps. What counts is CPU time. All catalogs that Puppet makes are
compared with ours. ``python -m tests.benchmarks.fleet [NODES [PUPPET'S NODES]]``.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from puppet_repl.base.memory import tune_process
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.frontend.compiling import Plan, compile_nodes
from puppet_repl.frontend.fleet import Fleet
from puppet_repl.frontend.node_facts import FactsDirectories, NodeFacts
from puppet_repl.session import Options
from tests.benchmarks.control_repository import write_repository
from tests.recorded import lines

COMPILER = Path(__file__).parent.parent / "corpus" / "control_repos" / "environments.rb"
NODES = 1000
PUPPETS_NODES = 100
# Nodes that are compiled before the clock starts, by either side.
WARM = 20
MEMORY = 1 << 30


class Speed(NamedTuple):
    """CPU seconds a node, in a warm process; Puppet's is None where it cannot be run."""

    ours: float
    puppet: float | None
    compared: int
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
            raise SystemExit(f"{node.name}: {result.error}")
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
    puppet = sum(seconds) / len(seconds) if seconds else None
    return Speed(ours, puppet, len(theirs), different)


def puppet_catalogs(directory: Path, nodes: list[NodeFacts]) -> dict[str, dict[str, Any]]:
    """Return Puppet's catalogs by node, with the CPU ``seconds``; {} where there is no Puppet."""
    ruby = shutil.which("ruby")
    if ruby is None:
        return {}
    lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
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
    done = subprocess.run(
        [ruby, *lib, str(COMPILER)],
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
    )
    return {answer["id"]: answer for answer in lines(done.stdout)}


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
    """Return the MB of the largest worker, and of this process, when so many nodes are done.

    The nodes are compiled as often as it takes.
    """
    nodes = nodes_of(directory)
    many = nodes * -(-max(at) // len(nodes))
    found = {}
    with Fleet(processes, MEMORY) as fleet:
        catalogs = compile_nodes(plan_of(directory), many[: max(at)], ExportStore(), fleet)
        for done, _ in enumerate(catalogs, 1):
            if done in at:
                found[done] = max(
                    child.memory_info().rss for child in psutil.Process().children()
                ) / (1 << 20)
    return found


def fleet(count: int = NODES, puppets: int = PUPPETS_NODES) -> None:
    """Print everything about many nodes."""
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        write_repository(directory, count)
        speed = measure_speed(directory, puppets)
        print(f"\n{count} nodes of a control repository, CPU time in a warm process")
        print(f"ours   {1 / speed.ours:8.1f} nodes/s  {speed.ours * 1000:7.2f} ms a node")
        if speed.puppet is not None:
            print(
                f"Puppet {1 / speed.puppet:8.1f} nodes/s  {speed.puppet * 1000:7.2f} ms a node",
                end="",
            )
            print(f"   {speed.puppet / speed.ours:.1f} times")
            print(f"{speed.compared} catalogs compared with Puppet's, ", end="")
            print(f"{len(speed.different)} differ {' '.join(speed.different[:5])}")
        wall, spent = measure_command(directory, 2)
        print(f"puppet-repl compile --jobs 2, all of it: {wall:.1f} s, CPU {spent:.1f} s", end="")
        print(f", {count / spent:.1f} nodes a CPU second")
        memory = measure_memory(directory, 2, (100, 1000, 3000))
        text = ", ".join(f"{size:.1f} MB after {done}" for done, size in memory.items())
        print(f"memory of the larger of two workers: {text}")


if __name__ == "__main__":
    tune_process(1 << 34)
    fleet(*map(int, sys.argv[1:]))
