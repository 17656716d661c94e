"""Compare the speed of this project in one run: python -m tests.benchmarks.run [PART...].

Parts: start (the whole process), terminal (the first prompt, keys), terminals
(beside IPython and ptpython), kernel (until it is ready, a
cell; beside IPython's), programs (CPU time against hand-written Python and against Puppet where it
can be run), parsing (the Debian manifests, against Puppet), modules (catalogs and functions of real
modules, against Puppet).
Times are the best of several; what counts are ratios. With --readme the figures of README.md are
measured and written.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from puppet_repl.base.memory import tune_process
from puppet_repl.session import Session
from tests.benchmarks import parsing as corpus
from tests.benchmarks.by_hand import PROGRAMS
from tests.benchmarks.kernel import kernel
from tests.benchmarks.modules import modules
from tests.benchmarks.terminal import first_prompt, terminal
from tests.benchmarks.terminals import terminals
from tests.readme import table, write_section

HERE = Path(__file__).parent
RECORDED = {
    "fib": 1.11,
    "hashes": 0.19,
    "loop": 2.10,
    "match": 0.50,
    "resources": 0.92,
    "strings": 0.85,
    "types": 0.97,
}
"""Puppet 8.11's seconds on a machine of the kind this was first measured on."""


class Measured(NamedTuple):
    """CPU seconds of one bench program; ``by_hand`` where it is also written in Python."""

    name: str
    ours: float
    puppet: float
    by_hand: float | None = None


def best(work: Callable[[], object], times: int = 3) -> float:
    """Return the CPU seconds of the fastest of some runs."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def whole_processes(commands: list[list[str]], times: int = 21) -> list[float]:
    """Return the median wall-clock seconds of each command as a whole process.

    They take turns, so that other load on the machine affects all of them alike. Compiled modules
    may be written, whatever the environment says: an installed program has them.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    spent: list[list[float]] = [[] for _ in commands]
    for turn in range(times + 1):
        for command, seconds in zip(commands, spent, strict=True):
            start = time.perf_counter()
            subprocess.run(
                command,
                check=True,
                env=environment,
                stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL,
            )
            if turn:
                seconds.append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in spent]


def measure_start() -> tuple[float, float]:
    """Return the seconds of an empty Python and of `-e 1`, as whole processes."""
    program = str(Path(sys.executable).with_name("puppet-repl"))
    bare, ours = whole_processes([[sys.executable, "-c", "pass"], [program, "-e", "1"]])
    return bare, ours


def start_up() -> None:
    """Print how long `-e 1` takes beside an empty Python."""
    bare, ours = measure_start()
    print(f"python3 -c pass     {bare * 1000:7.1f} ms")
    print(f"puppet-repl -e 1    {ours * 1000:7.1f} ms   {ours / bare:.2f} times")


def puppet_seconds(paths: list[Path]) -> tuple[str, dict[str, float]]:
    """Return the seconds of Puppet: of PUPPET_LIB, else the installed one, else those recorded."""
    ruby = shutil.which("ruby")
    if ruby is not None:
        lib = [f"-I{os.environ['PUPPET_LIB']}"] if "PUPPET_LIB" in os.environ else []
        done = subprocess.run(
            [ruby, *lib, str(HERE / "reference.rb"), *map(str, paths)],
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return "Puppet, in this run", json.loads(done.stdout.splitlines()[-1])
    return "Puppet 8.11, recorded", RECORDED


def measure_programs() -> tuple[str, list[Measured]]:
    """Return which Puppet it was, and the CPU seconds of every bench program."""
    paths = sorted((HERE / "programs").glob("*.pp"))
    name, puppet = puppet_seconds(paths)
    rows = []
    for path in paths:
        text = path.read_text()

        def run(text: str = text) -> None:
            outcome = Session(facts={}).execute(text)
            if outcome.error is not None:
                raise outcome.error

        hand = best(PROGRAMS[path.stem]) if path.stem in PROGRAMS else None
        rows.append(Measured(path.stem, best(run), puppet[path.stem], hand))
    return name, rows


def programs() -> None:
    """Print every bench program: ours, hand-written Python, Puppet."""
    name, rows = measure_programs()
    print(f"\nCPU seconds (best of several); Puppet: {name}")
    print(f"{'program':10} {'ours':>8} {'Puppet':>8} {'faster':>8} {'by hand':>8} {'slower':>8}")
    for row in rows:
        line = f"{row.name:10} {row.ours:8.4f} {row.puppet:8.3f} {row.puppet / row.ours:7.1f}x"
        if row.by_hand is not None:
            line += f" {row.by_hand:8.4f} {row.ours / row.by_hand:7.1f}x"
        print(line)
    mean = math.prod(row.puppet / row.ours for row in rows) ** (1 / len(rows))
    print(f"geometric mean: {mean:.1f} times faster than Puppet")


def measure_parsing(paths: list[Path]) -> tuple[str, Measured]:
    """Return which Puppet it was, and the seconds to parse and validate manifests."""
    texts = [path.read_text(encoding="utf-8") for path in paths]
    ours = best(lambda: corpus.parse_all(texts))
    name, puppet = corpus.puppet_seconds(paths)
    return name, Measured(f"parse {sum(map(len, texts)) / 1e6:.1f} MB", ours, puppet)


def parsing() -> None:
    """Print how long the Debian manifests take beside Puppet, to parse and validate."""
    paths = corpus.manifests()
    if not paths:
        print("\nparsing: no corpus here (make corpus)")
        return
    name, row = measure_parsing(paths)
    print(f"\n{row.name} of {len(paths)} manifests, and validate; Puppet: {name}")
    print(
        f"ours {row.ours:.2f} s, Puppet {row.puppet:.2f} s: {row.ours / row.puppet:.2f} of its time"
    )
    kept = corpus.kept_seconds(paths, best)
    print(
        f"compiled files from the cache {kept:.2f} s: Puppet takes {row.puppet / kept:.1f} times "
        "that to parse them"
    )


def readme() -> None:
    """Measure what README.md shows and write it there."""
    name, rows = measure_programs()
    if paths := corpus.manifests():
        rows.append(measure_parsing(paths)[1])
    cells = [
        (
            row.name,
            f"{row.puppet:.2f} s",
            f"{row.ours:.4f} s",
            f"{row.puppet / row.ours:.0f} times",
            "" if row.by_hand is None else f"{row.ours / row.by_hand:.1f} times slower",
        )
        for row in rows
    ]
    head = ("program", f"CPU time, {name}", "here", "faster", "against Python by hand")
    bare, ours = measure_start()
    write_section(
        "speed",
        f"{table(head, cells)}\n\n"
        f"`puppet-repl -e 1` takes {ours * 1000:.0f} ms, {ours / bare:.1f} times an empty Python; "
        f"the first prompt is there after\n{first_prompt() * 1000:.0f} ms.",
    )


PARTS = {
    "start": start_up,
    "terminal": terminal,
    "terminals": terminals,
    "kernel": kernel,
    "programs": programs,
    "parsing": parsing,
    "modules": modules,
}


def main() -> int:
    """Run the parts named, or all; in a process tuned as the program tunes its own."""
    tune_process(1 << 34)
    if sys.argv[1:] == ["--readme"]:
        readme()
        return 0
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
