"""What is said where there is too little memory to start Ruby."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.environment.ruby import engines, system
from puppet_repl.environment.ruby.engine import NO_ROOM
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import needs_sandbox

TEMPLATE = "inline_template('<%= 1 + 1 %>')"


@pytest.mark.parametrize("error", [MemoryError, SystemError, SyntaxError])
def test_the_error_names_ruby_and_the_option(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(engines, "_make_engine", fail)
    found = Session(Options()).execute(TEMPLATE).error
    assert found is not None
    assert found.code == "NO_MEMORY"
    assert found.message.endswith(f"{NO_ROOM} (see max_memory)")


@needs_sandbox
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
@pytest.mark.parametrize(("size", "message"), [(64, NO_ROOM), (512, "'2'")])
def test_a_hard_limit_of_the_system(size: int, message: str) -> None:
    # What counts is the smaller of this limit and --max-memory, and Ruby's stack alone takes 32 MB.
    command = f"ulimit -d {size << 10}; exec {sys.executable} -m puppet_repl --ruby sandbox -e"
    done = subprocess.run(
        ["sh", "-c", f'{command} "$0"', TEMPLATE], capture_output=True, text=True, timeout=120
    )
    assert message in done.stdout + done.stderr
    assert done.returncode == (message == NO_ROOM)


@pytest.mark.parametrize("is_limited", [True, False])
def test_a_ruby_that_ends_before_it_answers(
    is_limited: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(system, "_is_limited", lambda: is_limited)
    ruby = tmp_path / "ruby"
    ruby.write_text("#!/bin/sh\nexit 1\n")
    ruby.chmod(0o755)
    found = Session(Options(ruby=str(ruby))).execute(TEMPLATE).error
    assert found is not None
    told = ("the limit of memory counts for it, too", "'max_memory' changes the limit")
    assert found.notes == (told if is_limited else ())
