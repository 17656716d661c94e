"""``> FILE`` and ``| PROGRAM`` after a command, in a real pseudo-terminal."""

from __future__ import annotations

import re
from pathlib import Path

from tests.frontends.terminal.terminal_screen import TerminalScreen


def after(screen: TerminalScreen, text: str, shown: str) -> None:
    """Type a command, and wait for a row that it shows."""
    screen.type(f"{text}\r")
    screen.wait_until(lambda: shown in screen.rows, repr(shown))
    screen.settle()


def test_files_and_programs(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    with TerminalScreen(tmp_path, rows=60, columns=100) as screen:
        screen.wait_for("puppet [1]>")
        screen.run("notify { ['a', 'b']: message => '" + "long" * 50 + "' }")
        screen.settle()
        screen.type(f":resources > {file}\r")
        screen.wait_for("wrote 3 lines to")
        screen.settle()
        assert re.sub(r" +", " ", file.read_text()).split("\n")[1:] == [
            f"Notify['a'] {{'message' => '{'long' * 50}'}}",
            f"Notify['b'] {{'message' => '{'long' * 50}'}}",
            "",
        ]
        after(screen, ':catalog json | grep -c \'"title": "[ab]"\'', "2")
        after(screen, ":resources | tr a-z A-Z | cut -c 1-9", "RESOURCE")
        screen.type(":resources | nosuchprogram\r")
        screen.wait_until(lambda: any(row.endswith("not found") for row in screen.rows))
        screen.run("[1, 2].map |$x| { $x > 1 }")
        assert "[false, true]" in screen.text
        # The program has the terminal, and what it leaves does not disturb the prompt.
        screen.type(":vars | (echo ready; read line < /dev/tty; echo got $line)\r")
        screen.wait_until(lambda: "ready" in screen.rows)
        after(screen, "typed", "got typed")
        screen.run("40 + 2")
        assert "42" in screen.text


def test_not_in_a_hermetic_session(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, "--hermetic", rows=30, columns=100) as screen:
        screen.wait_for("puppet [1]>")
        message = "Error: a hermetic session writes no files and starts no programs"
        after(screen, f":resources > {tmp_path}/f", message)
        assert not (tmp_path / "f").exists()
