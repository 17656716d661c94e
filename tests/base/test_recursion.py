"""A session in somebody else's process leaves the limits of that process as they were."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from textwrap import dedent

import pytest

from puppet_repl.base.recursion import MAX_DEPTH, deep_calls
from puppet_repl.session import Session

HOST_LIMIT = 1_234
DEEP_CALL = "function f($x) { if $x == 0 { 0 } else { f($x - 1) } } f(4000)"


@pytest.fixture
def host() -> Iterator[None]:
    """Give the process a recursion limit and a state of the collector that a host may have."""
    limit, collects, thresholds = sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()
    sys.setrecursionlimit(HOST_LIMIT)
    gc.enable()
    gc.collect()  # finalizers of what earlier tests left would have no room for their calls
    gc.set_threshold(777, 7, 7)
    yield
    sys.setrecursionlimit(limit)
    gc.set_threshold(*thresholds)
    if not collects:
        gc.disable()


def host_state() -> tuple[int, bool, tuple[int, int, int]]:
    return sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()


UNTOUCHED = (HOST_LIMIT, True, (777, 7, 7))


@pytest.mark.parametrize(
    "code",
    [
        DEEP_CALL,
        "function f() { f() } f()",
        "1 +",
        "nope(1)",
        "1 +" + "(1 + " * 3000 + "1" + ")" * 3000,
        "class c { notice('x') } include c",
    ],
)
@pytest.mark.usefixtures("host")
def test_an_input_leaves_the_process_as_it_was(code: str) -> None:
    session = Session(facts={})
    assert host_state() == UNTOUCHED
    session.execute(code)
    session.check(code)
    session.complete(code, len(code))
    session.inspect(code, 1)
    assert host_state() == UNTOUCHED


@pytest.mark.usefixtures("host")
def test_calls_go_deeper_than_the_host_allows() -> None:
    assert Session(facts={}).execute(DEEP_CALL).value == 0
    endless = Session(facts={}).execute("function f() { f() } f()")
    assert endless.error is not None
    assert "stack level too deep" in endless.error.message


# Each of these calls leaves parameters out, or gives more arguments than there are parameters.
@pytest.mark.parametrize(
    "function",
    [
        "function f($x = f()) { $x } f()",
        "function f($x, $y = f($x)) { $y } f(1)",
        "function f($x, $y = 1) { f($x) } f(1)",
        "function f(*$x) { f(1) } f()",
        "function f($x, *$y) { f($x, 1) } f(1)",
        "function f($x = 1, *$y) { f() } f()",
        "function f(Integer *$x = f()) { $x } f()",
        "function f($x = 1) { g() } function g(*$y) { f() } f()",
    ],
)
def test_each_call_counts(function: str) -> None:
    # In a process of its own, whose memory is limited: each Python ends these calls otherwise.
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", "--max-memory", "512M", "-e", function],
        capture_output=True,
        text=True,
    )
    first, *others = done.stderr.splitlines()
    assert "stack level too deep" in first
    counts = re.findall(r"(\d+) (?:times|more calls)", "\n".join(others))
    assert len(counts) == 1
    assert MAX_DEPTH - 100 < int(counts[0]) < MAX_DEPTH


@pytest.mark.usefixtures("host")
def test_deep_values_are_described_outside_of_inputs() -> None:
    session = Session(facts={})
    deep = session.execute("Integer[1, 2000].reduce([]) |$m, $i| { [$m] }").value
    assert str(session.describe(deep)["type"]).startswith("Array[Array[")
    assert host_state() == UNTOUCHED


@pytest.mark.parametrize("function", ["disable", "enable", "freeze", "set_threshold"])
@pytest.mark.usefixtures("host")
def test_the_collector_is_the_business_of_the_host(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        pytest.fail(f"gc.{function}() was called")

    monkeypatch.setattr(gc, function, refuse)
    outcome = Session(facts={}).execute("class c { notify { 'x': } } include c [1].map |$x| { $x }")
    assert outcome.value == (1,)


@pytest.mark.usefixtures("host")
def test_a_session_inside_of_another_leaves_the_outer_one_its_depth() -> None:
    inner_limits = []

    def log(_level: str, _text: str) -> None:
        inner = Session(facts={})
        assert inner.execute(DEEP_CALL).value == 0
        inner_limits.append(sys.getrecursionlimit())

    outer = Session(facts={}, log=log)
    assert outer.execute(f"notice('now') {DEEP_CALL}").value == 0
    assert inner_limits == [MAX_DEPTH]
    assert host_state() == UNTOUCHED


@pytest.mark.usefixtures("host")
def test_overlapping_inputs_of_two_threads() -> None:
    first_runs, first_may_end = threading.Event(), threading.Event()

    def log(_level: str, _text: str) -> None:
        first_runs.set()
        first_may_end.wait(10)

    outcomes = []
    first = threading.Thread(
        target=lambda: outcomes.append(Session(facts={}, log=log).execute("notice('x')"))
    )
    first.start()
    assert first_runs.wait(10)
    ended_first = Session(facts={}).execute(DEEP_CALL)
    assert sys.getrecursionlimit() == MAX_DEPTH
    first_may_end.set()
    first.join(10)
    assert ended_first.value == 0
    assert outcomes[0].error is None
    assert host_state() == UNTOUCHED


@pytest.mark.usefixtures("host")
def test_a_limit_that_somebody_sets_meanwhile_stays() -> None:
    with deep_calls:
        sys.setrecursionlimit(20_000)
    assert sys.getrecursionlimit() == 20_000


def test_a_host_with_more_depth_keeps_it() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(MAX_DEPTH * 2)
    try:
        assert Session(facts={}).execute("1").value == 1
        assert sys.getrecursionlimit() == MAX_DEPTH * 2
    finally:
        sys.setrecursionlimit(limit)


def test_a_plain_host_process() -> None:
    program = (
        "import gc, sys; from puppet_repl.session import Session; "
        "before = sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold(); "
        f"print(Session().execute({DEEP_CALL!r}).value, "
        "before == (sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0 True\n", "")


@pytest.mark.parametrize("program", ["1", "[1].map |$x| { $x }", "1 +"])
def test_a_prepared_process_collects_again_after_each_input(program: str) -> None:
    code = (
        "import gc; from puppet_repl.base.memory import tune_process; "
        "from puppet_repl.session import Session; tune_process(1 << 30); "
        "paused = []; gc.disable, disable = lambda: paused.append(disable()), gc.disable; "
        f"Session().execute({program!r}); print(len(paused), gc.isenabled())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    expected = "0 True\n" if program == "1 +" else "1 True\n"
    assert (done.stdout, done.stderr) == (expected, "")


@pytest.mark.parametrize("name", ["pause_collection", "resume_collection"])
def test_an_interrupt_of_a_pause_lasts_until_the_next_input(name: str) -> None:
    code = (
        "import gc; from puppet_repl.base.memory import tune_process; "
        "from puppet_repl.language.compiler import program; "
        "from puppet_repl.session import Session; tune_process(1 << 30); "
        f"original = program.{name}\n"
        "def interrupted():\n"
        f"    program.{name} = original\n"
        "    gc.disable()\n"
        "    raise KeyboardInterrupt\n"
        f"program.{name} = interrupted\n"
        "try: Session().execute('1')\n"
        "except KeyboardInterrupt: print('interrupted')\n"
        "Session().execute('2')\n"
        "print(gc.isenabled())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("interrupted\nTrue\n", "")


def test_another_thread_may_begin_while_one_ends() -> None:
    """It finds the raised limits, which the other one takes back at that moment."""
    code = """
        import sys
        from types import SimpleNamespace
        from puppet_repl.base import recursion

        limits = recursion._Limits()
        sys.setrecursionlimit(1234)
        limits.__enter__()
        begun = []

        def limit():
            if not begun:
                begun.append(limits)
                limits.__enter__()
            return sys.getrecursionlimit()

        names = {name: getattr(sys, name) for name in dir(sys)}
        recursion.sys = SimpleNamespace(**{**names, "getrecursionlimit": limit})
        limits.__exit__()
        inside = sys.getrecursionlimit() == recursion.MAX_DEPTH
        limits.__exit__()
        print(inside, sys.getrecursionlimit())
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("True 1234\n", "")
