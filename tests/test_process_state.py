"""A test that runs a program changes nothing for the tests after it."""

from __future__ import annotations

import subprocess
import sys

import pytest

# In a process of its own, so that it begins with what Python sets.
CODE = """
import gc, sys
from puppet_repl.base import memory
from puppet_repl.frontends.cli import main
from tests.process_state import resource, restored_process

def state():
    limit = resource.getrlimit(resource.RLIMIT_DATA) if resource else None
    return (limit, memory._limit, memory._is_prepared, gc.isenabled(), gc.get_threshold(),
            sys.getrecursionlimit(), sys.get_int_max_str_digits())

before = state()
with restored_process():
    main(["-e", "notice(1)"])
    memory.pause_collection()
    changed = state()
after = state()
assert all(one != other for one, other in zip(before[2:], changed[2:])), changed
assert after == before, (before, after)
"""


def test_what_a_program_sets_is_set_back() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "Notice: 1\n", 0)


def test_each_test_sets_back_what_it_changes(request: pytest.FixtureRequest) -> None:
    assert "_process" in request.fixturenames
