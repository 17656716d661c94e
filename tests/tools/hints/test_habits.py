"""Hints for what people of other languages type, below Puppet's message where it fails."""

from __future__ import annotations

import io
import time

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.log_levels import NOTE
from puppet_repl.frontends.cli import main
from puppet_repl.frontends.commands import run
from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from puppet_repl.tools.hints import habit_rules, ipython_names
from puppet_repl.tools.hints.habits import habit_hint, note_on
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

SETUP = """
$i = 3
$h = { 'a' => 1 }
function double($x) { $x * 2 }
"""
# What is typed, and a part of the hint.
HABITS = [
    ("plan a($x) { }", "directory plans"),
    ("$a = 1\nplan a::b(TargetSpec $t) { }", "directory plans"),
    ("[1, 2, 3][0:2]", "[80, 443, 8080][0, 2]"),
    ("'abc'[0:]", "start and length"),
    ("$h['a'][:2]", "start and length"),
    ("1..5", "Integer[1, 5]"),
    ("(1..5).each |$x| { }", "Integer[1, 5]"),
    ("$i..5", "Integer[1, 5]"),
    ("function f(int $x) { 1 }", "capital letter: Integer"),
    ("class c(string $x, bool $y) { }", "capital letter: Integer"),
    ("$list = (1, 2)", "arrays are written in brackets"),
    ("$my-var = 1", "$my_port"),
    ("'10' > 9", "Integer($x)"),
    ("key: value", "looks like YAML"),
    ("fucntion foo() { 1 }", "did you mean function?"),
    ("$f = |$x| { $x }", "a lambda is not a value"),
    ("include 'web' { port => 8 }", "class { 'web': port => 80 }"),
    ("include web { port => 8 }", "class { 'web': port => 80 }"),
    ("case $i { 5: { 1 } default { 2 } }", "colon follows each option"),
    ("case $i { 'a' { 1 } default: { 2 } }", "colon follows each option"),
    ("user { 'a': groups => wheel, sudo }", "['wheel', 'sudo']"),
    ("puppet apply x.pp", ":load x.pp runs a manifest"),
    ("$ puppet apply --noop site.pp", ":load site.pp runs a manifest"),
    ("$ puppet agent -t", "command of the shell"),
    ("print('x')", "notice() writes"),
    ("print 'x'", "notice() writes"),
    ("puts 'x'", "notice() writes"),
    ("puts $i", "notice() writes"),
    ("echo hello", "notice() writes"),
    ("printf('%s', 1)", "sprintf()"),
    ("$a = 1\nnotice($a)\nputs($a)", "notice() writes"),
    ("'x' * 3", "repeated: Integer[1, 3].map |$i| { 'x' }.join"),
    ('$n = 2\n"a b" * $n', 'repeated: Integer[1, $n].map |$i| { "a b" }.join'),
    ("'x' * $facts['n']", "three times: Integer[1, 3].map |$i| { 'x' }.join"),
    ("'x' * (1 + 2)", "three times: Integer[1, 3].map |$i| { 'x' }.join"),
    ("each?", ":doc each"),
    ("?each", ":doc each"),
    ("each??", ":doc each"),
    ("help each", ":doc NAME"),
    ("help(each)", ":doc NAME"),
    ("!ls -l", "shell"),
    ("set -x", "shell"),
    ("$x = 1\nset -eu", "shell"),
    ("`ls`", "shell"),
    ("```puppet\nnotice(1)\n```", "fence of Markdown"),
    ("cd /tmp", "shell"),
    ("$i ** 2", "no **"),
    ("2**3", "no **"),
    ("x = 1", "begin with $: $x = ..."),
    ("if $i == 3 { y = 1 }", "begin with $"),
    ("X = 1", "small letter"),
    ("let x = 1", "without a word before"),
    ("let $x = 1", "without a word before"),
    ("var x = 1", "without a word before"),
    ("const $x = 1", "without a word before"),
    ("def f(x)\n  x\nend", "function f($x)"),
    ("def f(x):\n  return x", "function f($x)"),
    ("func f() { }", "function f($x)"),
    ("function f(x) { }", "$: function f($x)"),
    ("for x in [1, 2] { }", "each |$x|"),
    ("for x in [1, 2]:\n  print(x)", "each |$x|"),
    ("for ($i = 0; $i < 3; $i++) { }", "each |$x|"),
    ("foreach x in y { }", "each |$x|"),
    ("while $i < 3 { }", "each |$x|"),
    ("while true { }", "each |$x|"),
    ("if $i == 1 { } elif $i == 2 { }", "elsif"),
    ("if $i == 1 { } elseif $i == 2 { }", "elsif"),
    ("if $i == 1 { } else if $i == 2 { }", "elsif"),
    ("if $i == 1:\n  notice(1)", "braces"),
    ("if $i == 1 then\n  1\nend", "braces"),
    ("switch $i { }", "case $x"),
    ("len([1])", "length($x)"),
    ("'a'.upper", "upcase"),
    ("$i.to_s", "String($x)"),
    ("int('1')", "Integer($x)"),
    ("None", "undef"),
    ("$x = True", "true"),
    ("$i && true", "'and'"),
    ("$i || true", "'or'"),
    ("$i === 3", "== and !="),
    ("$i !== 3", "== and !="),
    ("$i++", "keeps its value"),
    ("$i--", "keeps its value"),
    ("$i += 1", "keeps its value"),
    ("$i -= 1", "keeps its value"),
    ("$i *= 2", "keeps its value"),
    ("$x := 1", "binds a variable"),
    ("if $i = 1 { }", "== compares"),
    ("return 1", "return() ends"),
    ("exit()", ":quit"),
    ("quit()", ":quit"),
    ("not $i", "! for this"),
    ("import os", "nothing to import"),
    ("[1].each { |x| x }", "before its braces"),
    ("[1].each |x| { x }", "begin with $: |$x|"),
    ("$i ? 1 : 2", "$x ? { true => 1"),
    ("'a' + 'b'", 'interpolate: "${a}${b}"'),
    ("'a' . 'b'", 'interpolate: "${a}${b}"'),
    ("'%s' % 1", "sprintf"),
    ("// no comment", "begin with #"),
    ("lambda x: x", "|$x| {"),
    ("raise('x')", "fail('...')"),
    ("double 1", "double(...)"),
    ("{'a': 1}", "write => between"),
    ("{role: 'db'}", "{ role => ... }"),
    ("$x = {\n  a: 1,\n}", "{ a => ... }"),
    ('"${x + 1}"', "the variable is $x"),
    ("facts['os']", "the variable is $facts"),
    ("for m in $h { }", "$h.each |$m|"),
    ("for $m in $h {\n  notice($m)\n}", "$h.each |$m|"),
    ("while $i < 3 {\n  $j = 1\n}", "each |$x|"),
    ("while ('a') { }", "each |$x|"),
    ("if $i == 1 {\n  1\n} elif $i == 2 {\n  2\n}", "elsif"),
    ('f"{x}"', "a letter before a quote"),
    ('"a" "b"', "adjacent strings"),
    ("$i = 1; $i = 2", "keeps its value"),
    ("$h['c'] = 3", "values never change"),
    ("first = $h['a']", "begin with $: $first"),
    ("int x = 1", "variables have no type"),
    ("String $x = 'a'", "variables have no type"),
    ("$x, $y = [1, 2]", "[$x, $y] = [1, 2]"),
    ("@x = 1", "$x; @ declares virtual"),
    ("$i is 3", "== compares"),
    ("true and not false", "! for this"),
    ("$x ?? 3", "$x ? { undef => 3"),
    ("$h.empty?", "no question mark"),
    ("$i <> 3", "!= tells"),
    ("$i in (1, 2)", "[1, 2]"),
    ("$Foo", "small letter"),
    ("class Foo { }", "small letters"),
    ("define Foo::bar { }", "small letters"),
    ("class foo-bar { }", "no hyphens"),
    ("type foo = Integer", "capital letter"),
    ("class foo(servers) { }", "$: class f($x)"),
    ("function f(String x) { }", "$: function f($x)"),
    ("function f($x: String) { }", "write the type of a parameter"),
    ("function f($x) -> String { }", ">> String"),
    ("[1].each |$x| => { $x }", "directly follows its parameters"),
    ("[1].each(|$x| { $x })", "follows the parentheses"),
    ("[1].map(x => x + 1)", "follows a call"),
    ("file('/tmp/x') { ensure => file }", "file { '/tmp/x': ... }"),
    ("file { ensure => file }", "file { 'title': ensure => ... }"),
    ("file { /tmp/x: ensure => file }", "in quotes"),
    ("service { 'a': ensure = running }", "{ ensure => ... }"),
    ("service { nginx: ensure = running }", "{ ensure => ... }"),
    ("service { 'a': ensure -> running }", "{ ensure => ... }"),
    ("service { 'a': ensure: running }", "{ ensure => ... }"),
    ("service { 'a' ensure => running }", "service { 'a': ensure => ... }"),
    ("service { 'a'\n  ensure => running,\n}", "service { 'a': ensure => ... }"),
    ("service { 'a', ensure => running }", "a colon follows the title"),
    ("service { 'a':\n  ensure => running\n  enable => true,\n}", "by commas"),
    ("{ 'a' => 1 'b' => 2 }", "by commas"),
    ("service { 'a': 'ensure' => running }", "without quotes"),
    ("service { 'a': Ensure => running }", "small letter"),
    ("service { 'a': ensure => Running }", "written running"),
    ("ensure => present", "inside a resource"),
    ("case $i { 3 => 'a' }", "options of a case"),
    ("case $i { 3: 'a' }", "has a block"),
    ("$i ? { 2 => 'a' }", "default =>"),
    ("“a”", "straight"),
    (".5", "0.5"),
    ("?", ":help shows"),
    ("1 :vars", "its line for itself"),
    ("$y = 1\n%timeit $y + 1", ":time --repeat CODE"),
    ("$y = 1\n%matplotlib inline", ":graph"),
    ("$y = 1\n%whos", ":vars"),
    ("$y = 1\n%%bash\nls -l", "shell"),
    ("%%check\n1 == 1", "the command is :why CONDITION"),
    ("%%chekc\n1 == 1", "%%check is for cells of notebooks"),
    ("%%onn debian-12\n1", "the command is :on MACHINE... CODE"),
    ("%%quiet\n1", "a semicolon"),
    ("$y = 1\n%%writefile a.pp\nnotice(1)", "%%file"),
    ("'it' . \"b's\"", 'interpolate: "${a}${b}"'),
    ("\"it's\" + 'b'", 'interpolate: "${a}${b}"'),
    ("'a' ++ 'b'", 'interpolate: "${a}${b}"'),
    ("$h['a']++", "keeps its value"),
    ("++$i", "keeps its value"),
    ("Package { ensure = installed }", "{ ensure => ... }"),
    ("Package['x'] { ensure = installed }", "{ ensure => ... }"),
    ("File { owner => 'a', mode = '0644' }", "{ mode => ... }"),
    ("File <| title == 'x' |> { mode = '0644' }", "{ mode => ... }"),
    ("$x = { a = 1 }", "{ a => ... }"),
    ("double({ a => 1, b = 2 })", "{ b => ... }"),
    ("service { 'a': flags => 'a: b', 'ensure' => running }", "without quotes: ensure"),
    ('"$Foo"', "small letter"),
    ("$x = 'a' # it's\nfor m in $h { }", "$h.each |$m|"),
    ("!cat /etc/passwd | grep x", "shell"),
    ("$a = 'a\nb'\nputs $a", "notice() writes"),
]
# What fails for another reason, or not at all.
OTHERS = [
    "notice(1 +)",
    "file { '/x': ensure => file, nope => 1 }",
    "exec { 'a && b': command => 'x || y ** z' nope }",
    "$facts['print('",
    "[1, 2].each |$x| { notice('while x') ] }",
    "case $i { for: { ) } }",
    "$a.b = 1",
    "fail('print')",
    "1 + 'elif'.length.nope",
    "5\n%who(1) + 'x'",
    "5\n%who::f",
    "5 %whos",
    "{ 'a' => ] }",
    "file { '/x': ensure => file, ) }",
    "$x = [1, 2 3]",
    "case $i { 1: { } 2 }",
    "'a' + 1 * /x/",
    "if $i == 3 { ) }",
    # What stands in strings and comments.
    """notify { "see http://x.org/a.php?id=1": message 'x' }""",
    """cron { 'x': command => "echo `date`", hour 2 }""",
    '$x = "is it ok?? yes" }',
    """notify { 'x': message => "for i in list: do" } }""",
    "if $i in 'a=b' ] { }",
    "$x = 'a;\nset -x' ]",
    "$x = @(END)\n while true {\n | END\n]",
    "notice(1) } # $h.empty?",
    "notice(') && (' ]",
    "notice(1 /* a && */ ] )",
    'notice("${i} && ${i}" ])',
    # What is right, or wrong in another place.
    "!true and ]",
    "!$h == ]",
    "$i == 1 ) and 'a' && 'b'",
    "$i ++ 3",
    "log { 'x': a 1 }",
    "set { 'x': a b }",
    "end { [1]: a 1 }",
    "if true { set { $i: a b } }",
    "case { 1: { 2 } }",
    "if { 'x': a => 1 }",
    "not::OK",
]


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(facts={})
    assert made.execute(SETUP).error is None
    return made


@pytest.mark.parametrize(("text", "part"), HABITS)
def test_a_hint(session: Session, text: str, part: str) -> None:
    error = session.execute(text, record=False).error
    assert error is not None
    assert error.notes
    assert part in error.notes[-1]


@pytest.mark.parametrize("text", OTHERS)
def test_no_hint_for_what_fails_for_another_reason(session: Session, text: str) -> None:
    error = session.execute(text, record=False).error
    assert error is not None
    known = {
        *habit_rules.WORDS.values(),
        *habit_rules.TYPES.values(),
        *(row[2] for row in habit_rules.SYMBOLS),
        *(row[2] for row in habit_rules.SURE_SYMBOLS),
        *(row[3] for row in habit_rules.PLACES),
    }
    assert not known.intersection(error.notes)


# The tables are searched in the whole line of an error, which may be very long.
LONG = [
    ") " + "if " * 20_000,
    ") for" + " " * 60_000,
    ") " + "?" * 60_000,
    ") " + "for x in y" * 6_000,
    ") " + "'" * 60_000,
    ") " + "&& || ++ `" * 6_000,
    ") " + "{|" * 30_000,
    ") " + "|a" * 30_000,
    ") " + "else " * 12_000,
    "if " * 20_000 + ")",
    "for x in " * 6_000 + "y )",
    "a " * 30_000 + ")",
    "{ a => " * 100 + "a " * 30_000 + ")",
    "case " * 12_000 + "{ => }",
    "a { a: " * 10_000 + "b 1 }",
    "a { 'a' " * 7_000,
    "{ 'a' => 1, " + "'a' => 1, " * 5_000 + " 'b' 'c' => 1 }",
    "f(" + "a, " * 20_000 + "|$x| { }",
    "function f(" + "$a, " * 15_000 + "b, c) { }",
    "A { " + "a => 1, " * 7_000 + "b = 1 }",
    "$x = 1; " * 100 + "$a " * 20_000 + " ++",
    "while 1 { " * 100 + "set; " * 10_000 + ") ",
    "X = 1; " * 8_000 + ")",
    "$x = '" + "a" * 60_000 + "' 'b' )",
    "$Foo " * 12_000,
    "x = 1; " * 8_000,
    "class A { }\n" * 5_000,
    "$x = 1 @(" + " " * 60_000,
    "- 'a' * 2 " * 6_000,
    "\n" * 60_000 + ")",
    " " * 60_000 + ")",
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_lines_take_no_longer_than_their_length(text: str) -> None:
    error = Session(facts={}).execute(text).error
    assert error is not None
    started = time.process_time()
    habit_hint(error, set())
    assert time.process_time() - started < 1


def test_a_note_on_blanks_takes_no_longer_than_their_length() -> None:
    started = time.process_time()
    assert note_on(" " * 60_000 + "1", set()) is None
    assert note_on("!" + " " * 60_000 + "1", set()) is None
    assert time.process_time() - started < 1


@pytest.mark.parametrize("length", [0, 500, 3_000, 30_000])
def test_what_is_far_away_changes_no_hint(length: int) -> None:
    filling = "notice('it is')\n" * (length // 16)
    for text in ("for m in $h { }", "puts 'x'", "$x = { a = 1 }", "'a' . 'b'"):
        hints = []
        for program in (text, f"{filling}{text}", f"{text}\n{filling}"):
            error = Session(facts={}).execute(program).error
            assert error is not None
            hints.append(error.notes[-1:])
        assert hints == [hints[0]] * 3
        assert hints[0]


@pytest.mark.parametrize(("line", "column"), [(1, 900), (12, 3), (12, None), (10**9, 1)])
def test_a_place_that_the_text_lacks_has_no_hint(line: int, column: int | None) -> None:
    error = PuppetError("with place", "SYNTAX_ERROR", source=Source("$x = 1"))
    error.line, error.column = line, column
    assert habit_hint(error, set()) is None


def test_code_of_templates_has_hints_their_text_none() -> None:
    made = Session(facts={})
    error = made.render_epp("it's here: <% $a = 1; $a++ %>; it's there").error
    assert error is not None
    assert "keeps its value" in error.notes[-1]
    error = made.render_epp("a && b <% notice(1 ] %>").error
    assert error is not None
    assert not any("'and'" in note for note in error.notes)


@pytest.mark.parametrize(
    "text", ["$x = null", "if ($y = 1) { 2 }", "notice('a && b')", "true or !$i"]
)
def test_what_runs_is_left_alone(text: str) -> None:
    outcome = Session(facts={}).execute(f"$i = 1\n{text}")
    assert outcome.error is None


def test_the_message_stays_puppets(session: Session) -> None:
    error = session.execute("print('x')", record=False).error
    assert str(error) == "Evaluation Error: Unknown function: 'print'. (line: 1, column: 1)"


@pytest.mark.parametrize("text", ["print 'x'", "while $i { }", "let $x = 1", "print(1, 2)"])
def test_no_hint_where_the_user_has_such_a_function(text: str) -> None:
    made = Session(facts={})
    made.execute("function print($x) { $x }\nfunction while() { 1 }\nfunction let() { 1 }\n$i = 1")
    error = made.execute(text).error
    assert error is not None
    assert not set(habit_rules.WORDS.values()).intersection(error.notes)


def test_several_errors_have_one_hint() -> None:
    error = Session(facts={}).execute("let x = 1").error
    assert error is not None
    assert len(error.notes) == 1


def test_the_command_line_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-e", "let x = 1"]) == 1
    lines = capsys.readouterr().err.rstrip().split("\n")
    assert lines[-2:] == [
        "Error: Language validation logged 2 errors. Giving up",
        "  hint: variables begin with $ and are bound by =, without a word before: $x = 1",
    ]


# Inputs of one word

NOTES = [
    ("exit", ":quit"),
    (" quit ", ":quit"),
    ("help", ":help"),
    ("null", "undef"),
    ("whos", ":vars"),
    ("!ls", "shell"),
]


@pytest.mark.parametrize(("text", "part"), NOTES)
def test_a_note(text: str, part: str) -> None:
    logs: list[tuple[str, str]] = []
    made = Session(facts={}, log=lambda level, message: logs.append((level, message)))
    outcome = run_entry(made, text).outcome
    assert outcome.value == (False if "!" in text else text.strip())
    assert [(level, part in message) for level, message in logs] == [(NOTE, True)]
    assert outcome.logs == []


@pytest.mark.parametrize(
    "text", ["exits", "'exit'", "$exit = 1", "!true", "!defined(File)", "exit == 1"]
)
def test_no_note(text: str) -> None:
    logs: list[str] = []
    made = Session(facts={}, log=lambda level, _: logs.append(level))
    assert run_entry(made, text).outcome.error is None
    assert logs == []


def test_no_note_where_the_user_has_such_a_function() -> None:
    logs: list[str] = []
    made = Session(facts={}, log=lambda level, _: logs.append(level))
    made.execute("function exit() { 1 }")
    run_entry(made, "exit")
    assert logs == []


def test_the_line_mode_shows_notes() -> None:
    output = io.StringIO()
    host = Host(session=Session(facts={}))
    LineMode(host, io.StringIO("exit\n"), output).run()
    assert "'exit' is a string in Puppet; the command :quit leaves\n'exit'\n" in output.getvalue()


# Commands of IPython


@pytest.mark.parametrize("name", sorted(ipython_names.COMMANDS))
def test_commands_of_ipython(session: Session, name: str) -> None:
    report = run(session, f"%{name}")
    assert report.failed
    assert plain(render_report(report)) == (
        f"Error: there is no command :{name}\n  hint: {ipython_names.COMMANDS[name]}"
    )


MAGICS = (
    "alias autocall automagic bookmark cd colors conda config cp debug dhist dirs gui "
    "ldir lf lk ll load_ext loadpy logoff logon logstart logstate logstop lsmagic lx macro magic "
    "mamba matplotlib micromamba mkdir mv notebook pastebin pdb pdef pdoc pfile pinfo pinfo2 pip "
    "popd pprint precision prun psearch psource pushd pwd pylab quickref recall reload_ext rep "
    "rerun reset_selective rm rmdir run sc set_env sx system tb timeit unload_ext uv who who_ls "
    "whos xdel xmode"
)


@pytest.mark.parametrize("name", MAGICS.split())
def test_commands_that_people_of_ipython_know(session: Session, name: str) -> None:
    told = plain(render_report(run(session, f"%{name} x")))
    assert "hint: " in told
    assert "did you mean" not in told and "lists all commands" not in told


def test_names_that_are_only_alike_are_still_suggested(session: Session) -> None:
    assert "did you mean :resources?" in plain(render_report(run(session, ":resorces")))
    assert "it may be" in plain(render_report(run(session, ":re")))
