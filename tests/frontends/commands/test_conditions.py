"""Which statements of ``:why`` and ``%%check`` are conditions, and what is found instead."""

from __future__ import annotations

import pytest

from puppet_repl.environment.facts.facts import load_facts
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.conditions import check_conditions
from puppet_repl.host.host import Host
from puppet_repl.session import Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.parts import CommandError, Complaint, Report
from puppet_repl.tools.reports.report import render_report


@pytest.fixture
def host() -> Host:
    return Host(session=Session())


def checked(host: Host, code: str) -> tuple[list[tuple[str, str, str]], list[str], bool]:
    """Return the rows of the table, the lines below it, and whether the command failed."""
    try:
        report = check_conditions(host.session, code)
    except CommandError as error:
        report = Report(Complaint(str(error), error.hint))
    lines = plain(render_report(report, 200)).split("\n")
    rows = []
    if lines[0].startswith("Holds"):
        words = ("Holds", "Condition", "Found")
        starts = [lines[0].index(word) for word in words if word in lines[0]]
        while len(lines) > 1 and lines[1][:3] in ("yes", "no "):
            line = lines.pop(1)
            cuts = zip(starts, [*starts[1:], None], strict=True)
            holds, condition, *found = (line[first:last].strip() for first, last in cuts)
            rows.append((holds, condition, "".join(found)))
        lines.pop(0)
    return rows, lines, report.failed


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("[1, 2].length == 3", "2"),
        ("80 > 80 or 1 == 2", "1"),
        ("1 == 1 and 'a' == 'b'", "'a'"),
        ("![]", "false"),
        ("undef", "expects a Boolean value, got Undef"),
        ("Notify['x']", "expects a Boolean value, got Type[Resource]"),
        ("a_word", "expects a Boolean value, got String"),
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
        (
            "notise('x') == undef",
            "Evaluation Error: Unknown function: 'notise'. (did you mean notice?)",
        ),
        ("defined(File['/x'])", "false"),
        ("(5 =~ String)", "expects a String value, got Integer"),
        ("true and 5 =~ String", "expects a String value, got Integer"),
        ("1 == 1 and 'a' in ['b']", "['b']"),
        ("($a = 5) and $a == 6", "5"),
        ("Sensitive('secret') == 'secret'", "Sensitive [value redacted]"),
    ],
)
def test_what_does_not_hold_has_what_was_found(host: Host, condition: str, found: str) -> None:
    rows, lines, failed = checked(host, condition)
    assert rows == [("no", condition, found)]
    assert lines == ["Error: the condition does not hold"]
    assert failed


def test_each_condition_has_a_row(host: Host) -> None:
    rows, lines, failed = checked(host, "1 < 2\n'a' == 'A'; 2 < 1; 3 =~ Integer[4]; '' == '';")
    assert [row[:2] for row in rows] == [
        ("yes", "1 < 2"),
        ("yes", "'a' == 'A'"),
        ("no", "2 < 1"),
        ("no", "3 =~ Integer[4]"),
        ("yes", "'' == ''"),
    ]
    assert (lines, failed) == (["Error: 2 of 5 conditions do not hold"], True)
    assert checked(host, "true\n1 < 2\n'a' == 'A'")[1:] == (["all 3 conditions hold"], False)
    assert checked(host, "true")[1:] == (["the condition holds"], False)


def test_nothing_was_found_instead_where_all_conditions_hold(host: Host) -> None:
    for code, headings in (
        ("1 < 2\n'a' == 'A'", ["Holds", "Condition"]),
        ("1 < 2\n1 == 2", ["Holds", "Condition", "Found"]),
    ):
        table = run(host.session, f":why {code}", host).parts[0]
        assert plain(render_report(Report(table), 80)).split("\n")[0].split() == headings


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("$ports == 1", "Unknown variable: 'ports'. (no cell has given it a value yet; run the "),
        ("1 =~ Clock", "Resource type not found: Clock (no cell has defined it yet; run the cell "),
        ("twice(1) == 2", "Unknown function: 'twice'. (no cell has defined it yet; run the cell "),
        ("$web::port == 1", "Unknown variable: 'web::port'."),
        ("forgetful() == 1", "Unknown variable: 'thing'."),
        (
            "$kept == 1 and $kep == 1",
            "Unknown variable: 'kep'. (no cell has given it a value yet; run the cell above first; "
            "did you mean $kept?)",
        ),
    ],
)
def test_a_cell_says_that_another_one_has_to_be_run(host: Host, condition: str, told: str) -> None:
    host.session.execute("$kept = 1\nfunction forgetful() { $thing }")
    report = check_conditions(host.session, condition, "cell 2", is_cell=True)
    shown = plain(render_report(report, 200))
    found = shown[shown.index("Evaluation Error: ") :].split("\n")[0]
    assert found.startswith(f"Evaluation Error: {told}")
    assert told[-1] == " " or found == f"Evaluation Error: {told}"


@pytest.mark.parametrize(
    ("condition", "guess"),
    [
        ("$sorted == 1", None),
        ("pages(1) == 1", None),
        ("packages('a') == 1", None),
        ("$trustde == 1", "did you mean $trusted?"),
        ("splti('a', 'b') == 1", "did you mean split?"),
        ("uppcase('a') == 'A'", "did you mean upcase?"),
    ],
)
def test_a_name_to_define_has_no_guess_that_is_far(
    host: Host, condition: str, guess: str | None
) -> None:
    report = check_conditions(host.session, condition, "cell 2", is_cell=True)
    shown = plain(render_report(report, 300))
    assert "run the cell above first" in shown
    assert ("did you mean" in shown) == (guess is not None)
    assert guess is None or guess in shown


def test_an_error_is_told_once(host: Host) -> None:
    rows, _, _ = checked(host, "$nix == 1\n$nix == 2\n1 == 2\n$nix == 3\n$nux == 1\n$nix == 1")
    found = [row[2] for row in rows]
    assert [found[1], found[2], found[3]] == ["as above", "1", "as above"]
    assert "'nix'" in found[0] and "'nux'" in found[4] and "'nix'" in found[5]


@pytest.mark.parametrize(
    "condition",
    ["$facts['os']['famly'] == 'Debian'", "1 == 1 and downcase($facts['os']['famly']) =~ String"],
)
def test_a_fact_that_is_misspelt_has_a_hint(host: Host, condition: str) -> None:
    host.session.use_facts(load_facts("debian-12"))
    report = run(host.session, f":why {condition}\n$facts['os']['famly'] == 'x'", host)
    hint = "there is no $facts['os']['famly'], did you mean $facts['os']['family']?"
    assert plain(render_report(report, 200)).count(hint) == 1
    report = run(host.session, ":why true; $facts['os']['family'] == 'x'", host)
    assert "there is no" not in plain(render_report(report, 200))


@pytest.mark.parametrize(
    ("preparation", "what"),
    [
        ("$a = twice(1)", "nothing named twice"),
        ("$a = [1].map |$x| { twice($x) }", "nothing named twice"),
        ("function f() { twice(1) }\n$a = f()", "nothing named twice"),
        ("class { 'cache': }", "nothing named cache"),
        ("my::site { 'x': }", "nothing named my::site"),
        ("$a = $all['value']", "nothing named $all"),
        ("$a = 1 =~ My::Type", "nothing named My::Type"),
        ("$a = File['/x']['mode']", "no File['/x']"),
    ],
)
def test_what_conditions_need_may_have_to_be_written_yet(
    host: Host, preparation: str, what: str
) -> None:
    code = f"{preparation}\n1 == 1\n2 == 3"
    report = check_conditions(host.session, code, "cell 2", is_cell=True)
    assert report.failed
    assert plain(render_report(report, 100)) == (
        "Holds    Condition\nnot yet  1 == 1\nnot yet  2 == 3\n"
        f"Error: {what} yet: write it in the cell above"
    )
    report = check_conditions(host.session, code, "cell 2")
    assert "yet" not in plain(render_report(report, 100))


@pytest.mark.parametrize(
    ("preparation", "told"),
    [
        ("$a = splti('a', 'b')", "hint: did you mean split?"),
        ("include stdlib", "hint: stdlib belongs to the module puppetlabs-stdlib"),
        # Not of a name that the cell needs: the error says where it is.
        ("$a = forgetful()", "from function forgetful at cell 1:1:24"),
        ("include own", "from class own at cell 1:2:13"),
        ("$a = 1 + 'a'", "The value 'a' cannot be converted to Numeric. (file: cell 2, line: 1"),
    ],
)
def test_other_errors_before_the_conditions_are_told(
    host: Host, preparation: str, told: str
) -> None:
    host.session.execute("function forgetful() { $thing }\nclass own { include other }", "cell 1")
    report = check_conditions(host.session, f"{preparation}\n1 == 1", "cell 2", is_cell=True)
    assert report.failed
    assert told in plain(render_report(report, 200))


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


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 < 2\n  fail('not here')\nfalse", "not here (line: 2, column: 3)"),
        ("1 == (", "Syntax error"),
        ("notify { 'd': }\n1 == 1\nnotify { 'd': }", "Duplicate declaration: Notify[d]"),
        ("$a = 1\n$a == 1\n$a = 2", "Cannot reassign variable '$a' (line: 3"),
        ("include one\ninclude two\n1 == 1", "Duplicate declaration: File[/x]"),
        (
            "notify { 'a': require => File['/none'] }\n1 == 1",
            "Could not find resource 'File[/none]'",
        ),
    ],
)
def test_what_puppet_refuses_cannot_be_checked(host: Host, code: str, message: str) -> None:
    host.session.execute(
        "class one { file { '/x': mode => '0600' } } class two { file { '/x': mode => '0644' } }"
    )
    rows, lines, failed = checked(host, code)
    assert (rows, failed) == ([], True)
    assert message in lines[0]


def test_definitions_may_stand_below(host: Host) -> None:
    code = "include late\ndouble(2) == 4\nclass late { notify { 'l': } }\ndefined(Notify['l'])\n"
    rows, _lines, failed = checked(host, f"{code}function double($x) {{ $x * 2 }}")
    assert ([row[0] for row in rows], failed) == (["yes", "yes"], False)


def test_statements_are_no_conditions(host: Host) -> None:
    code = (
        "$xs = ['a', 'b']\n$xs.each |$x| { notify { $x: } }\nif false { notify { 'c': } }\n"
        "create_resources('notify', { 'd' => {} })\nunless true { notify { 'e': } }\n"
        "case 1 { default: { notify { 'f': } } }\n"
        "node default { }\n[defined(Notify['b']), defined(Notify['d'])] == [true, true]"
    )
    rows, _lines, failed = checked(host, code)
    assert ([row[0] for row in rows], failed) == (["yes"], False)


def test_each_operand_is_evaluated_once(host: Host) -> None:
    host.session.execute("function told($x) { notice($x) $x }")
    logs: list[tuple[str, str]] = []
    host.session.log = lambda level, text: logs.append((level, text))
    checked(host, "told(1) == told(2)\ntold(3) =~ String\ntold(4) in [told(5)] and told(6)")
    assert [text for _, text in logs] == ["1", "2", "3", "4", "5"]


def test_the_limit_of_time_is_that_of_all_conditions(host: Host) -> None:
    host.session.options.max_seconds = 0.2
    endless = "Integer[1, 10000000000].each |$i| { $i } == 1"
    rows, lines, failed = checked(host, f"1 == 1\n{endless}\n{endless}")
    assert ([row[0] for row in rows], failed) == (["yes"], True)
    assert "Time limit" in lines[0]


def test_many_conditions(host: Host) -> None:
    rows, _lines, failed = checked(host, " and ".join(["true"] * 3000))
    assert (len(rows), failed) == (1, False)


def test_warnings_of_what_prepares_are_those_of_the_session(host: Host) -> None:
    logs: list[tuple[str, str]] = []
    host.session.log = lambda level, text: logs.append((level, text))
    checked(host, "notice('prepared')\ntrue")
    assert logs == [("notice", "prepared")]


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("1 == 2", "Error: 1 == 2 is false"),
        ("!(1 == 1) or 'a' =~ Integer", "Error: !(1 == 1) or 'a' =~ Integer is false"),
        ("$x = 1; $x == 2", "Error: $x == 2 is false"),
        ("($x = 1) > 2", "Error: ($x = 1) > 2 is false"),
        ("false", "Error: false is false: no comparison was made"),
        ("undef", "Error: undef is undef: no comparison was made"),
        ("defined(File['/x'])", "Error: defined(File['/x']) is false"),
        ("$x = []; $x", "Error: $x has wrong type, expects a Boolean value, got Array"),
        ("1 == 2; 2 == 2", "Error: 1 of 2 conditions does not hold"),
        ("1 == 1; 2 == 2", "both conditions hold"),
        ("1 == 1", "1 == 1 is true"),
        ("true", "true is true: no comparison was made"),
        ("$x = 1 == 2", "1 == 2 is false"),
        ("if 1 == 2 { 3 }", "1 == 2 is false, and there is no else: the value is undef"),
        ("case 1 { 2: { 3 } }", "no option matched, and there is no default: the value is undef"),
        ("1 ? { default => false }", "nothing matched: default was selected"),
        ("Integer 'a'", "'a'    no       expects an Integer value, got String"),
    ],
)
def test_why_fails_if_a_condition_does_not_hold(host: Host, code: str, end: str) -> None:
    report = run(host.session, f":why {code}", host)
    assert plain(render_report(report, 200)).split("\n")[-1] == end
    assert report.failed == end.startswith("Error: ")


@pytest.mark.parametrize(
    ("code", "line", "marked", "column"),
    [
        ("$nosuch == 1", "$nosuch == 1", "$nosuch", 1),
        ("1 == $nosuch", "1 == $nosuch", "$nosuch", 6),
        ("1 > 'a'", "1 > 'a'", "1 > 'a'", 1),
        ("3 == 3 and 4 == 1 / 0", "3 == 3 and 4 == 1 / 0", "0", 21),
        ("true and ('x' + 3)", "true and ('x' + 3)", "'x'", 11),
        ("if\n  2 == $nosuch { 3 }", "  2 == $nosuch { 3 }", "$nosuch", 8),
        ("case $nosuch { 1: { } default: { } }", None, "$nosuch", 6),
        ("1 ? { $nosuch => 2 }", None, "$nosuch", 7),
        ("split('a') == 1", "split('a') == 1", "split('a')", 1),
    ],
)
def test_errors_are_shown_in_the_code_as_typed(
    host: Host, code: str, line: str | None, marked: str, column: int
) -> None:
    shown = plain(render_report(run(host.session, f":why {code}", host), 200)).split("\n")
    at = next(at for at, each in enumerate(shown) if each.lstrip()[:3] in ("1 |", "2 |"))
    assert shown[at].partition(" | ")[2] == (code if line is None else line)
    assert shown[at + 1].partition(" | ")[2] == " " * (column - 1) + "^" * len(marked)
    assert f"column: {column})" in "\n".join(shown)


def test_calls_on_the_way_to_an_error_are_located(host: Host) -> None:
    shown = plain(render_report(run(host.session, ":why [1].map |$x| { $x + a } == 1", host), 200))
    assert shown.endswith("  from lambda at input:1:19\n  from main at input:1:4"), shown
