"""``:check``: which statements are conditions, what is found, and that the session stays."""

from __future__ import annotations

import pytest

from puppet_repl.commands import run
from puppet_repl.frontend.host import Host
from puppet_repl.render.fragments import plain
from puppet_repl.render.report import render_report
from puppet_repl.session import Session


@pytest.fixture
def host() -> Host:
    return Host(session=Session())


def checked(host: Host, code: str) -> tuple[list[tuple[str, str, str]], list[str], bool]:
    """Return the rows of the table, the lines below it, and whether the command failed."""
    report = run(host.session, f":check {code}", host)
    lines = plain(render_report(report, 200)).split("\n")
    rows = []
    if lines[0].startswith("Holds"):
        starts = [lines[0].index(word) for word in ("Holds", "Condition", "Found")]
        while len(lines) > 1 and lines[1][:3] in ("yes", "no "):
            line = lines.pop(1)
            cuts = zip(starts, [*starts[1:], None], strict=True)
            holds, condition, found = (line[first:last].strip() for first, last in cuts)
            rows.append((holds, condition, found))
        lines.pop(0)
    return rows, lines, report.failed


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("[1, 2].length == 3", "2"),
        ("80 > 80 or 1 == 2", "1"),
        ("1 == 1 and 'a' == 'b'", "'a'"),
        ("![]", "false"),
        ("undef", "undef"),
        ("'web' in ['db', 'mail']", "['db', 'mail']"),
        ("'web01' =~ /^db/", "'web01'"),
        ("'web01' !~ /^web/", "'web01'"),
        ("5 =~ String", "expects a String value, got Integer"),
        (
            "[1, true] =~ Array[String]",
            "index 0 expects a String value, got Integer; "
            "index 1 expects a String value, got Boolean",
        ),
        ("$nowhere == 1", "Evaluation Error: Unknown variable: 'nowhere'."),
        ("defined(File['/x'])", "false"),
        ("if true { false }", "false"),
        ("case 1 { 1: { undef } default: { 2 } }", "undef"),
    ],
)
def test_what_does_not_hold_has_what_was_found(host: Host, condition: str, found: str) -> None:
    rows, lines, failed = checked(host, condition)
    assert rows == [("no", condition, found)]
    assert lines == ["Error: 1 of 1 condition does not hold"]
    assert failed


def test_each_condition_has_a_row(host: Host) -> None:
    rows, lines, failed = checked(host, "1 < 2\n'a' == 'A'; 2 < 1; 3 =~ Integer[4]; '' == ''")
    assert [row[:2] for row in rows] == [
        ("yes", "1 < 2"),
        ("yes", "'a' == 'A'"),
        ("no", "2 < 1"),
        ("no", "3 =~ Integer[4]"),
        ("yes", "'' == ''"),
    ]
    assert (lines, failed) == (["Error: 2 of 5 conditions do not hold"], True)
    assert checked(host, "true\n1\n''")[1:] == (["all 3 conditions hold"], False)
    assert checked(host, "true")[1:] == (["the condition holds"], False)


def test_what_stands_above_prepares_the_conditions(host: Host) -> None:
    host.session.execute("class motd($text) { file { '/etc/motd': content => $text } }")
    code = (
        "class { 'motd': text => 'hello' }\n"
        "function twice($x) { $x * 2 }\n"
        "type Small = Integer[0, 9]\n"
        "$two = twice(1)\n"
        "tag('t')\n"
        "File['/etc/motd']['content'] == 'hello'\n"
        "$two =~ Small\n"
    )
    rows, _lines, failed = checked(host, code)
    assert [row[0] for row in rows] == ["yes", "yes"]
    assert not failed


def test_the_session_stays(host: Host) -> None:
    host.session.execute("notify { 'before': }\n$a = 1")
    code = "$b = 2\nnotify { 'within': }\ndefined(Notify['within'])\n$a + $b == 3\n$b == 3"
    for _ in range(2):
        assert [row[0] for row in checked(host, code)[0]] == ["yes", "yes", "no"]
    outcome = host.session.execute("[defined('$b'), defined(Notify['within']), $a, $_]")
    assert host.session.describe(outcome.value)["str"] == "[false, false, 1, 1]"


def test_heredocs_stand_below_their_conditions(host: Host) -> None:
    code = "\"x\\n\" == @(A) and @(B) == 'nothing'\n  x\n  | A\n  y\n  | B\ntrue"
    rows, _lines, _failed = checked(host, code)
    assert [(row[0], row[2]) for row in rows] == [("no", '"y\\n"'), ("yes", "")]


def test_what_cannot_be_prepared_is_an_error_with_its_place(host: Host) -> None:
    rows, lines, failed = checked(host, "true\n  fail('not here')\nfalse")
    assert [row[0] for row in rows] == ["yes"]
    assert "not here (line: 2, column: 3)" in lines[0]
    assert failed
    assert "Syntax error" in checked(host, "1 == (")[1][0]


@pytest.mark.parametrize("code", ["", "$a = 1", "notify { 'x': }"])
def test_without_a_condition_there_is_nothing_to_check(host: Host, code: str) -> None:
    rows, lines, failed = checked(host, code)
    assert (rows, failed) == ([], True)
    assert lines[0] in ("Error: nothing to check", "Error: which code?")


def test_warnings_of_what_prepares_are_those_of_the_session(host: Host) -> None:
    logs: list[tuple[str, str]] = []
    host.session.log = lambda level, text: logs.append((level, text))
    checked(host, "notice('prepared')\ntrue")
    assert logs == [("notice", "prepared")]
