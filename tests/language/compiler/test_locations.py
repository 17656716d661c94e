"""Where errors are reported, and the calls on the way to them."""

from __future__ import annotations

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.session import Session


def error_of(session: Session, text: str, name: str | None = None) -> PuppetError:
    error = session.execute(text, name).error
    assert error is not None
    return error


def test_position_counts_characters_not_bytes(session: Session) -> None:
    error = error_of(session, "notice('äöü€𝄞') + $nosuch")
    assert (error.line, error.column) == (1, 19)


def test_position_beyond_column_255(session: Session) -> None:
    error = error_of(session, " " * 3000 + "$nosuch")
    assert (error.line, error.column) == (1, 3001)


def test_position_in_a_long_program(session: Session) -> None:
    text = "".join(f"$v{i} = {i}\n" for i in range(2000)) + "\n\n  1 + undef\n"
    error = error_of(session, text)
    assert (error.line, error.column) == (2003, 7)


@pytest.mark.parametrize(
    ("text", "line", "column", "blamed"),
    [
        ("1 + 'x'", 1, 5, "'x'"),
        ("'x' + 1", 1, 1, "'x'"),
        ("(1 +\n  2 / 0)", 2, 7, "0"),
        ("[1, 2][1.5]", 1, 8, "1.5"),
        ("9223372036854775807 + 1", 1, 21, "9223372036854775807 + 1"),
        ("1 ? { 2 => 3 }", 1, 1, "1"),
        ("fail('x')", 1, 1, "fail('x')"),
        ("1.nosuch()", 1, 9, "1.nosuch()"),
        ("[1].map |$x| {\n  $x + 'a'\n}", 2, 8, "'a'"),
        ("function f($x) {\n  $x + 1\n}\nf('a')", 2, 3, "$x"),
        ("function f(Integer $x) { $x }\n\nf('a')", 3, 1, "f('a')"),
        ("with(1) |$x, $y| { }", 1, 14, "$y"),
        ("$x = {a => $nosuch}", 1, 12, "$nosuch"),
        ('"a ${1 + undef}"', 1, 10, "undef"),
    ],
)
def test_place_and_extent(session: Session, text: str, line: int, column: int, blamed: str) -> None:
    error = error_of(session, text)
    assert (error.line, error.column) == (line, column)
    if error.end is not None:
        assert text[: error.end].endswith(blamed)


def test_frames_are_the_calls_on_the_way_innermost_first(session: Session) -> None:
    text = (
        "function low($x) {\n  fail('deep')\n}\n"
        "function high($x) {\n  [1].each |$y| { low($y) }\n}\n"
        "high(1)\n"
    )
    error = error_of(session, text, "site.pp")
    assert [(frame.name, frame.file, frame.line) for frame in error.frames] == [
        ("function low", "site.pp", 2),
        ("lambda", "site.pp", 5),
        ("function high", "site.pp", 5),
        ("main", "site.pp", 7),
    ]


def test_frames_cross_inputs(session: Session) -> None:
    assert session.execute("function f($x) { $x + 1 }", "first.pp").error is None
    error = error_of(session, "\nf('a')", "second.pp")
    assert error.file == "first.pp"
    assert [(frame.file, frame.line) for frame in error.frames] == [
        ("first.pp", 1),
        ("second.pp", 2),
    ]


def test_a_signal_that_nobody_catches_has_a_line(session: Session) -> None:
    error = error_of(session, "\n\nreturn(1)")
    assert error.message == "return() from context where this is illegal"
    assert error.line == 3


def test_message_names_the_innermost_node(session: Session) -> None:
    error = error_of(session, "$x = [1, fail('x')]")
    assert error.message == "Evaluation Error: Error while evaluating a Function Call, x"
    error = error_of(session, "{} + 1")
    assert error.message == (
        "Evaluation Error: Error while evaluating a '+' expression, "
        "Can only append Array or Hash to a Hash"
    )


def test_frames_of_bodies_and_of_functions_called_from_them(session: Session) -> None:
    text = "class a { include b }\nclass b {\n  f('x') }\nfunction f($t) { fail($t) }\ninclude a\n"
    error = error_of(session, text, "site.pp")
    assert [(frame.name, frame.line) for frame in error.frames] == [
        ("function f", 4),
        ("class b", 3),
        ("class a", 1),
        ("main", 5),
    ]


def test_wrong_arguments_are_the_callers_fault_in_every_scope(session: Session) -> None:
    text = "function f(Integer $x) { $x }\nclass a {\n  f('a')\n}\ninclude a"
    error = error_of(session, text)
    assert (error.line, error.column) == (3, 3)
