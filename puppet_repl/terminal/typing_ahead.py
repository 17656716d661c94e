"""What is typed while an input runs: it is not echoed, and the next prompt reads it.

The terminal keeps such keys one by one as they are, and still sends signals for Ctrl-C and Ctrl-Z.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from puppet_repl.terminal.ending import mode_restored_by_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output


@contextmanager
def typing_kept(keyboard: Input, display: Output) -> Iterator[None]:
    """While the block runs, let the terminal keep what is typed for the next prompt.

    Its mode is restored also by signals that end or stop the program. Without one nothing is done.
    """
    try:
        import termios
    except ImportError:  # Windows
        yield
        return
    try:
        source = keyboard.fileno()
        usual: list[Any] = termios.tcgetattr(source)
    except (OSError, NotImplementedError, termios.error):
        yield
        return
    quiet = usual.copy()
    quiet[0] &= ~termios.ICRNL  # Enter stays Enter
    quiet[3] &= ~(termios.ECHO | termios.ICANON)

    def put(mode: list[Any]) -> None:
        # The terminal may be gone, and another program may have it: it would stop this one.
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(source) == os.getpgrp():
                termios.tcsetattr(source, termios.TCSANOW, mode)

    with (
        mode_restored_by_signals(keyboard, display),
        _around_stops(lambda: put(usual), lambda: put(quiet)),
    ):
        put(quiet)
        try:
            yield
        finally:
            put(usual)


@contextmanager
def _around_stops(before: Callable[[], None], behind: Callable[[], None]) -> Iterator[None]:
    """While the block runs, do something before Ctrl-Z stops the program, and when it goes on."""

    def stop(number: int, frame: FrameType | None) -> None:
        before()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, stop)
        behind()

    try:
        # ValueError: only the main thread may set handlers.
        is_usual = signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
        if is_usual:
            signal.signal(signal.SIGTSTP, stop)
    except ValueError:
        is_usual = False
    try:
        yield
    finally:
        if is_usual:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
