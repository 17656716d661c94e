"""What happens where Python can raise nothing: in finalizers and callbacks of weak references."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.untraced


# The module that shows values is imported after the program began; a callback runs meanwhile.
CHILD = """
import os, signal, sys, weakref
class Referent: pass
def callback(reference):
    {what}
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "puppet_repl.language.values.quote":
            referent = Referent()
            reference = weakref.ref(referent, callback)
            del referent
sys.meta_path.insert(0, Finder())
sys.argv = ["puppet-repl", "-e", {code!r}]
from puppet_repl.frontends.cli import main_of_process
sys.exit(main_of_process())
"""
ENDLESS = 'Integer[1, 9223372036854775807].each |$x| { "${[$x]}" }'


def run(what: str, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CHILD.format(what=what, code=code)]
    variables = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=variables)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_in_a_callback_is_not_lost() -> None:
    done = run("os.kill(os.getpid(), signal.SIGINT); sum(range(1000))", ENDLESS)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("error", ["MemoryError", "RecursionError"])
def test_a_limit_that_is_met_in_a_callback_means_nothing(error: str) -> None:
    done = run(f"raise {error}", "{a => 1}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "{'a' => 1}\n", "")


def test_a_defect_in_a_callback_is_told_in_a_line() -> None:
    done = run("raise ValueError('odd')", "{a => 1}")
    assert (done.returncode, done.stdout) == (0, "{'a' => 1}\n")
    assert done.stderr.startswith("Warning: this is a defect of puppet-repl: ValueError: odd")
    assert done.stderr.count("\n") == 1
    assert "Traceback" in run("raise ValueError('odd')", "{a => 1}", PUPPET_REPL_DEBUG="1").stderr


WAITING = """
import os, signal, threading, weakref
from puppet_repl.base.unraisable import keep_interrupts
class Referent: pass
def callback(reference):
    os.kill(os.getpid(), signal.SIGINT)
    sum(range(1000))
keep_interrupts()
referent = Referent()
reference = weakref.ref(referent, callback)
try:
    del referent
    threading.Event().wait(40)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_in_a_callback_ends_what_waits_after_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WAITING], capture_output=True, text=True, timeout=30
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
