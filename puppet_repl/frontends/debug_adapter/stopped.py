"""Code that is stopped: it waits in the main thread, and does there what requests ask for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock
from types import FrameType
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.debugging.tracer import Step, Stop

SIGNALS_EVERY = 0.2
"""After how many seconds a waiting thread looks for signals."""


class Work:
    """Something to do in the thread of code that waits; ``result`` is for who asked for it."""

    __slots__ = ("_function", "result")

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function
        self.result: Future[Any] = Future()

    def run(self) -> None:
        """Do it, unless nobody waits for the result any more.

        An interrupt is for the code, and not for the thread that waits for the result.
        """
        if not self.result.set_running_or_notify_cancel():
            return
        try:
            try:
                value = self._function()
            except Exception as error:
                self.result.set_exception(error)
            else:
                self.result.set_result(value)
        except BaseException:
            if not self.result.done():
                self.result.set_exception(RuntimeError("it was interrupted"))
            raise


class StoppedCode:
    """The stopped code of a session, if any: a cell of a notebook, or a program.

    It runs and waits in the main thread; requests come from another thread. ``frames`` are the
    frames of the waiting code, the innermost first; ``stop`` is the reason for its stop.
    """

    def __init__(self) -> None:
        self.frames: list[FrameType] = []
        self.stop: Stop | None = None
        self._work: SimpleQueue[Work | Step] = SimpleQueue()
        self._lock = Lock()

    def wait(self, frames: list[FrameType], stop: Stop, announce: Callable[[], object]) -> Step:
        """Wait until the code is resumed, and do the work of requests meanwhile.

        ``announce`` is called when requests can be answered.
        """
        self.stop = stop
        with self._lock:
            self.frames = frames
        try:
            announce()
            while isinstance(work := self._next_work(), Work):
                work.run()
            return work
        finally:
            self._release()

    def _next_work(self) -> Work | Step:
        """Wait for something to do, or for the step that resumes the code.

        A signal that arrives just before the thread blocks does not wake it (Windows never wakes
        it), and its handler runs only when the thread runs Python code again.
        """
        while True:
            try:
                return self._work.get(timeout=SIGNALS_EVERY)
            except Empty:
                pass

    def resume(self, step: Step) -> None:
        """Resume the stopped code, if any."""
        with self._lock:
            if self.frames:
                self.frames = []
                self._work.put(step)

    def while_stopped(self, function: Callable[[], Any]) -> Future[Any] | None:
        """Call a function in the thread of the code that waits; None if none does.

        The result is cancelled if the code does not wait any more.
        """
        work = Work(function)
        with self._lock:
            if not self.frames:
                return None
            self._work.put(work)
        return work.result

    def _release(self) -> None:
        """Cancel the work that came too late for the code."""
        with self._lock:
            self.frames = []
            self.stop = None
            while not self._work.empty():
                work = self._work.get()
                if isinstance(work, Work):
                    work.result.cancel()
