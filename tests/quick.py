"""Run the tests of what has changed: python -m tests.quick, which make quick does.

First a sample of all recordings; then the tests of changed modules, which are in the mirrored
directory, and changed tests themselves; then tests that import a changed module, and those of the
modules that import one. Slow tests run last, and only those in the mirrored directory or changed
themselves. What has not begun when the time is over is left out, and counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests import imports, recordings

ROOT = Path(__file__).parent.parent
SECONDS = 45
"""When no further test begins: what runs by then has a quarter of a minute to end."""
EVERY = 20
"""Of that many recorded cases one is taken."""

MIRRORED = {
    "puppet_repl/": "tests/",
    "kernel/puppet_kernel/": "tests/kernel/",
    "lexer_pygments/puppet_pygments/": "tests/pygments/",
    "docs/": "tests/docs/",
}
"""Directories of sources, and the directories with their tests."""

ELSEWHERE = ("tests/browser/", "tests/install/", "tests/pyodide/")
"""Tests with targets of their own."""


class Selection(NamedTuple):
    """What is run, as paths below the root; ``untested`` are changed files without tests here."""

    whole: list[str]
    others: list[str]
    untested: list[str]


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints, none where it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def base() -> tuple[str, str]:
    """Return the commit to compare with, and what it is called.

    On a branch that is where it left main; on main what was pushed last, else the last commit.
    """
    head = git("rev-parse", "HEAD")
    for main in ("main", "origin/main"):
        common = git("merge-base", "HEAD", main)
        if common and common != head:
            return common[0], f"the common commit with {main}"
    return (git("rev-parse", "--verify", "HEAD~1") or head)[0], "the commit before the last one"


def changed(since: str) -> list[str]:
    """Return the files that have changed since a commit, committed or not, without removed ones."""
    names = git("diff", "--name-only", since) + git("ls-files", "--others", "--exclude-standard")
    return [name for name in dict.fromkeys(names) if (ROOT / name).is_file()]


def has_tests(directory: Path) -> bool:
    """Tell whether there are tests in a directory itself."""
    return any(directory.glob("test_*.py")) or any(directory.glob("*.jsonl"))


def directory_of(name: str) -> str | None:
    """Return the directory with the tests of a source: the mirrored one, or the nearest above."""
    for sources, tests in MIRRORED.items():
        if name.startswith(sources):
            directory = Path(tests + name.removeprefix(sources)).parent
            while directory.parts != ("tests",):
                if has_tests(ROOT / directory):
                    return str(directory)
                directory = directory.parent
    return None


def of_changed_test(name: str) -> list[str]:
    """Return the tests that a changed file of the tests is, belongs to or helps."""
    path = ROOT / name
    if path.name.startswith("test_"):
        return [name]
    if path.suffix == ".jsonl":
        reader = recordings.READ_BY_TESTS.get(name.removeprefix("tests/"))
        return [name] if reader is None else [f"tests/{reader}"]
    if path.name == "conftest.py":
        return [str(Path(name).parent)] if name != "tests/conftest.py" else []
    return importing([name.removesuffix(".py").replace("/", ".")], tests())


def tests() -> list[Path]:
    """Return the modules with tests that are run here."""
    found = sorted((ROOT / "tests").rglob("test_*.py"))
    return [path for path in found if not str(path.relative_to(ROOT)).startswith(ELSEWHERE)]


def importing(modules: Iterable[str], paths: Iterable[Path]) -> list[str]:
    """Return those of the files that import one of the modules, by what their text says."""
    wanted = [(name, *name.rpartition(".")[::2]) for name in modules]
    found = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for name, package, last in wanted:
            if f"{name} " in text or (f"from {package} import" in text and last in text):
                found.append(str(path.relative_to(ROOT)))
                break
    return found


def own_tests(name: str) -> list[str]:
    """Return the module that tests a source by the same name, if there is one."""
    directory = directory_of(name)
    path = f"{directory}/test_{Path(name).stem}.py"
    return [path] if directory is not None and (ROOT / path).is_file() else []


def select(names: Iterable[str]) -> Selection:
    """Return the tests of changed files."""
    whole: dict[str, None] = {}
    modules, untested = [], []
    sources = set(imports.paths())
    for name in names:
        found: list[str] = []
        if name.startswith("tests/"):
            found = [each for each in of_changed_test(name) if not each.startswith(ELSEWHERE)]
        elif (directory := directory_of(name)) is not None:
            found = [directory]
        if ROOT / name in sources:
            modules.append(imports.module_of(ROOT / name))
        whole.update(dict.fromkeys(found))
        if not found:
            untested.append(name)
    others = dict.fromkeys(importing(modules, tests()))
    for source in importing(modules, imports.paths()):
        others.update(dict.fromkeys(own_tests(source)))
    directories = [each for each in whole if (ROOT / each).is_dir()]
    beside = [each for each in whole if not within(each, [d for d in directories if d != each])]
    return Selection(beside, [each for each in others if not within(each, beside)], untested)


def within(name: str, directories: Iterable[str]) -> bool:
    """Tell whether a path is one of the others or lies in it."""
    return any(Path(name).is_relative_to(directory) for directory in directories)


def main(arguments: list[str]) -> int:
    """Say what is run, and run it; further arguments go to pytest."""
    until = time.time() + SECONDS
    since, called = base()
    chosen = select(changed(since))
    print(f"changed since {called} ({since[:8]}):")
    print("  whole:   ", " ".join(chosen.whole) or "nothing")
    print("  importing:", " ".join(chosen.others) or "nothing")
    print(f"  sample:   one recorded case in {EVERY}")
    if chosen.untested:
        print("  not tested by this:", " ".join(chosen.untested))
    samples = [str(path.relative_to(ROOT)) for path in recordings.paths()]
    samples = [name for name in samples if not within(name, chosen.whole)]
    options = [
        f"--sample={EVERY}",
        f"--until={until}",
        *(f"--whole={name}" for name in chosen.whole),
    ]
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-n", os.environ.get("JOBS", "2")),
        *("--dist", "loadgroup", *options, *arguments, *samples, *chosen.whole, *chosen.others),
    ]
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
