"""Options and fixtures that all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import recordings
from tests.process_state import restored_process

# Tests and the programs that they start leave the user's cache alone; those of the cache itself
# have one of their own.
os.environ["PUPPET_REPL_NO_CACHE"] = "1"

# The same examples every time, so that a failure belongs to the change at hand; other ones with
# HYPOTHESIS_PROFILE=explore.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


# These need a pseudo-terminal, or limits of the system.
POSIX_ONLY = [
    "benchmarks/test_run.py",
    "audit/test_reach.py",
    "host/test_history.py",
    "fuzz/test_engine.py",
    "fuzz/test_files.py",
    "mutants/test_mutation.py",
    "frontends/terminal/test_disks.py",
    "frontends/terminal/test_ending.py",
    "frontends/terminal/test_kills.py",
    "frontends/terminal/test_opening.py",
    "frontends/terminal/test_programs.py",
    "frontends/terminal/test_screen.py",
    "frontends/terminal/test_screenshots.py",
    "frontends/terminal/test_stopped.py",
    "frontends/terminal/test_typed_ahead.py",
]
collect_ignore = [] if os.name == "posix" else POSIX_ONLY


# Each test starts a kernel, a terminal, a Ruby or a program: make test-slow runs them.
SLOW = {"audit", "control_repo", "hostile", "kernel", "mutants", "ruby", "terminal"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the slow directories."""
    for item in items:
        if SLOW.intersection(item.path.relative_to(Path(__file__).parent).parts):
            item.add_marker(pytest.mark.slow)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> recordings.Recording | None:
    """Make tests of the files with recorded cases."""
    return recordings.collect(file_path, parent)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write what is answered now as expected"
    )
    parser.addoption("--sample", type=int, metavar="N", help="take one case in N of each recording")
    parser.addoption(
        "--whole", action="append", default=[], metavar="PATH", help="but all of those at PATH"
    )


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be written anew."""
    return bool(request.config.getoption("--update-goldens"))


@pytest.fixture(autouse=True)
def _process() -> Iterator[None]:
    """Restore what a program sets for its process when a test runs it in this one."""
    with restored_process():
        yield


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of config.toml and startup.pp of a user, which exists."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    return directory
