"""Run tests on mutants of modules: python -m tests.mutants.run [MODULE...].

Modules that are not named are drawn at random, and of each so many mutants. Each mutant is tested
in a child process, which imports the changed module in place of the module, as do the programs that
tests start; no file is changed. First come the tests of the module's package that reach the changed
statement, then all others that do, the quickest first. A mutant is killed by a test that fails only
with it, or by a crash or the limit of time, where the tests pass without it. A mutant that survives
is printed; those of equivalent.txt do what the module does and are not counted, nor are those that
do not compile. The exit status is 1 if fewer than ``--least`` percent of all are killed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tests.imports import PROJECT, ROOT, all_imports, known_modules
from tests.mutants.mutation import Mutant, mutants
from tests.mutants.startup import NO_PLUGINS, environment, sitecustomize, write_codes

EQUIVALENT = Path(__file__).with_name("equivalent.txt")
# What every child needs, and no mutant is in: it is imported once.
PRELOADED = (
    *(
        "pytest",
        "_pytest.config",
        "hypothesis",
        "regex",
        "yaml",
        "pygments.lexers",
        "prompt_toolkit",
    ),
    *(
        "json",
        "gzip",
        "argparse",
        "subprocess",
        "wcwidth",
        "psutil",
        "tomlkit",
        "concurrent.futures",
    ),
)
# Front ends that no engine test needs, and what cannot be imported without a program around it.
NOT_PRELOADED = (
    *(
        "puppet_repl.frontends.terminal",
        "puppet_repl.sphinx_domain",
        "puppet_repl.__main__",
        "puppet_kernel",
    ),
    "puppet_pygments.sphinx",
)
LEAST = 85
DRAWN = 12
SAMPLE = 12
MIN_MUTANTS = 20
"""A module with fewer that a call can reach is not drawn."""
BUDGET = 30
"""Seconds of tests of the package, and of others, for a mutant: the quickest that reach it."""
FILE_SECONDS = 0.3
"""What it takes to collect the tests of a file."""
MIN_SECONDS = 20
# A mutant that waits for something uses no processor.
MIN_WAIT = 180
MAX_DATA = 3_000_000_000


class Test(NamedTuple):
    """A test that passes without a mutant, its time, and the lines of a module that it reaches."""

    name: str
    seconds: float
    lines: frozenset[int]
    is_own: bool

    @property
    def file(self) -> str:
        """The path of its file below the root."""
        return self.name.partition("::")[0]


class Figures(NamedTuple):
    """How many mutants of a module are killed by the tests of its package, by others, and not."""

    own: int
    others: int
    survivors: int

    def text(self) -> str:
        """Return the figures as a sentence."""
        killed, counted = self.own + self.others, sum(self)
        percent = 100 * killed / max(counted, 1)
        return (
            f"{killed} of {counted} killed ({percent:.0f} %), "
            f"{self.own} by the tests of the package, {self.others} only by others"
        )


def preload(module: str) -> None:
    """Import what no mutant of a module is in, for all children at once."""
    for name in (*PRELOADED, *sorted(independent_of(module))):
        importlib.import_module(name)
    assert module not in sys.modules


def independent_of(module: str) -> set[str]:
    """Return the modules of the engine that do not import a module when they are imported."""
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for found in all_imports():
        if not found.late:
            importers[found.target].add(found.source)
    names = {name for name in known_modules() if not name.startswith(NOT_PRELOADED)}
    for name in names:
        importers[name.rpartition(".")[0]].add(name)
    dependent = {module}
    waiting = [module]
    while waiting:
        new = importers[waiting.pop()] - dependent
        dependent |= new
        waiting += new
    return names - dependent


def reached(modules: Sequence[str]) -> dict[str, list[Test]]:
    """Return for each module the tests that may notice its mutants, those of its package first.

    A process of its own finds them: it imports the modules.
    """
    command = [sys.executable, "-m", "tests.mutants.reach", *modules]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return {
        module: [Test(name, seconds, frozenset(lines), own) for name, seconds, lines, own in rows]
        for module, rows in json.loads(printed).items()
    }


def failed(module: str, tree: ast.Module, tests: Sequence[Test]) -> str | None:
    """Return which of the tests fails first with a changed module, None if all pass.

    They run in a child process. It is "" if that ends otherwise: at a limit, or without a test.
    """
    code = compile(tree, str(known_modules()[module]), "exec")
    path = write_codes({module: code})
    expected = sum(test.seconds for test in tests)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.setsid()
            os.environ.update(environment(path))
            sitecustomize.install({module: code})
            _test(tests, int(max(MIN_SECONDS, 10 * expected)), writer)
        finally:
            os._exit(99)
    os.close(writer)
    status = _wait(child, max(MIN_WAIT, 20 * expected))
    os.unlink(path)
    with open(reader, encoding="utf-8") as stream:
        name = stream.read()
    return None if status in (0, 5) else name


def _wait(child: int, seconds: float) -> int:
    """Return the exit status of a child; after so many seconds it and what it started end."""
    until = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG if time.monotonic() < until else 0)
        if ended:
            break
        time.sleep(0.02)
        if time.monotonic() >= until:
            os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def _test(tests: Sequence[Test], seconds: int, writer: int) -> None:
    """Run tests, write which one fails, and end the process."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    # Not of addresses: WebAssembly reserves more of them than it uses.
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA, MAX_DATA))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    import pytest

    class Only:
        """Runs the wanted tests of the files, and writes which one fails."""

        def pytest_configure(self) -> None:
            os.environ.pop(NO_PLUGINS, None)  # the runs of pytest that tests start have them

        @pytest.hookimpl(trylast=True)
        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            wanted = {test.name for test in tests}
            items[:] = [item for item in items if item.nodeid in wanted]

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                os.write(writer, report.nodeid.encode())
                os.close(writer)

    files = list(dict.fromkeys(test.file for test in tests))
    options = ["-q", "-x", "--tb=no", "-p", "no:cacheprovider"]
    os._exit(int(pytest.main([*options, *files], plugins=[Only()])))


def equivalent() -> dict[str, str]:
    """Return the mutants that do what their modules do: the reason of each, by module and name."""
    rows = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition("  # ")
            rows[name.strip()] = reason
    return rows


def mutants_of(module: str, only: Sequence[str] = ("",)) -> list[Mutant]:
    """Return the mutants of a module that are to be killed: not equivalent, with a text of only."""
    known = equivalent()
    source = known_modules()[module].read_text(encoding="utf-8")
    return [
        mutant
        for mutant in mutants(source)
        if f"{module} {mutant.name}" not in known and any(text in mutant.name for text in only)
    ]


def compiles(mutant: Mutant) -> bool:
    """Tell whether a mutant can be compiled; no test is needed to notice one that cannot."""
    try:
        compile(mutant.tree(), "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def drawn(count: int, seed: int, below: Sequence[str]) -> list[str]:
    """Return modules at random, of those below packages that have enough that can be wrong."""
    names = [
        name
        for name in sorted(known_modules())
        if any(f"{name}.".startswith(f"{package}.") for package in below)
        and sum(mutant.statement > 0 for mutant in mutants_of(name)) >= MIN_MUTANTS
    ]
    return sorted(random.Random(seed).sample(names, min(count, len(names))))


class Measurement:
    """The mutants of one module, and the tests that may kill them."""

    def __init__(self, module: str, tests: Sequence[Test]) -> None:
        self._module = module
        self._tests = tests
        self._tree = ast.parse(known_modules()[module].read_text(encoding="utf-8"))
        self._failed_anyway: dict[tuple[Test, ...], str | None] = {}

    def killer(self, mutant: Mutant) -> bool | None:
        """Tell whether a test of the package kills a mutant, or only another; None if none does."""
        if self._is_killed(mutant, lambda test: test.is_own):
            return True
        return False if self._is_killed(mutant, lambda test: not test.is_own) else None

    def _is_killed(self, mutant: Mutant, is_wanted: Callable[[Test], bool]) -> bool:
        tests = within_budget([test for test in self._tests if is_wanted(test)], mutant.statement)
        while tests:
            name = failed(self._module, mutant.tree(), tests)
            if name is None:
                return False
            # Without a name all are asked: they may end at a limit on a machine that is busy.
            asked = [test for test in tests if name in ("", test.name)]
            anyway = self._failed_without(tuple(asked))
            if anyway is None:
                return True
            if not (name or anyway):  # nothing tells which of them ends like that
                return False
            tests = [test for test in tests if test.name != (name or anyway)]
        return False

    def _failed_without(self, tests: tuple[Test, ...]) -> str | None:
        """Return which of the tests fails without a mutant, as one does that reads the source."""
        if tests not in self._failed_anyway:
            self._failed_anyway[tests] = failed(self._module, self._tree, tests)
        return self._failed_anyway[tests]


def within_budget(tests: Sequence[Test], statement: int) -> list[Test]:
    """Return the quickest of the tests that reach a statement.

    What the import runs is reached by each test that reaches the module at all, and by those of
    the package.
    """
    left = float(BUDGET)
    files: set[str] = set()
    chosen: set[str] = set()
    for test in sorted(tests, key=lambda test: test.seconds):
        if statement and statement not in test.lines:
            continue
        cost = test.seconds + (0 if test.file in files else FILE_SECONDS)
        if chosen and cost > left:
            continue
        left -= cost
        chosen.add(test.name)
        files.add(test.file)
    return [test for test in tests if test.name in chosen]


def measure(work: tuple[str, Sequence[Mutant], Sequence[Test]]) -> Figures:
    """Test mutants of a module and show which survive, and the figures."""
    module, counted, tests = work
    os.chdir(ROOT)
    preload(module)
    measurement = Measurement(module, tests)
    killers = []
    for mutant in counted:
        killers.append(measurement.killer(mutant))
        if killers[-1] is None:
            print(f"  {module}:{mutant.line}  {mutant.name}", flush=True)
    figures = Figures(killers.count(True), killers.count(False), killers.count(None))
    print(f"{module}: {figures.text()}", flush=True)
    return figures


def chosen(options: argparse.Namespace) -> dict[str, list[Mutant]]:
    """Return modules with the mutants that are to be tested."""
    modules = options.modules or drawn(options.draw, options.seed, options.below)
    found = {}
    for module in modules:
        every = mutants_of(module, options.only)
        count = options.sample or (len(every) if options.modules else SAMPLE)
        random.Random(f"{options.seed} {module}").shuffle(every)
        sample = list(islice(filter(compiles, every), count))
        if sample:
            found[module] = sorted(sample, key=lambda mutant: mutant.line)
    return found


def main() -> int:
    """Run mutants of modules; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.run")
    parser.add_argument("modules", metavar="MODULE", nargs="*", help="the end of a module's name")
    parser.add_argument("--draw", type=int, default=DRAWN, help="how many (default: %(default)s)")
    parser.add_argument("--below", action="append", help="draw modules of this package")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="for what is drawn")
    parser.add_argument("--only", action="append", help="mutants whose name contains this text")
    parser.add_argument("--sample", type=int, help="so many mutants of each, all if it is named")
    parser.add_argument("--least", type=float, default=LEAST, help="percent (default: %(default)s)")
    options = parser.parse_args()
    for text in options.modules:
        if not ending(text):
            parser.error(f"no module's name ends in {text!r}")
    if options.draw < 1 or (options.sample is not None and options.sample < 1):
        parser.error("--draw and --sample want numbers above 0")
    options.modules = [name for text in options.modules for name in ending(text)]
    options.below = options.below or list(PROJECT)
    options.only = options.only or [""]
    found = chosen(options)
    if not found:
        parser.error("there is no such mutant")
    print(f"seed {options.seed}: {', '.join(found)}", flush=True)
    tests = reached(list(found))
    work = [(module, found[module], tests[module]) for module in found]
    all_imports()  # read once for all processes
    # What is imported beforehand for one module may hold the next one.
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        total = Figures(*map(sum, zip(*pool.imap(measure, work), strict=True)))
    print(f"all: {total.text()}")
    return int(100 * total.survivors > (100 - options.least) * sum(total))


def ending(text: str) -> list[str]:
    """Return the modules whose name ends in a text, from a dot on."""
    return [name for name in sorted(known_modules()) if f".{name}".endswith(f".{text}")]


if __name__ == "__main__":
    sys.exit(main())
