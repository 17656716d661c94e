"""A process that writes user files and kills itself between two lines of the code that does it.

``python -m tests.frontends.shared.killed WHAT DIRECTORY RUN LINE`` writes ROUNDS times: inputs to
the history, a setting to its file, or the session to a notebook. It prints what it begins and what
it has ended. In the last round it kills itself (SIGKILL) before it runs the LINE-th line that it
has not run before; with 0 it prints the number of these lines.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from puppet_repl.base import file_locks, file_reading, file_replacement
from puppet_repl.frontends.commands import run, saving
from puppet_repl.host import history, settings
from puppet_repl.host.host import Host
from puppet_repl.session import Session

ROUNDS = 2
THEMES = ("monokai", "vim")
_TRACED = {
    os.path.realpath(str(module.__file__))
    for module in (history, file_locks, file_reading, file_replacement, saving, settings)
}


class Killer:
    """Collects the lines of the traced modules, and ends the process before one of them."""

    def __init__(self, last: int) -> None:
        self.lines: set[tuple[str, int]] = set()
        self.last = last

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        """Trace a function of a traced module, no other."""
        if frame.f_code.co_filename not in _TRACED:
            return None
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
            if len(self.lines) == self.last:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


def writer(what: str, directory: Path, number: str) -> Callable[[int], object]:
    """Return a function that writes once; its argument is the number of the round."""
    if what == "history":
        earlier = history.History(directory / "history")
        earlier.loaded.wait(30)
        return lambda round_: earlier.add(f"run {number}\n  round {round_}")
    if what == "settings":
        kept = settings.Settings()

        def save(round_: int) -> None:
            kept.set("theme", THEMES[round_ % len(THEMES)])
            kept.save(directory / "config.toml", "theme")

        return save
    host = Host(session=Session(facts={}))

    def save_session(round_: int) -> None:
        host.session.execute(f"$a{round_} = 'run {number}'")
        report = run(host.session, f":save! {directory}/s.ipynb", host)
        assert not report.failed

    return save_session


def main(what: str, directory: str, number: str, last: str) -> None:
    """Write, and die."""
    write = writer(what, Path(directory), number)
    killer = Killer(int(last))
    for round_ in range(ROUNDS):
        print("begin", round_, flush=True)
        if round_ == ROUNDS - 1:
            sys.settrace(killer)
        write(round_)
        sys.settrace(None)
        print("end", round_, flush=True)
    print("lines", len(killer.lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
