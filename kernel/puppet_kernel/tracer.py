"""Stopping in Puppet code and stepping through it.

Compiled code has the lines of its text, so Python's tracing is enough; values are shown as
Puppet's, which a debugger for Python could not do. While there is nothing to stop at nothing is
traced and nothing is slower.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Lock
from types import FrameType, TracebackType
from typing import Any, Protocol

from puppet_kernel.breakpoints import Breakpoint, Breakpoints
from puppet_kernel.sources import Sources
from puppet_repl.base.deadline import Standstill
from puppet_repl.errors import PuppetError
from puppet_repl.inspection.frames import (
    called_frames,
    error_in,
    is_failure,
    is_puppet,
    puppet_frames,
    tree_of,
)
from puppet_repl.inspection.statements import StatementLines
from puppet_repl.session import Outcome

LineTracer = Callable[[FrameType, str, Any], Any]
# Returns the outcome of an expression in a frame.
Expression = Callable[[FrameType], Outcome]
# What the protocol calls a breakpoint for errors: all of them, or those that end the cell.
RAISED = "raised"
UNCAUGHT = "uncaught"


class Stop:
    """Why code has stopped: ``reason`` is a word of the protocol, ``text`` what there is to say.

    ``error`` is the one that it has stopped for, ``is_uncaught`` whether nothing takes it.
    """

    __slots__ = ("error", "is_uncaught", "reason", "text")

    def __init__(
        self, reason: str, text: str = "", error: PuppetError | None = None, *, is_uncaught: bool
    ) -> None:
        self.reason = reason
        self.text = text
        self.error = error
        self.is_uncaught = is_uncaught


class Failure:
    """An error on its way out of the code: the frames that it has left or is going to."""

    __slots__ = ("error", "frames", "is_told")

    def __init__(self, error: PuppetError, frames: list[FrameType]) -> None:
        self.error = error
        self.frames = frames
        self.is_told = False


class Watcher(Protocol):
    """What the tracer asks and tells: the debugger, and the session behind it."""

    def stopped(self, stop: Stop) -> None:
        """Take note that a cell has stopped."""

    def continued(self) -> None:
        """Take note that a cell goes on by itself."""

    def expression(self, text: str) -> Expression:
        """Return an expression for the cell that runs. Raises PuppetError."""

    def text_of(self, value: Any) -> str:
        """Return a value as a message shows it."""

    def print_line(self, stream: str, text: str) -> None:
        """Print a line below the cell."""


class Work:
    """Something to do in the thread of a cell that waits; ``result`` is for who asked for it."""

    __slots__ = ("_function", "result")

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function
        self.result: Future[Any] = Future()

    def run(self) -> None:
        """Do it, unless nobody waits for the result any more.

        An interrupt is for the cell, and not for the thread that waits for the result.
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


class Tracer:
    """Breakpoints and steps of one kernel.

    Cells run in the main thread and wait there; requests come from another one. ``frames`` are
    those of the cell that waits, the innermost first; ``stop`` says why it does.
    """

    def __init__(self, breakpoints: Breakpoints, sources: Sources, watcher: Watcher) -> None:
        self.breakpoints = breakpoints
        self.sources = sources
        self._watcher = watcher
        self.filters: set[str] = set()
        self.is_attached = False
        self.frames: list[FrameType] = []
        self.stop: Stop | None = None
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._lock = Lock()
        self._step = ""
        self._depth = 0
        self._failure: Failure | None = None
        # Of the part of a cell that runs: the lines of the statements of its programs, and the
        # expressions of breakpoints, compiled.
        self._lines: dict[object, frozenset[int]] = {}
        self._expressions: dict[str, Expression] = {}

    def begin(self, name: str, code: str) -> None:
        """Note that a cell begins: hits are counted from the start, and no step is under way."""
        self.sources.know(name, code)
        self._step = ""
        self.breakpoints.reset()

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Trace a part of the cell, if there is anything to stop at; steps go on in the next one.

        What stands between the parts, commands, is not traced.
        """
        if not (self.breakpoints or self.filters or self._step):
            yield
            return
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(None)
            # They hold values, and a command may reset the session before the next part.
            self._failure = None
            self._lines.clear()
            self._expressions.clear()

    def clear(self) -> None:
        """Forget what there is to stop at, and resume a cell that waits."""
        self.breakpoints.clear()
        self.filters = set()
        self.resume("")

    def resume(self, step: str) -> None:
        """Resume: to the next breakpoint, or with a step 'over', 'in' or 'out'."""
        with self._lock:
            # A step that comes when nothing is stopped (any more) is none.
            self._step = step if self.frames else ""
            if self.frames:
                self._depth = len(puppet_frames(self.frames[0]))
                self.frames = []
                self._work.put(None)

    def pause(self) -> bool:
        """Stop at the next statement; False where nothing is traced."""
        if not self._lines:
            return False
        self._step = "in"
        return True

    def while_stopped(self, function: Callable[[], Any]) -> Future[Any] | None:
        """Call a function in the thread of the cell that waits; None where none does.

        The result is cancelled if the cell does not wait any more.
        """
        work = Work(function)
        with self._lock:
            if not self.frames:
                return None
            self._work.put(work)
        return work.result

    # In the main thread

    def _call(self, frame: FrameType, event: str, argument: object) -> LineTracer | None:
        if not is_puppet(frame):
            return None
        self._failure = None
        starts = self._starts(frame)
        path = self.sources.path_of(frame) or frame.f_code.co_filename
        # A statement of several lines is reached more than once, but runs once in a frame.
        seen: set[int] = set()

        def trace(frame: FrameType, event: str, argument: Any) -> LineTracer:
            if event == "line":
                self._failure = None
                line = frame.f_lineno
                if line in starts and line not in seen:
                    seen.add(line)
                    self._reach(frame, path, line)
            elif event == "exception" and self.filters:
                self._raised(frame, argument[1], argument[2])
            return trace

        return trace

    def _starts(self, frame: FrameType) -> frozenset[int]:
        """Return the lines of a frame's program on which statements begin."""
        tree = tree_of(frame)
        starts = self._lines.get(tree)
        if starts is None:
            starts = self._lines[tree] = StatementLines(tree.source, tree).starts
        return starts

    def _reach(self, frame: FrameType, path: str, line: int) -> None:
        """Stop before a statement if there is a reason to."""
        at = self.breakpoints.at(path, line)
        stop = None if at is None else self._at_breakpoint(frame, at)
        if stop is None and self._is_step(frame):
            stop = Stop("step", is_uncaught=False)
        if stop is not None:
            self._wait(called_frames(frame), stop)

    def _is_step(self, frame: FrameType) -> bool:
        if self._step in ("", "in"):
            return self._step == "in"
        depth = len(puppet_frames(frame))
        return depth < self._depth or (self._step == "over" and depth == self._depth)

    def _at_breakpoint(self, frame: FrameType, breakpoint_: Breakpoint) -> Stop | None:
        condition = breakpoint_.condition
        if condition:
            try:
                value = self._value(frame, condition)
            except PuppetError as error:
                told = f"the condition '{condition}' of the breakpoint failed: {error}"
                self._watcher.print_line("stderr", told)
                return Stop("breakpoint", told, is_uncaught=False)
            if value is None or value is False:
                return None
        if not breakpoint_.is_hit():
            return None
        if not breakpoint_.message:
            return Stop("breakpoint", is_uncaught=False)
        self._watcher.print_line("stdout", self._message(frame, breakpoint_.message))
        return None

    def _value(self, frame: FrameType, text: str) -> Any:
        """Return the value of an expression in a frame; what it logs is lost."""
        expression = self._expressions.get(text)
        if expression is None:
            expression = self._expressions[text] = self._watcher.expression(text)
        outcome = expression(frame)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def _message(self, frame: FrameType, parts: list[str]) -> str:
        """Return the text of a log point: every other part is an expression."""
        written = []
        for number, part in enumerate(parts):
            if number % 2 == 0:
                written.append(part)
                continue
            try:
                written.append(self._watcher.text_of(self._value(frame, part)))
            except PuppetError as error:
                written.append(f"({error})")
        return "".join(written)

    def _raised(
        self, frame: FrameType, error: BaseException, traceback: TracebackType | None
    ) -> None:
        """Stop at an error; the frames around see it again as it passes them."""
        # What has used up the memory leaves none for a stop.
        if not is_failure(error) or isinstance(error, MemoryError):
            return
        assert isinstance(error, Exception)
        around = puppet_frames(frame.f_back)
        failure = self._failure
        if failure is None:
            blames_caller = isinstance(error, PuppetError) and error.at_caller
            if around and (blames_caller or isinstance(error, RecursionError)):
                # Seen by who called it. Where calls are too deep nothing can be called, and Python
                # has most likely ended the tracing of the cell.
                return
            frames = called_frames(frame) or [frame]
            failure = self._failure = Failure(error_in(error, traceback), frames)
        is_uncaught = not around
        if failure.is_told or not (
            RAISED in self.filters or (is_uncaught and UNCAUGHT in self.filters)
        ):
            return
        failure.is_told = True
        text = str(failure.error)
        self._wait(failure.frames, Stop("exception", text, failure.error, is_uncaught=is_uncaught))

    def _wait(self, frames: list[FrameType], stop: Stop) -> None:
        """Wait in a stopped cell until it is resumed, and do meanwhile what is to be done here."""
        self._step = ""
        self.stop = stop
        with self._lock:
            self.frames = frames
        try:
            self._watcher.stopped(stop)
            with Standstill():
                while (work := self._work.get()) is not None:
                    work.run()
        finally:
            # JupyterLab shows that a cell is paused until it is told, also after its own request.
            self._watcher.continued()
            self._release()

    def _release(self) -> None:
        """Cancel what comes too late to be done in the cell."""
        with self._lock:
            self.frames = []
            self.stop = None
            while not self._work.empty():
                work = self._work.get()
                if work is not None:
                    work.result.cancel()
