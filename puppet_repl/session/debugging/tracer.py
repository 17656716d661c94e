"""Stopping in Puppet code and stepping through it.

Compiled code has the lines of its text, so Python's tracing is enough; values are shown as
Puppet's, which a debugger for Python could not do. Without breakpoints or steps nothing is traced,
and code runs at full speed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from functools import partial
from types import TracebackType

from puppet_repl.base.deadline import Standstill, limit_problem, time_limit
from puppet_repl.base.error_filters import RAISED, UNCAUGHT
from puppet_repl.base.errors import PuppetError, TimeLimitExceeded
from puppet_repl.base.recursion import RoomForCalls, are_calls_deeper
from puppet_repl.session.debugging.frames import (
    called_frames,
    error_in,
    frame_name,
    frames_at,
    is_failure,
    is_puppet,
    puppet_frames,
    tree_of,
)
from puppet_repl.session.debugging.statements import StatementLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import Any, Literal, NoReturn, Protocol, TypeAlias

    from puppet_repl.session.debugging.breakpoints import Breakpoint, Breakpoints
    from puppet_repl.session.outcome import Outcome

    LineTracer: TypeAlias = Callable[[FrameType, str, Any], Any]
    # Returns the outcome of an expression in a frame.
    Expression: TypeAlias = Callable[[FrameType], Outcome]
    # How to go on: '' is to the next breakpoint.
    Step: TypeAlias = Literal["", "in", "over", "out"]

    class Watcher(Protocol):
        """What the tracer asks and tells: a front end, and the session after it."""

        def wait(self, frames: list[FrameType], stop: Stop) -> tuple[Step, FrameType]:
            """Let the user look at frames, the innermost first; return how to go on.

            The frame is the one that a step goes on in or leaves. What this raises ends the code.
            """

        def expression(self, text: str) -> Expression:
            """Return an expression for the code that runs. Raises PuppetError."""

        def text_of(self, value: Any) -> str:
            """Return a value as a message shows it."""

        def print_line(self, stream: str, text: str) -> None:
            """Print a line to 'stdout' or 'stderr'."""


MAX_SECONDS = 10.0
"""How long an expression of a breakpoint may take, or one that a front end evaluates at a stop."""
# So many calls before the limit of Python, room is made for those of a debugger.
_SPARE = 200


@dataclass(slots=True, eq=False)
class Stop:
    """Why code has stopped: ``reason`` is a word of the protocol, ``text`` what there is to say.

    ``error`` is the one that it has stopped for, ``is_uncaught`` whether nothing takes it, ``at``
    are the breakpoints.
    """

    reason: str
    text: str = ""
    error: PuppetError | None = None
    _: KW_ONLY
    is_uncaught: bool = False
    at: tuple[Breakpoint, ...] = ()


def in_time(evaluate: Callable[[], Outcome]) -> Outcome:
    """Evaluate an expression that may take MAX_SECONDS. Raises PuppetError after them."""
    # Nothing can end an expression in a browser.
    seconds = None if limit_problem() else MAX_SECONDS
    try:
        with time_limit(seconds):
            return evaluate()
    except TimeLimitExceeded:
        told = f"the expression was stopped after {MAX_SECONDS:g} seconds"
        raise PuppetError(told) from None


class _Failure:
    """An error on its way out of the code: the frames that it has left or is going to."""

    __slots__ = ("error", "frames", "is_told")

    def __init__(self, error: PuppetError, frames: list[FrameType]) -> None:
        self.error = error
        self.frames = frames
        self.is_told = False


class Tracer:
    """What stops the code of one session, and its steps. It runs in the thread of the code.

    ``filters`` say which errors are stopped at; ``path_of`` returns what a frame's file is called
    in the breakpoints, ``is_open`` whether code runs that may be stopped. Other threads may change
    breakpoints and filters.
    """

    def __init__(
        self, breakpoints: Breakpoints, path_of: Callable[[FrameType], str], watcher: Watcher
    ) -> None:
        self.breakpoints = breakpoints
        self.filters: set[str] = set()
        self._path_of = path_of
        self._watcher = watcher
        self.is_open = False
        self._step: Step = ""
        self._is_pausing = False
        # Whether code is stopped, or an expression of a breakpoint is evaluated.
        self._is_held = False
        self._depth = 0
        self._failure: _Failure | None = None
        # Once calls are nearly too deep: the limit that counts for the code, and the room after it.
        self._limit = 0
        self._room = RoomForCalls()
        # What traced the thread before, such as a debugger for Python; it traces again afterwards.
        self._other: Any = None
        # Of the code that runs: the lines of the statements of its programs, and the expressions
        # of breakpoints, compiled.
        self._lines: dict[object, frozenset[int]] = {}
        self._expressions: dict[str, Expression] = {}

    def begin(self, step: Step = "") -> None:
        """Note that an input begins: hits are counted from the start, and the step is under way."""
        self._step = step
        self._is_pausing = False
        self.breakpoints.reset()

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Trace code, if it could stop; steps go on in the next part of an input.

        Commands between the parts are not traced. ``stop_here`` and ``join`` work in any case.
        """
        self.open()
        try:
            yield
        finally:
            self.close()

    def open(self) -> None:
        """Begin what ``tracing`` does."""
        self.is_open = True
        if self._is_needed:
            self._trace()

    @property
    def _is_needed(self) -> bool:
        """Whether code could stop."""
        return bool(self._is_pausing or self._step or self.filters or self.breakpoints)

    def close(self) -> None:
        """End what ``tracing`` does."""
        # Python traces no longer when a trace function has raised: what ends the input at a stop.
        if self._is_tracing() or (self._other is not None and sys.gettrace() is None):
            sys.settrace(self._other)
        self._other = None
        # An interrupt may have come between a stop and the end of its block.
        self.is_open = self._is_held = False
        if self._limit:
            self._limit = 0
            self._room.__exit__()
        # They hold values, and a command may reset the session before the next part.
        self._failure = None
        self._lines.clear()
        self._expressions.clear()

    def _is_tracing(self) -> bool:
        # Compared by equality: a bound method is another object each time.
        return sys.gettrace() == self._call

    def _trace(self) -> None:
        if not self._is_tracing():
            self._other = sys.gettrace()
            sys.settrace(self._call)

    def clear(self) -> None:
        """Remove all breakpoints, filters and steps."""
        self.breakpoints.clear()
        self.filters = set()
        self._step = ""
        self._is_pausing = False

    def pause(self) -> bool:
        """Stop at the next statement, once ``join`` is called; False if no code runs."""
        self._is_pausing = self.is_open
        return self.is_open

    def join(self, frame: FrameType | None) -> None:
        """Stop also the code that has called a frame, if there is a reason since it has begun.

        Call it in the thread of that code, after a change of breakpoints or filters, or a pause.
        """
        if self.is_open and self._is_needed and frame is not None:
            self._trace_from(frame)

    def stop_here(self) -> bool:
        """Stop the code that has called this; False where nothing could go on with its steps.

        An expression that is evaluated where code is stopped, or for a breakpoint, goes on.
        """
        if self._is_held:
            return True
        if not self.is_open:
            return False
        frames = called_frames(sys._getframe(1))
        if not frames:
            return False
        was_tracing = self._is_tracing()
        other = self._other if was_tracing else sys.gettrace()
        sys.settrace(None)
        try:
            self._wait(frames, Stop("breakpoint"))
        finally:
            sys.settrace(other)
        if was_tracing or self._is_needed:
            self._trace_from(frames[0])
        return True

    def _trace_from(self, frame: FrameType) -> None:
        """Trace what runs from now on, the frames that have been entered included.

        As this may be called by a handler of signals, in the middle of anything, the trace
        functions are made later.
        """
        for each in puppet_frames(frame):
            if each.f_trace is None:
                each.f_trace = partial(self._go_on, each.f_lineno)
        self._trace()

    def _go_on(self, reached: int, frame: FrameType, event: str, argument: Any) -> LineTracer:
        """Trace a frame that was at the line ``reached`` when its tracing began."""
        traced: LineTracer = self._tracer_of(frame, reached)(frame, event, argument)
        return traced

    # While code runs

    def _call(self, frame: FrameType, event: str, argument: object) -> LineTracer | None:
        if not is_puppet(frame):
            return None
        self._failure = None
        if self.filters and self._is_too_deep():
            self._overflow(frame)
        return self._tracer_of(frame) if self._can_stop(frame) else None

    def _is_too_deep(self) -> bool:
        """Tell whether a call is deeper than Python allows; make room for a stop before that.

        Without room Python could not call the trace function, and would end the tracing.
        """
        limit = self._limit or sys.getrecursionlimit() - _SPARE
        if not are_calls_deeper(limit):
            return False
        if self._limit:
            return True
        self._limit = limit + _SPARE
        self._room.__enter__()
        return are_calls_deeper(self._limit)

    def _overflow(self, frame: FrameType) -> NoReturn:
        """Stop where calls are too deep, then raise the error; that ends the tracing."""
        frames = called_frames(frame.f_back)
        if frames:
            caller = frames[0]
            traceback = TracebackType(None, caller, caller.f_lasti, caller.f_lineno)
            error = error_in(RecursionError(), traceback)
            self._wait(frames, Stop("exception", str(error), error, is_uncaught=True))
        raise RecursionError

    def _can_stop(self, frame: FrameType) -> bool:
        """Tell whether there may be a reason to stop in a frame that is entered.

        When code is stopped the frames around are traced, however it goes on.
        """
        if self._is_pausing or self._step or self.filters:
            return True
        if self._path_of(frame) in self.breakpoints.by_path:
            return True
        entries = self.breakpoints.entries
        return bool(entries) and frame_name(frame) in entries

    def _tracer_of(self, frame: FrameType, reached: int | None = None) -> LineTracer:
        """Return the trace function of a frame, which is at the line ``reached``."""
        starts = self._starts(frame)
        path = self._path_of(frame)
        entries = self.breakpoints.entries
        entry = entries.get(frame_name(frame)) if entries and reached is None else None
        # A statement of several lines is reached more than once, but runs once in a frame.
        seen = set() if reached is None else {reached}

        def trace(frame: FrameType, event: str, argument: Any) -> LineTracer:
            nonlocal entry
            if event == "line":
                self._failure = None
                line = frame.f_lineno
                if line in starts and line not in seen:
                    seen.add(line)
                    entered, entry = entry, None
                    self._reach(frame, path, line, entered)
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

    def _reach(self, frame: FrameType, path: str, line: int, entered: Breakpoint | None) -> None:
        """Stop before a statement if there is a reason to; it may be the first of what is entered.

        Where there are breakpoints for both, those for the line count their hits, too.
        """
        at = self.breakpoints.at(path, line)
        if not at and entered is None and not (self._step or self._is_pausing):
            return
        frames = frames_at(frame)
        if not frames:
            return
        stop = self._at_breakpoints(frame, at if entered is None else (entered, *at))
        if stop is None and self._is_step(frame):
            stop = Stop("step")
        if stop is not None:
            self._wait(frames, stop)

    def _is_step(self, frame: FrameType) -> bool:
        if self._is_pausing:
            return True
        if self._step in ("", "in"):
            return self._step == "in"
        depth = len(puppet_frames(frame))
        return depth < self._depth or (self._step == "over" and depth == self._depth)

    def _at_breakpoints(self, frame: FrameType, breakpoints: tuple[Breakpoint, ...]) -> Stop | None:
        """Return the stop of those breakpoints that are hit, None if none is."""
        hit = []
        failures = []
        for each in breakpoints:
            problem = self._is_hit(frame, each)
            if problem is not None:
                hit.append(each)
            if problem:
                failures.append(problem)
        return Stop("breakpoint", "\n".join(failures), at=tuple(hit)) if hit else None

    def _is_hit(self, frame: FrameType, breakpoint_: Breakpoint) -> str | None:
        """Return '' for a breakpoint to stop at, None for others; or why its condition failed."""
        condition = breakpoint_.condition
        if condition:
            try:
                value = self._value(frame, condition)
            except PuppetError as error:
                told = f"the condition '{condition}' of the breakpoint failed: {error}"
                self._watcher.print_line("stderr", told)
                return told
            if value is None or value is False:
                return None
        if not breakpoint_.is_hit():
            return None
        if not breakpoint_.message:
            return ""
        self._watcher.print_line("stdout", self._message(frame, breakpoint_.message))
        return None

    def _value(self, frame: FrameType, text: str) -> Any:
        """Return the value of an expression in a frame; its logs are dropped.

        Its time is limited, and not counted by the limit of the code. Raises PuppetError.
        """
        expression = self._expressions.get(text)
        if expression is None:
            expression = self._expressions[text] = self._watcher.expression(text)
        with self._holding():
            outcome = in_time(partial(expression, frame))
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
        # After a MemoryError there is not enough memory for a stop.
        if not is_failure(error) or isinstance(error, MemoryError):
            return
        assert isinstance(error, Exception)
        around = puppet_frames(frame.f_back)
        failure = self._failure
        if failure is None:
            blames_caller = isinstance(error, PuppetError) and error.at_caller
            if around and blames_caller:
                return  # seen by who called it
            frames = called_frames(frame) or [frame]
            failure = self._failure = _Failure(error_in(error, traceback), frames)
        is_uncaught = not around
        if failure.is_told or not (
            RAISED in self.filters or (is_uncaught and UNCAUGHT in self.filters)
        ):
            return
        failure.is_told = True
        text = str(failure.error)
        self._wait(failure.frames, Stop("exception", text, failure.error, is_uncaught=is_uncaught))

    @contextmanager
    def _holding(self) -> Iterator[None]:
        """Take none of the time of the code, nor stop anything meanwhile."""
        was_held, self._is_held = self._is_held, True
        try:
            with Standstill():
                yield
        finally:
            self._is_held = was_held

    def _wait(self, frames: list[FrameType], stop: Stop) -> None:
        """Let the user look at the code until it goes on."""
        self._step = ""
        self._is_pausing = False
        with self._holding():
            self._step, frame = self._watcher.wait(frames, stop)
        self._depth = len(puppet_frames(frame))
        if self._is_tracing():
            self._trace_from(frames[0])
