"""``:on`` and ``:diff`` in a real pseudo-terminal, colours and Ctrl-C included."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frontends.terminal.terminal_screen import PASTE_OFF, TerminalScreen


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[TerminalScreen]:
    with TerminalScreen(tmp_path, "--facts", "debian-12", "--node", "web01.lan") as made:
        made.wait_for("puppet [1]>")
        yield made


def test_a_difference_has_signs_and_colours(screen: TerminalScreen) -> None:
    screen.run("file { '/a': mode => '0644', owner => root } notify { old: }")
    screen.type(":diff --mark a\r")
    screen.wait_for("mark a: 2 resources of web01.lan")
    screen.type(":node web02.lan\r")
    screen.wait_for("node web02.lan; session reset")
    screen.run("file { '/a': mode => '0600', owner => root } notify { new: }")
    screen.type(":diff a\r")
    screen.wait_for("resources: 1 added, 1 removed, 1 changed")
    for text, colour in (
        ("- Notify['old']", "red"),
        ("+ Notify['new']", "green"),
        ("~ File['/a']", "brown"),
        ("-   mode => '0644'", "red"),
        ("+   mode => '0600'", "green"),
    ):
        row = screen.row_of(text)
        assert screen.style_at(row, text).fg == colour, text
    assert "owner =>" not in "".join(screen.rows[screen.row_of("--- a") :])


def test_one_row_a_machine(screen: TerminalScreen) -> None:
    screen.run("function f() { $facts['os']['family'] }")
    screen.type(
        ":on debian-12 rocky-9 windows-2022 if f() == 'RedHat' { fail('no') } else { f() }\r"
    )
    screen.wait_for("windows-2022  'windows'")
    assert screen.rows[screen.row_of("debian-12     'Debian'")]
    row = screen.row_of("rocky-9       Error: Evaluation Error:")
    assert screen.style_at(row, "Error").fg == "red"
    screen.run("f()")
    assert screen.rows[screen.row_of("'Debian'  String")]


def test_ctrl_c_ends_all_machines(screen: TerminalScreen) -> None:
    screen.run("$kept = 1")
    screen.raw = b""
    screen.type(":on debian-12 rocky-9 Integer[1, 300000000].each |$x| { $x }\r")
    screen.wait_until(lambda: PASTE_OFF in screen.raw, "the end of the entry")
    time.sleep(0.7)
    screen.type("\x03")
    screen.wait_for("Interrupted.")
    screen.run("$kept + 1")
    assert "2  Integer" in screen.text
    assert "rocky-9  " not in screen.text


def test_a_slip_is_refused_and_an_unknown_node_is_told(screen: TerminalScreen) -> None:
    screen.type(":diff debian-12 rocky9\r")
    screen.wait_for("there is no fact set 'rocky9'")
    screen.wait_for("did you mean rocky-9?")
    screen.type(":diff web02.lan web03.lan\r")
    screen.wait_for("no difference")
    screen.wait_for("no node block or data names web02.lan and web03.lan")
