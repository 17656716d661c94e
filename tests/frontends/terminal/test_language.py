"""The profile of the language in a real pseudo-terminal: the option, and the setting."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.terminal.terminal_screen import TerminalScreen


def test_the_language_is_changed_at_the_prompt(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for(", Puppet 8. :tour")
        screen.run("$before = regsubst('a', 'a', 'b', 'G', 'N')")
        screen.type(":set language openvox-9\r")
        screen.wait_for("openvox-9: the language of OpenVox 9; session reset")
        screen.type("regsubst('a', 'a', 'b', 'G', 'N')\r")
        screen.wait_for("expects between 3 and 4")
        screen.type("$before\r")
        screen.wait_for("Unknown variable: 'before'")
