"""A limit of time for Puppet code, which stops it as Ctrl-C does.

The timer, the handler of its signal and the state of this module belong to the process.
"""

from __future__ import annotations

import signal
import sys
from threading import current_thread, main_thread
from time import monotonic

from puppet_repl.base.browser import IN_BROWSER
from puppet_repl.base.errors import TimeLimitExceeded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

# Python swallows exceptions in a finalizer, so the handler raises again: after this many seconds,
# then after twice as many. Each try gives a roll-back that is hit more time.
_AGAIN = 0.5


def timer_problem() -> str | None:
    """Return why no limit of time can be kept on this system, None if it can."""
    # A browser has the function, but no signals that could end anything.
    if hasattr(signal, "setitimer") and not IN_BROWSER:
        return None
    return "this system has no timer that could end an input"


class Deadline:
    """A context in which code may take ``seconds``; then TimeLimitExceeded is raised in it.

    None means no limit. Inside of another deadline, outside of the main thread, and on systems
    without a timer (Windows) a deadline does nothing. A timer that somebody else has set in this
    process is suspended meanwhile. The deadline ends with the call that contains the ``with``
    statement, even if an interrupt skips ``__exit__``. ``setting`` is for TimeLimitExceeded.
    """

    __slots__ = ("_again", "_frame", "_other", "_previous", "_seconds", "_setting", "_start")

    def __init__(self, seconds: float | None, setting: str = "--max-seconds") -> None:
        self._seconds = seconds
        self._setting = setting
        self._again = _AGAIN
        self._frame: FrameType | None = None
        self._other = (0.0, 0.0)

    def __enter__(self) -> None:
        global _running
        if self._seconds is None or timer_problem() is not None:
            return
        if current_thread() is not main_thread():
            return
        caller = sys._getframe(1)
        if _running is not None:
            if _running._is_within(caller):
                return
            _running._end()
        self._frame = caller
        self._start = monotonic()
        self._previous: Any = signal.getsignal(signal.SIGALRM)
        _running = self
        try:
            signal.signal(signal.SIGALRM, self._expire)
            self._other = signal.setitimer(signal.ITIMER_REAL, self._seconds, _AGAIN)
        except BaseException:
            self._end()
            raise

    def __exit__(self, *_: object) -> None:
        if _running is self:
            self._end()

    def _end(self) -> None:
        # No call of a function written in Python: _expire knows this method by its frame.
        global _running
        _running = self._frame = None
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            # A handler that is not a Python function cannot be set again.
            signal.signal(
                signal.SIGALRM, signal.SIG_DFL if self._previous is None else self._previous
            )
            remaining, interval = self._other
            if remaining:
                signal.setitimer(
                    signal.ITIMER_REAL,
                    max(remaining - (monotonic() - self._start), 0.001),
                    interval,
                )

    def _is_within(self, frame: FrameType | None) -> bool:
        """Tell whether the call that this deadline limits is still running below a frame."""
        while frame is not None and frame is not self._frame:
            frame = frame.f_back
        return frame is not None

    def _expire(self, number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code in _OWN:
            return  # the timer comes again, unless the context ends
        if _running is self and self._is_within(frame):
            signal.setitimer(signal.ITIMER_REAL, self._again, self._again)
            self._again *= 2
            raise TimeLimitExceeded(self._setting)
        # An interrupt has kept the context from its end.
        if _running is self:
            self._end()
        else:
            signal.setitimer(signal.ITIMER_REAL, 0)


class Standstill:
    """A context whose time is not counted by the current deadline: code waits for a person.

    The current deadline is suspended, so that another deadline can limit the work in here.
    """

    __slots__ = ("_left", "_outer")

    def __init__(self) -> None:
        self._left = (0.0, 0.0)
        self._outer: Deadline | None = None

    def __enter__(self) -> None:
        global _running
        if _running is not None and current_thread() is main_thread():
            self._left = signal.setitimer(signal.ITIMER_REAL, 0)
            self._outer, _running = _running, None

    def __exit__(self, *_: object) -> None:
        global _running
        if self._outer is not None:
            _running = self._outer
            if self._left[0]:
                signal.setitimer(signal.ITIMER_REAL, *self._left)


_OWN = tuple(method.__code__ for method in (Deadline.__enter__, Deadline.__exit__, Deadline._end))
_running: Deadline | None = None


def end_deadline() -> None:
    """End the current deadline, if any, because it was met; the caller reports that."""
    if _running is not None:
        _running._end()
