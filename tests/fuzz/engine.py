"""Run the engine on hostile inputs: python -m tests.fuzz.engine TARGET SECONDS.

TARGET is one of those of ``tests.fuzz.targets``, or ``all``, which runs each for SECONDS.
Inputs are made from the recorded cases; with atheris (the extra ``fuzz``) those that reach new code
are kept in build/fuzz/TARGET/inputs and lead to the next ones. ``--inputs N`` instead of SECONDS
is a fixed run, the same one for the same ``--seed``, and needs no atheris. Findings are
printed and kept in build/fuzz/TARGET/found.jsonl; the exit status is 1 then. A line of
that file, shortened by hand, belongs to tests/fuzz/found.jsonl, whose inputs the tests repeat.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import io
import json
import os
import pkgutil
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.mutation import Programs, Requests
    from tests.fuzz.targets import Target
    from tests.fuzz.watch import Finding

OUTPUT = Path(__file__).parent.parent.parent / "build" / "fuzz"
INSTRUMENTED = ["puppet_repl", "puppet_pygments"]
NOT_ENGINE = (
    *("puppet_repl.frontends.terminal", "puppet_repl.sphinx_domain", "puppet_repl.__main__"),
    "puppet_pygments.sphinx",
)
# What a program may take beyond the process; above, it is stopped as the commands stop it.
MEMORY = 400 << 20
# A text that backtracks is stopped after this; the limit itself has tests of its own.
REGEX_SECONDS = 0.5
FIRST_INPUTS = 1500
# libFuzzer ends the whole run when an input takes so many seconds: those in a call that no signal
# reaches.
MAX_WAIT = 120
# The same finding is reported so often.
MAX_REPORTS = 3


class Fuzzer:
    """Runs inputs on a target, counts them, and keeps the findings."""

    def __init__(self, name: str, seed: int) -> None:
        from tests.fuzz.mutation import Programs, Requests
        from tests.fuzz.seeds import programs
        from tests.fuzz.targets import SEEDS, TARGETS

        self.name = name
        self.directory = OUTPUT / name
        self.directory.mkdir(parents=True, exist_ok=True)
        self.inputs = self.valid = self.findings = 0
        self.longest = 0.0
        self._reported: dict[tuple[str, str], int] = {}
        self._target: Target = TARGETS[name]()
        chance = random.Random(seed)
        seeds = SEEDS[self._target.kind]()
        chance.shuffle(seeds)
        self.maker: Programs | Requests
        if self._target.kind == "requests":
            self.maker = Requests(seeds, Programs(programs(), chance), chance)
        else:
            self.maker = Programs(seeds, chance)

    def give(self, text: str) -> None:
        """Run one input."""
        from tests.fuzz.watch import watched

        self.inputs += 1
        started = time.process_time()
        finding, valid = watched(self._target, text)
        self.longest = max(self.longest, time.process_time() - started)
        self.valid += valid
        if finding is not None:
            self._report(finding, text)

    def _report(self, finding: Finding, text: str) -> None:
        from tests.fuzz.targets import WithSession

        self.findings += 1
        earlier: list[str] = []
        if isinstance(self._target, WithSession):
            earlier = self._target.earlier
            self._target.begin_anew()
        key = (finding.kind, finding.detail[-100:])
        self._reported[key] = self._reported.get(key, 0) + 1
        if self._reported[key] > MAX_REPORTS:
            return
        row: dict[str, Any] = {"target": self.name, "input": text, **finding._asdict()}
        print(json.dumps(row), flush=True)
        with open(self.directory / "found.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({**row, "earlier": earlier}) + "\n")

    def report(self) -> str:
        """Return in one line what was done."""
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        return (
            f"{self.name}: {self.inputs} inputs, {self.valid} valid, {self.findings} findings, "
            f"the longest {self.longest:.1f} s, the process at most {most} MB"
        )


def prepare() -> None:
    """Limit memory and time as a command would."""
    from puppet_repl.base.memory import tune_process
    from puppet_repl.language.values import regex

    regex.TIME_LIMIT = REGEX_SECONDS
    tune_process(MEMORY)


def import_engine() -> None:
    """Import all of the engine: what is imported later would be counted as time of an input."""
    import puppet_pygments
    import puppet_repl

    for package in (puppet_repl, puppet_pygments):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.startswith(NOT_ENGINE):
                importlib.import_module(module.name)


def fixed_run(name: str, inputs: int, seed: int) -> int:
    """Run a number of inputs, always the same ones; return the exit status."""
    prepare()
    fuzzer = Fuzzer(name, seed)
    for _ in range(inputs):
        fuzzer.give(fuzzer.maker.new())
    print(fuzzer.report(), flush=True)
    return int(fuzzer.findings > 0)


def timed_run(name: str, seconds: float, seed: int) -> int:
    """Run inputs for some seconds without guidance; return the exit status."""
    prepare()
    fuzzer = Fuzzer(name, seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        fuzzer.give(fuzzer.maker.new())
    print(fuzzer.report(), flush=True)
    return int(fuzzer.findings > 0)


def guided_run(name: str, seconds: float, seed: int) -> None:
    """Run inputs for some seconds, guided by the code that they reach; ends the process."""
    import atheris

    # atheris names each module on stderr.
    with (
        contextlib.redirect_stderr(io.StringIO()),
        atheris.instrument_imports(include=INSTRUMENTED, enable_loader_override=False),
    ):
        import_engine()
    prepare()
    fuzzer = Fuzzer(name, seed)
    kept = fuzzer.directory / "inputs"
    kept.mkdir(exist_ok=True)
    for number, text in enumerate(fuzzer.maker.seeds[:FIRST_INPUTS]):
        (kept / f"seed-{number}").write_bytes(text.encode("utf-8", "surrogatepass"))
    end = time.monotonic() + seconds

    def give(data: bytes) -> None:
        if time.monotonic() >= end:
            print(fuzzer.report(), flush=True)
            os._exit(int(fuzzer.findings > 0))
        fuzzer.give(_text(data))

    def mutated(data: bytes, size: int, _: int) -> bytes:
        text = fuzzer.maker.new(_text(data) if len(data) > 1 else None)
        return text.encode("utf-8", "surrogatepass")[:size]

    from tests.fuzz.mutation import MAX_LENGTH

    options = [
        f"-seed={seed}",
        f"-max_len={4 * MAX_LENGTH}",
        "-verbosity=0",
        f"-timeout={MAX_WAIT}",
    ]
    options += ["-rss_limit_mb=0", "-handle_segv=0", str(kept)]
    atheris.Setup([sys.argv[0], *options], give, custom_mutator=mutated)
    atheris.Fuzz()


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def main() -> int:
    """Run what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.engine")
    parser.add_argument("target", metavar="TARGET", help="a target, or: all")
    parser.add_argument("seconds", metavar="SECONDS", type=float, nargs="?", default=60.0)
    parser.add_argument("--inputs", type=int, help="a fixed number of inputs instead of SECONDS")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--unguided", action="store_true", help="do without atheris")
    options = parser.parse_args()
    if options.target == "all":
        return _each()
    if options.inputs is not None:
        return fixed_run(options.target, options.inputs, options.seed)
    if options.unguided or importlib.util.find_spec("atheris") is None:
        return timed_run(options.target, options.seconds, options.seed)
    guided_run(options.target, options.seconds, options.seed)
    return 0


def _each() -> int:
    """Run this for each target, in a process of its own; return the worst exit status."""
    from tests.fuzz.targets import TARGETS

    arguments = sys.argv[1:]
    status = 0
    for name in TARGETS:
        given = [name if argument == "all" else argument for argument in arguments]
        child = subprocess.run([sys.executable, "-m", "tests.fuzz.engine", *given])
        status = max(status, 1 if child.returncode < 0 else child.returncode)
    return status


if __name__ == "__main__":
    sys.exit(main())
