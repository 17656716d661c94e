"""Interrupts that always end in a reply.

A KeyboardInterrupt that is raised while a message is being handled loses the reply, and the
notebook waits for ever. So it is raised only while Puppet code runs: a SIGINT that arrives before
is deferred to the start of the code, one that arrives after its end is ignored.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from threading import current_thread, main_thread
from typing import Any, TypeVar

T = TypeVar("T")
# A second interrupt must not hit the roll-back of the session; but one that was swallowed (Python
# does so in some callbacks) can be repeated after this many seconds.
REPEATED_AFTER = 0.5


class Interrupts:
    """The kernel's handler of SIGINT."""

    def __init__(self) -> None:
        self._armed = False
        self._pending = False
        self._raised = 0.0
        self._previous: Any = None

    def install(self) -> None:
        """Handle interrupts, from the arrival of a request."""
        self._pending = False
        if current_thread() is main_thread():
            self._previous = signal.signal(signal.SIGINT, self._handle)

    def remove(self) -> None:
        """Stop handling interrupts: the request is answered."""
        if current_thread() is main_thread():
            signal.signal(signal.SIGINT, self._previous)

    def run(self, work: Callable[[], T]) -> T:
        """Run a function that may be interrupted; return its result."""
        if self._pending:
            self._pending = False
            raise KeyboardInterrupt
        self._raised = 0.0
        try:
            self._armed = True
            return work()
        finally:
            self._armed = False

    def _handle(self, number: int, frame: object) -> None:
        if not self._armed:
            self._pending = True
            return
        now = time.monotonic()
        if now - self._raised >= REPEATED_AFTER:
            self._raised = now
            raise KeyboardInterrupt
