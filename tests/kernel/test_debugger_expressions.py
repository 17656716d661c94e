"""Expressions in stopped cells: evaluated, as conditions, and in the messages of log points."""

from __future__ import annotations

from queue import Empty

import pytest

from tests.kernel.debugging import Debugging
from tests.kernel.messages import Message, printed

CODE = """function area($width, $height) {
  $found = $width * $height
  $found
}
class room($size = 3) {
  $inner = "size ${size}"
  notify { 'first': }
  [1, 2].each |$n| {
    $doubled = $n * 2
    notify { "n${n}": message => "is ${area($n, $doubled)}" }
  }
  if 'web01' =~ /(\\D+)(\\d+)/ {
    notice($1)
  }
}
$outside = 'top'
include room
$after = Notify['n2']['message']
"""


@pytest.fixture
def stopped(debugging: Debugging) -> Debugging:
    """A cell that is stopped in a lambda in a class."""
    debugging.stop_at(debugging.dump(CODE), 10)
    debugging.start(CODE)
    assert debugging.next_place() == ("lambda", 10)
    return debugging


def end(debugging: Debugging) -> Message:
    debugging.body("disconnect")
    return debugging.end()


def test_expressions_see_what_the_frame_sees(stopped: Debugging) -> None:
    assert stopped.evaluate("$n + $doubled") == "3"
    assert stopped.evaluate("area($doubled, 10)") == "20"
    assert stopped.evaluate('"${inner} in ${title}, ${outside}"') == "'size 3 in room, top'"
    assert stopped.evaluate("[$n, 2].map |$x| { $x * $size }") == "[3, 6]"
    assert stopped.evaluate("$room::size") == "3"
    assert stopped.evaluate("defined(Notify['first']) and !defined(Notify['n1'])") == "true"
    assert stopped.evaluate("$size", 1) == "3"
    assert "Unknown variable: 'n'" in stopped.is_refused("$n", 1)
    assert stopped.evaluate("$outside", 2) == "'top'"
    assert stopped.body("evaluate", expression="$outside")["result"] == "'top'"
    told = stopped.body("evaluate", expression="{a => [1]}", frameId=stopped.frames()[0]["id"])
    assert told["type"].startswith("Hash[")
    assert [row["name"] for row in stopped.unfold(told["variablesReference"])] == ["'a'"]
    assert end(stopped)["status"] == "ok"


def test_match_variables_are_seen(debugging: Debugging) -> None:
    debugging.stop_at(debugging.dump(CODE), 13)
    debugging.start(CODE)
    assert debugging.next_place() == ("class room", 13)
    assert debugging.evaluate('"$0-$1-$2"') == "'web01-web-01'"
    shown = debugging.local_variables()
    assert [shown[each] for each in "012"] == ["'web01'", "'web'", "'01'"]
    assert "module_name" not in shown and shown["inner"] == "'size 3'"
    assert end(debugging)["status"] == "ok"


CHANGES = (
    "$made = 5",
    "notify { 'from the console': }",
    "include other_room",
    "Notify['first'] { message => 'changed' }",
    "Notify { message => 'by default' }",
    "Notify <| |> { message => 'collected' }",
    "Notify['first'] -> Notify['later']",
    "realize(Notify['v'])",
    "tag('marked')",
    "notify { 'first': }",
    "fail('no')",
    "notify { 'twice': } notify { 'twice': }",
)


def test_expressions_leave_nothing_behind(debugging: Debugging) -> None:
    code = "class other_room { $made = 1 notify { 'other': } }\n@notify { 'v': }\n" + CODE
    debugging.run(":reset")
    debugging.run(code)
    resources = debugging.run(":catalog")[1]
    debugging.run(":reset")
    debugging.stop_at(debugging.dump(code), 12)
    debugging.start(code)
    for _ in range(2):
        assert debugging.next_place() == ("lambda", 12)
        for expression in CHANGES:
            debugging.ask("evaluate", expression=expression, frameId=debugging.frames()[0]["id"])
        assert "Unknown variable: 'made'" in debugging.is_refused("$made")
        assert debugging.evaluate("defined(Notify['from the console'])") == "false"
        assert debugging.evaluate("defined(Class['other_room'])") == "false"
        assert debugging.evaluate("Notify['first']['message']") == "undef"
        debugging.ask("continue")
    assert debugging.end()["status"] == "ok"
    after = debugging.run(":catalog")[1]
    assert [each["content"]["data"] for each in after] == [
        each["content"]["data"] for each in resources
    ]
    # The same holds for a cell that goes on to an error: all of it is rolled back.
    debugging.stop_at(debugging.dump("$gone = 1\nfail('x')"), 2)
    debugging.start("$gone = 1\nfail('x')")
    debugging.wait_for_stop()
    debugging.ask("evaluate", expression="notify { 'left': }", frameId=debugging.frames()[0]["id"])
    debugging.ask("continue")
    assert debugging.end()["status"] == "error"
    _, published = debugging.run("defined(Notify['left'])")
    assert published[0]["content"]["data"]["text/plain"] == "false"
    debugging.run(":reset")


def test_a_console_prints_errors_and_logs(stopped: Debugging) -> None:
    def console(expression: str) -> str:
        return stopped.evaluate(expression, context="repl")

    before = stopped.frames()
    assert console("notice('seen') $n") == "Notice: seen\n1"
    # JupyterLab asks for the variables of frames that are new; those that it knows still count.
    assert {frame["id"] for frame in before}.isdisjoint({each["id"] for each in stopped.frames()})
    assert stopped.body("scopes", frameId=before[0]["id"])
    told = console("$n + 'x'")
    assert "The value 'x' cannot be converted to Numeric" in told and "$n + 'x'" in told
    assert "Syntax error" in console("$n +")
    assert "Nothing can be defined here" in console("function f() { 1 }")
    assert console("$nobody").startswith("Error: Evaluation Error: Unknown variable: 'nobody'.")
    assert "Division by 0" in stopped.is_refused("1 / 0")
    assert end(stopped)["status"] == "ok"
    stopped.forget_published()


def test_an_expression_can_be_interrupted(stopped: Debugging) -> None:
    client = stopped.client
    endless = "Integer[1, 9223372036854775807].each |$i| { $i + 1 }"
    request = client.session.msg(
        "debug_request",
        {
            "type": "request",
            "seq": 1,
            "command": "evaluate",
            "arguments": {"expression": endless, "frameId": stopped.frames()[0]["id"]},
        },
    )
    client.control_channel.send(request)
    with pytest.raises(Empty):
        client.get_control_msg(timeout=1)
    stopped.interrupt()
    reply = client.get_control_msg(timeout=20)["content"]
    assert reply["success"] is False
    assert reply["message"] == "the expression was interrupted"
    # The cell still waits, also after the time at which an interrupt is repeated.
    stopped.forget_published()
    assert stopped.evaluate("$n") == "1"
    assert end(stopped)["status"] == "ok"


@pytest.mark.slow
def test_an_endless_expression_ends(stopped: Debugging) -> None:
    endless = "Integer[1, 9223372036854775807].each |$i| { $i + 1 }"
    assert stopped.is_refused(endless) == "the expression was stopped after 10 seconds"
    assert stopped.evaluate("$n") == "1"
    assert end(stopped)["status"] == "ok"


# Conditions

LOOP = """[1, 2, 3, 4, 5].each |$n| {
  $square = $n * $n
  notice($square)
}
"""


@pytest.mark.parametrize(
    ("asked", "stops"),
    [
        ({"condition": "$n > 3"}, ["4", "5"]),
        ({"condition": "$n in [2, 9] and $square == 4"}, ["2"]),
        ({"condition": "[$n].any |$x| { $x == 3 }"}, ["3"]),
        ({"condition": "'x'"}, ["1", "2", "3", "4", "5"]),
        ({"condition": "undef"}, []),
        ({"hitCondition": "2"}, ["2"]),
        ({"hitCondition": ">= 4"}, ["4", "5"]),
        ({"hitCondition": "% 2"}, ["2", "4"]),
        ({"condition": "$n > 1", "hitCondition": "== 2"}, ["3"]),
    ],
)
def test_conditions(debugging: Debugging, asked: Message, stops: list[str]) -> None:
    placed = debugging.stop_at(debugging.dump(LOOP), {"line": 3, **asked})
    assert placed[0]["verified"]
    debugging.start(LOOP)
    for wanted in stops:
        assert debugging.next_place() == ("lambda", 3)
        assert debugging.local_variables()["n"] == wanted
        debugging.ask("continue")
    assert debugging.end()["status"] == "ok"


def test_hits_are_counted_over_the_parts_of_a_cell(debugging: Debugging) -> None:
    code = (
        "function twice($n) {\n  2 * $n\n}\ntwice(1)\n:set strict warning\n"
        "twice(2)\ntwice(3)\n:vars\ntwice(4)"
    )
    debugging.stop_at(debugging.dump(code), {"line": 2, "hitCondition": "% 2"})
    for _ in range(2):  # each time from the start
        debugging.start(code)
        for wanted in ("2", "4"):
            assert debugging.next_place() == ("function twice", 2)
            assert debugging.local_variables()["n"] == wanted
            debugging.ask("continue")
        assert debugging.end()["status"] == "ok"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"condition": "$n >"}, "Syntax error"),
        ({"condition": "function f() { 1 }"}, "Nothing can be defined here"),
        ({"hitCondition": "often"}, "'often' is not a count"),
        ({"logMessage": "is {$n +}"}, "Syntax error"),
    ],
)
def test_a_condition_that_is_none_is_refused(
    debugging: Debugging, asked: Message, told: str
) -> None:
    placed = debugging.stop_at(debugging.dump(LOOP), {"line": 3, **asked})
    assert placed[0]["verified"] is False and placed[0]["message"].startswith(told)
    debugging.start(LOOP)
    assert debugging.end()["status"] == "ok"


def test_a_condition_that_fails_stops_and_tells(debugging: Debugging) -> None:
    debugging.stop_at(debugging.dump(LOOP), {"line": 3, "condition": "$n + 'x'"})
    debugging.start(LOOP)
    body = debugging.wait_for_stop()
    assert body["reason"] == "breakpoint"
    told = "the condition '$n + 'x'' of the breakpoint failed: "
    assert body["text"].startswith(told) and "cannot be converted to Numeric" in body["text"]
    debugging.stop_at(debugging.dump(LOOP))
    debugging.ask("continue")
    assert debugging.end()["status"] == "ok"


def test_log_points_print_and_go_on(debugging: Debugging) -> None:
    message = "n={$n} square={$square} {1 / 0}!"
    debugging.stop_at(debugging.dump(LOOP), {"line": 3, "logMessage": message})
    reply, published = debugging.run(LOOP)
    assert reply["status"] == "ok"
    lines = printed(published).splitlines()
    assert lines[0].startswith("n=1 square=1 (Evaluation Error: Division by 0")
    assert lines[0].endswith(")!")
    assert len([line for line in lines if line.startswith("n=")]) == 5
