"""The display of a long-running cell: its time, its line, and the variables of its loops.

Cells are not slowed down for it. While a cell runs, a thread wakes at intervals and inspects the
frames of the main thread; compiled code has the lines of the cell and its variables by name.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from puppet_kernel.streams import MAX_DELAY
from puppet_repl.session.debugging.frames import block_variables, puppet_frames
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import short_text

# Cells that end before this show nothing.
FIRST_AFTER = 5.0
THEN_EVERY = 1.0
MAX_VARIABLES = 3
VALUE_WIDTH = 40


class Progress:
    """The display of the cells of a kernel.

    ``show`` is called with a text and whether it replaces the one before, ``remove`` at the end of
    a cell for which something was shown; ``tick`` is called some times a second while a cell runs.
    The time of a cell that is held at a breakpoint begins again when it goes on. ``clock`` returns
    seconds.
    """

    def __init__(
        self,
        show: Callable[[str, bool], None],
        remove: Callable[[], None],
        tick: Callable[[], None],
        is_held: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show = show
        self._remove = remove
        self._tick = tick
        self._is_held = is_held
        self._clock = clock
        self._thread: threading.Thread | None = None
        self._running = threading.Event()
        self._lock = threading.Lock()
        self._started = 0.0
        self._shown = 0.0

    def begin(self) -> None:
        """Note that a cell begins, in the calling thread."""
        if self._thread is None:
            watched = threading.get_ident()
            self._thread = threading.Thread(target=self._watch, args=(watched,), daemon=True)
            self._thread.start()
        self._started = self._clock()
        self._shown = 0.0
        self._running.set()

    def end(self) -> None:
        """End the progress of the cell, and remove it from the output."""
        with self._lock:
            self._running.clear()
        if self._shown:
            self._remove()

    def _watch(self, watched: int) -> None:
        while True:
            self._running.wait()
            time.sleep(MAX_DELAY)
            with self._lock:
                if self._running.is_set():
                    # What cannot be shown must not end the thread that sends the log messages.
                    with suppress(Exception):
                        self._tick()
                        self.look(watched)

    def look(self, watched: int) -> None:
        """Show where the thread ``watched`` is, if it is time to."""
        now = self._clock()
        if self._is_held():
            self._started = now
        if now - self._started < FIRST_AFTER or now - self._shown < THEN_EVERY:
            return
        where = position(sys._current_frames().get(watched))
        spent = f"running for {_duration(now - self._started)}"
        self._show(f"{spent}, {where}" if where else spent, self._shown > 0)
        self._shown = now


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s"


def position(frame: FrameType | None) -> str:
    """Return the innermost line of Puppet code, and the variables of the loops around it."""
    frames = puppet_frames(frame)
    if not frames:
        return ""
    line = f"{frames[0].f_code.co_filename} line {frames[0].f_lineno}"
    variables = [
        f"${name} = {_short(value)}"
        for each in reversed(frames)
        for name, value in block_variables(each).items()
    ]
    shown = ", ".join(variables[:MAX_VARIABLES])
    return f"{line}: {shown}" if shown else line


def _short(value: object) -> str:
    return plain(short_text(value, VALUE_WIDTH))
