"""Signals and closed terminals: the program ends, the terminal has its mode, no input is lost."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path

import pytest

from puppet_repl.frontend.history import read_entries
from tests.terminal.pty_child import PtyChild

ENDLESS = "notice('on') Integer[1, 3000000000].each |$x| { $x }"
PASTE_OFF = b"\x1b[?2004l"


def entries(home: Path) -> list[str]:
    return list(read_entries((home / "data" / "puppet-repl" / "history").read_text("utf-8")))


def begin(child: PtyChild, *, busy: bool) -> None:
    """Run one input; then wait at the prompt, or run an input that does not end."""
    child.wait_for("puppet [1]> ")
    child.run("$a = 1", 2)
    if busy:
        child.type(ENDLESS + "\r")
        child.wait_for("Notice: ")


@pytest.mark.parametrize(
    ("arguments", "busy", "number"),
    [
        ((), False, signal.SIGTERM),
        ((), False, signal.SIGHUP),
        ((), False, signal.SIGQUIT),
        ((), True, signal.SIGTERM),
        ((), True, signal.SIGHUP),
        (("--plain",), False, signal.SIGTERM),
        (("--plain",), True, signal.SIGTERM),
    ],
)
def test_a_signal_ends_it_and_the_terminal_has_its_mode(
    tmp_path: Path, arguments: tuple[str, ...], busy: bool, number: signal.Signals
) -> None:
    with PtyChild(tmp_path, *arguments) as child:
        begin(child, busy=busy)
        if not (busy or arguments):
            assert child.mode() != child.first_mode, "keys are read one by one"
            child.output = b""
        assert child.end(number) == -number
        assert child.mode() == child.first_mode
        if not (busy or arguments):
            assert PASTE_OFF in child.output
    assert entries(tmp_path) == ["$a = 1", ENDLESS] if busy else ["$a = 1"]


# A program that changes the mode of the terminal and stays, and has a pipe open as long.
STAYS = """\
exec 9>{pipe}
stty raw -echo </dev/tty
echo opened >/dev/tty
exec sleep 1000
"""


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        (":help\r", signal.SIGTERM),
        (":help\r", signal.SIGHUP),
        (":edit\r", signal.SIGTERM),
        ("$b = 2\x18\x05", signal.SIGTERM),
    ],
    ids=["pager", "pager, hangup", "editor of a command", "editor of the prompt"],
)
def test_the_pager_and_the_editor_end_with_it(
    tmp_path: Path, keys: str, number: signal.Signals
) -> None:
    pipe, script = tmp_path / "pipe", tmp_path / "stays.sh"
    os.mkfifo(pipe)
    script.write_text(STAYS.format(pipe=pipe))
    pager = f"cat >/dev/null; sh {script}; true"
    with (
        open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reading,
        PtyChild(tmp_path, PAGER=pager, EDITOR=f"sh {script}") as child,
    ):
        begin(child, busy=False)
        child.type(keys)
        child.wait_for("opened")
        assert child.mode() != child.first_mode
        assert child.end(number) == -number
        assert child.mode() == child.first_mode
        assert select.select([reading], [], [], 20)[0], "the other program has ended as well"
        assert reading.read() == b""


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
@pytest.mark.parametrize("busy", [False, True])
def test_a_closed_terminal_ends_it(tmp_path: Path, arguments: tuple[str, ...], busy: bool) -> None:
    with PtyChild(tmp_path, *arguments) as child:
        begin(child, busy=busy)
        child.close()
        assert child.end() == -signal.SIGHUP
    assert entries(tmp_path) == (["$a = 1", ENDLESS] if busy else ["$a = 1"])


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
def test_a_closed_terminal_ends_it_when_hangups_are_ignored(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with PtyChild(tmp_path, *arguments, before=ignore) as child:
        begin(child, busy=False)
        child.close()
        assert child.end() == 1


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    ignore = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    with PtyChild(tmp_path, before=ignore) as child:
        begin(child, busy=False)
        os.kill(child.process.pid, signal.SIGTERM)
        child.run("'still here'", 3)
