"""The debugger over real messages: variables, breakpoints and steps."""

from __future__ import annotations

import time
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.debugging import Debugging
from tests.kernel.messages import ENDLESS


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


# What the debugger is


def test_what_front_ends_are_told_of_it(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    talk, client = Debugging(*started), started[1]
    assert talk.body("debugInfo")["isStarted"] is False
    told = talk.body("initialize")
    assert [each["filter"] for each in told["exceptionBreakpointFilters"]] == ["raised", "uncaught"]
    assert told["supportsConditionalBreakpoints"] and told["supportsEvaluateForHovers"]
    talk.forget_published()
    assert talk.body("debugInfo")["isStarted"] is True
    for command, event in (("attach", "initialized"), ("disconnect", "terminated")):
        talk.body(command)
        while (message := client.get_iopub_msg(timeout=20))["msg_type"] != "debug_event":
            pass
        assert message["content"]["event"] == event
        talk.forget_published()


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"command": "nonsense"}, "there is no nonsense"),
        ({"command": ["next"]}, "there is no ['next']"),
        ({}, "there is no"),
        ({"command": "variables", "arguments": []}, "'arguments' has to be an object"),
        (
            {"command": "variables", "arguments": {"variablesReference": "1"}},
            "'variablesReference' has to be a number",
        ),
        ({"command": "source", "arguments": {"source": 1}}, "'source' has to be an object"),
        ({"command": "source"}, "the session does not load "),
        (
            {"command": "source", "arguments": {"source": {"path": "/etc/passwd"}}},
            "the session does not load /etc/passwd",
        ),
        (
            {"command": "setBreakpoints", "arguments": {"breakpoints": [1]}},
            "'breakpoints' has to be a list of objects",
        ),
        ({"command": "scopes", "arguments": {"frameId": 7}}, "no cell is stopped there"),
        ({"command": "exceptionInfo"}, "no cell is stopped at an error"),
        (
            {"command": "evaluate", "arguments": {"expression": "1 + 1"}},
            "expressions can be evaluated while a cell is stopped",
        ),
        ({"command": "pause"}, "no cell runs"),
    ],
)
def test_what_cannot_be_answered_is_told(
    debugging: Debugging, request_: dict[str, Any], told: str
) -> None:
    reply = debugging.ask_raw(request_)
    assert reply["success"] is False
    assert reply["message"].startswith(told)


# Variables


def test_variables_of_the_program_come_first(debugging: Debugging) -> None:
    debugging.run("$panel = {'port' => 80, 'tags' => ['a']}\nnotice($facts['os'], $trusted)\n1")
    debugging.run("'web01' =~ /(\\D+)(\\d+)/")
    rows = debugging.body("inspectVariables")["variables"]
    shown = names(rows)
    assert shown[0] == "panel"
    assert shown[1:] == ["0", "1", "2", "facts", "special variables"]
    by_name = {row["name"]: row for row in rows}
    assert by_name["panel"]["value"] == "{'port' => 80, 'tags' => ['a']}"
    assert by_name["panel"]["type"].startswith("Hash[")
    assert by_name["panel"]["evaluateName"] == "$panel"
    assert [by_name[each]["value"] for each in "012"] == ["'web01'", "'web'", "'01'"]
    parts = debugging.unfold(by_name["panel"]["variablesReference"])
    assert names(parts) == ["'port'", "'tags'"]
    special = debugging.unfold(by_name["special variables"]["variablesReference"])
    assert {"_", "trusted"} <= set(names(special))
    debugging.run(":forget $panel")


def test_parts_can_be_asked_for_in_pieces(debugging: Debugging) -> None:
    debugging.run("$many = Array(Integer[0, 2499])\n$named = {'a' => 1}")
    rows = {row["name"]: row for row in debugging.body("inspectVariables")["variables"]}
    many, named = (rows[name]["variablesReference"] for name in ("many", "named"))
    assert rows["many"]["indexedVariables"] == 2500
    groups = debugging.unfold(many)
    assert names(groups) == ["[0..999]", "[1000..1999]", "[2000..2499]"]
    last = debugging.unfold(groups[2]["variablesReference"])
    assert (len(last), last[-1]["name"], last[-1]["value"]) == (500, "2499", "2499")
    piece = debugging.unfold(many, start=1200, count=3)
    assert names(piece) == ["1200", "1201", "1202"]
    assert debugging.unfold(many, filter="named") == []
    assert names(debugging.unfold(named, filter="named")) == ["'a'"]
    assert debugging.unfold(12345) == []
    debugging.run(":forget $many $named")


def test_variables_of_classes_are_one_row(debugging: Debugging) -> None:
    debugging.run("class seen { $inside = 5 }\ninclude seen")
    rows = {row["name"]: row for row in debugging.body("inspectVariables")["variables"]}
    inner = debugging.unfold(rows["class variables"]["variablesReference"])
    assert {"seen::inside": "5"}.items() <= {row["name"]: row["value"] for row in inner}.items()


# Breakpoints and steps


DEBUGGED = """function half(Integer $n) {
  # a comment has no code
  $h = $n / 2
  $h
}
$results = [10, 20].map |$x| {
  $y = half($x)
  $y + 1
}
$results"""


def test_breakpoints_and_steps(debugging: Debugging) -> None:
    path = debugging.dump(DEBUGGED)
    placed = debugging.stop_at(path, 2)
    assert [(each["line"], each["verified"]) for each in placed] == [(3, True)]
    debugging.start(DEBUGGED)
    assert debugging.next_place() == ("function half", 3)
    assert {frame["source"]["path"] for frame in debugging.frames()} == {path}
    assert debugging.body("debugInfo")["stoppedThreads"] == [1]
    assert debugging.local_variables() == {"n": "10"}
    assert debugging.local_variables(1) == {"x": "10"}
    debugging.ask("next")
    assert debugging.next_place() == ("function half", 4)
    assert debugging.local_variables() == {"h": "5", "n": "10"}
    debugging.ask("stepOut")
    assert debugging.next_place() == ("lambda", 8)
    debugging.ask("continue")
    assert debugging.next_place() == ("function half", 3)
    debugging.stop_at(path)
    debugging.ask("continue")
    assert debugging.end()["status"] == "ok"
    _, published = debugging.run("$results")
    assert published[0]["content"]["data"]["text/plain"] == "[6, 11]"
    # An interrupt ends a cell that is stopped.
    debugging.stop_at(path, 7)
    debugging.start(DEBUGGED)
    assert debugging.next_place() == ("lambda", 7)
    debugging.ask("stepIn")
    assert debugging.next_place() == ("function half", 3)
    debugging.interrupt()
    assert debugging.end()["ename"] == "Interrupted"
    debugging.body("disconnect")
    assert debugging.run(DEBUGGED)[0]["status"] == "ok"


LINES = """class heads(
  $port = 80,
) {
  notify { 'long':
    message => 'a',

    noop    => true,
  }

  if $port == 80 {
    notice('b')
  } else {
    notice('c')
  }
}

include heads
"""


@pytest.mark.parametrize(
    ("line", "stops"), [(1, 4), (2, 4), (5, 4), (6, 10), (7, 4), (9, 10), (12, 13), (15, 17)]
)
def test_a_breakpoint_is_where_a_statement_begins(
    debugging: Debugging, line: int, stops: int
) -> None:
    placed = debugging.stop_at(debugging.dump(LINES), line)
    assert [(each["line"], each["verified"]) for each in placed] == [(stops, True)]


def test_a_statement_of_several_lines_stops_once(debugging: Debugging) -> None:
    debugging.stop_at(debugging.dump(LINES), 4)
    debugging.start(LINES)
    assert debugging.next_place() == ("class heads", 4)
    debugging.ask("next")
    assert debugging.next_place() == ("class heads", 10)
    debugging.ask("next")
    assert debugging.next_place() == ("class heads", 11)
    debugging.ask("continue")
    assert debugging.end()["status"] == "ok"


PARTS = """%%time
:set strict warning
$first = [1].map |$n| {
  $n + 1
};
:facts
$second = $first
"""


def test_breakpoints_in_a_cell_with_commands(debugging: Debugging) -> None:
    path = debugging.dump(PARTS)
    placed = debugging.stop_at(path, 2, 4, 6)
    assert [(each["line"], each["verified"]) for each in placed] == [
        (3, True),
        (4, True),
        (7, True),
    ]
    debugging.start(PARTS)
    for place in (("main", 3), ("lambda", 4), ("main", 7)):
        assert debugging.next_place() == place
        assert debugging.frames()[0]["source"]["path"] == path
        debugging.ask("continue")
    assert debugging.end()["status"] == "ok"


def test_steps_go_from_one_part_of_a_cell_to_the_next(debugging: Debugging) -> None:
    code = "$a = [1].map |$n| {\n  $n + 1\n}\n:type $a\n# then\n$b = 2\n:type $b\n$c = 3"
    path = debugging.dump(code)
    debugging.stop_at(path, 1)
    debugging.start(code)
    assert debugging.next_place() == ("main", 1)
    debugging.ask("next")
    assert debugging.next_place() == ("main", 6)
    # Also without anything else to stop at.
    debugging.stop_at(path)
    debugging.ask("stepIn")
    assert debugging.next_place() == ("main", 8)
    debugging.ask("next")
    assert debugging.end()["status"] == "ok"
    # A function is left for the part below its caller; nothing is left over for the next cell.
    debugging.stop_at(path, 2, 8)
    debugging.start(code)
    assert debugging.next_place() == ("lambda", 2)
    debugging.ask("stepOut")
    assert debugging.next_place() == ("main", 6)
    debugging.ask("continue")
    assert debugging.next_place() == ("main", 8)
    debugging.ask("next")
    assert debugging.end()["status"] == "ok"
    assert debugging.run("$d = 4\n:type $d")[0]["status"] == "ok"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (":vars", "there is no code"),
        ("$x = ", "Syntax error"),
        ("# nothing", "there is no code to stop at"),
    ],
)
def test_a_breakpoint_that_cannot_be_set_says_why(
    debugging: Debugging, code: str, told: str
) -> None:
    placed = debugging.stop_at(debugging.dump(code), 1)
    assert placed[0]["verified"] is False and placed[0]["line"] == 1
    assert placed[0]["message"].startswith(told)


def test_functions_of_cells_from_before_the_debugger(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    code = ":set strict warning\nfunction earlier($x) {\n  $x + 1\n}"
    talk = Debugging(*started)
    talk.run(code)
    talk.attach()
    path = talk.dump(code)
    talk.stop_at(path, 3)
    talk.start("earlier(41)")
    assert talk.next_place() == ("function earlier", 3)
    assert talk.frames()[0]["source"]["path"] == path
    talk.body("disconnect")
    assert talk.end()["status"] == "ok"
    talk.forget_published()


@pytest.mark.parametrize("has_breakpoint", [True, False])
def test_a_cell_can_be_paused(debugging: Debugging, has_breakpoint: bool) -> None:
    """A cell without a breakpoint is not traced before; that of the other is not reached."""
    code = f"if false {{\n  notice('never')\n}}\n{ENDLESS}"
    if has_breakpoint:
        debugging.stop_at(debugging.dump(code), 2)
    debugging.start(code)
    place = ""
    for _ in range(100):
        if not debugging.ask("pause")["success"]:
            time.sleep(0.1)
            continue
        place = debugging.next_place()[0]
        if place != "main":
            break
        debugging.ask("continue")  # the cell had only begun
    assert place == "lambda"
    assert debugging.evaluate("$i > 0") == "true"
    debugging.body("disconnect")
    debugging.interrupt()
    assert debugging.end()["ename"] == "Interrupted"


def test_time_at_a_breakpoint_is_not_that_of_the_cell(debugging: Debugging) -> None:
    code = "$waited = 1\n$waited + 1"
    debugging.stop_at(debugging.dump(code), 2)
    debugging.run(":set max_seconds 2")
    debugging.start(code)
    debugging.wait_for_stop()
    time.sleep(2.5)
    assert debugging.evaluate("$waited + 40") == "41"
    debugging.ask("continue")
    assert debugging.end()["status"] == "ok"
    debugging.body("disconnect")
    assert debugging.run(ENDLESS)[0]["evalue"].startswith("Time limit exceeded")
    debugging.run(":set max_seconds none")


def test_break_in_code_stops_while_the_debugger_is_on(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    code = "function halted($x) {\n  debug::break()\n  $x + 1\n}\nhalted(41)"
    talk = Debugging(*started)
    _, outputs = talk.run(code)
    [warning] = [each["content"]["text"] for each in outputs if each["msg_type"] == "stream"]
    assert warning.startswith("Warning: debug::break() has not stopped the code")
    talk.attach()
    talk.start(code)
    assert talk.next_place() == ("function halted", 2)
    assert talk.evaluate("$x") == "41"
    assert talk.evaluate("halted(1)") == "2", "nothing stops in expressions"
    # There is no breakpoint, and steps work all the same.
    talk.ask("next")
    assert talk.next_place() == ("function halted", 3)
    talk.ask("continue")
    assert talk.end()["status"] == "ok"
    talk.detach()


def test_the_frames_of_an_error_without_the_debugger(
    started: tuple[KernelManager, BlockingKernelClient],
) -> None:
    talk = Debugging(*started)
    assert talk.run("[4].each |$n| {\n  $z = $n / 0\n}")[0]["status"] == "error"
    reply, outputs = talk.run(":where\n:frame $n + 1\n:break f")
    shown = [each["content"]["data"]["text/plain"] for each in outputs if "data" in each["content"]]
    assert "lambda" in shown[0] and shown[1] == "5"
    assert reply["evalue"].startswith("Error: code cannot be stopped here")
    talk.run("1")
    assert "no code is stopped" in talk.run(":where")[0]["evalue"]
