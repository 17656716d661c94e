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
        first = named(config, "--first")
        items[:] = sorted(
            (item for item in items if item not in slow),
            key=lambda item: (is_slow(item), not any(map(item.path.is_relative_to, first))),
        )


def is_slow(item: pytest.Item) -> bool:
    """Tell whether a test is one of make test-slow."""
    return item.get_closest_marker("slow") is not None


def is_whole(config: pytest.Config, path: Path) -> bool:
    """Tell whether --whole names a file or a directory above it."""
    return any(map(path.is_relative_to, named(config, "--whole")))


def named(config: pytest.Config, option: str) -> list[Path]:
    """Return the paths that an option names."""
    return [Path(name).resolve() for name in config.getoption(option)]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what has not begun when the time is over."""
    until = item.config.getoption("--until")
    if until is not None and time.time() > until:
        pytest.skip(NO_TIME)


def has_begun(report: pytest.TestReport) -> bool:
    """Tell whether a test was not left out for lack of time."""
    return NO_TIME not in str(report.longrepr)


def never_begun(reporter: pytest.TerminalReporter) -> list[str]:
    """Return what --first names and only has tests that were left out for lack of time."""
    root, never = reporter.config.rootpath, []
    begun = [
        ((root / report.location[0]).resolve(), has_begun(report))
        for category, each in reporter.stats.items()
        for report in each
        # Setups and teardowns that pass have no category, also those of tests left out.
        if category and isinstance(report, pytest.TestReport)
    ]
    for name in reporter.config.getoption("--first"):
        below = Path(name).resolve()
        found = [has for path, has in begun if path.is_relative_to(below)]
        if found and not any(found):
            never.append(name)
    return never


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where the tests that matter most have not begun."""
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and session.exitstatus == 0 and never_begun(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were left out for lack of time, and which ought not to be."""
    skipped = terminalreporter.stats.get("skipped", ())
    count = sum(not has_begun(report) for report in skipped)
    if count:
        terminalreporter.write_line(f"{count} tests had not begun when the time was over")
    for name in never_begun(terminalreporter):
        terminalreporter.write_line(f"FAILED: no test of {name} had begun when the time was over")


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
        "--first", action="append", default=[], metavar="PATH", help="begin with those, or fail"
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
