"""Errors that Python can raise nowhere: in finalizers and in callbacks of weak references.

Python prints a traceback of such an error and goes on. An interrupt would be lost with it, and
imports run many such callbacks. That memory, the stack or the time is used up means nothing there.
"""

from __future__ import annotations

import sys
from _thread import get_ident, interrupt_main, start_new_thread
from time import sleep

from puppet_repl.base.errors import TimeLimitExceeded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sys import UnraisableHookArgs

# Seconds after which the callback has ended, and an interrupt hits what called it.
_PAUSE = 0.01


def keep_interrupts() -> None:
    """Let no interrupt of this process be lost, and print no traceback of what Python ignores."""
    sys.unraisablehook = _handle


def _handle(unraisable: UnraisableHookArgs) -> None:
    error = unraisable.exc_value
    if isinstance(error, KeyboardInterrupt):
        start_new_thread(_interrupt_again, (get_ident(),))
    elif error is not None and not isinstance(
        error, MemoryError | RecursionError | TimeLimitExceeded
    ):
        from puppet_repl.base.defect import defect_line, print_traceback

        print_traceback(error)
        print(f"Warning: {defect_line(error)}", file=sys.stderr)


def _interrupt_again(main_thread: int) -> None:
    sleep(_PAUSE)
    signals = sys.modules["_signal"]
    if hasattr(signals, "pthread_kill"):
        # A thread that waits (for Ruby, for a process) is woken by a signal of the system alone.
        signals.pthread_kill(main_thread, signals.SIGINT)
    else:
        interrupt_main()
