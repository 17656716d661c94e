"""The limit of time where no signal can end code: in threads, and on systems without a timer.

A thread of its own watches the others. When the time of one is up, it asks CPython to raise an
error there, which happens before the next call or turn of a loop. A wait for the system ends
first, so code that waits asks ``time_left()`` how long it may.

The error may not come when the limited code has ended, nor in a frame that is to be spared: see
``spared_frames``. So the end is a single call of a function in C, which releases a memory view; and
a single call in C, too, reads that view, checks that the thread is in the frame in which it was
seen, and asks for the error. No other thread runs in the middle of such a call.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, get_ident, start_new_thread
from array import array
from collections import deque
from contextlib import suppress
from ctypes import c_int, c_ulong, py_object, pythonapi
from itertools import compress, repeat, starmap
from math import inf
from operator import call, is_, itemgetter
from time import monotonic, sleep

from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.base.limited_threads import AGAIN, PAUSE, spared_frames, watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

# Seconds after which the watchdog ends if there is nothing to watch.
_LINGER = 5.0

_raise_in = pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (c_ulong, py_object)
_raise_in.restype = c_int


class Watch:
    """A context in which the code of this thread may take ``seconds``; see ``time_limit``.

    The statement ``with`` finds ``__exit__`` in the slot: a method in C.
    """

    __slots__ = (
        "__exit__",
        "_again",
        "_calls",
        "_error",
        "_left",
        "_spared",
        "_thread",
        "_view",
        "due",
    )

    def __init__(self, seconds: float, setting: str) -> None:
        self._thread = get_ident()
        self._error = _error_for(setting)
        # The calls of the watchdog; none while the time does not count.
        self._calls = [(self._thread, self._error)]
        self._view = memoryview(array("b", [True]))
        self.__exit__: Callable[..., None] = self._view.__exit__
        self._left = seconds
        self._again = AGAIN
        # A program that uses the library may do so while it is imported.
        self._spared = spared_frames(sys._getframe())
        self.due = 0.0

    def __enter__(self) -> None:
        try:
            self._begin()
        except BaseException:
            self._view.release()
            raise

    def _begin(self) -> None:
        self.due = monotonic() + self._left
        with _lock:
            watched[self._thread] = self
            _alert(self.due)

    @property
    def has_ended(self) -> bool:
        """Whether the context has ended."""
        try:
            return not self._view.nbytes
        except ValueError:  # it was released
            return True

    @property
    def is_running(self) -> bool:
        """Whether the time of the code runs."""
        return bool(self._calls) and not self.has_ended

    def strike(self) -> None:
        """Raise the error in the thread, where the time of its code runs."""
        self.due = monotonic() + PAUSE if self._calls else inf
        frame = sys._current_frames().get(self._thread)
        if spared_frames(frame) > self._spared:
            return
        frames = map(itemgetter(self._thread), map(call, (sys._current_frames,)))
        is_there = map(is_, repeat(frame), frames)
        # The thread or the context may have ended; CPython 3.11 has a SystemError for the latter.
        with suppress(KeyError, SystemError, ValueError):
            # Making the frames may collect garbage, which runs other code; so they are made before
            # the view is read.
            safe = compress(self._calls, is_there)
            calls = compress(safe, compress(self._view, self._calls))
            if deque(starmap(_raise_in, calls), maxlen=1):
                self.due = monotonic() + self._again
                self._again *= 2

    def stand_still(self) -> None:
        """Stop the time; another context may begin and end until ``go_on``."""
        self._calls.clear()
        self._left = max(self.due - monotonic(), 0.001)
        self.due = inf

    def go_on(self) -> None:
        """Let the time run again."""
        self._calls.append((self._thread, self._error))
        self._begin()

    def end(self) -> None:
        """End the context early."""
        self._view.release()

    def give_up(self) -> NoReturn:
        """Raise the error at once, as code that has waited for too long."""
        self.due = monotonic() + self._again
        self._again *= 2
        raise self._error


def _error_for(setting: str) -> type[TimeLimitExceeded]:
    """Return the class of the errors that name a setting: Python makes them without arguments."""
    found = _errors.get(setting)
    if found is None:

        def init(self: TimeLimitExceeded) -> None:
            TimeLimitExceeded.__init__(self, setting)

        found = type(TimeLimitExceeded.__name__, (TimeLimitExceeded,), {"__init__": init})
        _errors[setting] = found
    return found


_errors: dict[str, type[TimeLimitExceeded]] = {}
# For ``watched``, and for the two below.
_lock = allocate_lock()
_is_awake = False
_sleeps_until = 0.0
# The watchdog sleeps until somebody releases this lock.
_bell = allocate_lock()
_bell.acquire()


def _alert(due: float) -> None:
    """Wake the watchdog if it would be too late otherwise, or start one."""
    global _is_awake
    if not _is_awake:
        start_new_thread(_keep_watch, ())
        _is_awake = True
    elif due < _sleeps_until and _bell.locked():
        _bell.release()


def _keep_watch() -> None:
    """Strike where a time is up, until there has been nothing to watch for a while."""
    global _is_awake, _sleeps_until
    idle_since = None
    while True:
        try:
            with _lock:
                now = monotonic()
                _look(now)
                if watched:
                    idle_since = None
                elif idle_since is None:
                    idle_since = now
                elif now - idle_since >= _LINGER:
                    _is_awake = False
                    return
                _sleeps_until = min([now + _LINGER, *[watch.due for watch in watched.values()]])
            _bell.acquire(timeout=max(0.0, _sleeps_until - now))
        except MemoryError:
            sleep(PAUSE)


def _look(now: float) -> None:
    for thread, watch in list(watched.items()):
        if watch.has_ended:
            del watched[thread]
        elif watch.due <= now:
            watch.strike()


def _forget() -> None:
    """Forget all of it in a process that was forked, where no watchdog runs."""
    global _lock, _bell, _is_awake
    watched.clear()
    _lock, _bell, _is_awake = allocate_lock(), allocate_lock(), False
    _bell.acquire()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
