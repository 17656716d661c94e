"""Keys that are typed faster than the program answers are not lost."""

from __future__ import annotations

import os
import pty
import termios
from pathlib import Path

import pexpect
import pytest
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import DummyOutput

from puppet_repl.frontends.terminal.typing_ahead import TypingAhead
from tests.frontends.terminal.terminal_screen import TerminalScreen


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("[1].\t", "Tell whether a block"),
        ('"abc".u\t', "unique"),
        ("spl\t", "puppet [1]> split"),
        ("$facts['ker\t", "puppet [1]> $facts['kernel"),
    ],
)
def test_tab_right_behind_the_first_text_completes_it(
    tmp_path: Path, keys: str, wanted: str
) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(keys)
        screen.wait_for(wanted)


def test_a_tab_is_dropped_where_typing_went_on(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("spl\tx = 1\r")
        screen.wait_for("puppet [1]> splx = 1")


SLOW = (
    "Integer[1, 40].each |$n| { Integer[1, 30000].each |$x| { $x }; if $n == 1 { notice('on') } }"
)


def test_what_is_typed_while_an_input_runs_is_read_by_the_next_prompt(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(SLOW + "\r")
        screen.wait_for("Notice: ")
        screen.type("$later = 6 * 7\r")
        screen.type("notice('second')\r$half")
        screen.wait_for("puppet [4]> $half")
        rows = [row for row in screen.rows if "later" in row or "second" in row]
        assert rows == [
            "puppet [2]> $later = 6 * 7",
            "puppet [3]> notice('second')",
            "Notice: second",
        ]
        assert "42  Integer" in screen.rows


def test_nothing_is_echoed_between_an_input_and_the_next_prompt(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=100) as screen:
        screen.wait_for("puppet [1]>")
        for number in range(1, 31):
            for key in f"[{number}]\r":
                screen.type(key)
                screen.read(0.002)
        screen.wait_for("puppet [31]>")
        typed = [row for row in screen.rows if row.endswith(("]", "]>")) and "Array" not in row]
        assert typed == [f"puppet [{number}]> [{number}]" for number in range(1, 31)] + [
            "puppet [31]>"
        ]


def test_an_interrupt_drops_what_was_typed(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("notice('on') Integer[1, 3000000000].each |$x| { $x }\r")
        screen.wait_for("Notice: ")
        screen.type("$unwanted\x03")
        screen.wait_for("Interrupted")
        screen.type("1 + 1\r")
        screen.wait_for("2  Integer")
        assert "unwanted" not in screen.text


def test_a_ctrl_d_typed_as_a_result_appears_is_not_lost(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("70 + 7\r")
        screen.wait_for("77")
        screen.type("\x04")
        screen.child.expect(pexpect.EOF)
        screen.child.wait()
        assert screen.child.exitstatus == 0


def test_the_pager_of_an_input_that_is_run_again_has_the_usual_mode(tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text(
        "#!/bin/sh\ncat >/dev/null; stty -a </dev/tty | tr ' ;' '\\n\\n' >>$HOME/modes\n"
    )
    pager.chmod(0o755)
    modes = tmp_path / "modes"
    with TerminalScreen(tmp_path, rows=10, columns=80, PAGER=str(pager), EDITOR="true") as screen:
        screen.wait_for("puppet [1]>")
        screen.type('Integer[1, 300].map |$x| { "text number ${x}" }\r')
        screen.wait_for("puppet [2]>")
        first = modes.read_text().split()
        assert {"echo", "icanon", "icrnl"} <= set(first)
        for number, command in enumerate((":rerun 1", ":edit 1"), start=2):
            screen.type(f"\x0c{command}\r")
            screen.wait_until(lambda number=number: modes.read_text().split() == first * number)


def test_an_interrupt_while_the_mode_is_restored_leaves_the_usual_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, its = pty.openpty()
    usual = termios.tcgetattr(its)
    interrupts = [False, True, False]  # the second mode is that of the end

    def owner_of_the_terminal(_: int) -> int:
        if interrupts.pop(0):
            raise KeyboardInterrupt
        return os.getpgrp()

    monkeypatch.setattr(os, "tcgetpgrp", owner_of_the_terminal)
    with open(its, encoding="utf-8") as keyboard:
        typing = TypingAhead(Vt100Input(keyboard), DummyOutput())
        with pytest.raises(KeyboardInterrupt), typing.kept():
            assert not termios.tcgetattr(its)[3] & termios.ECHO
        assert termios.tcgetattr(its) == usual
        assert not interrupts
    os.close(ours)


@pytest.mark.parametrize("is_ours", [True, False])
def test_it_is_known_whether_the_terminal_keeps_keys(
    monkeypatch: pytest.MonkeyPatch, is_ours: bool
) -> None:
    ours, its = pty.openpty()
    monkeypatch.setattr(os, "tcgetpgrp", lambda _: os.getpgrp() if is_ours else 1)
    with open(its, encoding="utf-8") as keyboard:
        typing = TypingAhead(Vt100Input(keyboard), DummyOutput())
        with typing.kept():
            assert typing.is_kept == is_ours
            before = termios.tcgetattr(its)
            with typing.all_keys_kept():
                assert (termios.tcgetattr(its) != before) == is_ours
            assert termios.tcgetattr(its) == before
        assert not typing.is_kept
    os.close(ours)
