"""Processes that work for nodes: how many, interrupts while they start, the death of their parent.

What is interrupted or ended are children of the tests, and theirs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and affinity of POSIX")

# A program with processes that work, which tells of each one that starts.
WORKING = """
import sys, time
from puppet_repl.frontends.shared.fleet import Fleet
if __name__ == "__main__":
    with Fleet(2, 1 << 30) as fleet:
        for item, made in fleet.run(sorted, [[2, 1]] * 4):
            print(item, made, flush=True)
        print("ready", flush=True)
        time.sleep(60)
"""
# Each new Python sleeps before it imports anything of ours: it is interrupted there.
SLOW_START = "import sys, time; '--multiprocessing-fork' in sys.orig_argv and time.sleep(0.5)"


def children_of(pid: int) -> list[psutil.Process]:
    """Return the processes that work."""
    return [
        child
        for child in psutil.Process(pid).children()
        if "--multiprocessing-fork" in child.cmdline()
    ]


def started(directory: object, **environment: str) -> subprocess.Popen[str]:
    program = os.path.join(str(directory), "working.py")
    with open(program, "w", encoding="utf-8") as file:
        file.write(WORKING)
    return subprocess.Popen(
        [sys.executable, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a terminal interrupts a whole group
        env={**os.environ, **environment},
    )


def test_an_interrupt_while_processes_start(tmp_path_factory: pytest.TempPathFactory) -> None:
    slow = tmp_path_factory.mktemp("slow")
    (slow / "sitecustomize.py").write_text(SLOW_START, encoding="utf-8")
    with started(tmp_path_factory.mktemp("program"), PYTHONPATH=str(slow)) as process:
        try:
            while not children_of(process.pid):
                assert process.poll() is None
                time.sleep(0.02)
            workers = children_of(process.pid)
            time.sleep(0.2)
            os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGINT
    assert err.count("Traceback") == 1  # that of the program itself
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert not psutil.wait_procs(workers, timeout=10)[1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_one_that_started_them(
    tmp_path_factory: pytest.TempPathFactory, number: int
) -> None:
    with started(tmp_path_factory.mktemp("program")) as process:
        try:
            assert process.stdout is not None
            while process.stdout.readline() != "ready\n":
                assert process.poll() is None
            workers = children_of(process.pid)
            assert len(workers) == 2
            process.send_signal(number)
            process.wait(10)
        finally:
            process.kill()
    assert process.returncode == -number
    assert not psutil.wait_procs(workers, timeout=10)[1]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity of processes")
def test_processors_that_may_not_be_used_do_not_count() -> None:
    program = (
        "import os; "
        "from puppet_repl.frontends.shared.worker_processes import default_processes as count;"
        "print(count() == len(os.sched_getaffinity(0)));"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); print(count())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n1\n", "")
