"""What the tests of the terminal wait for when they wait for a program to have nothing to do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.frontends.terminal.resting import is_at_work


@pytest.mark.skipif(sys.platform != "linux", reason="the states of threads are in /proc")
@pytest.mark.parametrize(
    ("end", "at_work"),
    [
        ("input()", False),
        ("work()", True),
        ("threading.Thread(target=work, daemon=True).start(); input()", True),
    ],
)
def test_a_thread_that_would_run(end: str, at_work: bool) -> None:
    code = f"""
import threading
def work():
    while True: pass
print("begun", flush=True)
{end}
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        try:
            while is_at_work(process.pid) != at_work:
                pass
        finally:
            process.kill()
    assert not is_at_work(process.pid)
