"""Calls of built-in functions are bound to them for the length of an input."""

from __future__ import annotations

import pytest

from puppet_repl.session import Options, Session


@pytest.fixture
def session() -> Session:
    return Session(Options(stdlib="9"), facts={})


def test_a_definition_replaces_what_was_called(session: Session) -> None:
    code = "[1, 2].map |$each| { pick(undef, $each) }"
    assert session.execute(code).value == (1, 2)
    assert session.execute("function pick($nothing, $each) { $each * 10 }").error is None
    assert session.execute(code).value == (10, 20)
    assert session.forget("pick")
    assert session.execute(code).value == (1, 2)


def test_the_same_code_calls_what_is_there_then(session: Session) -> None:
    session.execute("function call($value) { pick($value, 'none') }")
    assert session.execute("[call('a'), call(undef)]").value == ("a", "none")
    session.execute('function pick($value, $other) { "${value} or ${other}" }')
    assert session.execute("[call('a'), call('b')]").value == ("a or none", "b or none")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("pick()", "pick(): must receive at least one non empty value"),
        ("round($each, 1)", "'round' expects 1 argument, got 2"),
        ("stdlib::ip_in_range($each)", "expects 2 arguments, got 1"),
    ],
)
def test_errors_are_puppets(session: Session, call: str, message: str) -> None:
    error = session.execute(f"[1, 2].each |$each| {{ {call} }}").error
    assert error is not None
    assert message in error.message
