"""Interrupts that always end in a reply.

A KeyboardInterrupt that is raised while a message is being handled loses the reply, and the client,
a notebook or an editor, waits for ever. So it is raised only while Puppet code runs or its result
is made ready: a SIGINT that arrives before is deferred to the start of the code, one that arrives
after its end is ignored.
"""

from __future__ import annotations

import signal
import time
from _thread import interrupt_main
from collections.abc import Callable
from queue import SimpleQueue
from threading import current_thread, main_thread
from types import FrameType
from typing import TypeVar

T = TypeVar("T")
# A second interrupt must not hit the roll-back of the session; but one that was swallowed is
# repeated after this many seconds, and then after twice as many each time.
REPEATED_AFTER = 0.5


class Interrupts:
    """The handler of SIGINT in a process that runs code for a client."""

    def __init__(self) -> None:
        self._pending = False
        self._is_meant = False
        self._calls: SimpleQueue[Callable[[FrameType | None], object]] = SimpleQueue()
        self._raised = 0.0
        self._patience = REPEATED_AFTER

    def install(self) -> None:
        """Handle the interrupts of the process from now on."""
        if current_thread() is main_thread() and self._is_ignored():
            signal.signal(signal.SIGINT, self._handle)

    def _is_ignored(self) -> bool:
        # Compared by equality: a bound method is another object each time.
        return signal.getsignal(signal.SIGINT) != self._handle

    def begin(self) -> None:
        """Note that a request has come: an interrupt from before was not meant for it."""
        self._pending = False

    def settle(self) -> None:
        """Note that the interrupted code has ended, although the cell or program goes on."""
        self._raised = 0.0
        self._patience = REPEATED_AFTER

    def run(self, work: Callable[[], T]) -> T:
        """Run a function that may be interrupted; return its result."""
        if self._pending:
            self._pending = False
            raise KeyboardInterrupt
        self.settle()
        return _interruptible(work)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        # Signals that arrive together are handled once.
        is_meant, self._is_meant = self._is_meant or self._calls.empty(), False
        while not self._calls.empty():
            self._calls.get()(frame)
        if not is_meant:
            return
        if not _is_within(frame):
            self._pending = True
            return
        now = time.monotonic()
        if now - self._raised >= self._patience:
            if self._raised:
                self._patience *= 2
            self._raised = now
            raise KeyboardInterrupt

    def interrupt(self) -> None:
        """Interrupt the code that runs, or that is about to run, from another thread."""
        self._is_meant = True
        self._signal()

    def call(self, function: Callable[[FrameType | None], object]) -> None:
        """Call a function in the main thread soon, with the frame that runs there."""
        self._calls.put(function)
        self._signal()

    def _signal(self) -> None:
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(_main_thread(), signal.SIGINT)
        else:
            interrupt_main(signal.SIGINT)

    def insist(self) -> None:
        """Interrupt code again that goes on after an interrupt; a thread calls this repeatedly.

        Python swallows exceptions in finalizers and some callbacks.
        """
        if self._raised and time.monotonic() - self._raised >= self._patience:
            interrupt_main(signal.SIGINT)


def _main_thread() -> int:
    """Return the number of the main thread, which a signal wakes if it waits."""
    number = main_thread().ident
    assert number is not None, "the main thread has begun"
    return number


def _interruptible(work: Callable[[], T]) -> T:
    """Run a function; its being on the stack is what lets an interrupt be raised.

    A flag would have to be cleared, and an interrupt can arrive just before.
    """
    return work()


def _is_within(frame: FrameType | None) -> bool:
    """Tell whether a frame was called, by whatever way, from an interruptible function."""
    while frame is not None:
        if frame.f_code is _interruptible.__code__:
            return True
        frame = frame.f_back
    return False
