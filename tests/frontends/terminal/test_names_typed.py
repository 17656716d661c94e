"""A name that is being typed is no error yet."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.terminal.prompt import BACKSPACE, ENTER
from tests.frontends.terminal.terminal_screen import TerminalScreen


def test_an_unfinished_name_is_no_error_while_the_cursor_is_behind_it(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=24, columns=80) as screen:
        screen.wait_for("puppet [1]>")
        screen.type("notice(Stdlib::")
        screen.wait_for("Stdlib::")
        screen.settle(0.6)
        assert "Illegal" not in screen.text
        screen.type(")")
        screen.wait_for("Illegal class reference")
        screen.type(BACKSPACE)
        screen.wait_gone("Illegal class reference")


def test_a_url_is_refused_by_load_and_save(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, rows=24, columns=80) as screen:
        screen.wait_for("puppet [1]>")
        for command in (":load", ":save"):
            screen.type(f"\x0c{command} https://example.com/x.pp{ENTER}")
            screen.wait_for("Error: a URL is not a file: https://example.com/x.pp")
            screen.wait_for("hint: download it first")
