"""Run the tests of modules on their mutants: python -m tests.mutants.run [MODULE...].

Each mutant is tested in a child process of its own, which imports the changed module in place of
the module; no file is changed. A mutant is killed by a test that fails, or by the limit of time. A
mutant that survives is printed; those of equivalent.txt do what the module does and are not
counted. The exit status is 1 if fewer than ``--least`` percent of a module's mutants are killed.

mutmut works too: of 49 mutants of the module about cycles it killed 44. This one changes what
stands in tables of modules as well, has a set of tests for each module, and copies no tree.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tests.imports import all_imports, known_modules
from tests.mutants.modules import MODULES
from tests.mutants.mutation import Mutant, mutants

ROOT = Path(__file__).parent.parent.parent
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
MIN_SECONDS = 10
# A mutant that waits for something uses no processor.
MAX_WAIT = 180
MAX_ADDRESS_SPACE = 4_000_000_000


class Changed(importlib.abc.Loader):
    """Loads a mutant in place of its module."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self._tree = tree
        self._path = path

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(compile(self._tree, self._path, "exec"), module.__dict__)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the mutant under the name of its module."""

    def __init__(self, name: str, loader: Changed, path: str) -> None:
        self._name = name
        self._loader = loader
        self._path = path

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where a module is, None for all but one."""
        if fullname != self._name:
            return None
        spec = importlib.util.spec_from_loader(fullname, self._loader, origin=self._path)
        if spec is not None:
            spec.has_location = True
        return spec


def source_of(module: str) -> Path:
    """Return the file of a module."""
    spec = importlib.machinery.PathFinder.find_spec(
        module, [str((ROOT / module.replace(".", "/")).parent)]
    )
    assert spec is not None and spec.origin is not None, module
    return Path(spec.origin)


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


def passes(module: str, tree: ast.Module, tests: Sequence[str], seconds: float) -> bool:
    """Tell whether the tests pass with a changed module, within so many seconds of the processor.

    They run in a child process.
    """
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        return os.waitstatus_to_exitcode(status) == 0
    try:
        signal.alarm(MAX_WAIT)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        path = str(source_of(module))
        sys.meta_path.insert(0, Finder(module, Changed(tree, path), path))
        import pytest

        os._exit(int(pytest.main(["-q", "-x", "--tb=no", "-p", "no:cacheprovider", *tests])))
    finally:
        os._exit(99)


def equivalent() -> dict[str, str]:
    """Return the mutants that do what their modules do: the reason of each, by module and name."""
    rows = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition("  # ")
            rows[name.strip()] = reason
    return rows


def survivors(module: str, chosen: Sequence[Mutant], seconds: float) -> list[Mutant]:
    """Return the mutants that the tests of a module do not notice, and show each."""
    found = []
    for mutant in chosen:
        if passes(module, mutant.tree(), MODULES[module], seconds):
            found.append(mutant)
            print(f"  {module}:{mutant.line}  {mutant.name}", flush=True)
    return found


def chosen_mutants(
    module: str, every: Sequence[Mutant], only: Sequence[str], known: dict[str, str]
) -> list[Mutant]:
    """Return the mutants of a module that are to be killed: not equivalent, with a text of only."""
    counted = [mutant for mutant in every if f"{module} {mutant.name}" not in known]
    return [mutant for mutant in counted if any(text in mutant.name for text in only)]


def has_mutants(module: str, only: Sequence[str], known: dict[str, str]) -> bool:
    """Tell whether a module has mutants to be killed with a text of only in their names."""
    source = source_of(module).read_text(encoding="utf-8")
    return bool(chosen_mutants(module, list(mutants(source)), only, known))


def run(module: str, sample: int | None, only: Sequence[str], known: dict[str, str]) -> float:
    """Test the mutants of a module; print the figures, return the percentage that is killed."""
    source = source_of(module).read_text(encoding="utf-8")
    started = time.monotonic()
    tree = ast.parse(source)
    preload(module)
    if not passes(module, tree, MODULES[module], 600):
        raise SystemExit(f"{module}: the tests fail without a mutant")
    # Processor seconds are never more than these; mutants may take several times as many.
    seconds = max(MIN_SECONDS, 5 * (time.monotonic() - started))
    every = list(mutants(source))
    counted = chosen_mutants(module, every, only, known)
    if sample is not None and sample < len(counted):
        step = len(counted) / sample
        counted = [counted[int(index * step)] for index in range(sample)]
    killed = len(counted) - len(survivors(module, counted, seconds))
    percent = 100 * killed / len(counted)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = (children.ru_utime + children.ru_stime) / len(counted)
    print(
        f"{module}: {killed} of {len(counted)} killed ({percent:.0f} %), "
        f"{len(every)} in all, {used:.1f} s of the processor for each",
        flush=True,
    )
    return percent


def main() -> int:
    """Run the mutants of the modules that are named, or of all; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.run")
    parser.add_argument("modules", metavar="MODULE", nargs="*", help="the end of a module's name")
    parser.add_argument("--only", action="append", help="mutants whose name contains this text")
    parser.add_argument("--sample", type=int, help="so many mutants of each, evenly spread")
    parser.add_argument("--least", type=float, default=LEAST, help="percent (default: %(default)s)")
    options = parser.parse_args()
    for name in options.modules:
        if not any(module.endswith(name) for module in MODULES):
            parser.error(f"no module of tests/mutants/modules.py ends in {name!r}")
    if options.sample is not None and options.sample < 1:
        parser.error("--sample wants a number above 0")
    chosen = [
        module
        for module in MODULES
        if not options.modules or any(module.endswith(name) for name in options.modules)
    ]
    known = equivalent()
    if options.only:
        chosen = [module for module in chosen if has_mutants(module, options.only, known)]
        if not chosen:
            parser.error(f"no mutant has a name with {' or '.join(map(repr, options.only))}")
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = False  # pytest keeps what it makes of the tests for all children
    if len(chosen) > 1:
        return each(chosen, options)
    return int(run(chosen[0], options.sample, options.only or [""], known) < options.least)


def each(modules: Sequence[str], options: argparse.Namespace) -> int:
    """Run this for each module in a process of its own; return the worst exit status.

    What is imported beforehand for one module may hold the next one.
    """
    command = [sys.executable, "-m", "tests.mutants.run", "--least", str(options.least)]
    command += [] if options.sample is None else ["--sample", str(options.sample)]
    command += [f"--only={text}" for text in options.only or ()]
    return max(subprocess.run([*command, module]).returncode for module in modules)


if __name__ == "__main__":
    sys.exit(main())
