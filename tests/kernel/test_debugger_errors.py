"""Stopping at errors: where they are raised, and where they end the cell."""

from __future__ import annotations

import pytest

from tests.kernel.debugging import Debugging

FAILING = """function quotient($a, $b) {
  $checked = 'yes'
  $a / $b
}
[1, 0].each |$n| {
  quotient(4, $n)
}
"""


def stop_at_errors(debugging: Debugging, *filters: str) -> None:
    placed = debugging.body("setExceptionBreakpoints", filters=list(filters))["breakpoints"]
    assert [each["verified"] for each in placed] == [True] * len(filters)


@pytest.mark.parametrize(("filter_", "mode"), [("raised", "always"), ("uncaught", "unhandled")])
def test_a_cell_stops_at_an_error(debugging: Debugging, filter_: str, mode: str) -> None:
    stop_at_errors(debugging, filter_)
    debugging.start(FAILING)
    body = debugging.wait_for_stop()
    message = "Evaluation Error: Division by 0"
    assert body["reason"] == "exception"
    assert body["text"].startswith(message) and "line: 3, column: 8" in body["text"]
    assert debugging.places() == [("function quotient", 3), ("lambda", 6), ("main", 5)]
    told = debugging.body("exceptionInfo", threadId=1)
    assert told["description"] == body["text"]
    assert told["breakMode"] == mode
    assert "$a / $b" in told["details"]["stackTrace"]
    variables = debugging.local_variables()
    assert variables.pop("(error)") == body["text"]
    assert variables == {"a": "4", "b": "0", "checked": "'yes'"}
    assert debugging.local_variables(1) == {"n": "0"}
    assert debugging.evaluate("$a + $b") == "4"
    assert debugging.evaluate("$n", 1) == "0"
    debugging.ask("continue")
    # Once for each error, not at every frame that it leaves.
    assert debugging.end()["evalue"].startswith(message)


def test_jumps_are_no_errors(debugging: Debugging) -> None:
    stop_at_errors(debugging, "raised", "uncaught")
    debugging.start("$seen = [1, 2].map |$n| {\n  if $n == 2 { next(7) }\n  $n\n}\n$seen")
    assert debugging.end()["status"] == "ok"
    debugging.start("$first = [1, 2].each |$n| {\n  if $n == 2 { break() }\n}\n$first")
    assert debugging.end()["status"] == "ok"


def test_who_calls_wrongly_is_stopped_where_it_calls(debugging: Debugging) -> None:
    code = "function whole(Integer $n) {\n  $n\n}\n$text = 'x'\nwhole($text)"
    stop_at_errors(debugging, "raised")
    debugging.start(code)
    body = debugging.wait_for_stop()
    assert "parameter 'n' expects an Integer value, got String" in body["text"]
    assert debugging.places() == [("main", 5)]
    debugging.ask("continue")
    assert debugging.end()["status"] == "error"


def test_endless_recursion_is_stopped_at(debugging: Debugging) -> None:
    stop_at_errors(debugging, "raised", "uncaught")
    debugging.start("function deeper($n) {\n  deeper($n + 1)\n}\ndeeper(0)")
    assert "stack level too deep" in debugging.wait_for_stop()["text"]
    assert debugging.places()[0] == ("function deeper", 2)
    debugging.ask("continue")
    assert "stack level too deep" in debugging.end()["evalue"]
    assert debugging.body("debugInfo")["stoppedThreads"] == []
    # The next cell is traced again.
    debugging.start(FAILING)
    debugging.wait_for_stop()
    debugging.ask("continue")
    assert debugging.end()["status"] == "error"


def test_errors_are_passed_when_nobody_wants_them(debugging: Debugging) -> None:
    stop_at_errors(debugging)
    debugging.start(FAILING)
    assert debugging.end()["status"] == "error"
    placed = debugging.body("setExceptionBreakpoints", filters=["nonsense"])["breakpoints"]
    assert placed == [{"verified": False}]


def test_an_interrupt_at_an_error_ends_the_cell(debugging: Debugging) -> None:
    stop_at_errors(debugging, "raised")
    debugging.start(FAILING)
    debugging.wait_for_stop()
    debugging.interrupt()
    assert debugging.end()["ename"] == "Interrupted"
