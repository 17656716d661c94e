"""The program in a real pseudo-terminal: what is typed, and what then stands on the screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from puppet_repl.host.settings import AT_PROMPT
from tests.frontends.terminal.terminal_screen import TIMEOUT, TerminalScreen

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no pseudo-terminal")


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[TerminalScreen]:
    with TerminalScreen(tmp_path) as made:
        made.wait_for("puppet [1]>")
        yield made


def open_screen(home: Path, *arguments: str, **environment: str) -> TerminalScreen:
    made = TerminalScreen(home, *arguments, **environment)
    made.wait_for("puppet [1]>")
    return made


def test_results_have_colours_and_their_type_is_dimmed(screen: TerminalScreen) -> None:
    screen.run("['a', 1]")
    row = screen.row_of("['a', 1]  Array")
    assert screen.rows[row] == "['a', 1]  Array[ScalarData]"
    assert screen.style_at(row, "'a'").fg == "green"
    assert screen.style_at(row, "1").fg == "cyan"
    assert screen.style_at(row, "Array").fg not in ("default", "green")
    screen.run("$_[1] + $_1[1]")
    assert screen.rows[screen.row_of("2  Integer")]


def test_input_is_coloured_while_it_is_typed(screen: TerminalScreen) -> None:
    screen.type("notice('text', $x, 12)")
    screen.wait_for("12)")
    row = screen.row_of("notice(")
    assert screen.style_at(row, "'text'").fg == "green"
    assert screen.style_at(row, "12").fg == "cyan"
    assert screen.style_at(row, "$x").fg == "cyan"


def test_the_command_clear_leaves_an_empty_screen_with_the_prompt_at_its_top(
    screen: TerminalScreen,
) -> None:
    screen.type("\x1b[2;1R")  # the answer of a terminal that is asked for its cursor
    screen.run("'gone'")
    screen.type("\x0c")
    screen.wait_gone("gone")
    screen.wait_for("puppet [2]>")
    assert screen.rows[0].startswith("puppet [2]>"), screen.text


def test_errors_have_source_caret_hint_and_stack(screen: TerminalScreen) -> None:
    screen.run("function outer($x) { inner($x) }")
    screen.run("function inner($abc) { 1 + $abd }")
    screen.type("outer(1)\r")
    screen.wait_for("from main at In[3]:1:1")
    text = screen.text
    assert "Error: Evaluation Error: Unknown variable: 'abd'. In[2]:1:28" in text
    row = screen.row_of("1 | function inner")
    assert screen.rows[row + 1].index("^") == screen.rows[row].index("$abd")
    assert "from function inner at In[2]:1:" in text
    assert screen.style_at(screen.row_of("Error:"), "Error").fg == "red"


def test_logs_come_at_once_and_in_colour(screen: TerminalScreen) -> None:
    screen.type("notice('first') Integer[1, 30000000].each |$x| { $x } notice('late')\r")
    screen.wait_for("Notice: first")
    assert "Notice: late" not in screen.text
    screen.type("\x03")
    screen.wait_for("Interrupted.")
    screen.run("warning('careful')")
    row = screen.row_of("Warning: careful")
    assert screen.style_at(row, "Warning").fg == "brown"


def test_an_interrupted_input_leaves_the_session_as_it_was(screen: TerminalScreen) -> None:
    screen.run("$kept = 1")
    screen.type("$lost = 2 notice('begun') Integer[1, 30000000].each |$x| { $x }\r")
    screen.wait_for("Notice: begun")
    screen.type("\x03")
    screen.wait_for("Interrupted.")
    screen.type(":vars\r")
    screen.wait_for("$kept")
    assert "$lost  " not in screen.text


def test_ctrl_c_gives_up_the_entry(screen: TerminalScreen) -> None:
    screen.type("if true {\r'abc")
    screen.wait_for("...   'abc")
    screen.type("\x03")
    screen.wait_until(lambda: screen.rows[screen.row_of("puppet [1]>")] == "puppet [1]>")
    screen.run("40 + 2")
    assert "42  Integer" in screen.text


def test_menu_appears_while_typing_and_enter_is_not_its(screen: TerminalScreen) -> None:
    screen.run("$some_long_name = 5")
    screen.type("$some_lo")
    screen.wait_for("$some_long_name  var   5")
    screen.type("\r")
    screen.wait_for("Unknown variable: 'some_lo'")
    screen.type("$some_lo")
    screen.wait_for("$some_long_name  var   5")
    screen.type("\t\r")
    screen.wait_for("puppet [2]> $some_long_name")
    screen.type(" + 1\r")
    screen.wait_for("6  Integer")


@pytest.mark.parametrize("is_awaited", [True, False])
def test_tab_offers_what_would_replace_the_word(screen: TerminalScreen, is_awaited: bool) -> None:
    screen.run("$some_long_name = 5")
    if is_awaited:
        screen.type("$smlng")
        screen.wait_for("$some_long_name  var   5")
        screen.type("\t")
    else:
        screen.type("$smlng\t")
        screen.wait_for("$some_long_name  var   5")
    screen.type(" ")
    screen.wait_gone("$some_long_name  var   5")
    assert "puppet [2]> $smlng" in screen.text
    screen.type("\x7f\t")
    screen.wait_for("$some_long_name  var   5")
    screen.type("\t")
    screen.wait_for("puppet [2]> $some_long_name")


def test_alt_keys_work_while_the_menu_is_open(screen: TerminalScreen) -> None:
    screen.type("spl")
    screen.wait_for("Split a string at every match")
    screen.type("\x1bb")
    screen.wait_gone("Split a string at every match")
    screen.type("x")
    screen.wait_for("puppet [1]> xspl")
    screen.type("\x05it(")
    screen.type("\x1b\r")
    screen.wait_for("...")


def test_menu_shows_documentation(screen: TerminalScreen) -> None:
    screen.type("spli")
    screen.wait_for("Split a string at every match")
    screen.type("\t")
    screen.wait_for("Split a string at every match of a pattern.")
    screen.type("('a,b', ',')\r")
    screen.wait_for("['a', 'b']")
    assert "Split a string" not in screen.text


def test_signature_help_marks_the_parameter(screen: TerminalScreen) -> None:
    screen.type("split('a', ")
    screen.wait_for("split(String $str, String $pattern)")
    row = screen.row_of("split(String $str")
    assert screen.style_at(row, "String $pattern").bold
    assert not screen.style_at(row, "String $str").bold


def test_matching_brackets_are_shown(screen: TerminalScreen) -> None:
    screen.type("[1, (2)]\x1b[D")
    screen.wait_for("[1, (2)]")
    screen.settle(0.2)
    row = screen.row_of("[1, (2)]")
    column = screen.rows[row].index("[1, ")
    assert screen.screen.buffer[row][column].underscore


def test_syntax_errors_are_underlined_softly(screen: TerminalScreen) -> None:
    screen.type("$a = ) 5 ")
    screen.wait_for("Syntax error at ')'")
    row = screen.row_of("$a = )")
    assert screen.style_at(row, ")").underscore
    assert not screen.style_at(row, "5").underscore
    screen.type("\x7f" * 4)
    screen.wait_gone("Syntax error")


def test_suggestion_in_grey_is_taken_with_the_right_key(screen: TerminalScreen) -> None:
    screen.run("'first entry'")
    screen.type("'fir")
    screen.wait_for("puppet [2]> 'first entry'")
    assert screen.style_at(screen.row_of("[2]> 'first"), "st entry").fg != "green"
    screen.type("\x1b[C\r")
    screen.wait_for("puppet [3]>")
    assert screen.text.count("'first entry'  String") == 2


def test_up_recalls_while_completion_is_on(screen: TerminalScreen) -> None:
    screen.run("$number = 3")
    screen.run("notice('x')")
    screen.type("$nu")
    screen.wait_for("$number  var   3")
    screen.type("\x1b[A")
    screen.wait_for("puppet [3]> $number = 3")
    screen.type("\r")
    screen.wait_for("puppet [4]>")


def test_search_panel(screen: TerminalScreen) -> None:
    screen.run("$first = 1")
    screen.run("$second = 2")
    screen.type("\x12")
    screen.wait_for("history:")
    screen.type("irs")
    screen.wait_for("> $first = 1")
    screen.type("\r")
    screen.wait_for("puppet [3]> $first = 1")
    screen.wait_gone("history:")


def test_settings_panel(screen: TerminalScreen, tmp_path: Path) -> None:
    screen.type("\x1bOQ")
    screen.wait_for("show the type after a result")
    row = [setting.name for setting in AT_PROMPT].index("show_type")
    screen.type("\x1b[B" * row + " ")
    screen.type("\x1bOQ")
    screen.wait_gone("show the type after a result")
    screen.run("1 + 1")
    assert "2  Integer" not in screen.text


def test_themes(screen: TerminalScreen) -> None:
    screen.type(":set theme monokai\r")
    screen.settle(0.3)
    screen.run("'a'")
    row = screen.row_of("'a'  String")
    assert screen.style_at(row, "'a'").fg not in ("green", "default")


def test_pager_for_what_is_taller_than_the_screen(tmp_path: Path) -> None:
    with open_screen(tmp_path, PAGER="sed -e 's/^/paged /'") as screen:
        screen.type(":names functions\r")
        screen.wait_for("paged zip")
        screen.run("1")
        assert "paged 1" not in screen.text


def test_multi_line_entry_is_edited_in_place(screen: TerminalScreen) -> None:
    screen.type("if true {\r1\r}\x1b[A\x1b[A\x05\rnotice('added')\x1b>\r")
    screen.wait_for("puppet [2]>")
    assert "Notice: added\n1  Integer" in screen.text


def test_alt_and_shift_enter_open_a_line(screen: TerminalScreen) -> None:
    screen.type("notice(1)\x1b\r")
    screen.wait_for("...")
    screen.type("notice(2)\x1b[27;2;13~3\r")
    screen.wait_for("puppet [2]>")
    assert "3  Integer" in screen.text
    assert b"\x1b[>4;1m" in screen.raw and b"\x1b[>4;0m" in screen.raw


def test_bracketed_paste_is_one_entry(screen: TerminalScreen) -> None:
    screen.type("\x1b[200~if false {\n  1\n}\nelse {\n  2\n}\x1b[201~")
    screen.wait_for("...   2")
    screen.type("\r")
    screen.wait_for("2  Integer")


def test_wide_characters_and_caret(screen: TerminalScreen) -> None:
    screen.type("'日本語' + $x\r")
    screen.wait_for("^^")
    row = screen.row_of("1 | '日")
    column = next(index for index in range(100) if screen.screen.buffer[row + 1][index].data == "^")
    assert screen.screen.buffer[row][column].data == "$"


def test_shell_marks(screen: TerminalScreen) -> None:
    screen.run("1")
    screen.type("$nope\r")
    screen.wait_for("Unknown variable")
    screen.settle(0.2)
    for mark in (b"133;A", b"133;B", b"133;C", b"133;D;0", b"133;D;1"):
        assert b"\x1b]" + mark + b"\x07" in screen.raw


def test_external_editor_key(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf '40 + 2' > \"$1\"\n")
    editor.chmod(0o755)
    with open_screen(tmp_path, VISUAL=str(editor)) as screen:
        screen.type("x\x18\x05")
        screen.wait_for("puppet [1]> 40 + 2")
        screen.type("\r")
        screen.wait_for("42  Integer")


def test_escape_has_no_delay_in_vi_mode(screen: TerminalScreen) -> None:
    screen.type("\x1bOS")
    screen.wait_for("INSERT")
    screen.type("abc")
    screen.wait_for("> abc")
    screen.type("\x1b")
    screen.settle(0.2)
    screen.type("0")
    screen.wait_until(lambda: screen.screen.cursor.x == len("puppet [1]> "))
    screen.type("x")
    screen.wait_for("puppet [1]> bc")


def test_leaving(tmp_path: Path) -> None:
    for keys in ("\x04", ":quit\r", ":q\r"):
        with open_screen(tmp_path) as screen:
            screen.type(keys)
            screen.child.expect_exact("\x1b[?2004l") if keys == "\x04" else screen.read(0.3)
            screen.child.wait()
            assert screen.child.exitstatus == 0


def test_settings_and_start_up_files(tmp_path: Path) -> None:
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text('prompt = "P {n} "\nnonsense = 1\n')
    (directory / "startup.pp").write_text("$mine = 'from the start-up file'\n")
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("P 1")
        assert "is no setting 'nonsense'" in screen.text
        screen.type("$mine\r")
        screen.wait_for("'from the start-up file'  String")


def test_a_broken_start_up_file_is_told_of(tmp_path: Path) -> None:
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    (directory / "startup.pp").write_text("$a = 1 +\n")
    with open_screen(tmp_path) as screen:
        assert "Syntax error" in screen.text and "startup.pp" in screen.text
        screen.run("1")


def test_no_color(tmp_path: Path) -> None:
    with open_screen(tmp_path, NO_COLOR="1") as screen:
        screen.run("['a']")
        row = screen.row_of("['a']  Array")
        assert screen.style_at(row, "'a'").fg == "default"
        screen.type("'b")
        screen.wait_for("> 'b")
        assert screen.style_at(screen.row_of("> 'b"), "'b").fg == "default"


def test_small_screen(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=6, columns=30) as screen:
        screen.wait_for("puppet [1]>")
        screen.run("$long_name_of_a_variable = 'abcdefgh'")
        screen.run("$long_name_of_a_variable")
        assert "'abcdefgh'  String" in screen.text


@pytest.mark.parametrize("how", ["dumb", "plain"])
def test_plain_line_mode(tmp_path: Path, how: str) -> None:
    arguments = ("--plain",) if how == "plain" else ()
    environment = {"TERM": "dumb"} if how == "dumb" else {}
    with TerminalScreen(tmp_path, *arguments, **environment) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("if true {\r")
        screen.wait_for("...")
        screen.type("notice('in')\r")
        screen.type("5 }\r")
        screen.wait_for("Notice: in")
        screen.wait_for("puppet [2]>")
        screen.type("[1,\r\r\r")
        screen.wait_for("Syntax error at end of input")
        screen.type(":type 1\r")
        screen.wait_for("Integer[1, 1]")
        screen.type("$nope\r")
        screen.wait_for("Unknown variable: 'nope'")
        screen.type(":quit\r")
        screen.child.wait()
        assert screen.child.exitstatus == 0
    assert b"\x1b[" not in screen.raw


def test_no_terminal_means_no_prompt() -> None:
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl"],
        input="$x = 20\nif true {\n  $x + 1\n}\n",
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("21\n", "", 0)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_in_tmux(tmp_path: Path) -> None:
    import os
    import sys

    socket = str(tmp_path / "tmux")
    environment = {
        **os.environ,
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }

    def tmux(*words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", socket, *words], capture_output=True, text=True, env=environment
        )
        return done.stdout

    try:
        tmux("-f", "/dev/null", "new-session", "-d", "-x", "90", "-y", "25", sys.executable,
             "-m", "puppet_repl")  # fmt: skip
        for keys, wanted in (("", "puppet [1]>"), ("20 + 1", "21  Integer"), ("spli", "split")):
            if keys:
                tmux("send-keys", keys, *(["Enter"] if "+" in keys else []))
            deadline = time.monotonic() + 20
            while wanted not in tmux("capture-pane", "-p"):
                assert time.monotonic() < deadline, tmux("capture-pane", "-p")
                time.sleep(0.05)
    finally:
        tmux("kill-server")


def test_enter_waits_for_no_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A completion that does not end before the entry does delays neither the keys nor Enter."""
    from tests.frontends.terminal.prompt import open_prompt

    is_read = Event()
    in_time: list[bool] = []
    with open_prompt(complete_while_typing=True) as prompt:
        real = prompt.session.complete

        def slow(text: str, cursor: int) -> object:
            prompt.pipe.send_text("e\r")
            in_time.append(is_read.wait(TIMEOUT))
            done.set()
            return real(text, cursor)

        done = Event()
        monkeypatch.setattr(prompt.session, "complete", slow)
        try:
            assert prompt.entry("upcas") == "upcase"
        finally:
            is_read.set()
        assert done.wait(TIMEOUT)
        assert in_time == [True]


def test_strict_of_the_command_line_wins_until_it_is_set(tmp_path: Path) -> None:
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text('strict = "error"\n')
    with open_screen(tmp_path, "--strict", "off") as screen:
        screen.run("1 + '1'")
        assert "2  Integer" in screen.text
        screen.type(":set strict error\r1 + '1'\r")
        screen.wait_for("automatically coerced")
