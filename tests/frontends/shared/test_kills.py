"""Kill -9 at any line of the code that writes: nothing that was there is lost, no file is torn.

A few kills of each kind here; one at each line with STRESS set (make stress).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from puppet_repl.host.history import read_entries
from tests.frontends.shared.killed import ROUNDS, THEMES
from tests.imports import ROOT

KILLS = 1000 if os.environ.get("STRESS") else 5
COMMENT = "# by hand, and long enough to be missed\n"

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="there is no kill -9"),
    pytest.mark.untraced,
]


class Victim:
    """Runs of the process in ``killed``, all of them on the files of one directory."""

    def __init__(self, what: str, directory: Path) -> None:
        self.what = what
        self.directory = directory
        self.runs = 0

    def run(self, line: int) -> tuple[int, int, int]:
        """Run until the kill before a line; return the rounds begun and ended, and all lines."""
        self.runs += 1
        words = [self.what, str(self.directory), str(self.runs), str(line)]
        process = subprocess.run(
            [sys.executable, "-m", "tests.frontends.shared.killed", *words],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert process.returncode == (-signal.SIGKILL if line else 0), process.stderr
        printed = process.stdout.split()
        lines = int(printed[-1]) if "lines" in printed else 0
        return printed.count("begin"), printed.count("end"), lines

    def kills(self) -> list[int]:
        """Return the lines to be killed before, after a run that is not killed."""
        lines = self.run(0)[2]
        assert lines >= 35  # those of the history, which has the least
        kills = min(KILLS, lines)
        return [1 + lines * number // kills for number in range(kills)]


def test_the_history_loses_no_input(tmp_path: Path) -> None:
    victim = Victim("history", tmp_path)
    lines = victim.kills()
    expected = [f"run 1\n  round {round_}" for round_ in range(ROUNDS)]
    for line in lines:
        begun, ended, _ = victim.run(line)
        written = list(read_entries((tmp_path / "history").read_text("utf-8")))
        new = [f"run {victim.runs}\n  round {round_}" for round_ in range(begun)]
        assert written in ([*expected, *new[:ended]], [*expected, *new])
        expected = written


def test_the_settings_are_the_old_or_the_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'{COMMENT}pager = false\ntheme = "paraiso-dark"  # why\n')
    victim = Victim("settings", tmp_path)
    lines = victim.kills()
    before = THEMES[ROUNDS - 1]
    for line in lines:
        begun, ended, _ = victim.run(line)
        text = path.read_text("utf-8")
        now = tomllib.loads(text)["theme"]
        assert now in (before if ended == 0 else THEMES[ended - 1], THEMES[begun - 1])
        assert text == f'{COMMENT}pager = false\ntheme = "{now}"  # why\n'
        before = now
    assert_little_is_left(tmp_path, path.name, len(lines))


def test_a_saved_session_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "s.ipynb"
    victim = Victim("save", tmp_path)
    lines = victim.kills()
    before = path.read_text("utf-8")
    for line in lines:
        begun, ended, _ = victim.run(line)
        text = path.read_text("utf-8")
        cells = [cell["source"] for cell in json.loads(text)["cells"]]
        new = [f"$a{round_} = 'run {victim.runs}'" for round_ in range(begun)]
        assert cells in (new[:ended], new) or (ended == 0 and text == before)
        before = text
    assert_little_is_left(tmp_path, path.name, len(lines))


def assert_little_is_left(directory: Path, name: str, kills: int) -> None:
    """At most one temporary file a kill is left beside a file, and nothing else."""
    left = [entry.name for entry in directory.iterdir() if entry.name != name]
    assert len(left) <= kills
    assert all(entry.startswith(f".{name}.") and entry.endswith(".new") for entry in left)
