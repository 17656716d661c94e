"""A limit of time for Puppet code, which stops it as Ctrl-C does.

In the main thread a timer sends a signal, which ends waits as well. Elsewhere, and on systems
without such a timer, it is the watchdog that stops code. The timer, the handler of its signal and
the state of this module belong to the process.
"""

from __future__ import annotations

import signal
import sys
from threading import current_thread, main_thread
from time import monotonic

from puppet_repl.base.browser import IN_BROWSER
from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.base.limited_threads import AGAIN, PAUSE, spared_frames, watch_of_thread
from puppet_repl.base.recursion import NO_CONTEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, TypeAlias

    from puppet_repl.base.recursion import NoContext
    from puppet_repl.base.watchdog import Watch

    Limit: TypeAlias = "Deadline | NoContext | Watch"


def limit_problem() -> str | None:
    """Return why no limit of time can be kept on this system, None if it can."""
    if IN_BROWSER:
        return "nothing can end an input in a browser"
    return None


def time_limit(seconds: float | None, setting: str = "--max-seconds") -> Limit:
    """Return a context in which code may take ``seconds``; then TimeLimitExceeded is raised in it.

    None means no limit; inside of another limit of the same thread the context does nothing. It
    begins in the thread that made it. ``setting`` is for TimeLimitExceeded. Raises RuntimeError
    where no limit can be kept.
    """
    if seconds is None:
        return NO_CONTEXT
    problem = limit_problem()
    if problem is not None:
        raise RuntimeError(f"no limit of time can be kept (see {setting}): {problem}")
    if current_thread() is main_thread() and hasattr(signal, "setitimer"):
        return Deadline(seconds, setting)
    if watch_of_thread() is not None:
        return NO_CONTEXT
    from puppet_repl.base.watchdog import Watch

    return Watch(seconds, setting)


class Deadline:
    """The limit of the main thread, by a timer.

    A timer that somebody else has set in this process is suspended meanwhile. The deadline ends
    with the call that contains the ``with`` statement, even if an interrupt skips ``__exit__``.
    """

    __slots__ = ("_again", "_frame", "_other", "_previous", "_seconds", "_setting", "_start")

    def __init__(self, seconds: float, setting: str) -> None:
        self._seconds = seconds
        self._setting = setting
        self._again = AGAIN
        self._frame: FrameType | None = None
        self._other = (0.0, 0.0)

    def __enter__(self) -> None:
        global _running
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
            self._other = signal.setitimer(signal.ITIMER_REAL, self._seconds, AGAIN)
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
            if spared_frames(frame, self._frame):
                signal.setitimer(signal.ITIMER_REAL, PAUSE, AGAIN)
                return
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

    __slots__ = ("_left", "_outer", "_watch")

    def __init__(self) -> None:
        self._left = (0.0, 0.0)
        self._outer: Deadline | None = None
        self._watch: Watch | None = None

    def __enter__(self) -> None:
        global _running
        if _running is not None and current_thread() is main_thread():
            self._left = signal.setitimer(signal.ITIMER_REAL, 0)
            self._outer, _running = _running, None
        else:
            self._watch = watch_of_thread()
            if self._watch is not None:
                self._watch.stand_still()

    def __exit__(self, *_: object) -> None:
        global _running
        if self._outer is not None:
            _running = self._outer
            if self._left[0]:
                signal.setitimer(signal.ITIMER_REAL, *self._left)
        elif self._watch is not None:
            self._watch.go_on()


_OWN = tuple(method.__code__ for method in (Deadline.__enter__, Deadline.__exit__, Deadline._end))
_running: Deadline | None = None


def end_deadline() -> None:
    """End the limit of this thread, if any, because it was met; the caller reports that."""
    watch = watch_of_thread()
    if watch is not None:
        watch.end()
    elif _running is not None and current_thread() is main_thread():
        _running._end()
