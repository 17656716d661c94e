"""Keep keys that are typed without a prompt: they are not echoed, and the next prompt reads them.

The terminal keeps such keys unchanged, and still sends signals for Ctrl-C and Ctrl-Z. It has this
mode for the whole session, so that keys between an input and a prompt are not echoed either.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from puppet_repl.frontends.terminal.end_signals import mode_restored_by_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.frontends.terminal.end_signals import HasDescriptor


class TypingAhead:
    """The mode of one terminal around the prompts of a session.

    ``is_kept`` tells whether typed text is kept: not without a terminal, and not while another
    program uses it.
    """

    def __init__(self, keyboard: HasDescriptor, display: HasDescriptor) -> None:
        self._keyboard = keyboard
        self._display = display
        self._usual: list[Any] | None = None
        self.is_kept = False

    @contextmanager
    def kept(self) -> Iterator[None]:
        """While the block runs, let the terminal keep typed keys for the next prompt.

        Signals that end or stop the program restore the mode as well. Without a terminal nothing
        happens.
        """
        usual = self._mode()
        if usual is None:
            yield
            return
        quiet = _quiet(usual)
        self._usual = usual
        with (
            mode_restored_by_signals(self._keyboard, self._display),
            _around_stops(lambda: self._changed_to(usual), self._put),
        ):
            try:
                self.is_kept = self._put(quiet)
                yield
            finally:
                self._usual = None
                self.is_kept = False
                self._put_surely(usual)

    @contextmanager
    def restored(self, show_again: Callable[[], object]) -> Iterator[None]:
        """While the block reads keys, restore the mode when a signal ends or stops the program.

        When the program goes on, it shows again what the terminal had. Without a terminal nothing
        happens.
        """
        usual = self._mode()
        if usual is None:
            yield
            return

        def go_on(mode: list[Any]) -> None:
            self._put(mode)
            show_again()

        with (
            mode_restored_by_signals(self._keyboard, self._display, b"\r\n"),
            _around_stops(lambda: self._changed_to(usual), go_on),
        ):
            yield

    @contextmanager
    def all_keys_kept(self) -> Iterator[None]:
        """While the block runs, inside of ``kept``, keep those that send signals, too.

        So Ctrl-C is for the next prompt, as where one reads keys.
        """
        quiet = self._mode()
        if quiet is None:
            yield
            return
        try:
            self._put(_silent(quiet))
            yield
        finally:
            self._put_surely(quiet)

    @contextmanager
    def usual(self) -> Iterator[None]:
        """While the block runs, give the terminal its usual mode, for another program."""
        quiet, usual = self._mode(), self._usual
        if quiet is None or usual is None:
            yield
            return
        try:
            self._put(usual)
            yield
        finally:
            self._put_surely(quiet)

    def _mode(self) -> list[Any] | None:
        try:
            import termios
        except ImportError:  # Windows
            return None
        try:
            return termios.tcgetattr(self._keyboard.fileno())
        except (OSError, NotImplementedError, termios.error):
            return None

    def _changed_to(self, mode: list[Any]) -> list[Any]:
        """Set a mode; return the one before, which is that of a prompt where code is stopped."""
        before = self._mode()
        self._put(mode)
        return mode if before is None else before

    def _put(self, mode: list[Any]) -> bool:
        """Set a mode; return whether it could be set."""
        import termios

        source = self._keyboard.fileno()
        # The terminal may be gone, and another program may have it: it would stop this one.
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(source) == os.getpgrp():
                termios.tcsetattr(source, termios.TCSANOW, mode)
                return True
        return False

    def _put_surely(self, mode: list[Any]) -> None:
        """Set a mode, also if the user interrupts just that."""
        try:
            self._put(mode)
        except KeyboardInterrupt:
            self._put(mode)
            raise


def _quiet(usual: list[Any]) -> list[Any]:
    """Return a mode without echo and lines, in which Enter stays Enter."""
    import termios

    quiet = usual.copy()
    quiet[0] &= ~termios.ICRNL
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    return quiet


def _silent(quiet: list[Any]) -> list[Any]:
    """Return a mode in which keys say nothing to the terminal itself, but for that of SIGQUIT."""
    import termios

    none = bytes([os.fpathconf(0, "PC_VDISABLE")])
    silent = quiet.copy()
    silent[0] &= ~termios.IXON
    silent[3] &= ~termios.IEXTEN
    silent[6] = silent[6].copy()
    for key in (termios.VINTR, termios.VSUSP):
        silent[6][key] = none
    return silent


@contextmanager
def _around_stops(
    before: Callable[[], list[Any]], behind: Callable[[list[Any]], object]
) -> Iterator[None]:
    """While the block runs, do something before Ctrl-Z stops the program, and when it goes on.

    ``behind`` gets what ``before`` returns.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        mode = before()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, stop)
        behind(mode)

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
