"""The end of the process: at once, unless somebody waits for the end of Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.untraced


AT_EXIT = "import atexit; atexit.register(print, 'done'); "
THREAD = (
    "import threading, time; "
    "threading.Thread(target=lambda: (time.sleep(0.2), print('done'))).start(); "
)
PROFILED = "import sys; sys.setprofile(lambda *_: None); "
TRACED = "import sys; sys.settrace(lambda *_: None); "
PROGRAM = """
import sys
from puppet_repl.frontends.cli import {main}
sys.argv = ["puppet-repl", "-e", {code!r}]
log = open({log!r}, "w")
log.write("begun ")
try:
    status = {main}()
finally:
    print("on")
    log.write("done")
sys.exit(status)
"""


def ended(
    before: str, code: str = "1", *, main: str = "main_of_process", log: str = os.devnull
) -> subprocess.CompletedProcess[str]:
    """Return a process whose program goes on behind the command line, if that lets it."""
    program = before + PROGRAM.format(main=main, code=code, log=log)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


@pytest.mark.parametrize(("code", "status"), [("1", 0), ("fail('no')", 1)])
def test_a_program_goes_on_behind_main(tmp_path: Path, code: str, status: int) -> None:
    log = tmp_path / "log"
    done = ended("", code, main="main", log=str(log))
    assert (done.returncode, done.stdout.split()[-1]) == (status, "on")
    assert log.read_text() == "begun done"


@pytest.mark.parametrize(("code", "status"), [("1", 0), ("fail('no')", 1)])
def test_a_process_that_nobody_waits_for_ends_at_once(code: str, status: int) -> None:
    done = ended("", code)
    assert done.returncode == status
    assert "on" not in done.stdout.split()
    assert ("no" in done.stderr) == (status == 1)


@pytest.mark.parametrize("before", [AT_EXIT, THREAD])
def test_what_is_to_run_at_the_end_runs(before: str) -> None:
    assert ended(before).stdout.split() == ["1", "on", "done"]


@pytest.mark.parametrize("before", [PROFILED, TRACED])
def test_tracers_and_profilers_see_the_end(before: str) -> None:
    assert ended(before).stdout.split() == ["1", "on"]


def test_a_profile_is_printed() -> None:
    command = [sys.executable, "-m", "cProfile", "-m", "puppet_repl", "-e", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("1\n")
    assert "function calls" in done.stdout
