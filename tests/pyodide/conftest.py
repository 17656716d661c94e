"""Pyodide under Node: the same WebAssembly as in a browser."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.site import PYODIDE, write_worker

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = Path(__file__).parent / "programs"
PATIENCE = 900
Run = Callable[..., list[str]]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with what a session of a page loads."""
    assert PYODIDE.exists(), "Pyodide is missing: make test-pyodide installs it"
    directory = tmp_path_factory.mktemp("site")
    write_worker(directory)
    return directory


@pytest.fixture(scope="session")
def run_in_browser(served: Path) -> Run:
    """Return a function that runs one of PROGRAMS and returns the lines that it prints."""

    def run(program: str, *arguments: str) -> list[str]:
        command = ["node", str(Path(__file__).with_name("run.mjs")), str(served)]
        command += [str(PROGRAMS / f"{program}.py"), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, timeout=PATIENCE
        )
        assert done.returncode == 0, f"{done.stdout[-1000:]}\n{done.stderr[-3000:]}"
        return done.stdout.rstrip("\n").split("\n")

    return run
