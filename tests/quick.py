"""Run the tests of what has changed: python -m tests.quick, which make quick does.

First changed tests, and those of changed and removed modules that have their names, or else are in
the mirrored directory: the run fails if such a file has not begun when the time is over. Then a
sample of all recordings, the rest of the mirrored directory, tests that import a changed module,
and those of the modules that import one. Slow tests run last, and only those in the mirrored
directory or changed themselves. Of these what has not begun in time is left out, and counted.
"""

from __future__ import annotations

import os
import re
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

SOURCES = [str(path.relative_to(ROOT)) for path in imports.SOURCES]
"""Directories of the packages."""

ELSEWHERE = ("tests/browser/", "tests/install/", "tests/pyodide/")
"""Tests with targets of their own."""


class Selection(NamedTuple):
    """What is run, as paths below the root; ``untested`` are changed files without tests here.

    ``first`` are those of ``whole``, or in them, of which some test has to begin.
    """

    first: list[str]
    whole: list[str]
    others: list[str]
    untested: list[str]


def git(*arguments: str) -> list[str]:
    """Return the lines (with -z the names) that git prints, none where it fails or is missing."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    except FileNotFoundError:
        return []
    printed = os.fsdecode(done.stdout) if done.returncode == 0 else ""
    return printed.split("\0")[:-1] if "-z" in arguments else printed.splitlines()


def base() -> tuple[str, str]:
    """Return the commit to compare with, and what it is called.

    That is SINCE of the environment if it is one. On a branch it is where that left main; on main
    what was pushed last, else the last commit.
    """
    head = git("rev-parse", "HEAD")
    if not head:
        sys.exit("make quick compares with a commit, and git has none here: use make test")
    since = os.environ.get("SINCE")
    if since and (given := git("rev-parse", "--verify", f"{since}^{{commit}}")):
        return given[0], "the commit that SINCE names"
    for main in ("main", "origin/main"):
        common = git("merge-base", "HEAD", main)
        if common and common != head:
            return common[0], f"the common commit with {main}"
    return (git("rev-parse", "--verify", "HEAD~1") or head)[0], "the commit before the last one"


def changed(since: str) -> list[str]:
    """Return the files that have changed or gone since a commit, committed or not."""
    names = git("diff", "--name-only", "--no-renames", "-z", since)
    return [*dict.fromkeys(names + git("ls-files", "--others", "--exclude-standard", "-z"))]


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
    """Return the tests that a changed file of the tests is, belongs to or helps.

    Of a file that has gone only the latter are left.
    """
    return [each for each in _of_test(name) if (ROOT / each).exists()]


def _of_test(name: str) -> list[str]:
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
    wanted = [
        (re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])"), *name.rpartition(".")[::2])
        for name in modules
    ]
    found = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for name, package, last in wanted:
            if name.search(text) or (f"from {package} import" in text and last in text):
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
    first: dict[str, None] = {}
    whole: dict[str, None] = {}
    modules, untested = [], []
    for name in names:
        found: list[str] = []
        if name.startswith("tests/"):
            found = [each for each in of_changed_test(name) if not each.startswith(ELSEWHERE)]
        elif (directory := directory_of(name)) is not None:
            found = [directory]
        if name.endswith(".py") and within(name, SOURCES):
            modules.append(imports.module_of(ROOT / name))
        whole.update(dict.fromkeys(found))
        wanted = own_tests(name) or found
        if len(wanted) == 1:  # and not all those that a helper of many tests has
            first[wanted[0]] = None
        if not found and ((ROOT / name).exists() or not name.startswith("tests/")):
            untested.append(name)
    others = dict.fromkeys(importing(modules, tests()))
    for source in importing(modules, imports.paths()):
        others.update(dict.fromkeys(own_tests(source)))
    directories = [each for each in whole if (ROOT / each).is_dir()]
    beside = [each for each in whole if not within(each, [d for d in directories if d != each])]
    beyond = [each for each in others if not within(each, beside)]
    return Selection([*first], beside, beyond, untested)


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
        *(f"--first={name}" for name in chosen.first),
    ]
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-n", os.environ.get("JOBS", "2")),
        *("--dist", "loadgroup", *options, *arguments, *samples, *chosen.whole, *chosen.others),
    ]
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
