"""The first prompt is there before what reads keys is imported, and that takes its place."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte
import pytest

from tests.frontends.terminal.pty_child import TIMEOUT, PtyChild
from tests.frontends.terminal.terminal_screen import PASTE_OFF

PROMPT = "puppet [1]> "
# The import of prompt_toolkit waits for a file, and fails where that says so.
_WAITING = """
import os, sys, time
class Waiting:
    def find_spec(self, name, path=None, target=None):
        if name == "prompt_toolkit":
            open("{home}/asked", "w").close()
            while not os.path.exists("{home}/go"):
                time.sleep(0.005)
            if open("{home}/go").read():
                raise ImportError("not to be had")
sys.meta_path.insert(0, Waiting())
"""


class Opening(PtyChild):
    """A prompt whose editor is imported when ``go_on`` is called; and what the screen shows."""

    def __init__(self, home: Path, *arguments: str, **environment: str) -> None:
        before = _WAITING.format(home=home)
        super().__init__(home, *arguments, before=before, wrapper=(), **environment)
        self.screen = pyte.Screen(400, 40)
        self.stream = pyte.ByteStream(self.screen)
        deadline = time.monotonic() + TIMEOUT
        while not (home / "asked").exists():
            self.read(0.01)
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.__exit__(None, None, None)
                raise AssertionError(f"it imports no editor, but wrote {self.output!r}")
        self.look()

    def go_on(self, error: str = "") -> None:
        """Let the import go on, or fail."""
        new = self.home / "new"
        new.write_text(error)
        new.rename(self.home / "go")

    def look(self) -> list[str]:
        """Return the rows of the screen that are not empty."""
        self.read(0.2)
        self.stream.feed(self.output)
        self.output = b""
        return [row.rstrip() for row in self.screen.display if row.strip()]

    def wait_for_row(self, start: str) -> None:
        """Wait until a row begins with a text."""
        for _ in range(100):
            if any(row.startswith(start) for row in self.look()):
                return
        raise AssertionError(f"no row begins with {start!r}:\n" + "\n".join(self.look()))

    def style_of(self, text: str) -> Any:
        """The first character of a text on the screen: its colour, whether it is bold and so on."""
        for number, row in enumerate(self.screen.display):
            if text in row:
                return self.screen.buffer[number][row.index(text)]
        raise AssertionError(f"{text!r} is not on the screen")


@contextmanager
def opening(home: Path, *arguments: str, **environment: str) -> Iterator[Opening]:
    """A prompt that waits before it imports its editor, for as long as the block runs."""
    child = Opening(home, *arguments, **environment)
    with child:
        yield child


def test_it_is_there_before_keys_are_read(tmp_path: Path) -> None:
    with opening(tmp_path) as child:
        banner, prompt = child.look()
        assert banner.startswith("puppet-repl ")
        assert prompt == PROMPT.rstrip()
        assert child.screen.cursor.x == len(PROMPT)
        child.type("6 * 7\r")
        assert child.look() == [banner, prompt], "nothing is echoed"
        child.go_on()
        child.wait_for_row("puppet [2]>")
        rows = child.look()
        assert rows[:2] == [banner, PROMPT + "6 * 7"]
        assert [row for row in rows if row.startswith("42")]
        assert len([row for row in rows if row.startswith("puppet [1]")]) == 1


@pytest.mark.parametrize(
    ("configuration", "environment"),
    [
        ("", {}),
        ("", {"COLORFGBG": "0;15"}),
        ("", {"COLORFGBG": "15;0"}),
        ('background = "light"\n', {}),
        ('background = "dark"\n', {"COLORFGBG": "0;15"}),
        ("", {"NO_COLOR": "1"}),
        ('prompt = "<{n}> "\n', {}),
        ('theme = "monokai"\n', {}),
    ],
)
def test_it_looks_like_the_real_one(
    tmp_path: Path, configuration: str, environment: dict[str, str]
) -> None:
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text(configuration)
    name = "<1> " if "prompt" in configuration else PROMPT
    with opening(tmp_path, **environment) as child:
        assert child.look()[1] == name.rstrip()
        early = child.style_of(name)
        child.go_on()
        child.type("1")
        child.wait_for_row(name + "1")
        assert child.style_of(name) == early


def test_ctrl_c_and_ctrl_d_are_keys_of_the_prompt(tmp_path: Path) -> None:
    with opening(tmp_path) as child:
        child.type("$unwanted\x031 + 1\r")
        child.go_on()
        child.wait_for_row("puppet [2]>")
        assert [row for row in child.look() if row.startswith("2 ")]
    other = tmp_path / "other"
    other.mkdir()
    with opening(other) as child:
        child.type("\x04")
        child.go_on()
        assert child.end() == 0
        assert child.mode() == child.first_mode


def test_what_is_pasted_is_one_entry(tmp_path: Path) -> None:
    with opening(tmp_path) as child:
        child.type("\x1b[200~[1,\r2]\x1b[201~\r")
        child.go_on()
        child.wait_for_row("puppet [2]>")
        assert [row for row in child.look() if row.startswith("[1, 2]")]


def test_the_terminal_is_asked_to_tell_pastes(tmp_path: Path) -> None:
    with PtyChild(tmp_path, before=_WAITING.format(home=tmp_path)) as child:
        child.wait_for(PROMPT)
        child.wait_for("\x1b[?2004h")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_terminal_has_its_mode(
    tmp_path: Path, number: signal.Signals
) -> None:
    with opening(tmp_path) as child:
        assert child.mode() != child.first_mode
        assert child.end(number) == -number
        assert child.mode() == child.first_mode
        assert PASTE_OFF in child.output


def test_a_failure_is_told_on_a_line_of_its_own(tmp_path: Path) -> None:
    with opening(tmp_path) as child:
        child.go_on("fail")
        assert child.end() != 0
        assert child.mode() == child.first_mode
        assert PASTE_OFF in child.output
        rows = child.look()
        assert not [row for row in rows if row.startswith("puppet [")]
        assert "not to be had" in rows[-1]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text)


@pytest.mark.parametrize(
    "case", ["environment", "start-up file", "a problem", "long", "of two lines"]
)
def test_what_may_have_something_to_say_first_comes_first(tmp_path: Path, case: str) -> None:
    config = tmp_path / "config" / "puppet-repl"
    arguments: list[str] = []
    said = ""
    if case == "environment":
        _write(tmp_path / "control" / "manifests" / "site.pp", "notice('at the start')")
        arguments, said = ["--environment", str(tmp_path / "control")], "Notice: "
    elif case == "start-up file":
        _write(config / "startup.pp", "notice('at the start')")
        said = "Notice: "
    elif case == "a problem":
        _write(config / "config.toml", "unheard_of = 1\n")
        said = "unheard_of"
    elif case == "of two lines":
        _write(config / "config.toml", 'prompt = "a\\nb> "\n')
    else:
        _write(config / "config.toml", f'prompt = "{"p" * 400}"\n')
    with opening(tmp_path, *arguments) as child:
        assert child.look() == []
        child.go_on()
        child.wait_for_row(" :help")
        rows = child.look()
        assert said in rows[1]
        assert case != "of two lines" or rows[1] == "a^Jb>"


def test_it_comes_behind_what_a_program_has_shown(tmp_path: Path) -> None:
    with opening(tmp_path, "-i", "-e", "6 * 7") as child:
        rows = child.look()
        assert rows[0].startswith("42")
        assert rows[-1] == "puppet [2]>"
        child.go_on()
        child.type("1 + 1\r")
        child.wait_for_row("puppet [3]>")
