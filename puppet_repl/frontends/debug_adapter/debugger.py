"""The debugger of one session: requests of the debug adapter protocol about code that is stopped.

Requests come in another thread than that of the code: they read snapshots of the session, and the
frames of code that is stopped. Expressions are evaluated in the thread of that code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from types import FrameType
from typing import Any, Protocol

from puppet_repl.base.errors import PuppetError
from puppet_repl.frontends.debug_adapter.arguments import DebugError, Message, get
from puppet_repl.frontends.debug_adapter.breakpoints import placed, read_breakpoints
from puppet_repl.frontends.debug_adapter.capabilities import KNOWN
from puppet_repl.frontends.debug_adapter.rows import Entry, Group, VariableRows, entries_of, text_of
from puppet_repl.frontends.debug_adapter.stopped import StoppedCode
from puppet_repl.frontends.shared.interrupts import Interrupts
from puppet_repl.session import Outcome, Session
from puppet_repl.session.debugging.breakpoints import Breakpoint, Breakpoints
from puppet_repl.session.debugging.frames import frame_matches, frame_variables, shown_name
from puppet_repl.session.debugging.statements import statement_column
from puppet_repl.session.debugging.tracer import Tracer, in_time
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import log_line
from puppet_repl.tools.rendering.values import render_value, value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.debugging.statements import StatementLines
    from puppet_repl.session.debugging.tracer import Expression, Step, Stop

THREAD = 1
WIDTH = 100
# The number of a frame is that of its stop times this, plus its place in the stack.
MAX_FRAMES = 100_000
# A debug console prints results, but not the errors of failed requests.
CONSOLE = "repl"
CLIPBOARD = "clipboard"


class Sources(Protocol):
    """The texts of one session by path, and the paths of what its frames call their file."""

    def path_of(self, frame: FrameType) -> str:
        """Return the path of the code of a frame, '' where nobody could open it."""

    def key(self, path: str) -> str:
        """Return what identifies a path, however it is written."""

    def text(self, path: str, frames: Iterable[FrameType] = ()) -> str | None:
        """Return the text at a path, None if there is none that the session could load.

        Of a file that has changed it is what the ``frames`` run.
        """

    def lines(self, path: str) -> StatementLines | str:
        """Return the lines of the statements at a path, or why code cannot be stopped there."""


class Pending:
    """The body of a response that has to wait for an outcome in the thread of the stopped code.

    ``body`` returns it, or raises DebugError. The ``outcome`` is cancelled if the code goes on.
    """

    def __init__(
        self, outcome: Future[Outcome], body: Callable[[Outcome], Message], subject: str
    ) -> None:
        self.outcome = outcome
        self._body = body
        self._subject = subject

    def body(self) -> Message:
        """Return the body of the response, once the outcome is there. Raises DebugError."""
        if self.outcome.cancelled():
            raise DebugError(f"the {self._subject} goes on")
        return self._body(self.outcome.result())


class Debugger:
    """The debugger of one session; ``requests`` are functions from arguments to bodies.

    They raise DebugError. ``subject`` is what users call the code that runs: cell, program.
    ``send_event`` publishes an event for the code that runs, or for the request that is answered if
    there ``is_answer``. ``print_line`` prints to a stream of the code.
    """

    subject = "program"

    def __init__(
        self,
        puppet: Session,
        sources: Sources,
        interrupts: Interrupts,
        send_event: Callable[[Message, bool], None],
        print_line: Callable[[str, str], None],
    ) -> None:
        self.puppet = puppet
        self.sources = sources
        self.code = StoppedCode()
        self.tracer = Tracer(Breakpoints(), self._path_of, self)
        self.rows = VariableRows(puppet.type_text)
        self.known = SessionSymbols(puppet)
        self._interrupts = interrupts
        self._send_event = send_event
        self._print_line = print_line
        puppet.on_break = self.stop_here
        # Of the ids of frames: front ends take frames with the same id for the same frames, which
        # they need not ask about again. Those of this stop begin with the first numbering.
        self.numbering = self._first_numbering = 0
        self.requests: dict[str, Callable[[Message], Message | Pending]] = {
            "variables": self._variables,
            "configurationDone": lambda _: {},
            "setExceptionBreakpoints": self.set_exception_breakpoints,
            "exceptionInfo": self._exception_info,
            "setBreakpoints": self.set_breakpoints,
            "source": self.source,
            "threads": lambda _: {"threads": [{"id": THREAD, "name": f"{self.subject}s"}]},
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "evaluate": self.evaluate,
            "pause": self.pause,
            "continue": lambda _: self._resume("", {"allThreadsContinued": True}),
            "next": lambda _: self._resume("over", {}),
            "stepIn": lambda _: self._resume("in", {}),
            "stepOut": lambda _: self._resume("out", {}),
        }

    def answer(self, command: object, arguments: Message) -> Message | Pending:
        """Return the body of the response to a request. Raises DebugError."""
        handler = self.requests.get(command) if isinstance(command, str) else None
        if handler is None:
            raise DebugError(f"there is no {command}")
        return handler(arguments)

    def release(self) -> None:
        """Remove all breakpoints, and resume stopped code."""
        self.tracer.clear()
        self.code.resume("")

    def stop_here(self) -> bool:
        """Stop the code that calls this; False if nobody could look at it."""
        return self.tracer.stop_here()

    def _path_of(self, frame: FrameType) -> str:
        return self.sources.key(self.sources.path_of(frame) or frame.f_code.co_filename)

    # What the tracer tells and asks, in the thread of the code

    def wait(self, frames: list[FrameType], stop: Stop) -> tuple[Step, FrameType]:
        """Wait in stopped code until a request resumes it; return how, and the first frame."""
        try:
            return self.code.wait(frames, stop, lambda: self._tell_stopped(stop)), frames[0]
        finally:
            # JupyterLab shows a cell as paused until this event, even after its own request.
            body = {"threadId": THREAD, "allThreadsContinued": True}
            self._send_event({"type": "event", "event": "continued", "body": body}, False)

    def stopped_body(self, stop: Stop) -> Message:
        """Return the body of the event that says why the code has stopped."""
        body = {"reason": stop.reason, "threadId": THREAD, "allThreadsStopped": True}
        if stop.text:
            body |= {"description": stop.text, "text": stop.text}
        return body

    def _tell_stopped(self, stop: Stop) -> None:
        body = self.stopped_body(stop)
        self.rows.clear()
        self.numbering += 1
        self._first_numbering = self.numbering
        self._send_event({"type": "event", "event": "stopped", "body": body}, False)

    def expression(self, text: str) -> Expression:
        """Return an expression for the code that runs. Raises PuppetError."""
        return self.puppet.expressions.compile(text).evaluate

    def text_of(self, value: Any) -> str:
        """Return a value as the message of a log point shows it."""
        return value if type(value) is str else text_of(value)

    def print_line(self, stream: str, text: str) -> None:
        """Print a line to a stream of the code."""
        self._print_line(stream, text)

    # Breakpoints and steps

    def set_breakpoints(self, arguments: Message) -> Message:
        """Set the breakpoints of a text, in place of those that it has."""
        path = get(get(arguments, "source", {}), "path", "")
        asked: list[Any] = get(arguments, "breakpoints", [])
        if not all(isinstance(each, dict) for each in asked):
            raise DebugError("'breakpoints' has to be a list of objects")
        read = read_breakpoints(self.puppet, self.sources.lines(path), asked)
        self.tracer.breakpoints.put(self.sources.key(path), read)
        return {"breakpoints": [self.described(each, path) for each in read]}

    def described(self, breakpoint_: Breakpoint, path: str) -> Message:
        """Return a breakpoint as the protocol describes it."""
        return placed(breakpoint_, path)

    def set_exception_breakpoints(self, arguments: Message) -> Message:
        """Set which errors code is stopped at."""
        filters: list[Any] = get(arguments, "filters", [])
        self.tracer.filters = {each for each in KNOWN if each in filters}
        return {"breakpoints": [{"verified": each in KNOWN} for each in filters]}

    def _exception_info(self, _: Message) -> Message:
        stop = self.code.stop
        if stop is None or stop.error is None:
            raise DebugError(f"no {self.subject} is stopped at an error")
        error = stop.error
        return {
            "exceptionId": error.code,
            "description": stop.text,
            "breakMode": "unhandled" if stop.is_uncaught else "always",
            "details": {
                "message": stop.text,
                "typeName": error.code,
                "stackTrace": plain(render_error(error, width=WIDTH)),
            },
        }

    def pause(self, _: Message) -> Message:
        """Stop at the next statement."""
        if not self.tracer.pause():
            raise DebugError(f"no {self.subject} runs")
        self._interrupts.call(self.tracer.join)
        return {}

    def _resume(self, step: Step, body: Message) -> Message:
        self.code.resume(step)
        return body

    # Sources and frames

    def source(self, arguments: Message) -> Message:
        """Return a text."""
        path = get(get(arguments, "source", {}), "path", "")
        text = self.sources.text(path, list(self.code.frames))
        if text is None:
            raise DebugError(f"the session does not load {path}")
        return {"content": text, "mimeType": "text/x-puppet"}

    def _stack_trace(self, arguments: Message) -> Message:
        """Return the frames from ``startFrame`` on, at most ``levels``; all for 0, as for none."""
        frames = list(self.code.frames)
        first = max(get(arguments, "startFrame", 0), 0)
        levels = max(get(arguments, "levels", 0), 0) or len(frames)
        listed = []
        for number, frame in enumerate(frames[first : first + levels], first):
            listed.append(
                {
                    "id": self.numbering * MAX_FRAMES + number,
                    "name": shown_name(frame),
                    "source": self.source_of(frame),
                    "line": frame.f_lineno,
                    "column": statement_column(frame),
                }
            )
        return {"stackFrames": listed, "totalFrames": len(frames)}

    def source_of(self, frame: FrameType) -> Message:
        """Return the text whose code a frame runs, as the protocol describes it."""
        return {"name": frame.f_code.co_filename, "path": self.sources.path_of(frame)}

    def frame_in(self, arguments: Message) -> FrameType:
        """Return a frame of the code that is stopped. Raises DebugError."""
        frames = list(self.code.frames)
        numbering, number = divmod(get(arguments, "frameId", 0), MAX_FRAMES)
        if numbering < self._first_numbering or number >= len(frames):
            raise DebugError(f"no {self.subject} is stopped there")
        return frames[number]

    def _scopes(self, arguments: Message) -> Message:
        return {
            "scopes": [
                {
                    "name": name,
                    "variablesReference": self.rows.reference(entries),
                    "expensive": False,
                }
                for name, entries in self.scopes_of(self.frame_in(arguments))
            ]
        }

    def scopes_of(self, frame: FrameType) -> list[tuple[str, list[Entry] | Group]]:
        """Return names and entries of the scopes that are shown for a frame."""
        return [("Locals", self.local_entries(frame)), ("Globals", self.global_entries())]

    # Variables

    def local_entries(self, frame: FrameType) -> list[Entry]:
        """Return the variables of a frame."""
        given = self.puppet.names.given_variables()
        return entries_of(frame_variables(frame), given, frame_matches(frame))

    def global_entries(self) -> list[Entry]:
        """Return the variables of the top scope, and those of classes."""
        given = self.puppet.names.given_variables()
        matches = self.puppet.names.match_variables()
        entries = entries_of(self.known.variables(), given, matches)
        return [*entries, *self.class_entries()]

    def class_entries(self) -> list[Entry]:
        """Return a group with the variables of classes, if there are some."""
        of_classes = [
            (name, value, f"${name}")
            for name, value in sorted(self.known.class_variables().items())
        ]
        return [("class variables", Group(of_classes), "")] if of_classes else []

    def _variables(self, arguments: Message) -> Message:
        reference = get(arguments, "variablesReference", 0)
        kind = get(arguments, "filter", "")
        start = max(0, get(arguments, "start", 0))
        count = max(0, get(arguments, "count", 0))
        return {"variables": self.rows.unfold(reference, kind, start, count)}

    # Expressions

    def evaluate(self, arguments: Message) -> Message | Pending:
        """Return the value of an expression in a stopped frame, which changes nothing.

        While no code is stopped it has to be the name of a variable.
        """
        text = get(arguments, "expression", "")
        if not self.code.frames:
            return self._variable(text)
        has_frame = arguments.get("frameId") is not None
        frame = self.frame_in(arguments) if has_frame else None
        result = self.code.while_stopped(lambda: self._evaluated(text, frame))
        if result is None:
            raise DebugError(f"no {self.subject} is stopped any more")
        context = get(arguments, "context", "")
        return Pending(
            result, lambda outcome: self._described(text, outcome, context), self.subject
        )

    def _described(self, text: str, outcome: Outcome, context: str) -> Message:
        if outcome.error is not None:
            if context != CONSOLE:
                raise DebugError(str(outcome.error))
            told = plain(render_error(outcome.error, width=WIDTH))
            return {"result": _with_logs(outcome, told), "variablesReference": 0}
        row = self.rows.row(text, outcome.value, text)
        shown = row["value"]
        if context == CONSOLE:
            shown = plain(render_value(outcome.value, WIDTH))
        elif context == CLIPBOARD:
            shown = _whole_text(outcome.value)
        type_text = self.puppet.type_text(outcome.value)
        return {**row, "type": type_text, "result": _with_logs(outcome, shown)}

    def _variable(self, text: str) -> Message:
        name = text.strip().removeprefix("$")
        values = self.known.variables()
        if name not in values:
            raise DebugError(f"expressions can be evaluated while a {self.subject} is stopped")
        row = self.rows.row(name, values[name], f"${name}")
        return {**row, "result": row["value"]}

    def _evaluated(self, text: str, frame: FrameType | None) -> Outcome:
        """Return the outcome of an expression, in the thread of the code that waits."""
        try:
            return in_time(lambda: self.puppet.expressions.compile(text).evaluate(frame))
        except PuppetError as error:
            return Outcome(error=error)
        except KeyboardInterrupt:
            # It was meant for the expression; the next one is for the code.
            self._interrupts.settle()
            return Outcome(error=PuppetError("the expression was interrupted"))


def _whole_text(value: Any) -> str:
    """Return a value on one line. Raises DebugError for one that is too long for any use."""
    try:
        return value_text(value, encoding="utf-8")
    except PuppetError as error:
        raise DebugError(str(error)) from None


def _with_logs(outcome: Outcome, shown: str) -> str:
    return "\n".join([*(log_line(level, text) for level, text in outcome.logs), shown])
