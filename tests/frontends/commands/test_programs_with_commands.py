"""Programs that are piped in and have commands among their lines."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from puppet_repl.frontends.cli import program
from puppet_repl.frontends.commands import is_command, parse_command
from puppet_repl.frontends.commands.entries import wants_more
from puppet_repl.frontends.commands.program_inputs import input_lines, split_commands
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.host import Host
from puppet_repl.language.syntax.completeness import Complete, Incomplete, Invalid
from puppet_repl.session import Options, Session
from tests.frontends.cli.test_cli import run
from tests.language.syntax.test_beginnings import LINES as CODE

SPLIT = [
    (":facts\n$x\n", [":facts", "\n$x\n"]),
    ("$x = 1\n:vars\n\n$x", ["$x = 1", ":vars", "\n\n\n$x"]),
    (":vars\n:facts\n%names", [":vars", ":facts", "%names"]),
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


BLANK = [
    (":n\n\n\n:s\n", [":n", "", "", ":s"]),
    (":n\n\n$x\n\n:s\n\n", [":n", "", "\n\n$x\n", ":s", ""]),
    ("\n\n:n\n  \n:s", [":n", "", ":s"]),
    ("\n\n", ["\n\n"]),
]


@pytest.mark.parametrize(("text", "inputs"), BLANK)
def test_empty_lines_behind_commands_are_kept_for_a_debugger(text: str, inputs: list[str]) -> None:
    assert split_commands(Session(facts={}), text, keep_blank=True) == inputs


COMMANDS = [
    *(":vars", ":time {", ":time [1,", "%time $x =", ":type @(END)", ":on debian-12 {", ":type 'a"),
    *(
        ":on debian-12 rocky-9 --",
        ":on * [",
        ":nothing {",
        ":save! f",
        "::f()",
        ":x => 1",
        "%time(",
    ),
    *(
        ": message",
        "  :vars",
        "else {",
        "elsif true {",
        "-> a",
        ".then |$x| {",
        ":time else {",
        ":",
    ),
    *(
        ":on",
        ":why $x ?",
        ":time if true",
        ":time class c",
        ":doc map",
        ':type "a ${',
        "%facts {",
        "each?",
    ),
]


def one_by_one(session: Session, lines: list[str]) -> list[tuple[int, int]]:
    """Return what ``input_lines`` should: every line is checked with all that is above it."""
    ranges = []
    start = 0
    for number in range(1, len(lines)):
        before = "\n".join(lines[start:number])
        line = lines[number]
        parsed = parse_command(line)
        begins = line.startswith(":") or (
            line.startswith("%")
            and parsed is not None
            and not parsed[1].startswith("(")
            and find_command(parsed[0]) is not None
        )
        if not (begins or is_command(lines[start])):
            continue
        if (is_command(line) or is_command(before)) and not wants_more(session, before):
            ranges.append((start, number))
            start = number
    return [*ranges, (start, len(lines))]


@pytest.mark.parametrize("seed", range(6))
def test_inputs_at_random_end_where_a_check_of_each_line_ends_them(seed: int) -> None:
    session = Session(facts={})
    session.execute("if false { 1 }")
    choose = random.Random(seed)
    for _ in range(100):
        pool = choose.choice([COMMANDS, COMMANDS + CODE, COMMANDS[:8] + CODE])
        lines = choose.choices(pool, k=choose.randrange(2, 40))
        assert input_lines(session, lines) == one_by_one(session, lines), "\n".join(lines)


class Counting(Session):
    """A session that counts the characters that it checks."""

    checked = 0

    def check(self, text: str) -> Complete | Incomplete | Invalid:
        self.checked += len(text)
        return super().check(text)


LONG = [
    (":time class big {", "file { '/tmp/%d': content => \"x ${y} %d\" }", "}"),
    (':time $x = @("END")', ":line %d of ${y}", "END"),
    ('$x = @("END")', ":line %d of ${y}", "| END"),
    (":time $x = {", 'k%d => [%d, "${y}"],', "}"),
    (":time 1 +", "%d +", "2"),
    ("$x = '", ":line %d", "'"),
    (":time [", "[1, %d],", "]"),
]


@pytest.mark.parametrize(("first", "line", "last"), LONG)
def test_a_long_input_is_not_checked_again_at_each_line(first: str, line: str, last: str) -> None:
    session = Counting(facts={})
    lines = [first, *(line.replace("%d", str(n)) for n in range(400)), last, ":vars"]
    assert input_lines(session, lines) == [(0, 402), (402, 403)]
    assert session.checked < 12 * len("\n".join(lines))


RUN = [
    (":facts a\n$facts['a'] + 1\n", 0, "2\n3\n", ""),
    ("$x = 5\n:type $x\n$x + 1", 0, "5\nInteger[5, 5]\n6\n", ""),
    ("1\n:quit\n$nix", 0, "1\n", ""),
    (
        "1\n:nix\n2",
        1,
        "1\n",
        "Error: there is no command :nix\n  hint: :help all lists the commands\n",
    ),
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
