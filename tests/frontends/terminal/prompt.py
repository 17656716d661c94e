"""A prompt that is fed with keys from a pipe, for tests that look at texts and not at a screen."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from puppet_repl.frontends.terminal.app import Terminal
from puppet_repl.host.host import Host

ENTER = "\r"
NEWLINE = "\x1b\r"
SHIFT_ENTER = "\x1b[27;2;13~"
UP = "\x1b[A"
DOWN = "\x1b[B"
RIGHT = "\x1b[C"
LEFT = "\x1b[D"
HOME = "\x1b[H"
END = "\x1b[F"
TAB = "\t"
BACKSPACE = "\x7f"
CTRL_C = "\x03"
CTRL_D = "\x04"
CTRL_R = "\x12"
CTRL_UNDERSCORE = "\x1f"
ESCAPE = "\x1b"
F1 = "\x1bOP"
F2 = "\x1bOQ"
F4 = "\x1bOS"
F5 = "\x1b[15~"

_SEQUENCE = re.compile(r"\x1b\[[0-9;?>]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>]")


class Prompt:
    """A terminal front-end on a pipe."""

    def __init__(self, pipe: PipeInput, **settings: object) -> None:
        self.pipe = pipe
        self.written = io.StringIO()
        self.output = Vt100_Output(
            self.written, lambda: Size(rows=40, columns=100), term="xterm", enable_cpr=False
        )
        facts: dict[str, object] = {"os": {"family": "Debian"}, "kernel": "Linux"}
        host = Host(facts=facts)
        self.history = host.history
        self.session = host.session
        for name, value in {
            "complete_while_typing": False,
            "check_syntax": False,
            **settings,
        }.items():
            host.settings.put(name, value)
        self.terminal = Terminal(host, keyboard=pipe, display=self.output)

    def entry(self, keys: str) -> str:
        """What one prompt gives back for keys."""
        self.pipe.send_text(keys)
        return self.terminal.read()

    def run(self, *entries: str) -> str:
        """Run entries, and answer what they wrote, without colours."""
        start = 0
        for entry in entries:
            start = len(self.written.getvalue())
            self.terminal.handle(entry)
        return _SEQUENCE.sub("", self.written.getvalue()[start:]).replace("\r\n", "\n")


@contextmanager
def open_prompt(**settings: object) -> Iterator[Prompt]:
    """A prompt, for as long as the block runs."""
    with create_pipe_input() as pipe, create_app_session(input=pipe):
        yield Prompt(pipe, **settings)
