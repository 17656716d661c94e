"""Seconds of the processor, in this process and of whole ones."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PROGRAM = os.fspath(Path(sys.executable).with_name("puppet-repl"))
NOT_AS_INSTALLED = ("PYTHONDONTWRITEBYTECODE", "PUPPET_REPL_NO_CACHE")


def best(work: Callable[[], object], times: int = 3) -> float:
    """Return the CPU seconds of the fastest of some runs."""
    return best_of_each([work], times)[0]


def best_of_each(works: Sequence[Callable[[], object]], times: int = 3) -> list[float]:
    """Return the CPU seconds of the fastest run of each; they take turns."""
    turns = [[_seconds(work) for work in works] for _ in range(times)]
    return [min(spent) for spent in zip(*turns, strict=True)]


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def as_installed() -> dict[str, str]:
    """Return an environment in which modules are compiled and files kept, as a user has it."""
    return {name: value for name, value in os.environ.items() if name not in NOT_AS_INSTALLED}


def process_seconds(command: Sequence[str], given: str = "") -> float:
    """Return the CPU seconds of a whole process with that input."""
    before = _children()
    subprocess.run(
        command, input=given, text=True, check=True, stdout=subprocess.DEVNULL, env=as_installed()
    )
    return _children() - before


def in_turns(commands: Sequence[Sequence[str]], times: int) -> list[float]:
    """Return the median CPU seconds of each command as a whole process.

    They take turns, so that other load on the machine affects all of them alike. A first turn,
    which compiles modules, is left out.
    """
    turns = [[process_seconds(command) for command in commands] for _ in range(times + 1)]
    return [statistics.median(spent) for spent in zip(*turns[1:], strict=True)]


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
