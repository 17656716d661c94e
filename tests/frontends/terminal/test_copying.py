"""``:copy`` through a real pseudo-terminal, with and without tmux around it; and elsewhere."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.commands.notations import MAX_COPIED_BYTES
from puppet_repl.host.host import Host
from puppet_repl.tools.reports.parts import Complaint
from tests.frontends.terminal.terminal_screen import TerminalScreen


def sequence(text: str) -> bytes:
    return b"\x1b]52;c;" + b64encode(text.encode()) + b"\x07"


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (15, 40)])
def test_the_terminal_is_asked(tmp_path: Path, rows: int, columns: int) -> None:
    with TerminalScreen(tmp_path, rows=rows, columns=columns) as screen:
        screen.wait_for("puppet [1]>")
        screen.type('"gr\u00fc\u00dfe"\r')
        screen.wait_for("puppet [2]>")
        screen.type(":copy\r")
        screen.wait_for("copied 5 characters")
        assert sequence("gr\u00fc\u00dfe") in screen.raw
        screen.type(":copy [1, Sensitive('x')]\r")
        screen.wait_for("copied 31 characters")
        assert sequence("[1, Sensitive [value redacted]]") in screen.raw


def test_tmux_hands_it_on(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path, TMUX="/tmp/tmux-0/default,1,0") as screen:
        screen.wait_for("puppet [1]>")
        screen.type(":copy 'x'\r")
        screen.wait_for("copied 1 character")
        inner = sequence("x").replace(b"\x1b", b"\x1b\x1b")
        assert b"\x1bPtmux;" + inner + b"\x1b\\" in screen.raw


def test_what_is_copied() -> None:
    copied: list[str] = []
    host = Host(facts={})
    host.copy = copied.append
    host.session.execute("'one'")
    host.session.execute("{a => 'two'}")
    for command in (":copy 1", ":copy", ":copy 1 + 1"):
        assert not run(host.session, command, host).failed
    assert copied == ["one", "{'a' => 'two'}", "2"]
    for command in (":copy 9", ":copy 1 / 0", f":copy sprintf('%{MAX_COPIED_BYTES + 1}s', '')"):
        assert run(host.session, command, host).failed
    assert not run(host.session, f":copy sprintf('%{MAX_COPIED_BYTES}s', '')", host).failed
    assert len(copied) == 4


def test_without_a_clipboard_it_says_so() -> None:
    host = Host(facts={})
    (complaint,) = run(host.session, ":copy 1", host).parts
    assert isinstance(complaint, Complaint)
    assert complaint.hint == "in a notebook, copy the output itself"
