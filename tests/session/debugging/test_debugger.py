"""Stopping, stepping and looking, with the decisions of the user written down beforehand."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from puppet_repl.base.errors import InputEnded
from puppet_repl.session import Options, Session
from puppet_repl.session.debugging.debugger import Debugger
from puppet_repl.session.debugging.places import PlaceError, read_place
from puppet_repl.session.outcome import Outcome

if TYPE_CHECKING:
    from puppet_repl.session.debugging.tracer import Step

CODE = """function outer($x) {
  $y = inner($x)
  $y + 1
}
function inner($n) {
  $m = $n * 2
  $m
}
class site($port = 80) {
  $where = 'site'
  vhost { 'a': port => $port }
}
define vhost($port) {
  $shown = "${title}:${port}"
  notify { $shown: }
}
function short($x) { $x }"""


class Script:
    """A user who goes on as written, and looks at something each time; then continues."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.debugger = Debugger(session, self._look)
        session.on_break = self.debugger.stop_here
        self.steps: list[Step] = []
        self.seen: list[Any] = []
        self.look: Callable[[Debugger], Any] = places

    def _look(self) -> None:
        self.seen.append(self.look(self.debugger))
        self.debugger.resume(self.steps.pop(0) if self.steps else "")

    def stop_at(self, *texts: str, condition: str = "") -> None:
        for text in texts:
            self.debugger.add(read_place(self.session, text), condition)

    def run(self, code: str, *steps: Step, name: str = "In[2]") -> list[Any]:
        """Return what was seen at each stop."""
        self.steps, self.seen = list(steps), []
        self.outcome = self.execute(code, name)
        assert self.outcome.error is None, self.outcome.error
        return self.seen

    def execute(self, code: str, name: str = "In[2]") -> Outcome:
        self.debugger.start()
        try:
            return self.session.execute(code, name)
        finally:
            self.debugger.end()


def places(debugger: Debugger) -> str:
    assert debugger.stack is not None
    return f"{debugger.stack.level.name} {debugger.stack.level.line}"


def in_frame(text: str) -> Callable[[Debugger], Any]:
    def look(debugger: Debugger) -> Any:
        assert debugger.stack is not None
        outcome = debugger.stack.evaluate(text)
        return outcome.value if outcome.error is None else outcome.error.message

    return look


@pytest.fixture
def script() -> Iterator[Script]:
    session = Session(facts={"kernel": "Linux"})
    assert session.execute(CODE, "In[1]").error is None
    yield Script(session)
    assert sys.gettrace() is None


# Where code stops


def test_nothing_is_traced_while_nothing_can_stop(script: Script) -> None:
    traced: list[object] = []
    script.session.log = lambda level, text: traced.append(sys.gettrace())
    script.run("notice(outer(1))")
    assert traced == [None]
    script.stop_at("inner")
    script.run("notice(outer(1))")
    assert traced[1] is not None
    script.debugger.delete(script.debugger.placed[0])
    script.run("notice(outer(1))")
    assert traced[2] is None


@pytest.mark.parametrize(
    ("place", "code", "stops"),
    [
        ("inner", "outer(5)", ["function inner 6"]),
        ("::inner", "inner(1) + inner(2)", ["function inner 6"] * 2),
        ("short", "short(1)", ["function short 17"]),
        ("short", "class user { $v = short(1) }\ninclude user", ["function short 17"]),
        ("site", "include site", ["class site 10"]),
        ("vhost", "include site", ["define vhost 14"]),
        ("In[1]:3", "outer(5)", ["function outer 3"]),
        ("1:7", "outer(5)", ["function inner 7"]),
        ("1:5", "outer(5)", ["function inner 6"]),
        ("later", "function later() {\n  1\n}\nlater()", ["function later 2"]),
    ],
)
def test_places(script: Script, place: str, code: str, stops: list[str]) -> None:
    script.stop_at(place)
    assert script.run(code) == stops


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("9:1", "there is no input In[9]"),
        ("nowhere.pp:3", "there is no file nowhere.pp, and none of that name in the modules"),
        ("Some::Type", "'Some::Type' is neither a name nor FILE:LINE"),
        ("12", "'12' is neither a name nor FILE:LINE"),
        ("1:" + "9" * 5000, f"'1:{'9' * 5000}' is neither a name nor FILE:LINE"),
        ("f(1)", "'f(1)' is neither a name nor FILE:LINE"),
    ],
)
def test_what_is_no_place(script: Script, place: str, problem: str) -> None:
    with pytest.raises(PlaceError) as caught:
        script.stop_at(place)
    assert str(caught.value) == problem


def test_a_line_of_what_runs(script: Script) -> None:
    def add(debugger: Debugger) -> str:
        stack = debugger.stack
        assert stack is not None
        if not debugger.placed[1:]:
            sources = [stack.level.source]
            debugger.add(read_place(script.session, "3", sources))
            debugger.add(read_place(script.session, "In[2]:2", [e.source for e in stack.levels]))
        return places(debugger)

    script.stop_at("outer")
    script.look = add
    stops = script.run("outer(1)\nouter(2)")
    assert stops == ["function outer 2", "function outer 3", "main 2", *stops[:2]]


def test_the_breakpoints_of_an_input_go_with_its_text(script: Script) -> None:
    code = "$a = [1].map |$i| { $i }"
    script.session.execute(code, "In[2]")
    script.stop_at("2:1", "outer")
    script.session.undo()
    assert script.execute("1 / 0").error is not None
    assert script.debugger.drop_lost() == []
    assert script.run(code) == ["main 1", "lambda 1"]
    assert script.debugger.drop_lost() == []
    script.session.undo()
    assert script.run("1 + 1") == []
    assert [each.text for each in script.debugger.drop_lost()] == ["In[2]:1"]
    assert [each.text for each in script.debugger.placed] == ["outer"]


def test_conditions(script: Script) -> None:
    script.stop_at("inner", condition="$n > 2")
    script.look = in_frame("$n")
    assert script.run("[1, 2, 3, 4].each |$i| { outer($i) }") == [3, 4]


def test_a_condition_that_fails_stops(script: Script) -> None:
    script.stop_at("inner", condition="$nope")
    script.look = lambda debugger: debugger.stop and debugger.stop.text
    [text] = script.run("outer(1)")
    assert text.startswith("the condition '$nope' of the breakpoint failed: ")


def test_what_is_no_condition(script: Script) -> None:
    with pytest.raises(PlaceError, match="the condition is wrong: Syntax error"):
        script.stop_at("inner", condition="$n >")
    assert not script.debugger.placed


def test_a_place_has_one_breakpoint(script: Script) -> None:
    script.stop_at("inner", "outer")
    script.stop_at("inner", condition="$n == 1")
    assert [(e.number, e.text, e.stops.condition) for e in script.debugger.placed] == [
        (2, "outer", ""),
        (3, "inner", "$n == 1"),
    ]


def test_files_of_modules(tmp_path: Path) -> None:
    manifests = tmp_path / "modules" / "m" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class m {\n  $a = 1\n  $b = 2\n}\n")
    options = Options(modulepath=(str(tmp_path / "modules"),))
    for place in ("m/manifests/init.pp:3", "init.pp:3", str(manifests / "init.pp") + ":3", "m"):
        script = Script(Session(options, facts={}))
        script.stop_at(place)
        assert script.run("include m") == ["class m 2" if place == "m" else "class m 3"]


# Steps


@pytest.mark.parametrize(
    ("steps", "stops"),
    [
        (["over", "over", "over"], ["function outer 2", "function outer 3", "main 2"]),
        (["in", "in", "in", "in"], ["function outer 2", "function inner 6", "function inner 7"]),
        (["in", "out", "out"], ["function outer 2", "function inner 6", "function outer 3"]),
        (["out"], ["function outer 2", "main 2"]),
        ([""], ["function outer 2"]),
    ],
)
def test_steps(script: Script, steps: list[Step], stops: list[str]) -> None:
    script.stop_at("outer")
    assert script.run("outer(1)\n5", *steps)[: len(stops)] == stops


def test_a_step_ends_with_its_input(script: Script) -> None:
    script.stop_at("outer")
    script.run("outer(1)", "in", "in", "in", "in", "in")
    assert script.run("inner(1)") == []


def test_break_in_code_and_steps_from_there(script: Script) -> None:
    code = "$a = 1\n[1, 2].each |$i| {\n  debug::break()\n  $b = $i\n}\n$c = 3"
    assert script.run(code) == ["lambda 3", "lambda 3"]
    assert script.run(code, "over", "", "out") == ["lambda 3", "lambda 4", "lambda 3", "main 6"]


def test_break_does_not_stop_expressions(script: Script) -> None:
    script.session.execute("function looks() { debug::break() 7 }")
    script.stop_at("inner")
    script.look = in_frame("looks()")
    assert script.run("inner(1)") == [7]
    script.debugger.delete(script.debugger.placed[0])
    script.stop_at("inner", condition="looks() == 7")
    assert script.run("inner(1)") == [7]
    assert script.run("looks()") == [7]


def test_whoever_traced_before_traces_again(script: Script) -> None:
    def other(frame: object, event: str, argument: object) -> None:
        return None

    def end(debugger: Debugger) -> None:
        raise InputEnded

    sys.settrace(other)
    try:
        script.run("debug::break() 1", "in")
        after_break = sys.gettrace()
        script.stop_at("inner")
        script.run("debug::break()\nouter(1)")
        after_breakpoint = sys.gettrace()
        script.look = end
        with pytest.raises(InputEnded):
            script.execute("debug::break()")
        after_end = sys.gettrace()
        with pytest.raises(InputEnded):
            script.execute("outer(1)")
        after_end_at_breakpoint = sys.gettrace()
    finally:
        sys.settrace(None)
    found = [after_break, after_breakpoint, after_end, after_end_at_breakpoint]
    assert found == [other] * 4


def test_breakpoints_that_are_set_at_a_stop(script: Script) -> None:
    def look(debugger: Debugger) -> str:
        if not debugger.placed:
            script.stop_at("inner")
        return places(debugger)

    script.look = look
    assert script.run("debug::break()\nouter(1)") == ["main 1", "function inner 6"]


# Looking


def test_frames(script: Script) -> None:
    def look(debugger: Debugger) -> Any:
        stack = debugger.stack
        assert stack is not None
        rows = []
        for number, level in enumerate(stack.levels):
            stack.select(number)
            rows.append((level.name, level.place, stack.variables()))
        return rows

    script.stop_at("1:7")
    script.look = look
    [rows] = script.run("$top = 1\nouter(5)")
    assert rows[:2] == [
        ("function inner", "In[1]:7", {"n": 5, "m": 10}),
        ("function outer", "In[1]:2", {"x": 5}),
    ]
    assert rows[2][:2] == ("main", "In[2]:2")
    assert rows[2][2]["top"] == 1


def test_expressions_leave_nothing(script: Script) -> None:
    script.stop_at("vhost")
    script.look = in_frame("$port = 1 notify { 'gone': } include site $title")
    script.run("include site")
    titles = [each.title for each in script.session.catalog.tables.members if each.type == "Notify"]
    assert titles == ["a:80"]


def test_the_user_may_end_the_input(script: Script) -> None:
    def end(debugger: Debugger) -> None:
        raise InputEnded

    script.stop_at("inner")
    script.look = end
    with pytest.raises(InputEnded):
        script.execute("$kept = 1\nouter(1)")
    assert sys.gettrace() is None
    script.debugger.placed.clear()
    outcome = script.session.execute("$kept")
    assert outcome.error is not None and "Unknown variable: 'kept'" in str(outcome.error)


def test_the_time_of_a_look_does_not_count() -> None:
    session = Session(Options(max_seconds=0.5), facts={})
    script = Script(session)
    script.look = lambda debugger: time.sleep(1)
    assert script.run("debug::break() 5") == [None]
    assert script.outcome.value == 5
    # But what it has left does.
    outcome = script.execute("debug::break() Integer[1, 999999999].each |$i| { $i }")
    assert outcome.error is not None and "Time limit" in str(outcome.error)
