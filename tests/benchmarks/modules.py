"""Catalogs of real modules beside Puppet, warm and cold; functions of stdlib; functions in Ruby.

The ten largest catalogs of Debian's modules (make corpus), and of MODULES with RECORDING and FACTS
(tests/corpus/record.py) where the environment names them. Both sides are warm, in one process
each: ours keeps the code of files, Puppet is measured with a fresh environment for each catalog,
and with one that it keeps. Cold is the whole process of one catalog: ours without and with the
files that an earlier one has kept.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from puppet_repl.base.memory import collect_garbage
from puppet_repl.cli.batch import answer
from puppet_repl.cli.batch_sessions import Sessions
from puppet_repl.ruby.engines import missing
from puppet_repl.session import Options, Session
from tests.corpus.modules import (
    EQUAL,
    LINKS,
    RECORDED,
    UNPACKED,
    Requests,
    judge,
    link_modules,
)
from tests.recorded import lines, read

COMPILER = Path(__file__).parent.parent / "corpus" / "catalogs.rb"
LARGEST = 10
TIMES = 3
CALLS = 10_000
FUNCTIONS = {
    "pick": "pick(undef, '', $i)",
    "merge": "merge({a => 1, b => 2}, {b => $i})",
    "any2array": "any2array($i)",
    "delete_undef_values": "delete_undef_values({a => undef, b => $i})",
    "to_json": "stdlib::to_json({a => [$i, 'x'], b => {c => undef}})",
    "union": "union([1, 2, 3], [3, $i])",
    "flatten/unique/join": "join(unique(flatten([[$i, 'a'], ['a', 'b']])), ',')",
}
"""Calls of functions of stdlib; $i is a number."""


class Timed(NamedTuple):
    """CPU seconds of one catalog; those of Puppet with a fresh and with a kept environment."""

    name: str
    resources: int
    is_equal: bool
    ours: float
    fresh: float | None
    kept: float | None


def puppet_times(requests: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the ``seconds`` and ``kept`` of Puppet by identifier; {} where there is no Puppet."""
    ruby = shutil.which("ruby")
    if ruby is None:
        return {}
    lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
    asked = "".join(json.dumps({**each, "times": TIMES}) + "\n" for each in requests)
    done = subprocess.run(
        [ruby, *lib, str(COMPILER), "0"], input=asked, capture_output=True, text=True
    )
    return {each["id"]: each for each in lines(done.stdout) if "seconds" in each}


def best(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest of some runs, after one that warms up."""
    work()
    spent = []
    for _ in range(TIMES):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def measure(recording: Path, requests: Requests) -> list[Timed]:
    """Time the largest catalogs of a recording."""
    cases = [case for case in read(recording) if "resources" in case["answer"]]
    cases.sort(key=lambda case: len(case["answer"]["resources"]), reverse=True)
    asked = {case["id"]: requests.request(case) for case in cases[:LARGEST]}
    theirs = puppet_times(list(asked.values()))
    sessions = Sessions()
    rows = []
    for case in cases[:LARGEST]:
        request = asked[case["id"]]

        def run(request: dict[str, Any] = request) -> None:
            answer(request, sessions)
            collect_garbage(is_all=True)

        verdict = judge(case["answer"], answer(request, sessions))
        seconds = theirs.get(case["id"], {})
        rows.append(
            Timed(
                case["id"],
                len(case["answer"]["resources"]),
                verdict.kind == EQUAL,
                best(run),
                seconds.get("seconds"),
                seconds.get("kept"),
            )
        )
    return rows


def catalogs() -> None:
    """Print the largest catalogs."""
    sources = []
    if UNPACKED.is_dir():
        links = link_modules(UNPACKED, LINKS)
        sources.append((RECORDED / "debian.jsonl.gz", Requests(links, RECORDED / "facts")))
    if "MODULES" in os.environ:
        facts = Path(os.environ.get("FACTS", "."))
        requests = Requests(Path(os.environ["MODULES"]), facts)
        sources.append((Path(os.environ["RECORDING"]), requests))
    for recording, requests in sources:
        print(f"\nlargest catalogs of {recording.name}, CPU seconds, best of {TIMES}")
        print(f"{'resources':>9} {'ours':>8} {'Puppet':>8} {'kept':>8} {'faster':>12}  catalog")
        for row in measure(recording, requests):
            print(_line(row))
    if not sources:
        print("\nno modules here (make corpus, or MODULES and RECORDING)")


def processes() -> None:
    """Print the CPU time of whole processes, each for one of the largest catalogs."""
    if not UNPACKED.is_dir():
        return
    requests = Requests(link_modules(UNPACKED, LINKS), RECORDED / "facts")
    cases = [case for case in read(RECORDED / "debian.jsonl.gz") if "resources" in case["answer"]]
    cases.sort(key=lambda case: len(case["answer"]["resources"]), reverse=True)
    ruby = shutil.which("ruby")
    lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
    batch = [os.fspath(Path(sys.executable).with_name("puppet-repl")), "batch"]
    print(f"\nprocesses of one catalog each, CPU seconds, best of {TIMES}")
    print(f"{'no cache':>9} {'cache':>8} {'Puppet':>8} {'faster':>12}  catalog")
    for case in cases[:LARGEST]:
        asked = json.dumps(requests.request(case)) + "\n"
        new = _whole_process([*batch, "--no-cache"], asked)
        kept = _whole_process(batch, asked)
        text = f"{new:9.3f} {kept:8.3f}"
        if ruby is not None:
            puppet = _whole_process([ruby, *lib, str(COMPILER), "0"], asked)
            ratios = f"{puppet / new:.1f}x {puppet / kept:.1f}x"
            text += f" {puppet:8.3f} {ratios:>12}"
        print(f"{text}  {case['id']}")


def _whole_process(command: list[str], given: str) -> float:
    """Return the CPU seconds of a process; one that warms up comes first."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONDONTWRITEBYTECODE", "PUPPET_REPL_NO_CACHE")
    }
    spent = []
    for _ in range(TIMES + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            command, input=given, text=True, check=True, stdout=subprocess.DEVNULL, env=environment
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent[1:])


def _line(row: Timed) -> str:
    text = f"{row.resources:9} {row.ours:8.4f}"
    if row.fresh is None or row.kept is None:
        text += f" {'':8} {'':8} {'':12}"
    else:
        ratios = f"{row.fresh / row.ours:.1f}x {row.kept / row.ours:.1f}x"
        text += f" {row.fresh:8.3f} {row.kept:8.3f} {ratios:>12}"
    return f"{text}  {row.name}{'' if row.is_equal else ' (not equal)'}"


def functions() -> None:
    """Print calls of functions of stdlib, each in a loop; the time of the loop is taken off."""
    modulepath = _stdlib_path()
    if modulepath is None:
        print("\nno stdlib here (MODULES)")
        return
    loop = f"Integer[1, {CALLS}].each |$i| {{ %s }}"
    codes = {"": loop % "$i", **{name: loop % call for name, call in FUNCTIONS.items()}}
    requests = [
        {
            "id": name,
            "code": code,
            "mode": "catalog",
            "facts": {"os": {}},
            "modulepath": modulepath,
            "node": "foo.example.com",
        }
        for name, code in codes.items()
    ]
    theirs = puppet_times(requests)
    sessions = Sessions()
    ours = {each["id"]: best(partial(answer, each, sessions)) for each in requests}
    print(f"\nfunctions of stdlib, microseconds a call ({CALLS:,} calls)")
    for name in FUNCTIONS:
        mine = (ours[name] - ours[""]) / CALLS * 1e6
        line = f"{name:20} {mine:8.2f}"
        if name in theirs and "" in theirs:
            puppet = (theirs[name]["kept"] - theirs[""]["kept"]) / CALLS * 1e6
            line += f"   Puppet {puppet:8.1f}   {puppet / mine:5.1f} times faster"
        print(line)


def _stdlib_path() -> list[str] | None:
    if "MODULES" in os.environ:
        return [os.environ["MODULES"]]
    if UNPACKED.is_dir():
        return [os.fspath(link_modules(UNPACKED, LINKS).resolve())]
    return None


def ruby() -> None:
    """Print the time of a process that renders one template, and of a template among many."""
    if missing() is not None:
        print(f"\nRuby: {missing()}")
        return
    template = "inline_template('<%= 1 + 1 %>')"
    command = [sys.executable, "-m", "puppet_repl", "-e", template]
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    session = Session(Options(), facts={})
    assert session.execute(template).error is None
    start = time.perf_counter()
    session.execute(f"Integer[1, {CALLS}].each |$i| {{ {template} }}")
    call = (time.perf_counter() - start) / CALLS
    session.close()
    print(
        f"\nRuby in the sandbox: puppet-repl -e with a template {min(seconds) * 1000:.0f} ms",
        end="",
    )
    print(f" (at most 600), a template among {CALLS:,} {call * 1e6:.0f} us (at most 400)")


def modules() -> None:
    """Print everything about modules."""
    catalogs()
    processes()
    functions()
    ruby()
