"""The tracer by itself: errors, hits and messages, and what is left when an input has ended."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from puppet_repl.base.deadline import limit_problem
from puppet_repl.base.errors import InputEnded
from puppet_repl.language.compiler.locations import frame_name
from puppet_repl.session import Outcome, Session
from puppet_repl.session.debugging import tracer as tracer_module
from puppet_repl.session.debugging.breakpoints import Breakpoint, Breakpoints
from puppet_repl.session.debugging.tracer import RAISED, UNCAUGHT, Stop, Tracer

if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.session.debugging.tracer import Expression, Step

CODE = """function twice($n) {
  $m = $n * 2
  $m
}
function fails($n) {
  fail("no ${n}")
}"""


class Watched:
    """A tracer, and a user who goes on as written."""

    def __init__(self, code: str = CODE) -> None:
        self.session = Session(facts={})
        assert self.session.execute(code, "In[1]").error is None
        self.breakpoints = Breakpoints()
        self.tracer = Tracer(self.breakpoints, lambda frame: frame.f_code.co_filename, self)
        self.session.on_break = self.tracer.stop_here
        self.steps: list[Step] = []
        self.stops: list[tuple[str, int, Stop]] = []
        self.printed: list[tuple[str, str]] = []
        self.compiled: list[str] = []
        self.look: Callable[[FrameType], object] = lambda frame: None

    def wait(self, frames: list[FrameType], stop: Stop) -> tuple[Step, FrameType]:
        self.stops.append((frame_name(frames[0]), frames[0].f_lineno, stop))
        self.look(frames[0])
        return self.steps.pop(0) if self.steps else "", frames[0]

    def expression(self, text: str) -> Expression:
        self.compiled.append(text)
        return self.session.expressions.compile(text).evaluate

    def text_of(self, value: Any) -> str:
        return f"<{value}>"

    def print_line(self, stream: str, text: str) -> None:
        self.printed.append((stream, text))

    def stop_at(
        self, line: int, condition: str = "", hits: str = "", message: str = ""
    ) -> Breakpoint:
        """Stop at a line of the first input: condition, hits and message may follow."""
        found = Breakpoint(line, line)
        found.read(self.session.expressions.check, condition, hits, message)
        assert not found.problem
        lines = self.breakpoints.by_path.setdefault("In[1]", {})
        lines[line] = (*lines.get(line, ()), found)
        return found

    def execute(self, code: str, *steps: Step) -> Outcome:
        self.steps, self.stops = list(steps), []
        self.tracer.begin()
        with self.tracer.tracing():
            outcome = self.session.execute(code, "In[2]")
        assert sys.gettrace() is None
        return outcome

    def run(self, code: str, *steps: Step) -> list[tuple[str, int]]:
        """Return where code that must succeed has stopped."""
        outcome = self.execute(code, *steps)
        assert outcome.error is None, outcome.error
        return [(name, line) for name, line, _ in self.stops]


@pytest.fixture
def watched() -> Watched:
    return Watched()


# Errors


@pytest.mark.parametrize(
    ("filters", "code", "stops"),
    [
        ({RAISED}, "fails(1)", [("function fails", "no 1", False)]),
        ({UNCAUGHT}, "fails(1)", [("function fails", "no 1", True)]),
        ({RAISED, UNCAUGHT}, "fails(1)", [("function fails", "no 1", False)]),
        (set(), "fails(1)", []),
        ({RAISED}, "1 + 'a'", [("main", "cannot be converted to Numeric", True)]),
        ({RAISED}, "[1, 2].each |$x| { if $x == 1 { next() } break() }", []),
    ],
)
def test_errors_are_stopped_at_once(
    watched: Watched, filters: set[str], code: str, stops: list[tuple[str, str, bool]]
) -> None:
    watched.tracer.filters = filters
    watched.execute(code)
    found = [(name, stop.text, stop.is_uncaught) for name, _, stop in watched.stops]
    assert len(found) == len(stops)
    for (name, text, is_uncaught), (wanted, part, uncaught) in zip(found, stops, strict=True):
        assert (name, is_uncaught) == (wanted, uncaught)
        assert part in text
    assert all(stop.reason == "exception" and stop.error for *_, stop in watched.stops)


# Conditions, hits, messages


def test_a_statement_stops_once_for_each_hit(watched: Watched) -> None:
    watched.stop_at(2, "", "2")
    code = "twice(1) twice(2) twice(3)"
    assert watched.run(code) == [("function twice", 2)]
    assert watched.run(code) == [("function twice", 2)], "hits are counted again"


def test_a_condition_that_is_not_true_counts_no_hit(watched: Watched) -> None:
    watched.stop_at(2, "$n > 1", "1")
    values: list[object] = []
    watched.look = lambda frame: values.append(watched.tracer._value(frame, "$n"))
    assert watched.run("twice(1) twice(2) twice(3)") == [("function twice", 2)]
    assert values == [2]


@pytest.mark.parametrize("condition", ["undef", "false", "0", "''"])
def test_only_undef_and_false_are_not_true(watched: Watched, condition: str) -> None:
    watched.stop_at(2, condition)
    assert bool(watched.run("twice(1)")) is (condition in ("0", "''"))


def test_a_message_is_printed_instead(watched: Watched) -> None:
    watched.stop_at(3, "", "", "n is {$n}, m is {$m}; {1 + 'a'}.")
    assert watched.run("twice(1)") == []
    [(stream, text)] = watched.printed
    assert stream == "stdout"
    assert text.startswith("n is <1>, m is <2>; (")
    assert "cannot be converted to Numeric" in text and text.endswith(").")


def test_a_condition_that_fails_stops_and_is_told(watched: Watched) -> None:
    at = watched.stop_at(2, "1 + 'a'")
    assert watched.run("twice(1)") == [("function twice", 2)]
    [(_, _, stop)] = watched.stops
    assert stop.at == (at,)
    assert watched.printed == [("stderr", stop.text)]
    assert stop.text.startswith("the condition '1 + 'a'' of the breakpoint failed: ")


def test_a_breakpoint_for_an_entry_and_one_for_its_line_are_one_stop(watched: Watched) -> None:
    entry = Breakpoint(0, 0)
    watched.breakpoints.entries["function twice"] = entry
    at = watched.stop_at(2, "", "2")
    assert watched.run("twice(1) twice(2)") == [("function twice", 2)] * 2
    assert [stop.at for *_, stop in watched.stops] == [(entry,), (entry, at)]


def test_each_breakpoint_of_a_line_has_its_own_condition(watched: Watched) -> None:
    first = watched.stop_at(2, "$n > 1")
    watched.stop_at(2, message="n is {$n}")
    last = watched.stop_at(2, hits="3")
    assert len(watched.run("twice(1) twice(2) twice(3)")) == 2
    assert [stop.at for *_, stop in watched.stops] == [(first,), (first, last)]
    assert [text for _, text in watched.printed] == ["n is <1>", "n is <2>", "n is <3>"]


@pytest.mark.parametrize(
    ("message", "printed"),
    [
        ('{ {"a" => $n}["a"] }!', "<1>!"),
        ('{"}"}', "<}>"),
        ("{$n} }", "<1> }"),
        ("{[$n].map |$x| { $x + 1 }}", "<(2,)>"),
        ("{} {open $n", "{} {open $n"),
        ("{$n)} {$n}", "{$n)} <1>"),
        ("a{$n}b{$n}", "a<1>b<1>"),
    ],
)
def test_expressions_of_messages(watched: Watched, message: str, printed: str) -> None:
    watched.stop_at(2, message=message)
    assert watched.run("twice(1)") == []
    assert watched.printed == [("stdout", printed)]


@pytest.mark.parametrize("hits", ["0", "% 0", ">= 0", "often"])
def test_counts_are_from_1_on(hits: str) -> None:
    found = Breakpoint(1, 1)
    found.read(lambda text: None, "", hits)
    assert found.line is None
    assert found.problem.endswith("3, == 3, >= 3, <= 3, > 3, < 3 and % 3 are")


def test_breaks_do_not_stop_the_expressions_of_breakpoints(watched: Watched) -> None:
    assert watched.session.execute("function looks($n) { debug::break() $n }").error is None
    watched.stop_at(2, "looks($n) == 2")
    watched.stop_at(3, message="{looks($n)}")
    assert watched.run("twice(1) twice(2)") == [("function twice", 2)]
    assert [text for _, text in watched.printed] == ["<1>", "<2>"]
    assert watched.run("looks(1)") == [("function looks", 1)]


def test_breaks_stop_again_after_an_input_was_ended_at_a_stop(watched: Watched) -> None:
    def end(frame: FrameType) -> None:
        raise InputEnded

    watched.look = end
    watched.tracer.begin()
    with pytest.raises(KeyboardInterrupt), watched.tracer.tracing():
        watched.session.execute("debug::break() 1", "In[2]")
    assert [name for name, *_ in watched.stops] == ["main"]
    watched.look = lambda frame: None
    assert watched.run("debug::break() 1") == [("main", 1)]


@pytest.mark.skipif(limit_problem() is not None, reason="nothing can limit expressions here")
def test_expressions_of_breakpoints_are_limited(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracer_module, "MAX_SECONDS", 0.1)
    watched.stop_at(2, "Integer[0, 100000000000].each |$i| { $i } == 1")
    watched.stop_at(3, message="{Integer[0, 100000000000].each |$i| { $i }}")
    assert watched.run("twice(1)") == [("function twice", 2)]
    told = "the expression was stopped after 0.1 seconds"
    assert watched.stops[0][2].text.endswith(f"of the breakpoint failed: {told}")
    assert watched.printed[1] == ("stdout", f"({told})")


# Steps, pauses and stops of the code itself


def test_nothing_stops_expressions_while_code_is_stopped_by_itself(watched: Watched) -> None:
    watched.stop_at(2)
    traced: list[object] = []

    def look(frame: FrameType) -> None:
        traced.append(sys.gettrace())
        if frame_name(frame) == "main":
            assert watched.session.expressions.compile("twice(4)").evaluate(frame).value == 8

    watched.look = look
    assert watched.run("debug::break()\ntwice(1)") == [("main", 1), ("function twice", 2)]
    assert traced[0] is None, "the code has stopped itself"


def test_breaks_stop_only_while_an_input_runs(watched: Watched) -> None:
    assert watched.run("debug::break() 1") == [("main", 1)]
    watched.stops = []
    watched.session.execute("debug::break() 1")
    assert watched.stops == []
    assert not watched.tracer.stop_here()
    with watched.tracer.tracing():
        assert not watched.tracer.stop_here(), "no code of Puppet has called"


def test_code_that_runs_can_be_paused(watched: Watched) -> None:
    assert not watched.tracer.pause()
    watched.stop_at(3, message="here")

    def pause(level: str, text: str) -> None:
        paused.append(watched.tracer.pause())
        watched.tracer.join(sys._getframe())

    watched.session.log = pause
    paused: list[bool] = []
    assert watched.run("notice(1)\n2") == [("main", 2)]
    assert paused == [True]
    assert not watched.tracer.pause(), "the input has ended"


def test_a_step_goes_on_in_the_next_part_of_an_input(watched: Watched) -> None:
    watched.tracer.begin()
    watched.steps = ["over"]
    for number, code in enumerate(("debug::break() 1", "twice(1)", "twice(2)")):
        with watched.tracer.tracing():
            watched.session.execute(code, f"In[{number + 2}]")
    assert [(name, line) for name, line, _ in watched.stops] == [("main", 1), ("main", 1)]
    assert [stop.reason for *_, stop in watched.stops] == ["breakpoint", "step"]


def test_clearing_ends_steps_breakpoints_and_filters(watched: Watched) -> None:
    watched.stop_at(3)
    watched.tracer.filters = {RAISED}
    watched.look = lambda frame: watched.tracer.clear()
    assert watched.run("twice(1) twice(2)") == [("function twice", 3)]
    watched.execute("fails(1)")
    assert watched.stops == []


# What is left


def test_expressions_are_compiled_once_for_each_input(watched: Watched) -> None:
    watched.stop_at(2, "$n > 5")
    watched.run("twice(1) twice(2)")
    assert watched.compiled == ["$n > 5"]
    watched.run("twice(1)")
    assert watched.compiled == ["$n > 5"] * 2


def test_no_program_and_no_error_is_kept_when_an_input_has_ended(watched: Watched) -> None:
    watched.stop_at(2)
    watched.tracer.filters = {RAISED}
    errors: list[weakref.ref[BaseException]] = []
    watched.look = lambda frame: errors.extend(
        weakref.ref(stop.error) for *_, stop in watched.stops if stop.error is not None
    )
    assert watched.execute("twice(1) fails(1)").error is not None
    watched.session.execute("1")
    watched.stops = []
    gc.collect()
    assert errors and all(error() is None for error in errors)
    held = [each for each in gc.get_referents(watched.tracer) if isinstance(each, dict)]
    assert not any(each for each in held if each is not watched.tracer.__dict__)
