"""Signals that end the program while the terminal has a mode of its own, which it loses first.

That is while the prompt reads keys, while an input is evaluated, and while the pager or the editor
runs, which ends too. Python attends to a signal between two of its instructions: what takes long in
one of them, such as a search by a regular expression, ends first.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class HasDescriptor(Protocol):
        """A stream, or the keyboard or screen of prompt_toolkit."""

        def fileno(self) -> int:
            """Return the file descriptor; OSError or NotImplementedError if there is none."""


_NAMES = ("SIGTERM", "SIGHUP", "SIGQUIT")
# Wrapping on, no colours, cursor visible and of the usual shape, no bracketed paste, usual keys.
_RESET = b"\x1b[?7h\x1b[0m\x1b[?25h\x1b[?2004l\x1b[0 q\x1b[>4;0m\x1b[?1l\x1b>\r\n"
# Seconds that the pager or the editor has to end, and to save what it holds.
_PATIENCE = 1.0


class _End:
    """The handler of a signal that ends the program, after something that has to be done first."""

    def __init__(self, act: Callable[[], None], outer: _End | None) -> None:
        self._act = act
        self._outer = outer

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._act()
        if self._outer is not None:
            self._outer(number, frame)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


@contextmanager
def _before_the_end(act: Callable[[], None]) -> Iterator[None]:
    """While the block runs, let signals do something before they end the program.

    Signals that are ignored (``nohup``), or handled by somebody else, are left alone, and so are
    all where this is not the main thread.
    """
    taken: dict[int, _End | None] = {}
    try:
        # ValueError: only the main thread may set handlers.
        with suppress(ValueError):
            for name in _NAMES:
                number = getattr(signal, name, None)
                found = None if number is None else signal.getsignal(number)
                if number is not None and (found is signal.SIG_DFL or isinstance(found, _End)):
                    outer = found if isinstance(found, _End) else None
                    signal.signal(number, _End(act, outer))
                    taken[number] = outer
        yield
    finally:
        for number, outer in taken.items():
            signal.signal(number, signal.SIG_DFL if outer is None else outer)


@contextmanager
def mode_restored_by_signals(
    keyboard: HasDescriptor, display: HasDescriptor, reset: bytes = _RESET
) -> Iterator[None]:
    """While the block runs, let signals restore the mode that the terminal has now, then end all.

    They also write ``reset``. Without a terminal nothing is done.
    """
    try:
        source, target = keyboard.fileno(), display.fileno()
    except (OSError, NotImplementedError):
        yield
        return
    restore = _restorer(source, target, reset)
    if restore is None:
        yield
        return
    with _before_the_end(restore):
        yield


@contextmanager
def children_ended_by_signals() -> Iterator[None]:
    """While the block runs, let signals end all programs that this one has started, too.

    Then the terminal gets the mode back that it has now.
    """
    restore = _restorer(0, 1)

    def end() -> None:
        _end_children()
        if restore is not None:
            restore()

    with _before_the_end(end):
        yield


@contextmanager
def interrupts_left_to_children() -> Iterator[None]:
    """While the block runs, leave Ctrl-C to the program that has the terminal.

    Ctrl-C stays ignored if it was, and a thread that is not the main one changes nothing.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is None or before is signal.SIG_IGN:
        yield
        return
    try:
        # Not SIG_IGN, which programs inherit.
        signal.signal(signal.SIGINT, lambda *_: None)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end_children() -> None:
    # What a shell has started would outlive the shell.
    import psutil

    running = psutil.Process().children(recursive=True)
    for each in running:
        with suppress(psutil.Error):
            each.terminate()
    for each in psutil.wait_procs(running, timeout=_PATIENCE)[1]:
        with suppress(psutil.Error):
            each.kill()


def _restorer(source: int, target: int, reset: bytes = _RESET) -> Callable[[], None] | None:
    """Return a function that restores the present mode; None if there is no terminal."""
    try:
        import termios
    except ImportError:
        return None
    try:
        mode = termios.tcgetattr(source)
    except (OSError, termios.error):
        return None

    def restore() -> None:
        # The terminal may be gone: that is what SIGHUP says.
        with suppress(OSError, termios.error):
            termios.tcsetattr(source, termios.TCSANOW, mode)
            os.write(target, reset)

    return restore
