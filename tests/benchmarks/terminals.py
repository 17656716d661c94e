"""The terminal beside IPython and ptpython: each in a pseudo-terminal of its own, in turns.

What counts are ratios: the first prompt and its first key, pasting, a key at the end of what was
pasted, and the menu of completions, the first one of a process and the next.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from typing import NamedTuple

from tests.benchmarks.rows import Row, Rows
from tests.benchmarks.timing import as_installed

TIMEOUT = 60.0
# Seconds without output after which a program has nothing more to show.
QUIET = 0.4
SIZES = (1000, 3000)
# A key that neither prompts nor control sequences have.
UNUSUAL = b"z"
GROUP = "terminal"
LIMITS = {"first prompt": 0.1, "first menu": 0.06}


class Program(NamedTuple):
    """A program, what its prompt begins with, and what is typed in its language.

    ``line`` is one line of a long input, ``last`` its end and a word that is shown then; ``typed``
    is a line of 40 characters that is typed key by key, of which no menu opens. After
    ``completed`` the key ``opening`` opens a menu that shows ``offered``: that is Tab where
    none opens by itself.
    """

    name: str
    arguments: tuple[str, ...]
    prompt: bytes
    line: str
    last: str
    typed: bytes
    completed: bytes
    opening: bytes
    offered: bytes


PROGRAMS = (
    Program(
        "puppet-repl",
        ("-m", "puppet_repl"),
        b"puppet [",
        "$x{} = {{ 'a' => [1, 2, 3], 'b' => \"text {}\" }}",
        "$lastline = 1",
        b"$x = { 'a' => [1, 2, 3], 'b' => \"text\" }",
        b"f",
        b"l",
        b"flatten",
    ),
    Program(
        "IPython",
        ("-m", "IPython", "--no-banner"),
        b"In [",
        "x{} = {{'a': [1, 2, 3], 'b': \"text {}\"}}",
        "lastline = 1",
        b"values = [n * 200 for n in (1, 2, 3, 4)]",
        b"ma",
        b"\t",
        b"max",
    ),
    Program(
        "ptpython",
        ("-m", "ptpython"),
        b">>>",
        "x{} = {{'a': [1, 2, 3], 'b': \"text {}\"}}",
        "lastline = 1",
        b"values = [n * 200 for n in (1, 2, 3, 4)]",
        b"m",
        b"a",
        b"max",
    ),
)


def _take_terminal() -> None:
    # What is not the terminal of the session cannot have its mode changed while others may use it.
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Running:
    """A program in a pseudo-terminal of 80 columns and 24 rows."""

    def __init__(self, program: Program, home: str) -> None:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        variables = as_installed()
        variables |= {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "HOME": home}
        variables |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "IPYTHONDIR"), home)
        self.terminal = ours
        self.start = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, *program.arguments],
            stdin=its,
            stdout=its,
            stderr=its,
            env=variables,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - there are no threads
        )
        os.close(its)

    def seconds_to(self, wanted: bytes) -> float:
        """Seconds until it has written something since the last keys; TimeoutError if never."""
        written = b""
        while wanted not in written or not written:
            if not select.select([self.terminal], [], [], TIMEOUT)[0]:
                raise TimeoutError(written)
            written += os.read(self.terminal, 65536)
        return time.perf_counter() - self.start

    def settle(self) -> int:
        """Wait until nothing more is written; return how many bytes were."""
        written = 0
        while select.select([self.terminal], [], [], QUIET)[0]:
            written += len(os.read(self.terminal, 65536))
        return written

    def type(self, keys: bytes) -> None:
        """Send keys, and begin to measure."""
        self.start = time.perf_counter()
        while keys:
            # A pseudo-terminal takes some thousand bytes at a time.
            if select.select([self.terminal], [self.terminal], [], TIMEOUT)[1]:
                keys = keys[os.write(self.terminal, keys[:1024]) :]

    def end(self) -> None:
        """End the program at once."""
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def bytes_per_key(program: Program, home: str) -> float:
    """Return how many bytes a program writes for a key, in the mean of a line that is typed."""
    running = Running(program, home)
    try:
        running.seconds_to(program.prompt)
        running.settle()
        written = 0
        for key in program.typed:
            running.type(bytes([key]))
            written += running.settle()
        return written / len(program.typed)
    finally:
        running.end()


def _starting(program: Program, home: str) -> dict[str, float]:
    """Seconds to the first prompt, to a key that is typed there at once, and to two menus."""
    running = Running(program, home)
    try:
        spent = {"first prompt": running.seconds_to(program.prompt)}
        # A prompt may stand before its keys are read: this is still since the start.
        os.write(running.terminal, UNUSUAL)
        spent["first key"] = running.seconds_to(UNUSUAL)
        running.type(b"\x03")
        for name in ("first menu", "second menu"):
            running.settle()
            running.type(program.completed)
            running.settle()
            running.type(program.opening)
            spent[name] = running.seconds_to(program.offered)
            for _ in range(2):  # IPython's first Ctrl-C closes the menu only
                running.settle()
                running.type(b"\x03")
        return spent
    finally:
        running.end()


def _pasting(program: Program, home: str, lines: int) -> dict[str, float]:
    """Seconds until pasted lines are shown, and the median seconds to the change after a key."""
    text = "\n".join([*(program.line.format(n, n) for n in range(lines)), program.last])
    running = Running(program, home)
    try:
        running.seconds_to(program.prompt)
        running.settle()
        running.type(b"\x1b[200~" + text.encode() + b"\x1b[201~")
        pasted = running.seconds_to(b"lastline")
        keys = []
        for key in b"23456":
            running.settle()
            running.type(bytes([key]))
            keys.append(running.seconds_to(b""))
        return {f"paste of {lines}": pasted, f"key in {lines}": statistics.median(keys)}
    finally:
        running.end()


def beside_others(times: int = 5) -> dict[str, dict[str, float]]:
    """Return the median seconds of each action, by action and program."""
    found: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as home:
        for turn in range(times + 1):
            for program in PROGRAMS:
                spent = _starting(program, home)
                for lines in SIZES if turn in (1, 2, 3) else ():
                    spent |= _pasting(program, home, lines)
                # The first turn of all compiles modules.
                for action, seconds in spent.items() if turn else ():
                    found.setdefault(action, {}).setdefault(program.name, []).append(seconds)
    return {
        action: {name: statistics.median(all_) for name, all_ in by_name.items()}
        for action, by_name in found.items()
    }


def terminals() -> Rows:
    """Yield each action beside both of the others."""
    measured = beside_others()
    for program in PROGRAMS[1:]:
        for action, spent in measured.items():
            ours, reference = spent[PROGRAMS[0].name], spent[program.name]
            yield Row(GROUP, action, ours, reference, program.name, 1, LIMITS.get(action))
    yield from _bytes()


def _bytes() -> Rows:
    """Yield the bytes that a key costs beside both of the others; half as many are enough."""
    written = {}
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as home:
            written[program.name] = bytes_per_key(program, home)
    ours = written.pop(PROGRAMS[0].name)
    for name, reference in written.items():
        yield Row(GROUP, "bytes per key", ours, reference, name, 0.5, unit="bytes")
