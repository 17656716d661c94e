"""Programs that are piped in and have commands among their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.cli import program
from puppet_repl.frontend.entries import split_commands
from puppet_repl.frontend.host import Host
from puppet_repl.session import Options, Session
from tests.test_cli import run

SPLIT = [
    (":facts\n$x\n", [":facts", "\n$x\n"]),
    ("$x = 1\n:vars\n\n$x", ["$x = 1", ":vars", "\n\n\n$x"]),
    (":vars\n:facts\n%types", [":vars", ":facts", "%types"]),
    ("\n:vars\n", [":vars"]),
    (":type {\n  1 => 2\n}\n$x", [":type {\n  1 => 2\n}", "\n\n\n$x"]),
    (":vars {\n1", [":vars {", "\n1"]),
    ("$x = 'a\n:vars\n'\n:vars", ["$x = 'a\n:vars\n'", ":vars"]),
    ("@(END)\n:vars\n| END\n:vars", ["@(END)\n:vars\n| END", ":vars"]),
    ("notify { 'a'\n: message => 'b' }", ["notify { 'a'\n: message => 'b' }"]),
    ("notify { 'a'\n:message => 'b' }", ["notify { 'a'\n:message => 'b' }"]),
    ("$x = 7\n%size('a')\n::f()", ["$x = 7\n%size('a')\n::f()"]),
    ("$x = [\n:vars", ["$x = [\n:vars"]),
    ("$x = 7\n%vars\n%nothing", ["$x = 7", "%vars", "%nothing"]),
    ("$x = 7\n%nothing\n%time(1)", ["$x = 7\n%nothing\n%time(1)"]),
    (":doc split", [":doc split"]),
    ("\n", ["\n"]),
    ("", [""]),
]


@pytest.mark.parametrize(("text", "inputs"), SPLIT)
def test_a_command_ends_with_its_line(text: str, inputs: list[str]) -> None:
    assert split_commands(Session(facts={}), text) == inputs


RUN = [
    (":facts a\n$facts['a'] + 1\n", 0, "2\n3\n", ""),
    ("$x = 5\n:type $x\n$x + 1", 0, "5\nInteger[5, 5]\n6\n", ""),
    ("1\n:quit\n$nix", 0, "1\n", ""),
    ("1\n:nix\n2", 1, "1\n", "Error: there is no command :nix\n  hint: :help lists all commands\n"),
    (
        ":type 1\n$x = 2\n\n$x + $nix\n:type 3",
        1,
        "Integer[1, 1]\n",
        "Error: Evaluation Error: Unknown variable: 'nix'. (line: 4, column: 6)\n"
        "  4 | $x + $nix\n    |      ^^^^\n",
    ),
]


@pytest.mark.parametrize(("text", "status", "out", "err"), RUN)
def test_inputs_are_run_in_turn(
    text: str,
    status: int,
    out: str,
    err: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert program.run_program(text, None, Host(facts={"a": 2}), piped=True) == status
    assert capsys.readouterr() == (out, err)


def test_commands_see_a_site_that_failed_and_code_does_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("fail('site')")
    host = Host(Options(environment=str(tmp_path)), facts={})
    assert program.run_program(":type 1\n2\n:type 3", None, host, piped=True) == 1
    out, err = capsys.readouterr()
    assert out == "Integer[1, 1]\n"
    assert len(err.splitlines()) == 3


def test_the_command_of_an_option_has_all_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.run_program(":type\n1", None, Host(facts={})) == 0
    assert capsys.readouterr().out == "Integer[1, 1]\n"


def test_a_pipe() -> None:
    given = b":type 1\n'x'\n"
    for arguments in ((), ("--plain",), ("-",)):
        assert run(*arguments, given=given) == (0, "Integer[1, 1]\n'x'\n", "")
