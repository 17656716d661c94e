"""The line mode in a terminal: keys, earlier inputs, Tab, types, and nothing that garbles it."""

from __future__ import annotations

import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from puppet_repl.frontends.shared.frame_completion import completions_at
from puppet_repl.frontends.terminal.completer import SessionCompleter
from puppet_repl.frontends.terminal.line_editing import _words
from puppet_repl.host.host import Host
from tests.frontends.terminal.pty_child import PtyChild
from tests.frontends.terminal.terminal_screen import TerminalScreen
from tests.frontends.terminal.test_history import _home

pytest.importorskip("readline")
UP, DOWN, CTRL_A, CTRL_C, CTRL_R, CTRL_U = "\x1b[A", "\x1b[B", "\x01", "\x03", "\x12", "\x15"
TERMS = ("xterm-256color", "dumb")


def plain(home: Path, term: str, rows: int = 24, columns: int = 80, **more: str) -> TerminalScreen:
    facts = ("--facts", "debian-12")
    return TerminalScreen(home, "--plain", *facts, rows=rows, columns=columns, TERM=term, **more)


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize(("rows", "columns"), [(15, 40), (50, 200)])
def test_a_banner_names_help_and_types_follow_values(
    tmp_path: Path, term: str, rows: int, columns: int
) -> None:
    with plain(tmp_path, term, rows, columns, NO_COLOR="1") as screen:
        shown = screen.wait_for("puppet [1]>")
        assert shown.startswith("puppet-repl ") and ":help explains" in " ".join(shown.split())
        screen.run("[1, 'a']")
        screen.wait_for("\n[1, 'a']  Array[ScalarData]\n")
        screen.type(":set show_type off\r")
        screen.run("[2]")
        screen.wait_for("\n[2]\npuppet [3]>")
        screen.run("if true {\r  notice('x')\r}")
        screen.wait_for("...   notice('x')\n... }\nNotice: x\n")
        screen.type("1/0\r")
        screen.wait_for("Error: Evaluation Error: Division by 0")
        # Neither colours nor marks around what is pasted.
        assert b"\x1b[3" not in screen.raw and b"\x1b[?" not in screen.raw
        assert term != "dumb" or b"\x1b" not in screen.raw


def test_the_keys_are_listed_and_work(tmp_path: Path) -> None:
    with plain(tmp_path, "xterm-256color", rows=40) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(":help keys\r")
        shown = screen.wait_for("clear the screen")
        assert re.search(r"\n  Tab +complete; at the start of a line, indent\n", shown)
        assert "there are no keys" not in shown
        screen.type(":help keys ctrl-r\r")
        screen.wait_for("Ctrl-R  search in earlier inputs")
        # Back by two words, delete the word before it, insert it at the end.
        screen.type("1 + 10 200 + 3000\x1bb\x1bb\x17" + "\x05 + \x19\r")
        screen.wait_for("1 + 200 + 3000 + 10\n3211  Integer")
        screen.type("5000\x15" + "1 + \x19\r")
        screen.wait_for("1 + 5000\n5001  Integer")
        screen.type("'dropped'\x1f" + "'kept'\r")
        screen.wait_for("'kept'\n'kept'  String")


def test_lines_that_are_pasted_start_no_program(tmp_path: Path) -> None:
    with plain(tmp_path, "xterm-256color") as screen:
        screen.wait_for("puppet [1]>")
        screen.type(f":vars | touch {tmp_path}/piped\r:vars > {tmp_path}/written\r'end'\r")
        shown = screen.wait_for("puppet [2]>")
        assert shown.count("Error: only the full-screen prompt sends") == 2
    assert not {"piped", "written"} & {each.name for each in tmp_path.iterdir()}


@pytest.mark.parametrize("term", TERMS)
def test_earlier_inputs_come_back(tmp_path: Path, term: str) -> None:
    home = _home(tmp_path, "$old = 40", "if $old == 40 {\n  notice('it is')\n}")
    with plain(home, term) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(UP + UP + "\r")
        screen.wait_for("> $old = 40\n40  Integer")
        screen.type(UP + UP + "\r")
        screen.wait_for("Notice: it is")
        screen.wait_for("puppet [3]>")
        screen.type("$old + 3" + CTRL_A + "1 + \r")
        screen.wait_for("44  Integer")
        screen.type(UP + CTRL_U + "2 + 2\r")
        screen.wait_for("\n4  Integer")
        screen.type(CTRL_R + "old + 3\r")
        screen.wait_until(lambda: screen.text.count("44  Integer") == 2)
        screen.type("no such")
        screen.wait_for("no such")
        _dropped(screen)
        screen.run("'end'")
        with TerminalScreen(home, rows=24, columns=80) as beside:
            beside.wait_for("puppet [1]>")
            beside.type(":history\r")
            beside.wait_for("-1  'end'")
            assert "1 + $old + 3" in beside.text and "no such" not in beside.text
            beside.run("'of the other'")
        screen.type(":history other\r")  # which reads the file again
        screen.wait_for("-1  'of the other'")
        screen.type(UP * 2 + DOWN + "\r")
        screen.wait_until(lambda: screen.text.count("-1  'of the other'") == 2)


# What is typed before Tab, and the line after it.
COMPLETED = [
    ("upca", "upcase"),
    ("notice(upca", "notice(upcase"),
    ("notice(Stdlib::Po", "notice(Stdlib::Port"),
    ("$facts['os']['fam", "$facts['os']['family'"),
    ("\"${facts['kerne", "\"${facts['kernel"),
    ("'äö'.upc", "'äö'.upcase"),
    ("notice('😀', downca", "notice('😀', downcase"),
    ("stdlib::por", "Stdlib::Port"),
    ("file { '/x': ensu", "file { '/x': ensure"),
    (":resou", ":resources"),
    (":load sit", ":load site.pp"),
    (":load site.p", ":load site.pp"),
    (":load sub/ot", ":load sub/other.pp"),
    (":node rocky-", ":node rocky-"),
    ("", "  "),
    ("  ", "    "),
]


def _dropped(screen: TerminalScreen) -> None:
    """Drop what was typed, and wait for the prompt."""
    screen.type(CTRL_C)
    screen.wait_until(
        lambda: bool(re.fullmatch(r"puppet \[\d+\]>", screen.rows[screen.screen.cursor.y]))
    )


@pytest.mark.parametrize("term", TERMS)
def test_tab_completes(tmp_path: Path, term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site.pp").write_text("")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "other.pp").write_text("")
    monkeypatch.chdir(tmp_path)
    with plain(tmp_path, term) as screen:
        screen.wait_for("puppet [1]>")
        for typed, completed in COMPLETED:
            screen.type(typed + "\t|")
            # The line of the cursor: one above may have the same text.
            wanted = f"puppet [1]> {completed}|"
            screen.wait_until(lambda: screen.rows[screen.screen.cursor.y] == wanted, wanted)  # noqa: B023
            _dropped(screen)
        screen.type("$facts['os']['\t\t")
        screen.wait_for("distro")
        assert "family" in screen.text and "architecture" in screen.text
        _dropped(screen)
        screen.type("function f($parameter) {\r[$param\t]\r}\r")
        screen.wait_for("... [$parameter]\n... }\ndefined function f")
        screen.type(":break f\rf(1)\r")
        screen.wait_for("debug [1]>")
        screen.type("$para\t + 41\r")
        screen.wait_for("debug [1]> $parameter + 41\n42")


@pytest.mark.parametrize(("typed", "completed"), COMPLETED[:11])
def test_completions_are_those_of_the_full_screen(typed: str, completed: str) -> None:
    host = Host(facts={"os": {"family": "Debian"}, "kernel": "Linux"})
    document = Document(typed)
    offered = SessionCompleter(host).get_completions(
        document, CompleteEvent(completion_requested=True)
    )
    texts = {typed[: len(typed) + each.start_position] + each.text for each in offered}
    for start in range(len(typed) + 1):  # whatever readline takes for the word
        words = _words(completions_at(host, typed, len(typed)), typed, start, typed[start:])
        assert {typed[:start] + word for word in words} <= texts
        assert completed in {typed[:start] + word for word in words} or completed not in texts


def test_a_terminal_that_does_not_echo_edits_lines_itself(tmp_path: Path) -> None:
    silent = (
        "import termios\n"
        "mode = termios.tcgetattr(0)\n"
        "mode[3] &= ~termios.ECHO\n"
        "termios.tcsetattr(0, termios.TCSANOW, mode)"
    )
    with PtyChild(tmp_path, "--plain", TERM="dumb", INSIDE_EMACS="28,comint", before=silent) as it:
        it.wait_for(":help explains")
        it.wait_for("puppet [1]> ")
        mode = it.mode()
        assert isinstance(mode[3], int) and not mode[3] & termios.ECHO and mode[3] & termios.ICANON
        it.type("['upca\t',\n\t2]\n")
        it.wait_for('... ["upca\\t", 2]  Array[ScalarData]\r\npuppet [2]> ')
        it.type("'" + "x" * 700 + "'.length\n")
        it.wait_for("700  Integer\r\npuppet [3]> ")
        assert it.mode() == mode
        it.type(":history upca\n")
        it.wait_for("1  ['upca")


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
def test_pipes_load_nothing_of_it(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "puppet_repl", *arguments],
        input=":type 1\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Integer[1, 1]" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.split("\n")}
    assert "puppet_repl.session.session" in loaded
    assert not {"readline", "puppet_repl.frontends.terminal.line_editing"} & loaded
    assert "puppet_repl.frontends.terminal.opening" not in loaded


def test_the_full_screen_loads_no_readline() -> None:
    code = (
        "import sys, puppet_repl.frontends.terminal.app, puppet_repl.frontends.terminal.opening\n"
        "print('readline' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
