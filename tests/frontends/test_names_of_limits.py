"""The message about a limit names what sets it, as its reader writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import puppet_repl as puppet
from puppet_repl.base.deadline import limit_problem
from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.ruby import host as ruby_host
from puppet_repl.environment.ruby.engine import EngineFailure, EngineTimeFailure, NoRoom
from puppet_repl.frontends.cli import main, program
from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.frontends.shared.compiling import Plan, compile_node
from puppet_repl.host.host import Host
from puppet_repl.host.node_facts import NodeFacts
from puppet_repl.session import Options, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.options import Spelling

LONG = "Integer[1, 10000000000].each |$i| { $i }"
LARGE = "Integer[1, 40].reduce('x') |$m, $i| { join([$m, $m]) }"
SIZE = 1 << 16
needs_time = pytest.mark.skipif(limit_problem() is not None, reason="needs a timer")
SPELT: list[tuple[Spelling, str, str, str]] = [
    ("argument", "max_seconds", "max_memory", "ruby_seconds"),
    ("flag", "--max-seconds", "--max-memory", "--ruby-seconds"),
    ("key", "max_seconds", "--max-memory", "ruby_seconds"),
    ("setting", ":set max_seconds N", "--max-memory", "--ruby-seconds"),
]
spellings = pytest.mark.parametrize(
    ("spelling", "time", "size", "ruby"), SPELT, ids=[each[0] for each in SPELT]
)


def session_of(spelling: Spelling, **options: Any) -> Session:
    """A session whose user writes options in one way; its options have been copied."""
    return Session(Options(**options).spell(spelling).copy(), facts={})


def message(session: Session, code: str) -> str:
    error = session.execute(code).error
    assert error is not None
    return error.message


@needs_time
@spellings
def test_the_limit_of_time(spelling: Spelling, time: str, size: str, ruby: str) -> None:
    told = message(session_of(spelling, max_seconds=0.1), LONG)
    assert told == f"Time limit exceeded (see {time})"


@spellings
def test_the_size_of_a_result(spelling: Spelling, time: str, size: str, ruby: str) -> None:
    told = message(session_of(spelling, max_memory=SIZE), LARGE)
    assert told.endswith(f"the limit of this session ({SIZE} bytes, set with {size})")


def run_out(*_: object) -> None:
    raise MemoryError


@spellings
def test_the_limit_of_memory(
    spelling: Spelling, time: str, size: str, ruby: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Session, "compile_site", run_out)
    plan = Plan(Options().spell(spelling), {})
    assert compile_node(plan, NodeFacts("web01", None)).error == (
        f"Error: Memory limit exceeded (see {size})"
    )
    monkeypatch.setattr("puppet_repl.session.execution.parse", run_out)
    error = session_of(spelling).execute("1").error
    assert error is not None
    assert (error.message, error.code) == (f"Memory limit exceeded (see {size})", "NO_MEMORY")


@spellings
def test_the_limits_of_ruby(
    spelling: Spelling, time: str, size: str, ruby: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[EngineFailure] = [NoRoom(), EngineTimeFailure(60)]

    def fail(*_: object) -> None:
        raise failures[0]

    monkeypatch.setattr(ruby_host, "take_engine", fail)
    session = session_of(spelling)
    for setting in (size, ruby):
        for _ in range(2):  # a failure that is raised again
            error = session.execute("inline_template('<%= 1 %>')").error
            assert error is not None
            assert error.notes == (f"'{setting}' changes the limit",)
        failures.pop(0)


@needs_time
def test_programs_in_python() -> None:
    with pytest.raises(PuppetError, match=r"Time limit exceeded \(see max_seconds\)"):
        puppet.evaluate(LONG, max_seconds=0.1)
    with pytest.raises(PuppetError, match="65536 bytes, set with max_memory"):
        puppet.evaluate(LARGE, max_memory=SIZE)


@needs_time
def test_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--max-seconds", "0.1", "-e", LONG]) == 1
    assert "Time limit exceeded (see --max-seconds)" in capsys.readouterr().err
    monkeypatch.setattr(program, "tune_process", lambda _: None)
    options = program.host_of_program().session.options
    assert options.spelt("max_memory") == "--max-memory"


@needs_time
def test_requests() -> None:
    requests = [{"code": LONG, "max_seconds": 0.1}, {"code": LONG}, {"code": LARGE}]
    lines = map(json.dumps, requests)
    told = [json.loads(each) for each in answer_lines(lines, max_seconds=0.1, max_memory=SIZE)]
    own, of_process, large = (each["error"]["message"] for each in told)
    assert own == "Time limit exceeded (see max_seconds)"
    assert of_process == "Time limit exceeded (see --max-seconds)"
    assert large.endswith("set with --max-memory)")


@needs_time
def test_a_prompt() -> None:
    host = Host(Options(max_seconds=0.1), facts={})
    host.open_prompt()
    assert host.session.has_commands
    assert message(host.session, LONG) == "Time limit exceeded (see :set max_seconds N)"
