"""An input that declares more than it shows says so, in a real pseudo-terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.judge import write_files
from tests.frontends.terminal.terminal_screen import TerminalScreen

FILES = {
    "web/manifests/init.pp": "class web { include web::part notify { ['a', 'b']: } }\n",
    "web/manifests/part.pp": "class web::part { web::site { 'c': } }\n",
    "web/manifests/site.pp": "define web::site { notify { $title: } }\n",
}
WEB = "declared Class[Web], 1 more class and 4 resources (:resources)"


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@pytest.mark.parametrize("setup", ["1", ":set show_type off"])
def test_what_an_input_declares(tmp_path: Path, term: str, setup: str) -> None:
    write_files(tmp_path, FILES)
    options = ("--modulepath", str(tmp_path))
    with TerminalScreen(tmp_path, *options, rows=40, columns=100, TERM=term) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(f"{setup}\r")
        screen.settle()
        screen.run("include web")
        assert WEB in screen.rows
        for text in ("include web", "include web::part;", "notify { 'd': }", "1 + 1"):
            screen.run(text)
        assert sum("declared" in row for row in screen.rows) == 1
        screen.run("web::site { 'e': }")
        assert "declared 2 resources (:resources)" in screen.rows
        screen.run("class empty { } include empty")
        assert "declared Class[Empty] and no resources" in screen.rows
        screen.type("notify { 'f': } web::site { 'g': } fail('no')\r")
        screen.wait_for("Error: ")
        screen.settle()
        assert sum("declared" in row for row in screen.rows) == 3
