"""The machine that measures, and the commit that is measured."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Machine(NamedTuple):
    """What ratios may depend on. Runs on equal machines are compared."""

    processor: str
    cores: int
    python: str

    def __str__(self) -> str:
        return f"{self.processor}, {self.cores} cores, Python {self.python}"


def this_machine() -> Machine:
    """Return what this process runs on; the version of Python without its last number."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Machine(_processor(), os.cpu_count() or 1, version)


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """Return the short name of the commit; with "-dirty" where files differ from it."""
    describe = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(describe, capture_output=True, text=True, cwd=Path(__file__).parent)
    return done.stdout.strip() or "unknown"
