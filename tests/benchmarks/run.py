"""Measure, in one run, how this project compares: python -m tests.benchmarks.run [PART...].

Parts: start (the whole process), terminal (the first prompt, keys), kernel (until it is ready,
against IPython's), programs (CPU time against hand-written Python and against Puppet where it can
be run), parsing (the Debian manifests, against Puppet).
Times are the best of several; what counts are ratios.
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

from puppet_repl.base.memory import tune_process
from tests.benchmarks.by_hand import PROGRAMS
from tests.benchmarks.kernel import kernel
from tests.benchmarks.terminal import terminal

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


def best(work: Callable[[], object], times: int = 3) -> float:
    """CPU seconds of the fastest of some runs."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def whole_processes(commands: list[list[str]], times: int = 21) -> list[float]:
    """Median wall-clock seconds of each command as a whole process.

    They take turns, so that what else the machine does hits all alike. Compiled modules may be
    written, whatever the environment says: an installed program has them.
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


def start_up() -> None:
    """`-e 1` against an empty Python, as whole processes."""
    program = str(Path(sys.executable).with_name("puppet-repl"))
    bare, ours = whole_processes([[sys.executable, "-c", "pass"], [program, "-e", "1"]])
    print(f"python3 -c pass     {bare * 1000:7.1f} ms")
    print(f"puppet-repl -e 1    {ours * 1000:7.1f} ms   {ours / bare:.2f} times")


def puppet_seconds(paths: list[Path]) -> tuple[str, dict[str, float]]:
    """Seconds of the Puppet at hand: PUPPET_LIB, else the installed one, else those recorded."""
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


def programs() -> None:
    """Every bench program: ours, hand-written Python, Puppet."""
    from puppet_repl.session import Session

    paths = sorted((HERE / "programs").glob("*.pp"))
    name, puppet = puppet_seconds(paths)
    print(f"\nCPU seconds (best of several); Puppet: {name}")
    print(f"{'program':10} {'ours':>8} {'Puppet':>8} {'faster':>8} {'by hand':>8} {'slower':>8}")
    ratios = []
    for path in paths:
        text = path.read_text()

        def run(text: str = text) -> None:
            outcome = Session(facts={}).execute(text)
            if outcome.error is not None:
                raise outcome.error

        ours = best(run)
        row = f"{path.stem:10} {ours:8.4f}"
        ratios.append(puppet[path.stem] / ours)
        row += f" {puppet[path.stem]:8.3f} {ratios[-1]:7.1f}x"
        if path.stem in PROGRAMS:
            hand = best(PROGRAMS[path.stem])
            row += f" {hand:8.4f} {ours / hand:7.1f}x"
        print(row)
    print(f"geometric mean: {math.prod(ratios) ** (1 / len(ratios)):.1f} times faster than Puppet")


def parsing() -> None:
    """The Debian manifests: ours and Puppet, to parse and validate."""
    from tests.benchmarks import parsing as corpus

    paths = corpus.manifests()
    if not paths:
        print("\nparsing: no corpus here (make corpus)")
        return
    texts = [path.read_text(encoding="utf-8") for path in paths]
    ours = best(lambda: corpus.parse_all(texts))
    name, puppet = corpus.puppet_seconds(paths)
    size = sum(map(len, texts)) / 1e6
    print(f"\n{len(paths)} manifests, {size:.1f} MB, parsed and validated; Puppet: {name}")
    print(f"ours {ours:.2f} s, Puppet {puppet:.2f} s: {ours / puppet:.2f} of its time")


PARTS = {
    "start": start_up,
    "terminal": terminal,
    "kernel": kernel,
    "programs": programs,
    "parsing": parsing,
}


def main() -> int:
    """Run the parts named, or all; in a process set up as the program sets up its own."""
    tune_process(1 << 34)
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
