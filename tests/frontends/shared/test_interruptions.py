"""What is told of an input that was stopped: where it was, and by what calls it came there."""

from __future__ import annotations

import pytest

from puppet_repl.base.errors import NO_TIME, Interruption, TimeLimitExceeded
from puppet_repl.frontends.shared.results import stop_error
from puppet_repl.session import Session
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain


def stopped_by_log(code: str) -> str:
    """Run a program that is stopped at its first message; return what is told."""

    def log(*_: object) -> None:
        raise KeyboardInterrupt

    session = Session(facts={})
    session.log = log
    with pytest.raises(KeyboardInterrupt) as caught:
        session.execute(code, "site.pp")
    return plain(render_error(stop_error(caught.value)))


def test_the_innermost_code_is_told_with_the_calls_on_the_way() -> None:
    code = (
        "function work($x) {\n  [$x].each |$y| {\n    notice($y)\n  }\n}\n\n"
        "$list = [1, 2]\n$list.map |$x| { work($x) }"
    )
    assert stopped_by_log(code).split("\n") == [
        "Interrupted. (file: site.pp, line: 3, column: 5)",
        "  3 |     notice($y)",
        "    |     ^^^^^^^^^^",
        "  from lambda at site.pp:3:5",
        "  from function work at site.pp:2:7",
        "  from lambda at site.pp:8:18",
        "  from main at site.pp:8:6",
    ]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("class a {\n  notice('x')\n}\ninclude a", 2),
        ("define d() {\n\n  notice('x')\n}\nd { 'one': }", 3),
        ("\ninline_epp('<% notice(1) %>')", 1),
        ("notify { 'a': }\nNotify <| |> {\n  message => notice('x') }", 3),
    ],
)
def test_bodies_that_run_later_are_found_too(code: str, line: int) -> None:
    assert f"line: {line}," in stopped_by_log(code)


def test_the_state_is_rolled_back() -> None:
    session = Session(facts={})

    def log(*_: object) -> None:
        raise KeyboardInterrupt

    session.log = log
    with pytest.raises(KeyboardInterrupt):
        session.execute("$x = 1\nnotice(1)")
    session.log = None
    assert session.names.variables() == {}
    assert session.count == 0


def test_where_no_code_ran_there_is_no_location() -> None:
    error = stop_error(KeyboardInterrupt())
    assert isinstance(error, Interruption)
    assert plain(render_error(error)) == "Interrupted."


def test_a_time_limit_outside_of_an_input_is_an_error() -> None:
    error = stop_error(TimeLimitExceeded())
    assert (error.code, isinstance(error, Interruption)) == (NO_TIME, False)
    assert plain(render_error(error)) == "Error: Time limit exceeded (see --max-seconds)"
