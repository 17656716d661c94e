"""Expressions in the middle of an input: what they see, and that nothing of them stays."""

from __future__ import annotations

import signal
import sys
import threading

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.session import Outcome, Session
from puppet_repl.session.debugging.frames import puppet_frames

HERE = "notice('here')"


def outcome_of(code: str, expression: str, depth: int = 0) -> tuple[Outcome, Outcome, Session]:
    """Evaluate an expression whenever code says that it is here; return the last outcome.

    It is that of the expression, then come that of the code, and the session.
    """
    found: list[Outcome] = []

    def look(level: str, text: str) -> None:
        if text == "here":
            frame = puppet_frames(sys._getframe())[depth]
            found.append(session.expressions.compile(expression).evaluate(frame))

    session = Session(facts={"os": {"family": "RedHat"}}, log=look)
    outcome = session.execute(code, "cell 1")
    return found[-1], outcome, session


@pytest.mark.parametrize(
    ("code", "expression", "depth", "value"),
    [
        (f"$a = 1 {HERE}", "$a + 1", 0, 2),
        (f"function f($x) {{ $y = 2 {HERE} }} f(1)", "[$x, $y]", 0, (1, 2)),
        # A variable of the function that the lambda does not read.
        (f"function f($x) {{ [5].each |$i| {{ {HERE} }} }} f(1)", "[$x, $i]", 0, (1, 5)),
        # One of the lambda hides that of the function.
        (
            "function f($x) { [5].each |$i| { $z = $x + 1 notice($z) "
            + f"[6].each |$x| {{ {HERE} }} }} }} f(1)",
            "[$x, $z, $i]",
            0,
            (6, 2, 5),
        ),
        (f"class c($p = 3) {{ $q = 4 {HERE} }} include c", "[$p, $q, $title]", 0, (3, 4, "c")),
        (
            f"define d($p) {{ [1].each |$i| {{ {HERE} }} }} d {{ 't': p => 7 }}",
            '"${p}${i}${title}"',
            0,
            "71t",
        ),
        (f"if 'ab' =~ /a(b)/ {{ notice($1) {HERE} }}", '"$0$1"', 0, "abb"),
        (f"function f($x) {{ {HERE} }} $a = 8 f(1)", "$a", 1, 8),
        (HERE, "$facts['os']['family']", 0, "RedHat"),
        (f"$a = if true {{ $b = 2 {HERE} 3 }}", "$b", 0, 2),
    ],
)
def test_what_expressions_see(code: str, expression: str, depth: int, value: object) -> None:
    found, outcome, _ = outcome_of(code, expression, depth)
    assert outcome.error is None
    assert found.error is None and found.value == value


@pytest.mark.parametrize(
    ("code", "expression", "told"),
    [
        (f"function f($x) {{ {HERE} $later = 1 }} f(1)", "$later", "Unknown variable: 'later'"),
        (
            f"function f($x) {{ if $x == 2 {{ $m = 1 }} {HERE} $m }} f(1)",
            "$m",
            "Unknown variable: 'm'",
        ),
        (f"$a = 1 {HERE}", "$a + 'x'", "cannot be converted to Numeric"),
        (HERE, "break()", "break() from context where this is illegal"),
        (HERE, "fail('no')", "no"),
    ],
)
def test_errors_are_outcomes(code: str, expression: str, told: str) -> None:
    found, _, _ = outcome_of(code, expression)
    assert found.error is not None and told in str(found.error)


@pytest.mark.parametrize("expression", ["1 +", "class c { }", "function f() { 1 }", "type T = Any"])
def test_what_is_no_expression_is_refused(expression: str) -> None:
    session = Session(facts={})
    with pytest.raises(PuppetError):
        session.expressions.check(expression)
    with pytest.raises(PuppetError):
        session.expressions.compile(expression)


PROGRAM = f"""
@notify {{ 'virtual': }}
class other {{ notify {{ 'from other': }} }}
define pair($x) {{ notify {{ "${{title}} ${{x}}": }} }}
class main_one {{
  notify {{ 'first': }}
  pair {{ 'p': x => 1 }}
  {HERE}
  notify {{ 'second': require => Notify['first'] }}
  include other
}}
include main_one
"""


@pytest.mark.parametrize(
    "expression",
    [
        "$made = 1",
        "notify { 'added': }",
        "notify { 'second': }",
        "include other",
        "pair { 'q': x => 2 }",
        "Notify['first'] { message => 'changed' }",
        "Notify { message => 'default' }",
        "Notify <| |> { message => 'collected' }",
        "Notify['first'] -> Notify['second']",
        "realize(Notify['virtual'])",
        "tag('marked')",
        "notify { 'x': } fail('no')",
        "'abc' =~ /b/",
    ],
)
def test_nothing_of_an_expression_stays(expression: str) -> None:
    def contents(expression: str) -> tuple[object, ...]:
        _, outcome, session = outcome_of(PROGRAM, expression)
        assert outcome.error is None
        finished = session.finish_catalog(outcome)
        assert finished.error is None
        return finished.resources, finished.edges, session.names.variables(), outcome.logs

    assert contents(expression) == contents("1")


def test_an_input_that_was_looked_at_is_rolled_back_as_any_other() -> None:
    _, outcome, session = outcome_of(
        f"notify {{ 'a': }} {HERE} notify {{ 'b': }} fail('x')", "notify { 'c': }"
    )
    assert outcome.error is not None
    titles = session.execute("['a', 'b', 'c'].filter |$t| { defined(Notify[$t]) }").value
    assert titles == ()
    assert session.execute("notify { ['a', 'b', 'c']: }").error is None


def test_logs_are_those_of_the_expression() -> None:
    found, outcome, _ = outcome_of(HERE, "notice('inside') 5")
    assert found.logs == [("notice", "inside")] and found.value == 5
    assert outcome.logs == [("notice", "here")]


def test_an_interrupt_passes_and_nothing_stays() -> None:
    interrupts: list[KeyboardInterrupt] = []

    def look(level: str, text: str) -> None:
        endless = "notify { 'left': } Integer[1, 9223372036854775807].each |$i| { $i }"
        expression = session.expressions.compile(endless)
        timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
        timer.start()
        try:
            expression.evaluate(puppet_frames(sys._getframe())[0])
        except KeyboardInterrupt as stop:
            interrupts.append(stop)
        timer.join()

    session = Session(facts={}, log=look)
    assert session.execute(f"notify {{ 'kept': }} {HERE}").error is None
    assert len(interrupts) == 1
    assert session.execute("defined(Notify['left'])").value is False
    assert session.execute("defined(Notify['kept'])").value is True
