"""The limit of time: what it stops, and that it leaves the process as it was.

What sets a timer runs in a process of its own, where it can hit no other test.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from puppet_repl.base import deadline
from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.host.settings import SettingError, Settings
from puppet_repl.language.runtime.options import Options
from puppet_repl.session import Session

pytestmark = pytest.mark.untraced


PRELUDE = """
    import json, signal, threading, time
    from puppet_repl.base.deadline import Deadline, Standstill, end_deadline, time_limit
    from puppet_repl.base.errors import TimeLimitExceeded
    from puppet_repl.session import Options, Session

    def ends(work, seconds=0.05):
        try:
            with time_limit(seconds):
                return work()
        except TimeLimitExceeded as error:
            return str(error)

    def loop(until=60):
        end = time.monotonic() + until
        while time.monotonic() < end:
            pass
        return "ended"
"""
MESSAGE = "Time limit exceeded (see --max-seconds)"
IN_SESSION = "Time limit exceeded (see max_seconds)"
LONG = "Integer[1, 18].reduce([1]) |$m, $i| { [$m, $m] }"  # its text, soon made, is shown in 2 s


# The clock of the day is set back by an hour each time that it is looked at.
SET_BACK = """
    import time
    hours = iter(range(10**9))
    time.time = lambda: -3600.0 * next(hours)
    time.time_ns = lambda: -3600 * 10**9 * next(hours)
"""


def run(code: str, before: str = "") -> Any:
    """Run Python in a process of its own; return the JSON that it prints."""
    process = subprocess.run(
        [sys.executable, "-c", dedent(before) + dedent(PRELUDE) + dedent(code)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def test_code_is_stopped_and_the_process_is_as_before() -> None:
    code = """
        before = signal.getsignal(signal.SIGALRM)
        print(json.dumps([
            ends(loop), ends(lambda: "in time"), signal.getitimer(signal.ITIMER_REAL),
            signal.getsignal(signal.SIGALRM) is before,
        ]))
    """
    assert run(code) == [MESSAGE, "in time", [0, 0], True]


def test_what_is_swallowed_is_raised_again() -> None:
    code = """
        swallowed = []
        def stubborn():
            for _ in range(2):
                try:
                    loop()
                except TimeLimitExceeded as error:
                    swallowed.append(str(error))
            loop()
        print(json.dumps([ends(stubborn), len(swallowed)]))
    """
    assert run(code) == [MESSAGE, 2]


def test_the_outermost_limit_counts() -> None:
    assert run("print(json.dumps(ends(lambda: ends(lambda: loop(0.3), 0.05), 30)))") == "ended"


def test_a_limit_that_was_met_does_not_hit_what_follows() -> None:
    code = """
        def work():
            try:
                loop()
            except TimeLimitExceeded:
                end_deadline()
            return loop(1)
        print(json.dumps(ends(work)))
    """
    assert run(code) == "ended"


def test_a_standstill_does_not_count() -> None:
    code = """
        def work(seconds):
            with Standstill():
                loop(1)
            return loop(seconds)
        timer = signal.getitimer(signal.ITIMER_REAL)
        with Standstill():
            pass
        print(json.dumps([
            ends(lambda: work(0), 0.5), ends(lambda: work(60), 0.5),
            signal.getitimer(signal.ITIMER_REAL) == timer,
        ]))
    """
    assert run(code) == ["ended", MESSAGE, True]


def test_a_timer_of_somebody_else_goes_on() -> None:
    code = """
        rung = []
        signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        stopped = ends(loop)
        time.sleep(2)
        print(json.dumps([stopped, rung]))
    """
    assert run(code) == [MESSAGE, [1]]


def test_a_clock_that_is_set_back_means_nothing_to_it() -> None:
    code = """
        rung = []
        signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        stopped = ends(loop)
        end = time.monotonic() + 20
        while not rung and time.monotonic() < end:
            time.sleep(0.01)
        session = Session(Options(max_seconds=0.2), facts={})
        outcome = session.execute("Integer[1, 9000000000].each |$x| { $x }")
        print(json.dumps([stopped, rung, outcome.error.message]))
    """
    assert run(code, SET_BACK) == [MESSAGE, [1], IN_SESSION]


@pytest.mark.parametrize("method", ["__enter__", "__exit__"])
def test_an_interrupt_while_it_begins_or_ends_spoils_no_later_one(method: str) -> None:
    """Interrupt the limit at each of its lines: the next one works, the process is as before."""
    code = f"""
        import sys
        before = signal.getsignal(signal.SIGALRM)
        code = Deadline.{method}.__code__
        hits = failures = 0
        for line in sorted({{line for *_, line in code.co_lines() if line}}):
            hit = []
            def local(frame, event, argument):
                if event in ("line", "call") and frame.f_lineno == line and not hit:
                    hit.append(line)
                    raise KeyboardInterrupt
                return local
            def trace(frame, event, argument):
                return local(frame, event, argument) if frame.f_code is code else None
            def work():
                with time_limit(60):
                    pass
            sys.settrace(trace)
            try:
                work()
            except KeyboardInterrupt:
                hits += 1
            finally:
                sys.settrace(None)
            failures += ends(loop) != "{MESSAGE}"
            failures += signal.getsignal(signal.SIGALRM) is not before
            failures += signal.getitimer(signal.ITIMER_REAL) != (0, 0)
        print(json.dumps([hits > 1, failures]))
    """
    assert run(code) == [True, 0]


def test_an_error_names_the_file_that_was_read_before_it_ran() -> None:
    """However early the limit strikes; a text without a name has nothing to be called by."""
    code = """
        lines = "\\n".join(f"$v{i} = [{i}].map |$x| {{ $x }}" for i in range(3000))
        found = []
        for seconds in (0.0001, 0.001, 0.01, 0.05, 0.2):
            session = Session(Options(max_seconds=seconds), facts={})
            for outcome in (session.execute(lines, "a.pp"), session.compile_site(lines, "a.pp")):
                found.append((outcome.error.file, outcome.error.code))
            error = session.execute(lines).error
            found.append((error.file or "a.pp", error.code))
        print(json.dumps(sorted(set(found))))
    """
    assert run(code) == [["a.pp", "NO_TIME"]]


def test_a_limit_that_has_not_been_told_of_its_end_hits_nothing() -> None:
    code = """
        before = signal.getsignal(signal.SIGALRM)
        def work():
            time_limit(0.05).__enter__()
        work()
        print(json.dumps([loop(0.5), signal.getsignal(signal.SIGALRM) is before]))
    """
    assert run(code) == ["ended", True]


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "5", True])
def test_a_limit_is_a_number_above_zero(seconds: Any) -> None:
    with pytest.raises(
        ValueError, match="max_seconds is a number of seconds above 0, up to 86400, not"
    ):
        Options(max_seconds=seconds)


def test_an_input_ends_where_it_is_and_leaves_the_session_as_it_was() -> None:
    code = """
        session = Session(Options(), facts={})
        session.execute("$a = 1\\n[1].each |$x| { }")  # loads what the next one needs
        session.options.max_seconds = 1
        outcome = session.execute("$a = 2\\nInteger[1, 1000000000].each |$x| { $y = $x + 1 }")
        error = outcome.error
        after = session.execute("$a").value
        print(json.dumps([error.message, error.code, error.line, after, session.count]))
    """
    assert run(code) == [IN_SESSION, "NO_TIME", 2, 1, 2]


@pytest.mark.parametrize(
    "code",
    [
        "Integer[1, 1000000000].each |$x| { }",
        "Integer[1, 1000000000].map |$x| { if $x > 100 { md5('') } $x }",
        '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" =~ /^(a|aa)+$/',
        "function f($n) { if $n < 2 { 1 } else { f($n - 1) + f($n - 2) } } f(60)",
        "inline_epp('<% Integer[1, 1000000000].each |$x| { %><% } %>')",
        "Integer[1, 100000].each |$x| { Integer[1, 100000].each |$y| { assert_type(Any, $y) } }",
    ],
)
def test_programs_without_end(code: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "--max-seconds", "0.3", "-e", code],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 1
    assert process.stderr.startswith(f"Error: {MESSAGE}"), process.stderr


def test_showing_a_value_is_limited_too() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "--max-seconds", "0.3", "-e", LONG],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 1
    assert process.stderr.startswith(f"Error: {MESSAGE} (line: 1, column: 22)\n")


def test_in_a_browser_a_limit_is_refused_wherever_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = Options(max_seconds=5)
    monkeypatch.setattr(deadline, "IN_BROWSER", True)
    reason = "nothing can end an input in a browser"
    with pytest.raises(SystemExit) as stopped:
        main(["--max-seconds", "5", "-e", "1"])
    assert stopped.value.code == 2
    assert reason in capsys.readouterr().err
    (answer,) = answer_lines(['{"code": "1", "max_seconds": 5}'])
    assert json.loads(answer)["error"]["message"] == f"'max_seconds': {reason}"
    settings = Settings()
    with pytest.raises(SettingError, match=f"max_seconds cannot be kept: {reason}"):
        settings.set("max_seconds", "5")
    settings.set("max_seconds", "off")
    (tmp_path / "config.toml").write_text("max_seconds = 5\n")
    (problem,) = settings.load(tmp_path / "config.toml")
    assert reason in problem
    assert settings["max_seconds"] is None
    with pytest.raises(ValueError, match=f"max_seconds cannot be kept: {reason}"):
        Options(max_seconds=5)
    with pytest.raises(RuntimeError, match=reason):  # of options that were made elsewhere
        Session(options, facts={}).execute("1")
