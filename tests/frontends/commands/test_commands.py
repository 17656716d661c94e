"""Every command: what it answers, and what it says to a wrong use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.frontends.commands import is_command, run
from puppet_repl.frontends.commands.dispatch import runner_of
from puppet_repl.host.command_model import Command
from puppet_repl.host.command_registry import COMMANDS, COMMON, find_command
from puppet_repl.host.host import Host
from puppet_repl.session import Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.names import document_command, documents
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.help import documentation_text
from puppet_repl.tools.reports.parts import Failure
from puppet_repl.tools.reports.report import render_report

FACTS = {"os": {"family": "Debian", "name": "Debian"}, "kernel": "Linux"}
SETUP = (
    "$h = {'k' => {'z' => 1}}",
    "# Adds one.\nfunction inc(Integer $x) >> Integer { $x + 1 }",
    "type Port = Integer[1, 65535]",
    "class web(Integer $port = 80) { notify { 'up': message => \"on ${port}\" } }",
    'define site(String $owner) { notify { "site ${title}": } }',
    "include web",
    "file { '/etc/motd': ensure => file, mode => '0644', require => Notify['up'] }",
    "{ 'a' => [1, 2, 3] }",
)


@pytest.fixture
def session() -> Session:
    made = Session(facts=FACTS)
    for text in SETUP:
        outcome = made.execute(text)
        assert outcome.error is None, str(outcome.error)
    return made


def answer(session: Session, text: str, host: Host | None = None) -> str:
    return plain(render_report(run(session, text, host), 100))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (":help", ["  :why ", "  :tour ", ":help all lists all "]),
        (":help all", ["Catalog", "  :vars ", "  :break "]),
        (":help set", [":set [NAME [VALUE|--default] [--save]]", "--save stores"]),
        (":help split", ["split(String $str, String $pattern)", "Examples"]),
        (":? undo", [":undo [N]"]),
        (":doc inc", ["function inc(Integer $x) >> Integer", "Adds one."]),
        (":doc $h['k']", ["{'z' => 1}"]),
        (":doc Port", ["Integer[1, 65535]"]),
        (":doc file", ["resource type", "or nothing. Values: file"]),
        (":doc web", ["class web(Integer $port = 80)"]),
        (":doc web::port", ["$port  parameter", "A parameter of the class web.", "Default  80"]),
        (":doc File['/etc/motd']", ["mode", "'0644'"]),
        (":doc Integer", ["Integer[FROM, TO]"]),
        (":doc unless", ["unless TEST"]),
        (":vars", ["$h", "Hash", "{'k' => {'z' => 1}}", "$web::port"]),
        (":vars zzz", ["no variable matches 'zzz'"]),
        (":ls h", ["$h"]),
        (":names functions inc", ["inc", "Adds one."]),
        (":names functions up*", ["upcase"]),
        (":names types port", ["Port", "= Integer[1, 65535]"]),
        (":names types mount", ["Resource types", "mount"]),
        (":names classes", ["web", "class, declared", "$port", "site", "defined type"]),
        (":resources", ["Notify['up']", "File['/etc/motd']", "{'message' => 'on 80'}"]),
        (":resources file", ["file { '/etc/motd':", "ensure  => 'file',"]),
        (":resources nothing", ["no resource matches"]),
        (":resources File*", ["file { '/etc/motd':"]),
        (":resources f?le", ["file { '/etc/motd':"]),
        (":resources /etc/*", ["file { '/etc/motd':"]),
        (":resources ???[*]", ["no resource matches"]),
        (":resources File[/etc/m*]", ["file { '/etc/motd':"]),
        (":resources FILE['/etc/mot?']", ["file { '/etc/motd':"]),
        (':resources File["/etc/motd"]', ["file { '/etc/motd':"]),
        (":resources *i*", ["Notify['up']", "File['/etc/motd']"]),
        (":resources etc/*", ["no resource matches 'etc/*'"]),
        (":resource File['/etc/motd']", ["file { '/etc/motd':", "mode    => '0644',"]),
        (":catalog", ["notify { 'up':", "file { '/etc/motd':"]),
        (":graph text", ["Notify['up']  → File['/etc/motd']"]),
        (":graph mermaid", ["flowchart TD", "-->"]),
        (":graph dot", ["digraph catalog", "\"Notify['up']\" -> \"File['/etc/motd']\""]),
        (":facts", ["'kernel' => 'Linux'"]),
        (":facts os.family", ["'Debian'"]),
        (":facts kern", ["kernel", "'Linux'"]),
        (":type [1, 'a']", ["Tuple[Integer[1, 1], String"]),
        (":type Port", ["Port = Integer[1, 65535]"]),
        (":why Port 80 0 'x'", ["80     yes", "0      no", "'x'    no", "expects"]),
        (
            ":why Struct[{a => Integer}] {a => 1}, {a => x}",
            ["yes", "entry 'a' expects an Integer"],
        ),
        (":time 1 + 1", ["2", "took"]),
        (":time --repeat 1", ["runs, each", "median"]),
        (":history", ["$h = {'k'", "include web"]),
        (":history port", ["type Port"]),
        (":set", ["editing_mode", "emacs"]),
        (":set theme", ["theme = puppet", "monokai"]),
        (":show", ["{'a' => [1, 2, 3]}"]),
        (":show table {'k' => 1}", ["Key", "k    1"]),
        (":show table 1", ["z\nk  1"]),
        (":show full", ["{'a' => [1, 2, 3]}"]),
        (":show json $h['k']", ['"z": 1']),
        (":show $h['k']", ["{'z' => 1}"]),
        (":show 1", ["{'k' => {'z' => 1}}"]),
        (":undo", ["undid: file { '/etc/motd'"]),
        (":reset", ["session reset"]),
        (":node", ["localhost"]),
        ("%vars", ["$h"]),
        (":names port", ["import", "= Integer[1, 65535]"]),
        (":names web", ["web", "class, declared"]),
        (":names inc", ["Adds one."]),
    ],
)
def test_answers(session: Session, text: str, parts: list[str]) -> None:
    shown = answer(session, text)
    for part in parts:
        assert part in shown, shown
    assert not run(session, ":vars").failed


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (":nope", ["there is no command :nope", "did you mean :node?"]),
        (":d", ["the command :d is ambiguous", "it may be :doc, :diff or :display"]),
        (":delete 1", ["there is no command :delete", ":break --delete N"]),
        (":zzzzzz", [":help all lists the commands"]),
        (":help splt", ["no documentation for 'splt'", "did you mean split?"]),
        (":doc web::prot", ["no documentation for 'web::prot'", "did you mean web::port?"]),
        (":set nope", ["there is no setting 'nope'"]),
        (":set editing_mode joe", ["editing_mode is one of emacs, vi, not 'joe'"]),
        (":set pager maybe", ["pager is on or off"]),
        (":set theme monokay", ["did you mean monokai?"]),
        (":undo x", ["'x' is not a number of changes"]),
        (":show 0", ["'0' is not the number of an input"]),
        (":undo 0", ["whole number from 1"]),
        (":show 99", ["input 99 has no value"]),
        (":forget", ["which name?"]),
        (":forget $nope", ["no input has defined $nope"]),
        (":type", ["which code?", "usage: :type EXPR"]),
        (":type 1 +", ["Syntax error at end of input"]),
        (":type $nope", ["Unknown variable: 'nope'"]),
        (":why Strng 5", ["Resource type not found: Strng"]),
        (":why $nope 5", ["Unknown variable: 'nope'"]),
        (":why include web", ["nothing to check", "write conditions: $port == 80"]),
        (":why # nothing", ["nothing to check"]),
        (":why 1 == 1; 2 == 3", ["no     2 == 3", "1 of 2 conditions does not hold"]),
        (":load", ["which file?"]),
        (":load /no/such/file", ["cannot read /no/such/file: No such file or directory"]),
        (":save", ["which file?"]),
        (":save x.txt", ["the name ends in .pp or .ipynb"]),
        (":edit", ["there is no editor here", "the full-screen prompt and notebooks have one"]),
        (":catalog xml", ["the formats are code and json"]),
        (":graph png", ["the catalog has no 'png'", "text, mermaid, dot or svg"]),
        (":facts use nowhere", ["debian-12"]),
        (":facts set os", ["for example :facts set os.family=RedHat"]),
        (":why", ["which code?"]),
        (":time --repeat", ["which code?", "usage: :time [--repeat] CODE"]),
    ],
)
def test_errors_say_what_is_right(session: Session, text: str, parts: list[str]) -> None:
    report = run(session, text)
    shown = plain(render_report(report, 100))
    assert report.failed
    for part in parts:
        assert part in shown, shown


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            ":why $facts['os']['family'] ? { 'redhat' => 1, 'DEBIAN' => 2, default => 3 }",
            ["'Debian'  == (case ignored)  'redhat'  no", "'DEBIAN'  yes", "the value is 2"],
        ),
        (":why case 5 { String: { 1 } /5/: { 2 } }", ["is a", "=~ (not a String)", "is undef"]),
        (":why case 5 { default: { 1 } 5: { 2 } }", ["the option 5 (line 1) matched"]),
        (":why case 5 { *[1, 5]: { 1 } }", ["any of", "yes"]),
        (
            ":why if 1 > 2 { 3 } elsif 2 in [2] { 4 }",
            ["1 > 2 is false; 2 in [2] is true: the block of this elsif ran"],
        ),
        (":why if 1 < 2 { 3 } elsif true { 4 }", ["1 < 2 is true: the first block ran"]),
        (":why 1 == 1 and 'a' =~ /b/", ["==", "=~", "is false"]),
        (":why !(1 == 2) or $nope", ["is true"]),
        (":why unless true { 1 }", ["there is no else"]),
        (":why 1 + 1", ["is 2: no comparison was made"]),
        (":why $x = 5 ? { Integer => yes }", ["Integer matched"]),
        (":why $x = 5; $x > 4", ["5         >    4     yes", "$x > 4 is true"]),
        (":why $x = 5 $x > 4 $x < 6", ["yes    $x > 4", "both conditions hold"]),
        (":why include web; defined(Notify['up'])", ["Holds", "the condition holds"]),
        (":why $t = Integer; $t", ["$t is"]),
        (":why Port 80, 0", ["80     yes", "0      no"]),
        (":why Integer -1 'x'", ["-1     yes", "'x'    no"]),
        (":why $h['k'] $h", ["expects a Boolean value, got"]),
        (":why Port =~ Type[Integer]", ["Port", "=~", "is true"]),
        (":why 5 ? { 'a' => 1 }", ["that is an error"]),
    ],
)
def test_why(session: Session, text: str, parts: list[str]) -> None:
    shown = answer(session, text)
    for part in parts:
        assert part in shown, shown


def test_commands_are_the_first_token_only() -> None:
    assert is_command(":vars") and is_command("  %vars 1") and is_command(":?")
    for code in ("::foo::bar()", "!true", "$x ? {1 => 2}", "1 % 2", "", "x :vars", "'a'\n:vars"):
        assert not is_command(code)


def test_forgetting(session: Session) -> None:
    assert "forgot $h, inc, Port, web" in answer(session, ":forget $h inc Port web")
    for code in ("$h", "inc(1)", "assert_type(Port, 1)", "include web"):
        assert session.execute(code).error is not None


def test_undo_goes_back_several_inputs(session: Session) -> None:
    count = session.count
    assert "; class web" not in answer(session, ":undo 3")
    assert session.count == count - 4  # the last input changed nothing
    assert "no resource matches" in answer(session, ":resources motd")
    assert session.execute("$h").error is None


def test_commands_leave_the_last_value_alone(session: Session) -> None:
    for text in (":type 5", ":time 6", ":time --repeat 7", ":why 1 == 1", ":why Integer 1"):
        answer(session, text)
        assert session.names.variables()["_"] is not None
        assert plain(render_report(run(session, ":show"), 80)) == "{'a' => [1, 2, 3]}"


def test_facts_of_another_machine(session: Session, tmp_path: Path) -> None:
    assert "RedHat" in answer(session, ":facts use rocky-9") + answer(session, ":facts os.family")
    answer(session, ":facts set os.family=Suse")
    assert answer(session, ":facts os.family") == "'Suse'"
    answer(session, ":facts debian-12")
    assert answer(session, ":facts os.family") == "'Debian'"
    answer(session, ":facts os.family=Gentoo")
    assert answer(session, ":facts os.family") == "'Gentoo'"
    (tmp_path / "f.json").write_text('{"os": {"family": "Arch"}}')
    answer(session, f":facts {tmp_path}/f.json")
    assert answer(session, ":facts os.family") == "'Arch'"
    answer(session, ":node web01.example.com")
    assert session.execute("$trusted['certname']").value == "web01.example.com"


def test_save_and_load(session: Session, tmp_path: Path) -> None:
    pp, notebook = tmp_path / "s.pp", tmp_path / "s.ipynb"
    assert f"wrote {len(SETUP)} inputs" in answer(session, f":save {pp}")
    assert session.execute("$h").value is not None
    other = Session(facts=FACTS)
    assert "loaded" in answer(other, f":load {pp}")
    assert other.execute("inc(1)").value == 2
    answer(session, f":save {notebook}")
    cells = json.loads(notebook.read_text())["cells"]
    assert cells[0]["source"] == SETUP[0]
    assert cells[7]["outputs"][-1]["data"]["text/plain"] == "{'a' => [1, 2, 3]}"


def test_one_input_and_one_line_are_counted_in_the_singular(tmp_path: Path) -> None:
    path = tmp_path / "one.pp"
    path.write_text("$one = 1\n")
    session = Session(facts=FACTS)
    assert f"loaded {path} (1 line)" in answer(session, f":load {path}")
    shown = answer(session, f":save! {path}").split()
    assert shown == ["overwrote", str(path), "with", "1", "input"]


def test_errors_of_a_loaded_file_name_it(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "bad.pp"
    path.write_text("$a = 1\n$a + $nope\n")
    shown = answer(session, f":load {path}")
    assert f"(file: {path}, line: 2, column: 6)" in shown
    assert "2 | $a + $nope" in shown


def test_bind_once_gives_plain_puppet(session: Session) -> None:
    assert session.execute("$h = 1").error is None
    session.options.bind_once = True
    error = session.execute("$h = 2").error
    assert error is not None and "Cannot reassign variable '$h'" in error.message


def test_every_command_is_documented_and_findable() -> None:
    for command in COMMANDS:
        assert document_command(command.name) is not None
        assert command.summary
        for name in (command.name, *command.aliases):
            assert find_command(name) is command
    assert find_command("re") is None


def test_help_fits_on_a_screen(session: Session) -> None:
    rows = answer(session, ":help").split("\n")
    assert len(COMMON) == len(set(COMMON)) == 12
    assert [name for name in COMMON if f"  :{name} " not in "\n".join(rows)] == []
    assert len(rows) <= 21 and max(map(len, rows)) < 80  # with a prompt before and after it, a bar


def test_documentation_of_built_in_names_has_no_markup() -> None:
    known = SessionSymbols(Session(facts=FACTS))
    names = (*known.function_names(), *known.type_names(), *known.resource_type_names())
    texts = [documentation_text(found) for name in names for found in documents(known, name)]
    assert any("data_hash" in text for text in texts)
    assert [text for text in texts if "`" in text] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_run_by_the_function_that_the_table_names(command: Command) -> None:
    runner = runner_of(command)
    assert callable(runner)
    assert runner.__annotations__ == {"call": "Call", "return": "Report"}


def test_every_command_survives_any_argument(session: Session) -> None:
    for command in COMMANDS:
        for argument in ("", "x", "'", "1 2 3", "[", "$h", "--save", "\u65e5", "-1", "/", "*"):
            if command.name == "save":
                continue
            render_report(run(session, f":{command.name} {argument}"), 40)


def test_a_catalog_that_json_cannot_hold_is_refused() -> None:
    session = Session(facts={"x": float("inf")})
    assert session.execute("notify { 'n': message => $facts['x'] }").error is None
    (part,) = run(session, ":catalog json").parts
    assert isinstance(part, Failure)
    assert "920: Infinity not allowed in JSON" in part.error.message


@pytest.mark.parametrize("width", [40, 80])
def test_narrow_tables_wrap_what_matters(session: Session, width: int) -> None:
    value, reason = "{'a' => 1, 'b' => ['x', 2]}", "entry 'b' index 1 expects a String value"
    text = f":why Struct[{{a => Integer, b => Array[String]}}] {value}"
    shown = plain(render_report(run(session, text), width))
    column = shown.split("\n")[1].index("Why not")
    assert reason in " ".join(line[column:].strip() for line in shown.split("\n")[2:])
    for text in (":help", ":help all", ":set"):
        shown = plain(render_report(run(session, text), width))
        assert "…" not in shown
        assert max(len(line) for line in shown.split("\n")) <= width


def test_load_reads_all_files_before_it_runs_one(session: Session, tmp_path: Path) -> None:
    first = tmp_path / "first.pp"
    first.write_text("$loaded_first = 1\n")
    shown = answer(session, f":load {first} {tmp_path}/missing.pp")
    assert f"cannot read {tmp_path}/missing.pp" in shown
    assert "loaded_first" not in answer(session, ":vars")
    assert f"loaded {first}" in answer(session, f":load {first}")
