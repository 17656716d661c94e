"""Signals and closed terminals: the program ends, the terminal has its mode, no input is lost."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from textwrap import dedent
from threading import Thread
from typing import Any

import pytest

from puppet_repl.frontends.terminal.end_signals import (
    children_ended_by_signals,
    mode_restored_by_signals,
)
from puppet_repl.host.history import read_entries
from tests.frontends.terminal.pty_child import PtyChild
from tests.frontends.terminal.resting import is_at_work

pytestmark = pytest.mark.untraced


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
    else:
        job = child.home / "job"
        process = int(job.read_text()) if job.exists() else child.process.pid
        # Python attends to a signal that comes just before readline waits for a key with that key.
        at_rest = 0
        while at_rest < 10:
            at_rest = 0 if is_at_work(process) else at_rest + 1
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("arguments", "busy", "number"),
    [
        ((), False, signal.SIGTERM),
        ((), False, signal.SIGHUP),
        ((), False, signal.SIGQUIT),
        ((), True, signal.SIGTERM),
        ((), True, signal.SIGHUP),
        ((), True, signal.SIGQUIT),
        (("--plain",), False, signal.SIGTERM),
        (("--plain",), False, signal.SIGHUP),
        (("--plain",), False, signal.SIGQUIT),
        (("--plain",), True, signal.SIGTERM),
        (("--plain",), True, signal.SIGHUP),
        (("--plain",), True, signal.SIGQUIT),
    ],
)
def test_a_signal_ends_it_and_the_terminal_has_its_mode(
    tmp_path: Path, arguments: tuple[str, ...], busy: bool, number: signal.Signals
) -> None:
    with PtyChild(tmp_path, *arguments) as child:
        begin(child, busy=busy)
        if not busy:
            assert child.mode() != child.first_mode, "keys are read one by one"
            child.output = b""
        assert child.end(number) == -number
        assert child.mode() == child.first_mode
        if not (busy or arguments):
            assert PASTE_OFF in child.output
    assert entries(tmp_path) == ["$a = 1", ENDLESS] if busy else ["$a = 1"]


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
@pytest.mark.parametrize("busy", [False, True])
def test_a_signal_that_means_nothing_to_it_ends_it(
    tmp_path: Path, arguments: tuple[str, ...], busy: bool
) -> None:
    with PtyChild(tmp_path, *arguments) as child:
        begin(child, busy=busy)
        assert child.end(signal.SIGUSR1) == -signal.SIGUSR1
    assert entries(tmp_path) == (["$a = 1", ENDLESS] if busy else ["$a = 1"])


def test_a_change_of_the_size_of_the_terminal_does_not_end_it(tmp_path: Path) -> None:
    with PtyChild(tmp_path) as child:
        begin(child, busy=False)
        child.output = b""
        child.process.send_signal(signal.SIGWINCH)
        child.wait_for("puppet [2]> ")
        child.run("$b = 2", 3)


class Terminal:
    """A pseudo-terminal as the keyboard and the screen of this process."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()

    def fileno(self) -> int:
        return self._slave

    def close(self) -> None:
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.close()


@pytest.fixture
def terminated() -> Iterator[Callable[[Any], Any]]:
    """Set what SIGTERM does, as long as the test runs."""
    before = signal.getsignal(signal.SIGTERM)
    yield lambda handler: signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGTERM, before)


def test_signals_have_their_handlers_back(
    terminal: Terminal, terminated: Callable[[Any], Any]
) -> None:
    terminated(signal.SIG_DFL)
    with mode_restored_by_signals(terminal, terminal):
        outer = signal.getsignal(signal.SIGTERM)
        assert callable(outer)
        with children_ended_by_signals():
            assert signal.getsignal(signal.SIGTERM) not in (outer, signal.SIG_DFL)
        assert signal.getsignal(signal.SIGTERM) is outer
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("own", [signal.SIG_IGN, lambda number, frame: None])
def test_handlers_of_others_are_left_alone(
    terminal: Terminal, terminated: Callable[[Any], Any], own: Any
) -> None:
    terminated(own)
    for block in (mode_restored_by_signals(terminal, terminal), children_ended_by_signals()):
        with block:
            assert signal.getsignal(signal.SIGTERM) is own
        assert signal.getsignal(signal.SIGTERM) is own


def test_nothing_is_done_without_a_terminal(
    tmp_path: Path, terminated: Callable[[Any], Any]
) -> None:
    terminated(signal.SIG_DFL)
    with (tmp_path / "keys").open("w+") as file, mode_restored_by_signals(file, file):
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with mode_restored_by_signals(StringIO(), StringIO()):
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_nothing_is_done_outside_of_the_main_thread(
    terminal: Terminal, terminated: Callable[[Any], Any]
) -> None:
    terminated(signal.SIG_DFL)
    found = []

    def work() -> None:
        with mode_restored_by_signals(terminal, terminal):
            found.append(signal.getsignal(signal.SIGTERM))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]


def test_blocks_inside_of_others_act_first() -> None:
    """A child process: its end is that of the signal, after both have acted."""
    code = """
        import os, signal
        from puppet_repl.frontends.terminal.end_signals import _before_the_end

        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with _before_the_end(lambda: print("outer", flush=True)):
            with _before_the_end(lambda: print("inner", flush=True)):
                os.kill(os.getpid(), signal.SIGTERM)
                print("alive", flush=True)
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("inner\nouter\n", -signal.SIGTERM), done.stderr


# A shell that has the program as its job: only what has somebody to continue it can be stopped.
SHELL = """
import os, signal
if job := os.fork():
    with open(os.environ["HOME"] + "/job", "w") as file:
        file.write(str(job))
    while os.WIFSTOPPED(status := os.waitpid(job, os.WUNTRACED)[1]):
        os.write(1, b"stopped")
    os._exit(os.waitstatus_to_exitcode(status) & 255)
os.setpgid(0, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.tcsetpgrp(0, os.getpid())
for number in (signal.SIGTTOU, signal.SIGTSTP):
    signal.signal(number, signal.SIG_DFL)
"""


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
@pytest.mark.parametrize(
    ("busy", "by_key"), [(False, True), (False, False), (True, True), (True, False)]
)
def test_it_can_be_stopped_and_continued(
    tmp_path: Path, arguments: tuple[str, ...], busy: bool, by_key: bool
) -> None:
    with PtyChild(tmp_path, *arguments, before=SHELL) as child:
        begin(child, busy=busy)
        job = int((tmp_path / "job").read_text())
        if by_key:
            child.type("\x1a")
        else:
            os.kill(job, signal.SIGTSTP)
        child.wait_for("stopped")
        if by_key:
            # Echo, lines and keys that send signals; a shell sets the rest itself.
            assert child.mode()[3] == child.first_mode[3]
        os.kill(job, signal.SIGCONT)
        if busy:
            child.type("\x03")
            child.wait_for("puppet [2]> ")
        child.run("$b = 2", 3)
        child.type(":quit\r")
        assert child.end() == 0
        assert child.mode() == child.first_mode


def test_it_can_be_stopped_where_code_is_stopped(tmp_path: Path) -> None:
    """The prompt has its own mode afterwards: Ctrl-C drops what was typed."""
    with PtyChild(tmp_path, before=SHELL) as child:
        begin(child, busy=False)
        job = int((tmp_path / "job").read_text())
        child.type("debug::break()\r")
        child.wait_for("debug [1]> ")
        mode = child.mode()
        os.kill(job, signal.SIGTSTP)
        child.wait_for("stopped")
        assert child.mode()[3] == child.first_mode[3]
        os.kill(job, signal.SIGCONT)
        end = time.monotonic() + 10
        while child.mode() != mode and time.monotonic() < end:
            time.sleep(0.01)
        assert child.mode() == mode
        child.type("$c = 3\x03:continue\r")
        child.wait_for("puppet [3]> ")
        child.type(":quit\r")
        assert child.end() == 0
        assert child.mode() == child.first_mode


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
        (":help all\r", signal.SIGTERM),
        (":help all\r", signal.SIGHUP),
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


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
def test_an_input_goes_on_when_hangups_are_ignored(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    go, done = tmp_path / "go", tmp_path / "done"
    code = (
        f"notice('on') Integer[1, 3000000000].each |$x| {{ if find_file('{go}') {{ break() }} }} "
        f"generate('/bin/sh', '-c', 'echo yes >{done}')"
    )
    with PtyChild(tmp_path, *arguments, "--allow-generate", before=ignore) as child:
        child.wait_for("puppet [1]> ")
        child.type(code + "\r")
        child.wait_for("Notice: ")
        child.close()
        go.touch()
        assert child.end() == 1
    assert done.read_text() == "yes\n"
    assert entries(tmp_path) == [code]


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    ignore = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    with PtyChild(tmp_path, before=ignore) as child:
        begin(child, busy=False)
        os.kill(child.process.pid, signal.SIGTERM)
        child.run("'still here'", 3)
