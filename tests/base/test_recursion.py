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

from puppet_repl.base.limits import MAX_DIGITS
from puppet_repl.base.recursion import (
    MAX_DEPTH,
    RoomForCalls,
    allow_deep_calls,
    allow_long_integers,
    deep_calls,
)
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


@pytest.mark.parametrize(
    ("found", "left"),
    [(HOST_LIMIT, MAX_DEPTH), (MAX_DEPTH, MAX_DEPTH), (MAX_DEPTH + 5, MAX_DEPTH + 5)],
)
@pytest.mark.usefixtures("host")
def test_a_limit_of_calls_is_only_raised(found: int, left: int) -> None:
    sys.setrecursionlimit(found)
    allow_deep_calls()
    assert sys.getrecursionlimit() == left


@pytest.mark.parametrize("found", [0, 640, 500_000])
def test_a_limit_of_digits_is_only_raised(found: int) -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(found)
    try:
        allow_long_integers()
        left = sys.get_int_max_str_digits()
        assert int("1" * MAX_DIGITS) > 0
    finally:
        sys.set_int_max_str_digits(before)
    assert left == found if found != 640 else left > MAX_DIGITS


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


@pytest.mark.usefixtures("host")
def test_room_for_calls_ends_with_the_work() -> None:
    with RoomForCalls():
        assert sys.getrecursionlimit() > HOST_LIMIT
    assert sys.getrecursionlimit() == HOST_LIMIT
    with RoomForCalls():
        sys.setrecursionlimit(20_000)
    assert sys.getrecursionlimit() == 20_000, "somebody else has set it"


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


# Runs something with other work before certain of its instructions.
STEPS = """
import sys
from puppet_repl.base import recursion

HOST = (1234, 5000)
RAISED = (recursion.MAX_DEPTH, recursion._MAX_WRITTEN)

def limits_now():
    return sys.getrecursionlimit(), sys.get_int_max_str_digits()

def steps(work, others):
    # How many instructions there are; a key of others is the number of one, from 0 on.
    count, previous = 0, {}
    def trace(frame, event, _):
        nonlocal count
        if frame.f_code.co_filename != recursion.__file__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            count += 1
            after, previous[frame] = previous.get(frame), frame.f_code.co_code[frame.f_lasti]
            if count - 1 in others:
                others[count - 1](after)
        return trace
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count

def begin():
    sys.setrecursionlimit(HOST[0])
    sys.set_int_max_str_digits(HOST[1])
    return recursion._Limits()

def check_end(limits, *where):
    assert limits_now() == HOST, ("left", limits_now(), *where)
    sys.setrecursionlimit(RAISED[0])  # now by the host, which keeps it
    with limits:
        pass
    assert limits_now() == (RAISED[0], HOST[1]), ("kept", limits_now(), *where)
"""
SWITCHES = """
ACTIONS = {"enter": "__enter__", "exit": "__exit__"}

def tried(inside, mine, theirs, places):
    # Others do their steps at places of mine, or behind its end.
    limits = begin()
    for _ in range(inside):
        limits.__enter__()
    users = inside  # those that are inside with certainty
    def other(step):
        nonlocal users
        users -= step == "exit"
        assert not users or limits_now() == RAISED, ("before", limits_now(), mine, theirs, places)
        getattr(limits, ACTIONS[step])()
        users += step == "enter"
        assert not users or limits_now() == RAISED, ("inside", limits_now(), mine, theirs, places)
    planned = {}
    for place, step in zip(places, theirs):
        planned.setdefault(place, []).append(step)
    def at(place):
        return lambda _=None: [other(step) for step in planned.pop(place)]
    users -= mine == "exit"
    count = steps(getattr(limits, ACTIONS[mine]), {place: at(place) for place in planned})
    users += mine == "enter"
    for place in list(planned):
        at(place)()
    assert not users or limits_now() == RAISED, ("after", limits_now(), mine, theirs, places)
    for _ in range(users):
        limits.__exit__()
    check_end(limits, mine, theirs, places)
    return count

tries = 0
for inside, mine, theirs in [
    (1, "exit", ("enter", "exit")),
    (2, "exit", ("exit", "enter")),
    (1, "enter", ("exit", "enter")),
    (0, "enter", ("enter", "exit")),
]:
    count = tried(inside, mine, (), ())
    for first in range(count + 1):
        for second in range(first, count + 1):
            tried(inside, mine, theirs, (first, second))
            tries += 1
print(tries > 1000)
"""
INTERRUPTS = """
from opcode import opname

class Interrupt(BaseException):
    pass

def interrupt(after):
    # As Python does: when a call of C is done.
    if after is not None and opname[after].startswith("CALL"):
        raise Interrupt

interrupts = 0
for mine in ("__enter__", "__exit__"):
    place, count = 0, 1
    while place < count:
        limits = begin()
        if mine == "__exit__":
            limits.__enter__()
        try:
            count = steps(getattr(limits, mine), {place: interrupt})
        except Interrupt:
            interrupts += 1
        else:
            if mine == "__enter__":
                limits.__exit__()
        check_end(limits, mine, place)
        place += 1
print(interrupts >= 15)
"""


@pytest.mark.parametrize("program", [SWITCHES, INTERRUPTS], ids=["switches", "interrupts"])
def test_threads_may_switch_and_interrupts_come_between_any_instructions(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", STEPS + program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_many_threads_enter_and_leave_at_random() -> None:
    code = """
        import sys, threading, time
        from puppet_repl.base.recursion import MAX_DEPTH, RoomForCalls, deep_calls

        sys.setswitchinterval(1e-6)
        sys.setrecursionlimit(1234)
        until = time.monotonic() + 1.5
        inside, outside = set(), set()
        is_over = False

        def meet():
            global is_over
            outside.add(sys.getrecursionlimit())
            is_over = time.monotonic() > until

        def work():
            while not is_over:
                for _ in range(5):
                    with deep_calls:
                        inside.add(sys.getrecursionlimit())
                meeting.wait()

        meeting = threading.Barrier(8, meet)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(inside == {MAX_DEPTH}, outside)
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True {1234}\n", "")
