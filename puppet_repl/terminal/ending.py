"""Signals that end the program while the prompt reads keys: the terminal gets its mode back first.

While an input is evaluated the terminal has its usual mode, and such signals end the process
at once, whatever it does.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output

_NAMES = ("SIGTERM", "SIGHUP", "SIGQUIT")
# Wrapping on, no colours, cursor visible and of the usual shape, no bracketed paste, usual keys.
_RESET = b"\x1b[?7h\x1b[0m\x1b[?25h\x1b[?2004l\x1b[0 q\x1b[>4;0m\r\n"


@contextmanager
def mode_restored_by_signals(keyboard: Input, display: Output) -> Iterator[None]:
    """While the block runs, let signals restore the mode that the terminal has now, then end all.

    Signals that are ignored (``nohup``), or handled by somebody else, are left alone, and so is
    everything where there is no terminal, or where this is not the main thread.
    """
    restore = _restorer(keyboard, display)
    if restore is None:
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        restore()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    taken: list[int] = []
    try:
        # ValueError: only the main thread may set handlers.
        with suppress(ValueError):
            for name in _NAMES:
                number = getattr(signal, name)
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, end)
                    taken.append(number)
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _restorer(keyboard: Input, display: Output) -> Callable[[], None] | None:
    """Return a function that restores the present mode; None where there is no terminal."""
    try:
        import termios
    except ImportError:
        return None
    try:
        source, target = keyboard.fileno(), display.fileno()
        mode = termios.tcgetattr(source)
    except (OSError, NotImplementedError, termios.error):
        return None

    def restore() -> None:
        # The terminal may be gone: that is what SIGHUP says.
        with suppress(OSError, termios.error):
            termios.tcsetattr(source, termios.TCSANOW, mode)
            os.write(target, _RESET)

    return restore
