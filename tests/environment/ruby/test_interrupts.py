"""Ctrl-C and limits of time while Ruby runs: the code ends, the session goes on."""

from __future__ import annotations

import _thread
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base import memory
from puppet_repl.environment.ruby.engine import EngineTimeFailure
from puppet_repl.environment.ruby.engines import take_engine
from puppet_repl.environment.ruby.sandbox import engine as sandbox
from puppet_repl.environment.ruby.sandbox.scratch import Scratch
from tests.environment.ruby.engine import needs_sandbox
from tests.environment.ruby.sandbox import Probe, make_module

pytestmark = [
    needs_sandbox,
    pytest.mark.skipif(os.name != "posix", reason="needs signals"),
    pytest.mark.untraced,
]

LOOPS = ("loop {}", "loop { sleep 1000 }", "'a' =~ /a/ while true", "[1].cycle { |x| x }")


def interrupt_at_notice(probe: Probe) -> None:
    """Interrupt the session a moment after Ruby code, or a lambda that it calls, logs something."""
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    probe.session.log = lambda level, text: timer.start()


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(make_module(tmp_path))


@pytest.mark.parametrize("code", LOOPS)
def test_an_interrupt_ends_ruby(probe: Probe, code: str) -> None:
    assert probe.value("$kept = 1") == 1
    interrupt_at_notice(probe)
    with pytest.raises(KeyboardInterrupt):
        probe.outcome(f"Puppet.notice('begun'); {code}")
    assert probe.value("$kept") is None


def test_an_interrupt_that_does_not_wake_a_waiting_thread(probe: Probe) -> None:
    """As one does that comes just before the thread begins to wait."""
    timer = threading.Timer(0.2, _thread.interrupt_main)
    probe.session.log = lambda level, text: timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        probe.outcome("Puppet.notice('begun'); loop {}")
    assert time.monotonic() - begin < 20


def test_an_interrupt_inside_of_a_function_that_ruby_called(probe: Probe) -> None:
    functions = Path(probe.session.options.modulepath[0], "probe", "lib/puppet/functions/probe")
    (functions / "back.rb").write_text(
        "Puppet::Functions.create_function(:'probe::back') do\n"
        "  dispatch(:run) { param 'Integer', :n; block_param }\n"
        "  def run(n) = n.times { |i| yield(i) }\nend\n"
    )
    interrupt_at_notice(probe)
    with pytest.raises(KeyboardInterrupt):
        probe.session.execute(
            "probe::back(100000000) |$i| { if $i == 1 { notice('begun') } probe::run('1') }"
        )
    assert probe.value("2") == 2


@pytest.mark.parametrize("code", LOOPS)
def test_a_limit_of_time(probe: Probe, code: str) -> None:
    started = take_engine(probe.session._context, Scratch())
    assert started is not None
    engine = started.engine
    engine.max_seconds = 0.5
    request = json.dumps({"do": "load", "name": "probe::run", "path": _path(probe)})
    number = json.loads(engine.converse(request, _no_question))["r"]["id"]
    call = {"do": "call", "n": number, "d": 0, "a": [code]}
    with pytest.raises(EngineTimeFailure, match="took more than"):
        engine.converse(json.dumps(call), _no_question)
    assert not engine.is_alive


@pytest.mark.parametrize("code", LOOPS[:2])
def test_the_limit_of_a_session_can_be_changed(probe: Probe, code: str) -> None:
    assert probe.value("$kept = 1") == 1
    probe.session.options.ruby_seconds = 1
    error = probe.outcome(code).error
    assert error is not None
    assert error.message.endswith("The Ruby code took more than 1 seconds")
    assert error.notes == ("'ruby_seconds' changes the limit",)
    probe.session.options.ruby_seconds = 30
    assert probe.value("sleep 1.2; $kept") is None


class _FakeRuby:
    """Waits for requests as Ruby does, without one."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    def run(self) -> None:
        while self._channel.read(1):
            pass

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("when", ["before the thread", "after the thread", "in between"])
def test_an_interrupt_while_the_thread_of_ruby_starts(
    when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    made: list[_FakeRuby] = []

    class Interrupted(threading.Thread):
        def start(self) -> None:
            threads.append(self)
            if when == "after the thread":
                super().start()
                assert ready.wait(20)
            raise KeyboardInterrupt

    def make(channel: Any, *_: object) -> Any:
        made.append(_FakeRuby(channel))
        ready.set()
        return made[0]

    maker: Any = make
    maker.libraries = None
    ready = threading.Event()
    monkeypatch.setattr(threading, "Thread", Interrupted)
    before = memory._added
    with pytest.raises(KeyboardInterrupt):
        sandbox.SandboxEngine(maker)
    (thread,) = threads
    if when == "in between":  # the system runs the thread only now
        super(Interrupted, thread).start()
    if when != "before the thread":
        thread.join(20)
    assert not thread.is_alive()
    assert len(made) == (when == "after the thread")
    assert memory._added == before


def _path(probe: Probe) -> str:
    (directory,) = probe.session.options.modulepath
    return f"{directory}/probe/lib/puppet/functions/probe/run.rb"


def _no_question(text: str) -> str:
    return json.dumps({"r": None})


def test_ctrl_c_ends_the_process(tmp_path: Path) -> None:
    make_module(tmp_path)
    code = "notice(probe::run('1'))\nprobe::run('loop {}')"
    command = [sys.executable, "-m", "puppet_repl", "--modulepath", str(tmp_path), "-e", code]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "Notice: 1\n"
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert process.returncode in (1, 130)
    assert "Traceback" not in output
