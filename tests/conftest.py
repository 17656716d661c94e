"""Options and fixtures that all tests share."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.posix import needing_posix
from tests.process_state import restored_process

# Tests and the programs that they start leave the user's cache alone; those of the cache itself
# have one of their own.
os.environ["PUPPET_REPL_NO_CACHE"] = "1"

# The same examples every time, so that a failure belongs to the change at hand; other ones with
# HYPOTHESIS_PROFILE=explore.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


TESTS = Path(__file__).parent
NO_TIME = "no time left for it"

collect_ignore = [] if os.name == "posix" else needing_posix()

# The marks of all tests in a directory. Each test of slow ones starts a kernel, a terminal, a Ruby
# or a program.
MARKED = {
    "audit": ("slow", "untraced"),
    "control_repo": ("slow",),
    "environment/ruby": ("slow",),
    "frontends/terminal": ("slow",),
    "hostile": ("slow", "untraced"),
    "kernel": ("slow", "untraced"),
    "mutants": ("slow", "untraced"),
    "session/debugging": ("untraced",),
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of directories; beside a sample, slow ones that --whole names come last."""
    for item in items:
        for directory, marks in MARKED.items():
            if item.path.is_relative_to(TESTS / directory):
                for mark in marks:
                    item.add_marker(mark)
    if config.getoption("--sample"):
        slow = {item for item in items if is_slow(item) and not is_whole(config, item.path)}
        config.hook.pytest_deselected(items=[*slow])
        items[:] = sorted((item for item in items if item not in slow), key=is_slow)


def is_slow(item: pytest.Item) -> bool:
    """Tell whether a test is one of make test-slow."""
    return item.get_closest_marker("slow") is not None


def is_whole(config: pytest.Config, path: Path) -> bool:
    """Tell whether --whole names a file or a directory above it."""
    return any(path.is_relative_to(Path(name).resolve()) for name in config.getoption("--whole"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what has not begun when the time is over."""
    until = item.config.getoption("--until")
    if until is not None and time.time() > until:
        pytest.skip(NO_TIME)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were left out for lack of time."""
    skipped = terminalreporter.stats.get("skipped", ())
    count = sum(NO_TIME in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(f"{count} tests had not begun when the time was over")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Make tests of the files with recorded cases; what answers them is not loaded for others."""
    if file_path.suffix != ".jsonl":
        return None
    from tests import recordings

    return recordings.collect(file_path, parent)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write what is answered now as expected"
    )
    parser.addoption("--sample", type=int, metavar="N", help="take one case in N of each recording")
    parser.addoption(
        "--whole", action="append", default=[], metavar="PATH", help="but all of those at PATH"
    )
    parser.addoption(
        "--until", type=float, metavar="TIME", help="begin no test after that many seconds of 1970"
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
