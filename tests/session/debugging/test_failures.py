"""The frames of the last error: what they had, and how long they are kept."""

from __future__ import annotations

import gc

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.watch import Watch
from puppet_repl.host.host import Host
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import Session
from puppet_repl.session.debugging.stack import FailedStack, failed_stack
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

CODE = """class site($port) {
  $twice = $port * 2
  check($twice)
}
function check($n) {
  [$n].each |$each| {
    $found = $each / 0
  }
}"""


@pytest.fixture
def session() -> Session:
    session = Session(facts={"kernel": "Linux"})
    session.keep_failures()
    assert session.execute(CODE, "In[1]").error is None
    return session


def fail(session: Session, code: str) -> FailedStack:
    assert session.execute(code, "In[2]").error is not None
    stack = failed_stack(session)
    assert stack is not None
    return stack


def value(stack: FailedStack, text: str) -> object:
    outcome = stack.evaluate(text)
    return outcome.value if outcome.error is None else outcome.error.message


def test_frames_and_variables_are_as_they_were(session: Session) -> None:
    stack = fail(session, "$top = 'then'\nclass { 'site': port => 40 }")
    assert [(each.name, each.place) for each in stack.levels] == [
        ("lambda", "In[1]:7"),
        ("function check", "In[1]:6"),
        ("class site", "In[1]:3"),
        ("main", "In[2]:2"),
    ]
    assert (stack.variables(), value(stack, "$each + $n + 1")) == ({"each": 80}, 161)
    stack.select(2)
    assert stack.variables()["twice"] == 80
    assert value(stack, "[$port, $twice, $top, $facts['kernel']]") == (40, 80, "then", "Linux")
    stack.select(3)
    assert stack.variables()["top"] == "then"
    again = failed_stack(session)
    assert again is not None and again.selected == 3


def test_what_was_rolled_back_stays_so(session: Session) -> None:
    stack = fail(session, "$top = 'then'\ncheck(1)")
    assert value(stack, "$twice") == "Evaluation Error: Unknown variable: 'twice'."
    stack.select(2)
    assert value(stack, "notify { 'x': } $top2 = $top $top2") == "then"
    assert "Notify" not in {each.type for each in session.catalog.tables.members}
    outcome = session.execute("$top", record=False)
    assert outcome.error is not None


def test_an_expression_that_fails_leaves_the_frames(session: Session) -> None:
    stack = fail(session, "check(1)")
    assert value(stack, "check(2)") == "Evaluation Error: Division by 0"
    assert str(value(stack, "1 +")).startswith("Syntax error")
    again = failed_stack(session)
    assert again is not None
    assert value(again, "$each") == 1


def test_bodies_of_defined_types_and_templates(session: Session) -> None:
    stack = fail(session, "define d($w) {\n  $y = $w\n  fail($y)\n}\nd { 'one': w => 'x' }")
    assert [each.name for each in stack.levels] == ["define d"]
    assert value(stack, "$title") == "one"
    stack = fail(session, "$name1 = 'a'\ninline_epp('<%= $name1 / 2 %>')")
    assert [each.name for each in stack.levels][-1] == "main"


@pytest.mark.parametrize("code", ["1 +", "$x = 1 $x + 1", "fail("])
def test_what_does_not_run_has_no_frames(session: Session, code: str) -> None:
    fail(session, "check(1)")
    session.execute(code)
    assert failed_stack(session) is None


def test_they_are_kept_until_the_next_input_only() -> None:
    def kept() -> bool:
        gc.collect()
        return any(type(each) is PuppetHash and each.has("big") for each in gc.get_objects())

    session = Session(facts={})
    session.keep_failures()
    fail(session, "[1].each |$x| { $h = {'big' => [$x]} fail('x') }")
    assert kept()
    session.execute("1")
    assert not kept()


def test_commands_that_fail_leave_them(session: Session) -> None:
    stack = fail(session, "check(1)")
    frames = [(each.name, each.place) for each in stack.levels]
    host = Host(session=session)
    for command in (":type fail('q')", ":time --repeat 1 / 0", ":time fail('q')", ":type check(4)"):
        run(session, command, host)
        again = failed_stack(session)
        assert again is not None
        assert [(each.name, each.place) for each in again.levels] == frames
        assert again.variables() == {"each": 1}
    with Watch(session, "check(5)").running() as (outcome, _):
        assert outcome.error is not None
    again = failed_stack(session)
    assert again is not None and again.variables() == {"each": 1}


def test_nobody_keeps_them_unasked() -> None:
    session = Session(facts={})
    session.execute("1 / 0")
    assert session.expressions.failure is None


def test_calls_that_are_too_deep(session: Session) -> None:
    stack = fail(session, "function deep($x) { deep($x + 1) }\ndeep(0)")
    assert len(stack.levels) == 100
    x = stack.variables()["x"]
    assert isinstance(x, int) and x > 1000


def test_the_outermost_calls_are_kept_too(session: Session) -> None:
    """Of 502 calls some in the middle are left out, which is told."""
    stack = fail(
        session, "function down($n) { if $n == 0 { fail('no') } else { down($n - 1) } }\ndown(500)"
    )
    assert (len(stack.levels), stack.skipped) == (100, 402)
    assert [level.name for level in stack.levels[-2:]] == ["function down", "main"]
    shown = plain(render_report(run(session, ":where", Host(session=session)), 80)).splitlines()
    assert shown[1].split()[:2] == ["=>", "1-99"]
    assert shown[2].split()[:2] == ["100", "main"]
    assert shown[3] == "402 calls between 96 and 97 left out"
    stack.select(98)
    assert stack.variables() == {"n": 500}


def test_a_trace_counts_the_calls_that_it_leaves_out() -> None:
    down = "function down($n) { if $n == 0 { fail('no') } else { down($n - 1) } }"
    both = (
        "function one($n) { if $n == 0 { fail('no') } else { two($n - 1) } }\n"
        "function two($n) { one($n) }"
    )
    for code, end in (
        (f"{down}\ndown(500)", ["function down at input:1:54 (500 times)", "main at input:2:1"]),
        (f"{down}\ndown(1501)", ["function down at input:1:54 (1501 times)", "main at input:2:1"]),
        (f"{both}\none(300)", ["... 589 more calls", "main at input:3:1"]),
    ):
        error = Session(facts={}).execute(code).error
        assert error is not None
        rows = plain(render_error(error)).splitlines()[-2:]
        assert [row.strip().removeprefix("from ") for row in rows] == end
