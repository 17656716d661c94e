"""``> FILE``, ``>> FILE`` and ``| PROGRAM`` after a command: when, and what is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.redirection import LISTINGS, redirection_of
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.chdir(tmp_path)
    made = Host(session=Session(facts={}))
    made.may_redirect = True
    assert made.session.execute("notify { ['a', 'b > c']: message => '" + "x" * 2000 + "' }")
    return made


def said(host: Host, text: str) -> str:
    return plain(render_report(run(host.session, text, host)))


@pytest.mark.parametrize("name", sorted(LISTINGS))
def test_the_commands_exist_and_take_no_code(name: str) -> None:
    command = find_command(name)
    assert command is not None and command.name == name
    assert not command.takes_code and "file" not in command.completes


SIGNS = {
    "> f": ("", ">", "f"),
    "a > f": ("a", ">", "f"),
    "a b >> 'f g'": ("a b", ">>", "'f g'"),
    "json | jq . | wc -l > f": ("json", "|", "jq . | wc -l > f"),
    "a >\tf": ("a", ">", "f"),
}


@pytest.mark.parametrize("argument", SIGNS)
def test_what_is_taken_for_it(argument: str) -> None:
    found = redirection_of("resources", argument)
    assert found is not None
    assert (found.argument, found.sign, found.target) == SIGNS[argument]


@pytest.mark.parametrize(
    "argument",
    [
        *(
            "",
            ">",
            "a >",
            "a|",
            "a| b",
            "a|b",
            "a>b",
            "a> b",
            "|",
            ">>",
            "a |>",
            "a ~> b",
            "a -> b",
            "'a > b'",
            "F[a > b]",
        ),
        *('F["a | b"]', "(a | b)", "|$x| { $x }", "a => b", ">= 3", "a >! b", "don't > f"),
        *("a\n| f", "\n| f", "a\nb > f\n"),
    ],
)
def test_what_is_not(argument: str) -> None:
    assert redirection_of("resources", argument) is None


# Without a blank, and the input that the hint names.
UNCLEAR = {
    ":resources >f": ":resources > f",
    ":resources Notify >>'f g'": ":resources Notify >> 'f g'",
    ":ls |tr a-z A-Z | cat": ":vars | tr a-z A-Z | cat",
    ":help >/tmp/f": ":help > /tmp/f",
}


@pytest.mark.parametrize("text", UNCLEAR)
def test_a_missing_blank_is_said(host: Host, text: str) -> None:
    first, hint = said(host, text).split("\n")
    assert first.startswith("Error: a blank is missing between ")
    assert f"'{UNCLEAR[text]}'" in hint
    assert os.listdir() == []
    host.may_redirect = False
    assert "only the full-screen prompt" in said(host, text)


def test_a_pattern_in_quotes_begins_with_a_sign(host: Host) -> None:
    assert host.session.execute("notify { ['>f', '|g']: }")
    assert said(host, ":resources '>f'").startswith("notify { '>f':")
    assert said(host, ":resources '|g'").startswith("notify { '|g':")
    assert said(host, ":help >").startswith(">  operator")
    assert said(host, ":help >=").startswith(">=  operator")
    assert said(host, ":help |").startswith("|  operator")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *((":show 1 > f", "> f"), (":show $facts | head -3", "| head -3")),
        *((":history > out.txt", "> out.txt"), (":history |grep x", "|grep x")),
        *((":undo > f", "> f"), (":set >> ~/f", ">> ~/f")),
    ],
)
def test_commands_that_do_not_list_have_a_hint(host: Host, text: str, meant: str) -> None:
    last = said(host, text).split("\n")[-1]
    assert last.startswith(f"  hint: '{meant}' is ") and len(last) <= 100
    assert "only lists are sent elsewhere: :resources" in last
    assert os.listdir() == []
    host.may_redirect = False
    assert "only lists" not in said(host, text)


@pytest.mark.parametrize(
    "text", [":why 3 > 5", ":show 3 > 'f'", ":type 2 > 1", ":show $x > $y", ":history notify"]
)
def test_comparisons_have_no_such_hint(host: Host, text: str) -> None:
    assert "only lists" not in said(host, text)


def test_the_lines_of_a_hint_are_indented(host: Host) -> None:
    shown = plain(render_report(run(host.session, ":history > f", host), 40)).split("\n")
    assert shown[1].startswith("  hint: ") and len(shown) > 2
    assert all(line.startswith("    ") and len(line) <= 40 for line in shown[2:])


def test_a_value_is_laid_out(host: Host) -> None:
    assert host.session.execute("$x = 1")
    host.session.use_facts({"os": {"family": "Debian", "name": "x" * 70}, "timezone": "UTC"})
    assert said(host, ":facts > f") == "wrote 7 lines to f"
    assert Path("f").read_text() == said(host, ":facts") + "\n"
    assert said(host, ":help split > f").startswith("wrote ")
    assert max(map(len, Path("f").read_text().split("\n"))) <= 100


@pytest.mark.parametrize("text", [":vars --help", ":ls --help", ":help vars"])
def test_help_on_a_command(host: Host, text: str) -> None:
    assert said(host, text) == said(host, ":help :vars")


def test_marks_are_set_by_themselves(host: Host) -> None:
    assert "--same and --mark" in said(host, ":diff --nosuch")
    assert said(host, ":diff x --mark y").startswith("Error: --mark keeps a catalog")
    message = "Error: only a list is sent to a file or a program; this changes the session"
    assert said(host, ":diff x --mark y > f") == message
    assert os.listdir() == [] and host.session.marks == {}


@pytest.mark.parametrize(
    "text",
    [
        *(":vars | cat >f\ntouch g", ":vars | cat\n\ntouch g", ":vars | sh -c '\ntouch g'"),
        *(":vars > f\n$x = 1", ":environment > f\n$x = 1", ":facts os |\tcat\ntouch g"),
    ],
)
def test_lines_below_are_not_for_a_shell(host: Host, text: str) -> None:
    report = run(host.session, text, host)
    assert report.failed and report.action is None
    assert "lines below" in plain(render_report(report)).split("\n")[0]
    assert os.listdir() == [] and host.session.count == 1


@pytest.mark.parametrize(
    "text",
    [
        *(":environment off > f", ":environment . | touch f", ":facts rocky-9 > f"),
        *(":facts use rocky-9 | touch f", ":modulepath . >> f", ":diff --mark a > f"),
        *(":resources --exported clear a > f", ":facts ./a.yaml > f"),
    ],
)
def test_what_changes_the_session_is_no_list(host: Host, text: str) -> None:
    assert said(host, text).startswith("Error: only a list is sent to a file or a program")
    assert os.listdir() == [] and host.session.count == 1 and host.session.marks == {}


@pytest.mark.parametrize("text", ["motd=a > b", "set motd=a | b", "rocky-9 motd=a > b"])
def test_the_value_of_a_fact_is_whole(host: Host, text: str) -> None:
    assert "session reset" in said(host, f":facts {text}")
    assert said(host, ":facts motd") == f"'{text.partition('=')[2]}'"
    assert os.listdir() == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_only_the_user_may_read_a_new_file(host: Host) -> None:
    Path("old").touch(0o640)
    os.chmod("old", 0o640)
    for target in ("> new", ">> added", "> old", ">> old"):
        assert "line" in said(host, f":catalog {target}")
    modes = {name: os.stat(name).st_mode & 0o777 for name in os.listdir()}
    assert modes == {"new": 0o600, "added": 0o600, "old": 0o640}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        *[("functions", ":names functions"), ("types", ":names types"), ("json", ":show json")],
        *[("bench", ":time --repeat"), ("check", ":why"), ("mark", ":diff --mark")],
        *[("scope", ":frame"), ("trusted", ":node")],
    ],
)
def test_commands_of_others_have_hints(host: Host, name: str, hint: str) -> None:
    lines = said(host, f":{name}").split("\n")
    assert lines[0] == f"Error: there is no command :{name}"
    assert lines[1].startswith(f"  hint: {hint} ")


def test_names_that_nothing_matches_take_a_line(host: Host) -> None:
    assert said(host, ":names nosuchname") == "no name matches 'nosuchname'"
    assert said(host, ":names types nosuchname") == "no type matches 'nosuchname'"
    assert said(host, ":names classes") == "no classes yet"
    assert "no " not in said(host, ":names split")
    shown = said(host, ":names filebucket").split("\n")
    assert shown[0] == "Resource types" and len(shown) == 2
    tables = said(host, ":names file").split("\n\n")
    assert [table.split(" ")[0].strip() for table in tables] == ["Function", "Resource"]


def test_code_keeps_its_signs(host: Host) -> None:
    assert said(host, ":type 1 > 2") == "Boolean[false]"
    assert redirection_of("show", "json 1 > f") is None
    assert redirection_of("history", "a > f") is None
    assert os.listdir() == []


def test_a_file_has_all_of_the_text(host: Host) -> None:
    assert said(host, ":resources > r.txt") == "wrote 3 lines to r.txt"
    text = Path("r.txt").read_text()
    assert text.count("x" * 2000) == 2 and "\x1b" not in text
    assert said(host, ":catalog code > r.txt") == "wrote 7 lines to r.txt"
    code = Path("r.txt").read_text()
    assert said(host, ":resources Notify[a] >> r.txt").startswith("added ")
    assert Path("r.txt").read_text().startswith(code)
    assert said(host, ":resources Notify['b > c'] > 'with blank'").startswith("wrote ")
    assert "b > c" in Path("with blank").read_text()


def test_a_program_gets_it_from_the_front_end(host: Host) -> None:
    report = run(host.session, ":vars | wc -l", host)
    assert report.action is not None and not report.failed
    assert (report.action.kind, report.action.text) == ("pipe", "wc -l")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("> .", "cannot write .: Is a directory"),
        ("> no/f", "cannot write no/f: No such file or directory"),
        (">> /dev/full", "cannot write /dev/full: No space left on device"),
        ("> a b", "one file is needed"),
        ("> http://a/b", "a URL is not a file"),
    ],
)
def test_what_cannot_be_written(host: Host, target: str, message: str) -> None:
    lines = said(host, f":resources {target}").split("\n")
    assert lines[0].startswith(f"Error: {message}")
    assert os.listdir() == []


def test_a_failed_command_writes_nothing(host: Host) -> None:
    Path("f").write_text("kept")
    assert "Error: " in said(host, ":lookup nosuch > f")
    assert Path("f").read_text() == "kept"


def test_who_may_not(host: Host, tmp_path: Path) -> None:
    host.may_redirect = False
    host.has_screen = True
    for sign in ("> f", "| touch f"):
        assert "only the full-screen prompt" in said(host, f":resources {sign}")
    hermetic = Host(session=Session(Options(hermetic=True)))
    hermetic.may_redirect = True
    for sign in ("> f", "| touch f"):
        message = "Error: a hermetic session writes no files and starts no programs"
        assert said(hermetic, f":resources {sign}") == message
    assert os.listdir() == []
