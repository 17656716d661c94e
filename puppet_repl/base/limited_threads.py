"""The threads whose time the watchdog limits, how they wait, and which frames it spares."""

from __future__ import annotations

from _thread import get_ident
from threading import Thread
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

    from puppet_repl.base.watchdog import Watch

# Python swallows exceptions in a finalizer, so the error is raised again: after this many seconds,
# then after twice as many. Each try gives a roll-back that is hit more time.
AGAIN = 0.5
# Seconds after which it is tried again where it could not be raised.
PAUSE = 0.02
WAIT = 0.2
"""The most seconds of a wait: no error ends it, nor a signal that comes just before it begins."""
_IMPORTS = ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")
_START = Thread.start.__code__
# What the watchdog watches, by the numbers of threads.
watched: dict[int, Watch] = {}


def watch_of_thread() -> Watch | None:
    """Return what limits the time of this thread, if anything but the timer does."""
    watch = watched.get(get_ident())
    return watch if watch is not None and watch.is_running else None


def time_left() -> float | None:
    """Return the seconds after which a wait has to end itself; None if a signal would end it."""
    watch = watch_of_thread()
    return None if watch is None else max(0.0, watch.due - monotonic())


def end_wait() -> None:
    """Raise TimeLimitExceeded if a wait of ``time_left()`` seconds has taken all of the time."""
    watch = watch_of_thread()
    if watch is not None and watch.due <= monotonic():
        watch.give_up()


def spared_frames(frame: FrameType | None, until: FrameType | None = None) -> int:
    """Return how many frames may not fail, from one to a frame around it.

    These import modules, which other threads may need or wait for, or start a thread: CPython 3.11
    may take the new thread for the old one, and that one would wait for ever.
    """
    count = 0
    while frame is not None and frame is not until:
        code = frame.f_code
        count += code.co_filename in _IMPORTS or code is _START
        frame = frame.f_back
    return count
