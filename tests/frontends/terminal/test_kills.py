"""Kill -9 while the prompt evaluates: no input that was entered is lost.

A few kills here; fifty with STRESS set (make stress).
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from puppet_repl.host.history import read_entries
from tests.frontends.terminal.pty_child import PtyChild

KILLS = 25 if os.environ.get("STRESS") else 1
MODES = pytest.mark.parametrize("arguments", [(), ("--plain",)], ids=["screen", "plain"])
INPUTS = 30
_PROMPT = re.compile(rb"puppet \[(\d+)\]> ")

pytestmark = [pytest.mark.slow, pytest.mark.untraced]


def entries(home: Path) -> list[str]:
    path = home / "data" / "puppet-repl" / "history"
    return list(read_entries(path.read_text("utf-8"))) if path.exists() else []


@MODES
def test_a_kill_at_any_moment_loses_no_input(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    moments = random.Random(7)
    before: list[str] = []
    for run in range(KILLS):
        inputs = [f"$a{number} = [{run}, {number}]" for number in range(INPUTS)]
        with PtyChild(tmp_path, *arguments) as child:
            child.wait_for("puppet [1]> ")
            child.type("".join(f"{text}\r" for text in inputs))
            end = time.monotonic() + moments.uniform(0.0, 1.0)
            while time.monotonic() < end:
                child.read(0.01)
            child.end(signal.SIGKILL)
            finished = max((int(number) for number in _PROMPT.findall(child.output)), default=1) - 1
        written = entries(tmp_path)
        assert written[: len(before)] == before
        new = written[len(before) :]
        assert new == inputs[: len(new)]
        assert finished <= len(new)
        before = written


@MODES
def test_an_input_that_runs_is_in_the_history(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    expected: list[str] = []
    for run in range(KILLS):
        endless = f"notice({run}) Integer[1, 3000000000].each |$x| {{ $x }}"
        expected += [f"$a = {run}", endless]
        with PtyChild(tmp_path, *arguments) as child:
            child.wait_for("puppet [1]> ")
            child.run(f"$a = {run}", 2)
            child.type(endless + "\r")
            child.wait_for("Notice: ")
            child.end(signal.SIGKILL)
        assert entries(tmp_path) == expected
