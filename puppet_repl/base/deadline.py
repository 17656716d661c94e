"""A limit of time for Puppet code, which stops it as Ctrl-C does.

The timer and the handler of its signal belong to the process, and so does what is kept here.
"""

from __future__ import annotations

import signal
from threading import current_thread, main_thread
from time import monotonic

from puppet_repl.errors import TimeLimitExceeded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

# Python swallows what is raised in a finalizer, so the handler raises again: after this many
# seconds, then after twice as many, so that a roll-back that is hit is given more time each try.
_AGAIN = 0.5


class Deadline:
    """A context in which code may take ``seconds``; then TimeLimitExceeded is raised in it.

    None is no limit. Inside of another deadline, outside of the main thread, and on systems without
    a timer (Windows) a deadline does nothing. A timer that somebody else has set in this process is
    suspended meanwhile.
    """

    __slots__ = ("_again", "_other", "_previous", "_seconds", "_start")

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._again = _AGAIN

    def __enter__(self) -> None:
        global _running
        if self._seconds is None or _running is not None or not hasattr(signal, "setitimer"):
            return
        if current_thread() is not main_thread():
            return
        self._start = monotonic()
        self._previous: Any = signal.signal(signal.SIGALRM, self._expire)
        _running = self
        self._other = signal.setitimer(signal.ITIMER_REAL, self._seconds, _AGAIN)

    def __exit__(self, *_: object) -> None:
        # No call of a function written in Python: _expire knows this method by its frame.
        global _running
        if _running is not self:
            return
        _running = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._previous)
        remaining, interval = self._other
        if remaining:
            signal.setitimer(
                signal.ITIMER_REAL, max(remaining - (monotonic() - self._start), 0.001), interval
            )

    def _expire(self, number: int, frame: FrameType | None) -> None:
        if _running is not self:  # an interrupt has kept __exit__ from its end
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        if frame is not None and frame.f_code in _OWN:
            return  # the timer comes again, unless the context ends
        signal.setitimer(signal.ITIMER_REAL, self._again, self._again)
        self._again *= 2
        raise TimeLimitExceeded


class Standstill:
    """A context whose time is not counted by the current deadline: code waits for a person."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = (0.0, 0.0)

    def __enter__(self) -> None:
        if _running is not None and current_thread() is main_thread():
            self._left = signal.setitimer(signal.ITIMER_REAL, 0)

    def __exit__(self, *_: object) -> None:
        if _running is not None and self._left[0]:
            signal.setitimer(signal.ITIMER_REAL, *self._left)


_OWN = (Deadline.__enter__.__code__, Deadline.__exit__.__code__)
_running: Deadline | None = None


def end_deadline() -> None:
    """End the current deadline, where there is one: it was met, and what follows reports it."""
    if _running is not None:
        _running.__exit__()
