"""The engine "system": a child process with its limits, and nothing of it stays behind."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from puppet_repl.environment.ruby.engine import EngineBroken, EngineTimeFailure
from puppet_repl.environment.ruby.system import SystemEngine
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import needs_system
from tests.environment.ruby.sandbox import make_module

pytestmark = [
    needs_system,
    pytest.mark.skipif(os.name != "posix", reason="needs process groups"),
    pytest.mark.untraced,
]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    modulepath = (str(make_module(tmp_path / "modules")),)
    return Session(Options(modulepath=modulepath, ruby="system"), facts={})


def _run(session: Session, code: str) -> object:
    quoted = code.replace("'", "\\'")
    outcome = session.execute(f"probe::run('{quoted}')")
    return outcome.value if outcome.error is None else outcome.error.message


def _is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("exit!(3)", "The Ruby code has ended its Ruby (exit status 3)"),
        ("Process.kill(:KILL, Process.pid)", "Ruby was ended by signal 9"),
    ],
)
def test_the_end_of_ruby_is_an_error(session: Session, code: str, message: str) -> None:
    assert message in str(_run(session, code))
    assert _run(session, "1 + 1") == 2


def test_what_code_prints(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    code = "puts 'one'; $stderr.puts 'two'; system('echo three'); warn 'four'; 5"
    assert _run(session, code) == 5
    assert capsys.readouterr() == ("", "one\ntwo\nthree\nfour\n")


def test_long_texts(session: Session) -> None:
    assert _run(session, "'ä' * 3_000_000") == "ä" * 3_000_000


def test_an_interrupt_ends_what_the_code_has_started(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        _run(session, f"system('echo $$ > {file}; exec sleep 1000')")
    number = int(file.read_text())
    for _ in range(50):
        if not _is_running(number):
            break
        time.sleep(0.1)
    assert not _is_running(number)
    assert _run(session, "1") == 1


def test_a_limit_of_time(tmp_path: Path) -> None:
    engine = SystemEngine(max_seconds=1)
    path = make_module(tmp_path) / "probe/lib/puppet/functions/probe/run.rb"
    request = {"do": "load", "name": "probe::run", "path": str(path)}
    number = json.loads(engine.converse(json.dumps(request), str))["r"]["id"]
    call = {"do": "call", "n": number, "d": 0, "a": ["sleep 1000"]}
    with pytest.raises(EngineTimeFailure, match="took more than 1 seconds"):
        engine.converse(json.dumps(call), str)
    assert not engine.is_alive
    with pytest.raises(EngineTimeFailure):
        engine.converse(json.dumps(call), str)


def test_the_limit_of_a_session_can_be_changed(session: Session) -> None:
    session.options.ruby_seconds = 1
    assert "The Ruby code took more than 1 seconds" in str(_run(session, "sleep 100"))
    session.options.ruby_seconds = 30
    assert _run(session, "sleep 1.2; 3") == 3


def test_a_ruby_that_is_not_there() -> None:
    with pytest.raises(EngineBroken, match="/no/ruby: No such file or directory"):
        SystemEngine("/no/ruby")
