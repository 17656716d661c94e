"""What the compiler evaluates before a program runs may never raise."""

from __future__ import annotations

import pytest

from puppet_repl.language.types.making import access
from puppet_repl.language.types.model.scalar import IntegerType
from puppet_repl.session import Session

RAISED = (
    ZeroDivisionError("division"),
    OverflowError("too large"),
    RecursionError("deep"),
    MemoryError(),
    AttributeError("none"),
)
REACHED_LATER = (
    "if false { {types} }",
    "if false { 1 =~ {types} }",
    "if false { case 1 { {types}: { 1 } default: { 2 } } }",
    "function f({types} $x) >> {types} { $x }",
    "if false { with(1) |{types} $x| { $x } }",
)
# Types that were once evaluated are kept: no other test may use this one.
UNKNOWN_YET = "Array[Integer[1, 20411]]"
EVALUATED = ("class c({types} $x = 1) { }", "define d({types} $x) { }", "\n[{types}]")


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("code", REACHED_LATER)
def test_errors_wait_until_the_expression_is_reached(
    code: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    session = Session()
    monkeypatch.setattr(access, "access", fail)
    outcome = session.execute(code.replace("{types}", UNKNOWN_YET))
    assert outcome.error is None


@pytest.mark.parametrize("code", EVALUATED)
def test_errors_have_the_location_of_the_expression(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("division")

    session = Session()
    monkeypatch.setattr(access, "access", fail)
    error = session.execute(code.replace("{types}", UNKNOWN_YET)).error
    assert error is not None
    assert error.line == code.count("\n", 0, code.index("{")) + 1
    assert "internal error: ZeroDivisionError" in error.message


def test_a_predicate_that_cannot_be_made_is_an_error_of_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("division")

    session = Session()
    monkeypatch.setattr(IntegerType, "_compile", fail)
    assert session.execute("if false { 1 =~ Integer[77, 78] }").error is None
    error = session.execute("\n 1 =~ Integer[77, 78]").error
    assert error is not None
    assert error.line == 2


def test_a_defect_of_the_compiler_ends_the_input_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division")

    session = Session()
    with monkeypatch.context() as patched:
        patched.setattr("puppet_repl.language.compiler.program.emit_body", fail)
        error = session.execute("1").error
    assert error is not None
    assert error.message == "Evaluation Error: internal error: ZeroDivisionError: division"
    assert session.execute("2").value == 2
