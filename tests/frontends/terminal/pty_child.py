"""The program in a pseudo-terminal that can be closed, and that stays when the program ends."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

TIMEOUT = 20.0
# Standard input becomes the controlling terminal of the session.
# What starts the tests may ignore some of them, as nohup does.
_USUAL_SIGNALS = """
import signal
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
"""
_TAKE_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
_RUN = "from puppet_repl.frontends.cli import main_of_process; raise SystemExit(main_of_process())"


class PtyChild:
    """A prompt that is the leader of its own session, with ``home`` for all its files.

    ``before`` is Python code that its process runs first, ``wrapper`` the words of a command that
    starts it. ``output`` is what it has written. The terminal stays when the process has ended.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        before: str = "",
        wrapper: tuple[str, ...] = (),
        **environment: str,
    ) -> None:
        self.home = home
        self.output = b""
        self._master, self._slave = os.openpty()
        # So wide that no message is broken.
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("4H", 40, 400, 0, 0))
        self.first_mode = self.mode()
        code = f"{_TAKE_TERMINAL}\n{_USUAL_SIGNALS}\n{before}\n{_RUN}"
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, "-c", code, *arguments],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "XDG_CONFIG_HOME": str(home / "config"),
                "XDG_DATA_HOME": str(home / "data"),
                "TERM": "xterm-256color",
                "LANG": "C.UTF-8",
                "PROMPT_TOOLKIT_NO_CPR": "1",
                **environment,
            },
        )

    def __enter__(self) -> PtyChild:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.close()
        os.close(self._slave)

    def mode(self) -> list[object]:
        """Return the mode of the terminal, without the speeds."""
        attributes = termios.tcgetattr(self._slave)
        return [*attributes[:4], attributes[6]]

    def type(self, text: str) -> None:
        """Send keys."""
        os.write(self._master, text.encode())

    def wait_for(self, wanted: str, seconds: float = TIMEOUT) -> None:
        """Wait until a text is written, and drop what was written up to there."""
        deadline = time.monotonic() + seconds
        while wanted.encode() not in self.output:
            if time.monotonic() > deadline:
                raise AssertionError(f"{wanted!r} does not appear in {self.output!r}")
            self.read(0.1)
        self.output = self.output.partition(wanted.encode())[2]

    def read(self, seconds: float) -> None:
        """Add what is written to the output; wait for the first of it so long at most."""
        while select.select([self._master], [], [], seconds)[0]:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # nobody has the terminal open any more
                return
            if not data:
                return
            self.output += data
            seconds = 0.0

    def run(self, text: str, number: int) -> None:
        """Type an entry, and wait for the prompt with that number."""
        self.type(text + "\r")
        self.wait_for(f"puppet [{number}]> ")

    def end(self, by: signal.Signals | None = None, seconds: float = TIMEOUT) -> int:
        """Send a signal; wait for the end, and return the status as subprocess gives it."""
        if by is not None:
            self.process.send_signal(by)
        deadline = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise AssertionError(f"it does not end; it wrote {self.output!r}")
            if self._master < 0:
                time.sleep(0.01)
            else:
                self.read(0.01)
        if self._master >= 0:
            self.read(0.05)
        return self.process.returncode

    def close(self) -> None:
        """Close the terminal, as closing its window does."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
