"""The limit of time in threads, and where there is no timer: what it stops, and what it spares.

What could end a process, or hit another test, runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet
from puppet_repl.base.deadline import Standstill, end_deadline, time_limit
from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.base.limited_threads import end_wait, time_left, watched
from puppet_repl.base.programs import run_in_time
from puppet_repl.session import Options, Session
from tests.base.test_deadline import run

pytestmark = pytest.mark.untraced

IN_THREAD = """
    import sys
    from puppet_repl.base import watchdog

    def in_thread(work):
        found = []
        thread = threading.Thread(target=lambda: found.append(work()))
        thread.start()
        thread.join()
        return found[0] if found else "nothing"
"""
LOOP = "Integer[1, 1000000000].each |$x| { }"
PROGRAMS = [
    LOOP,
    "Integer[1, 1000000000].map |$x| { if $x > 100 { md5('') } $x }",
    "Array(Integer[1, 10000000]).sort |$a, $b| { compare($b, $a) }",
    "function f($n) { if $n < 2 { 1 } else { f($n - 1) + f($n - 2) } } f(60)",
    "inline_epp('<% Integer[1, 1000000000].each |$x| { %><% } %>')",
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" =~ /^(a|aa)+$/',
    "inline_template('<% loop { } %>')",
    "generate('/bin/sleep', '60')",
]


def in_thread(work: Any) -> Any:
    """Return what work returns in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def busy(seconds: float) -> str:
    """Keep the processor busy, by steps of Python."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "ended"


def ends(work: Any, seconds: float = 0.05) -> str:
    """Return how work ends in its time."""
    try:
        with time_limit(seconds):
            return str(work())
    except TimeLimitExceeded as error:
        return str(error)


def limited_often(program: str, shared: Session | None = None) -> list[str]:
    """Run a program beyond its limit, then something short, several times; return what is wrong."""
    wrong = []
    session = shared or Session(Options(allow_generate=True), facts={})
    session.execute(f"$text = '{'a' * 50}'")
    for number in range(3):
        session.options.max_seconds = 0.2
        error = session.execute(f"$kept = 2\n{program}").error
        if error is None or error.code != "NO_TIME":
            wrong.append(f"{program}: {error}")
        session.options.max_seconds = 60
        outcome = session.execute(f"[{number}, defined('$kept')]")
        if list(outcome.value) != [number, False]:
            wrong.append(f"{program}: {outcome.error or outcome.value}")
    session.close()
    return wrong


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_eight_threads_are_limited_at_once_and_go_on() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert [wrong for found in pool.map(limited_often, PROGRAMS) for wrong in found] == []


def test_a_session_may_change_its_thread() -> None:
    session = Session(Options(max_seconds=0.1), facts={})
    for _ in range(3):
        for where in (in_thread, lambda work: work()):
            error = where(partial(session.execute, LOOP)).error
            assert error.code == "NO_TIME"
            assert where(partial(session.execute, "1 + 1")).value == 2
    assert session.count == 6


def test_threads_of_an_event_loop() -> None:
    async def several() -> list[str]:
        sessions = [Session(Options(max_seconds=0.2), facts={}) for _ in range(4)]
        ended = await asyncio.gather(
            *(asyncio.to_thread(session.execute, LOOP) for session in sessions)
        )
        after = await asyncio.gather(
            *(asyncio.to_thread(session.execute, "2") for session in sessions)
        )
        assert [outcome.value for outcome in after] == [2] * 4
        return [outcome.error.code for outcome in ended if outcome.error is not None]

    assert asyncio.run(several()) == ["NO_TIME"] * 4


@pytest.mark.parametrize("function", [puppet.evaluate, puppet.compile, puppet.render])
def test_the_functions_of_the_library(function: Any) -> None:
    code = f"<% {LOOP} %>" if function is puppet.render else LOOP
    with pytest.raises(Exception, match="Time limit exceeded") as raised:
        in_thread(partial(function, code, facts={}, max_seconds=0.2))
    assert getattr(raised.value, "code", None) == "NO_TIME"


def test_where_there_is_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("signal.setitimer")
    error = Session(Options(max_seconds=0.2), facts={}).execute(LOOP).error
    assert error is not None
    assert error.code == "NO_TIME"


def test_the_outermost_limit_counts_and_none_limits_nothing() -> None:
    assert in_thread(lambda: ends(lambda: ends(partial(busy, 0.3), 0.05), 30)) == "ended"
    with time_limit(None):
        assert time_left() is None


def test_an_inner_limit_works_while_the_time_stands_still() -> None:
    def stop() -> str:
        with Standstill():
            inner = ends(partial(busy, 30))
            busy(0.5)
        return inner

    def work() -> str:
        return f"{stop()}, {stop()}"

    assert in_thread(lambda: ends(work, 0.4)).count("Time limit") == 2
    assert in_thread(lambda: ends(lambda: [stop(), busy(60)], 0.4)).count("Time limit") == 1


def wait() -> None:
    """Wait as code does that no error can reach."""
    time.sleep(time_left() or 0)
    end_wait()


@pytest.mark.parametrize("work", [partial(busy, 60), wait])
def test_what_is_swallowed_is_raised_again(work: Any) -> None:
    def stubborn() -> str:
        while len(swallowed) < 2:
            try:
                work()
            except TimeLimitExceeded:
                swallowed.append(ends(partial(busy, 0.1), 0.05))
        return busy(10)

    swallowed: list[str] = []
    assert in_thread(lambda: ends(stubborn)).startswith("Time limit")
    # A limit inside of this one, whose time is up, gives no time of its own.
    assert swallowed == ["ended"] * 2


def test_a_limit_that_was_met_does_not_hit_what_follows() -> None:
    def work() -> str:
        try:
            busy(60)
        except TimeLimitExceeded:
            end_deadline()
        return busy(1)

    assert in_thread(lambda: ends(work)) == "ended"


def test_a_limit_that_fires_as_the_code_ends_lands_in_it_or_nowhere() -> None:
    """Let the time be up about when code ends, in several threads that often change."""
    code = """
        watchdog.AGAIN = 0.0005
        sys.setswitchinterval(0.0001)
        end = time.monotonic() + 3

        def work():
            session = Session(Options(), facts={})
            warm = session.execute("Integer[1, 9].reduce(0) |$sum, $x| { $sum + $x }")
            wrong = fired = kept = 0
            for number in range(10**9):
                if time.monotonic() > end:
                    return [wrong, fired, kept]
                session.options.max_seconds = 0.0005 * (1 + number % 8)
                try:
                    outcome = session.execute("Integer[1, 40].reduce(0) |$sum, $x| { $sum + $x }")
                    for _ in range(30):
                        str(number)
                except TimeLimitExceeded:
                    wrong += 1
                    continue
                if outcome.error is None:
                    kept += 1
                    wrong += outcome.value != 820
                else:
                    fired += 1
                    wrong += outcome.error.code != "NO_TIME"
                session.options.max_seconds = None
                wrong += session.count != kept + 1

        found = []
        threads = [threading.Thread(target=lambda: found.append(work())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(json.dumps([sum(column) for column in zip(*found)]))
    """
    wrong, fired, kept = run(code, IN_THREAD)
    assert wrong == 0
    assert fired > 20
    assert kept > 20


def test_an_import_is_not_interrupted(tmp_path: Path) -> None:
    (tmp_path / "slow_module.py").write_text(
        "import time\nend = time.monotonic() + 1\nwhile time.monotonic() < end: pass\nvalue = 1\n"
    )
    code = f"""
        sys.path.insert(0, {str(tmp_path)!r})

        def work():
            import slow_module
            loop()

        ended = in_thread(lambda: ends(work))
        print(json.dumps([ended, sys.modules["slow_module"].value]))
    """
    assert run(code, IN_THREAD) == ["Time limit exceeded (see --max-seconds)", 1]


def test_waits_end_in_time() -> None:
    def search() -> object:
        return run_in_time(["/bin/sleep", "60"])

    start = time.monotonic()
    assert in_thread(lambda: ends(search, 0.2)).startswith("Time limit")
    assert time.monotonic() - start < 30
    assert in_thread(lambda: ends(lambda: [end_wait(), time_left()], 60)).startswith("[None, ")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_a_watchdog_of_its_own() -> None:
    code = """
        import os
        assert in_thread(lambda: ends(loop)) != "ended"
        def work():
            child = os.fork()
            if child == 0:
                os._exit(0 if in_thread(lambda: ends(loop)) != "ended" else 1)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps([work(), in_thread(work)]))
    """
    assert run(code, IN_THREAD) == [0, 0]


def test_the_watchdog_ends_when_there_is_nothing_to_watch() -> None:
    code = """
        watchdog._LINGER = 0.1
        states = []
        for _ in range(2):
            states.append(in_thread(lambda: ends(loop)) != "ended")
            end = time.monotonic() + 20
            while watchdog._is_awake and time.monotonic() < end:
                time.sleep(0.02)
            states.append(watchdog._is_awake)
        print(json.dumps([states, len(watchdog.watched)]))
    """
    assert run(code, IN_THREAD) == [[True, False, True, False], 0]


def test_a_hundred_limits_leave_nothing() -> None:
    before = set(sys._current_frames())
    numbers = count()

    def work() -> str:
        return ends(lambda: next(numbers), 30)

    with ThreadPoolExecutor(4) as pool:
        assert sorted(map(int, pool.map(lambda _: work(), range(100)))) == list(range(100))
    # The watchdog is no thread that the module threading counts.
    assert len(set(sys._current_frames()) - before) <= 1
    assert len(watched) <= 4 + 8  # one for each thread, until the watchdog looks again
