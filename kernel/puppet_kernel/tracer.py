"""Stopping at lines of Puppet code and stepping through them.

Compiled code has the lines of the cell, so Python's tracing is enough; values are shown as
Puppet's, which a debugger for Python could not do. While there is no breakpoint nothing is traced
and nothing is slower.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Any

from ipykernel.compiler import murmur2_x86

from puppet_repl.base.deadline import Standstill
from puppet_repl.inspection.frames import is_puppet, puppet_frames

PREFIX = "puppet-cell-"
SUFFIX = ".pp"
SEED = 0
THREAD = 1

LineTracer = Callable[[FrameType, str, Any], Any]


def code_path(code: str) -> str:
    """Return the path of a cell's code, computed in the same way as the notebook does."""
    return f"{PREFIX}{murmur2_x86(code, SEED)}{SUFFIX}"


class Tracer:
    """Breakpoints and steps of one kernel.

    ``stopped`` is called with the reason why a cell stops, ``continued`` when it resumes by itself.
    Cells run in the main thread and wait there; requests come from another one.
    """

    def __init__(self, stopped: Callable[[str], None], continued: Callable[[], None]) -> None:
        self._stopped = stopped
        self._continued = continued
        self._resume = Event()
        # By path of a cell: the lines to stop at. By name of a cell: its path.
        self.breakpoints: dict[str, set[int]] = {}
        self.paths: dict[str, str] = {}
        self.codes: dict[str, str] = {}
        self.frames: list[FrameType] = []
        # How often a cell has stopped so far.
        self.stops = 0
        self._step = ""
        self._origin: tuple[int, int, int] = (0, 0, 0)

    @contextmanager
    def cell(self, name: str, code: str) -> Iterator[None]:
        """Trace what runs inside, if there is anything to stop at."""
        if not any(self.breakpoints.values()):
            if self.codes:
                self.know(name, code)
            yield
            return
        self.know(name, code)
        self._step = ""
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(None)

    def know(self, name: str, code: str) -> None:
        """Remember the code of a cell by the name that its frames have."""
        path = code_path(code)
        self.paths[name] = path
        self.codes[path] = code

    def dump(self, code: str) -> str:
        """Remember the code of a cell before it runs; return its path."""
        path = code_path(code)
        self.codes[path] = code
        return path

    def set_breakpoints(self, path: str, lines: list[int]) -> list[int]:
        """Stop at these lines of a cell, or at the next ones with code; return those lines."""
        code = self.codes.get(path, "").split("\n")
        chosen = [_line_with_code(code, line) for line in lines]
        self.breakpoints[path] = set(chosen)
        return chosen

    def clear(self) -> None:
        """Forget all breakpoints, and resume a cell that waits at one."""
        self.breakpoints.clear()
        self.resume("")

    def resume(self, step: str) -> None:
        """Resume: to the next breakpoint, or with a step 'over', 'in' or 'out'."""
        self._step = step
        if self.frames:
            frame = self.frames[0]
            self._origin = (len(self.frames), id(frame), frame.f_lineno)
        self.frames = []
        self._resume.set()

    # In the main thread

    def _call(self, frame: FrameType, event: str, argument: object) -> LineTracer | None:
        return self._line if is_puppet(frame) else None

    def _line(self, frame: FrameType, event: str, argument: object) -> LineTracer:
        if event == "line":
            reason = self._reason(frame)
            if reason:
                self._wait(frame, reason)
        return self._line

    def _reason(self, frame: FrameType) -> str:
        path = self.paths.get(frame.f_code.co_filename, "")
        if frame.f_lineno in self.breakpoints.get(path, ()):
            return "breakpoint"
        if not self._step:
            return ""
        depth, origin, line = self._origin
        if (id(frame), frame.f_lineno) == (origin, line):
            return ""
        if self._step == "in":
            return "step"
        now = len(puppet_frames(frame))
        return "step" if now < depth or (self._step == "over" and now == depth) else ""

    def _wait(self, frame: FrameType, reason: str) -> None:
        self._resume.clear()
        self.stops += 1
        self.frames = puppet_frames(frame)
        self._stopped(reason)
        try:
            with Standstill():
                self._resume.wait()
        except KeyboardInterrupt:
            self.frames = []
            self._continued()
            raise


def _line_with_code(code: list[str], line: int) -> int:
    """Return the line, or the next that is neither empty, a comment nor only brackets."""
    for number in range(line, len(code) + 1):
        text = code[number - 1].strip()
        if text.strip("{}()[],;") and not text.startswith("#"):
            return number
    return line
