"""A real pseudo-terminal with puppet-repl in it, and a screen that can be read."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pyte

from tests.frontends.terminal.resting import is_at_work

TIMEOUT = 20.0
PASTE_OFF = b"\x1b[?2004l"
"""What the prompt writes when it has read an entry: from then on Ctrl-C is a signal."""


class TerminalScreen:
    """The program in a pseudo-terminal of a given size, with its own directories for settings."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        rows: int = 30,
        columns: int = 100,
        **environment: str,
    ) -> None:
        self.screen = pyte.HistoryScreen(columns, rows, history=2000)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        variables: Any = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            **environment,
        }
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "puppet_repl", *arguments],
            env=variables,
            dimensions=(rows, columns),
            timeout=TIMEOUT,
        )
        self.child.delaybeforesend = None

    def __enter__(self) -> TerminalScreen:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    def read(self, seconds: float = 0.05) -> None:
        """Take what the program wrote until it is quiet for a while."""
        while True:
            try:
                data = self.child.read_nonblocking(65536, timeout=seconds)
            except (pexpect.TIMEOUT, pexpect.EOF):
                return
            self.raw += data
            self.stream.feed(data)

    def settle(self, seconds: float = 0.1) -> None:
        """Read until the program was quiet for a while, and is so because it has nothing to do."""
        deadline = time.monotonic() + TIMEOUT
        self.read(seconds)
        while is_at_work(self.child.pid):
            assert time.monotonic() < deadline, f"it does not come to rest:\n{self.text}"
            self.read(seconds)

    @property
    def rows(self) -> list[str]:
        """The rows of the screen without blanks at their ends."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.rows)

    def wait_until(
        self, is_met: Callable[[], bool], missing: str = "what is awaited", timeout: float = TIMEOUT
    ) -> str:
        """Wait until a condition of the screen is met; an AssertionError says what is missing."""
        deadline = time.monotonic() + timeout
        while not is_met():
            if time.monotonic() > deadline:
                raise AssertionError(f"{missing} does not come, but:\n{self.text}")
            self.read(0.02)
        return self.text

    def wait_for(self, wanted: str, timeout: float = TIMEOUT) -> str:
        """Wait until a text stands on the screen."""
        return self.wait_until(lambda: wanted in self.text, repr(wanted), timeout)

    def wait_gone(self, unwanted: str, timeout: float = TIMEOUT) -> str:
        """Wait until a text is on the screen no more."""
        return self.wait_until(
            lambda: unwanted not in self.text, f"the end of {unwanted!r}", timeout
        )

    def type(self, text: str) -> None:
        """Send keys."""
        self.child.send(text)

    def run(self, text: str) -> None:
        """Type an entry, and wait for the next prompt."""
        number = self.number
        self.type(text + "\r")
        self.wait_for(f"puppet [{number + 1}]>")

    @property
    def number(self) -> int:
        """The number of the newest prompt on the screen."""
        found = [row for row in self.rows if row.startswith("puppet [")]
        return int(found[-1].partition("[")[2].partition("]")[0]) if found else 0

    def row_of(self, text: str) -> int:
        """The last row that holds a text."""
        return max(index for index, row in enumerate(self.rows) if text in row)

    def style_at(self, row: int, text: str) -> Any:
        """The character of the screen at which a text begins: colour, bold and so on."""
        return self.screen.buffer[row][self.rows[row].index(text)]
