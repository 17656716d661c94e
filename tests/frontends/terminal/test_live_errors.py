"""Syntax errors while typing: what Enter would refuse is underlined, and nothing else."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.live_errors import PAUSE, Checker, find_problem
from puppet_repl.session import Session
from tests.frontends.terminal.prompt import F5
from tests.frontends.terminal.terminal_screen import TerminalScreen

CTRL_U = "\x15"


def test_what_continues_an_entry_is_no_error_while_it_is_typed(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.run(":set complete_while_typing off\rif false { 1 }")
        for text in ("elsif true { 2 }", "else { 2 }", ".upcase", "-> File['/x']"):
            screen.type(text)
            screen.wait_for("]> " + text)
            screen.settle(3 * PAUSE)
            assert "Syntax error" not in screen.text, text
            # What is wrong in it is told all the same, and underlined where it stands.
            screen.type(" )")
            screen.wait_for("Syntax error at ')'")
            row = screen.row_of(text)
            assert _underlined(screen, row) == ")"
            screen.type(CTRL_U)
            screen.wait_gone("Syntax error")
        screen.type("else { 2 }\r")
        screen.wait_for("2  Integer")


def test_f5_tells_an_error_that_it_cannot_format(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.run(":set complete_while_typing off\r:set check_syntax off\r1")
        for text, message in (("$x={", "Syntax error at end of input"), ("1+)", "error at ')'")):
            screen.type(text)
            screen.wait_for("]> " + text)
            assert "Syntax error" not in screen.text
            screen.type(F5)
            screen.wait_for(message)
            assert _underlined(screen, screen.row_of(text)) == text[-1]
            screen.type(CTRL_U)
            screen.wait_gone("Syntax error")


def _underlined(screen: TerminalScreen, row: int) -> str:
    cells = screen.screen.buffer[row]
    return "".join(cells[column].data for column in sorted(cells) if cells[column].underscore)


@pytest.mark.parametrize(
    ("before", "text", "place"),
    [
        ("", "else { 1 }", (0, 0)),
        ("", "  )", (0, 2)),
        ("if true { 1 }", "else { ) }", (0, 7)),
        ("if true {\n  1 }", "else {\n  ) }", (1, 2)),
        ("if true { 1 }", "\n  else { ) }", (1, 9)),
        ("if true { 1 }", "\n  else {\n ) }", (2, 1)),
        ("if true { 1 }\n", "elsif true { 1 } )", (0, 17)),
        ("5", "else { 1 }", (0, 0)),  # alone it is an error, and Enter says so
        ("'a'", ".upcase )", (0, 8)),
        ("'a'", " .upcase )", (0, 9)),
        ("'a'", "\n .upcase\n)", (2, 0)),
        ("'a'", ".upcase", None),
        ("file { '/x': }", "-> file { '/y': }", None),
        ("if true { 1 }", "else {", None),
        ("if true { 1 }", "else { 1 }", None),
        ("if true { 1 }", ":else )", None),
    ],
)
def test_the_position_is_that_in_the_entry(
    before: str, text: str, place: tuple[int, int] | None
) -> None:
    session = Session()
    if before:
        session.execute(before)
    problem = find_problem(session, text)
    assert (problem and (problem.line, problem.start)) == place


def test_a_slow_check_does_not_replace_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    check = session.check
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow_for_the_first(text: str) -> object:
        if text == "1 )":
            begun.set()
            assert go_on.wait(10)
        try:
            return check(text)
        finally:
            if text == "1 )":
                ended.set()

    monkeypatch.setattr(session, "check", slow_for_the_first)
    found = threading.Event()
    checker = Checker(session, found.set)
    checker.look_at("1 )")
    assert begun.wait(10)
    slow = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    checker.look_at("12 )")
    assert found.wait(10)
    go_on.set()
    assert ended.wait(10)
    for each in slow:
        each.join(10)
    problem = checker.problem("12 )")
    assert problem is not None and problem.start == 3
    checker.forget()
    assert checker.problem("12 )") is None
