"""The processes of this machine that work for many nodes: how they start, and how they end.

They end with the process that has started them, whatever ends that. An interrupt, which a terminal
sends to all of them, is for that process alone.
"""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from threading import Thread

from puppet_repl.base.memory import tune_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HAS_MASKS = hasattr(signal, "pthread_sigmask")  # Windows has none


class WorkerContext(SpawnContext):
    """Starts processes again, as nothing else is safe beside threads, and remembers which."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        """Return a new process."""
        process = _Worker(*args, **named)
        self.started.append(process)
        return process

    def terminate(self) -> None:
        """End the processes that are still there."""
        for process in self.started:
            if process.is_alive():
                process.terminate()


class _Worker(SpawnProcess):
    """A process that an interrupt does not reach, from its first instruction on.

    It inherits that the signal is blocked, and ignores it as soon as it can.
    """

    def start(self) -> None:
        """Start the process."""
        if not _HAS_MASKS:
            super().start()
            return
        ensure_running()  # now, because it ends with the signal unblocked
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker(max_memory: int) -> None:
    """Prepare a process that works: it ignores interrupts, and its memory is limited."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _HAS_MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # Before memory is limited: the stack of a thread counts.
    Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    tune_process(max_memory)


def _end_with_parent() -> None:
    """Wait for the end of the process that has started this one, then end this one, too."""
    if _HAS_MASKS:  # signals are for the thread that works
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def default_processes() -> int:
    """Return how many processes work unless it is chosen: one for each processor.

    Those that this process may not use, as in a container or under ``taskset``, do not count.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
