"""JupyterLab's debugger: the requests of the debug adapter protocol that it sends.

They arrive through the control channel, in another thread than the cells: they read snapshots of
the session, and the frames of a stopped cell. Expressions are evaluated in the thread of that cell.
Every request gets a response; the response to a failed request has the error.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

from puppet_kernel.breakpoints import placed, read_breakpoints
from puppet_kernel.interrupts import Interrupts
from puppet_kernel.outputs import WIDTH, bundle_of
from puppet_kernel.sources import MAX_FILES, PREFIX, SEED, Sources
from puppet_kernel.stopped_cell import StoppedCell
from puppet_kernel.variables import Entry, Group, VariableRows, entries_of, text_of
from puppet_repl.base.deadline import time_limit
from puppet_repl.base.defect import defect_line
from puppet_repl.base.errors import PuppetError, TimeLimitExceeded
from puppet_repl.session import Outcome, Session
from puppet_repl.session.debugging.breakpoints import Breakpoints
from puppet_repl.session.debugging.frames import frame_matches, frame_name, frame_variables
from puppet_repl.session.debugging.places import SUFFIX
from puppet_repl.session.debugging.tracer import RAISED, UNCAUGHT, Tracer
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import log_line
from puppet_repl.tools.rendering.values import render_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.debugging.tracer import Expression, Step, Stop

Message = dict[str, Any]
T = TypeVar("T")
THREAD = 1
MAX_FRAMES = 1000
MAX_SECONDS = 10.0
# How much longer a response may take than the expression.
MARGIN = 5.0
# A debug console prints results, but not the errors of failed requests.
CONSOLE = "repl"
ERROR_ROW = "(error)"
FILTERS = (
    (RAISED, "Raised errors", "Stop where an error is raised."),
    (UNCAUGHT, "Uncaught errors", "Stop where an error is raised that ends the cell."),
)
_NAMES = {str: "a string", int: "a number", list: "a list", dict: "an object"}


class DebugError(Exception):
    """A request that cannot be answered now; the message says why."""


def _get(arguments: Message, key: str, default: T) -> T:
    """Return an argument, which has to be of the default's type; the default if it is missing."""
    value = arguments.get(key)
    if value is None:
        return default
    if type(value) is not type(default):
        raise DebugError(f"'{key}' has to be {_NAMES[type(default)]}")
    return value


class Debugger:
    """The debugger of one session.

    ``send_event`` publishes an event for the cell that runs, or for the request that is answered if
    there ``is_answer``. ``print_line`` prints to a stream of the cell, ``report`` is called with
    each error of the program itself.
    """

    def __init__(
        self,
        puppet: Session,
        interrupts: Interrupts,
        send_event: Callable[[Message, bool], None],
        print_line: Callable[[str, str], None],
        report: Callable[[BaseException], object],
    ) -> None:
        self.puppet = puppet
        self._interrupts = interrupts
        self._send_event = send_event
        self._print_line = print_line
        self._report = report
        self._known = SessionSymbols(puppet)
        self._sources = Sources(puppet)
        self.cell = StoppedCell()
        self.tracer = Tracer(Breakpoints(), self._path_of, self)
        self._is_attached = False
        puppet.on_break = self._stop_here
        self._rows = VariableRows(puppet.type_text)
        self._sequence = 0
        # Of the ids of frames: JupyterLab takes frames with the same id for the same frames, which
        # it need not ask about again. Those of this stop begin with the first numbering.
        self._numbering = self._first_numbering = 0
        self._commands: dict[str, Callable[[Message], Any]] = {
            "debugInfo": self._debug_info,
            "initialize": self._initialize,
            "attach": self._attach,
            "disconnect": self._disconnect,
            "inspectVariables": self._inspect_variables,
            "variables": self._variables,
            "richInspectVariables": self._rich_inspect,
            "modules": self._modules,
            "configurationDone": lambda _: {},
            "setExceptionBreakpoints": self._set_exception_breakpoints,
            "exceptionInfo": self._exception_info,
            "setBreakpoints": self._set_breakpoints,
            "dumpCell": lambda given: {"sourcePath": self._sources.dump(_get(given, "code", ""))},
            "source": self._source,
            "threads": lambda _: {"threads": [{"id": THREAD, "name": "cells"}]},
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "evaluate": self._evaluate,
            "pause": self._pause,
            "continue": lambda _: self._resume("", {"allThreadsContinued": True}),
            "next": lambda _: self._resume("over", {}),
            "stepIn": lambda _: self._resume("in", {}),
            "stepOut": lambda _: self._resume("out", {}),
        }

    async def answer(self, request: Message) -> Message:
        """Return the response to one debug request."""
        command = request.get("command", "")
        self._sequence += 1
        response: Message = {
            "type": "response",
            "seq": self._sequence,
            "request_seq": request.get("seq", 0),
            "command": command,
        }
        try:
            handler = self._commands.get(command) if isinstance(command, str) else None
            if handler is None:
                raise DebugError(f"there is no {command}")
            body = handler(_get(request, "arguments", {}))
            if inspect.isawaitable(body):
                body = await body
        except DebugError as error:
            return {**response, "success": False, "message": str(error), "body": {}}
        except Exception as error:
            self._report(error)
            return {**response, "success": False, "message": defect_line(error), "body": {}}
        return {**response, "success": True, "body": body}

    # The debugger itself

    def _debug_info(self, _: Message) -> Message:
        return {
            "isStarted": self._is_attached,
            "hashMethod": "Murmur2",
            "hashSeed": SEED,
            "tmpFilePrefix": PREFIX,
            "tmpFileSuffix": SUFFIX,
            "breakpoints": [
                {"source": path, "breakpoints": [placed(each, path) for each in lines.values()]}
                for path, lines in list(self.tracer.breakpoints.by_path.items())
            ],
            "stoppedThreads": [THREAD] if self.cell.frames else [],
            "richRendering": True,
            "exceptionPaths": ["Puppet errors"],
            "copyToGlobals": False,
        }

    def _initialize(self, _: Message) -> Message:
        # Whoever asks between this and the next request has to see a debugger that has started.
        self._is_attached = True
        return {
            "supportsConfigurationDoneRequest": True,
            "supportsConditionalBreakpoints": True,
            "supportsHitConditionalBreakpoints": True,
            "supportsLogPoints": True,
            "supportsEvaluateForHovers": True,
            "supportsExceptionInfoRequest": True,
            "supportsModulesRequest": True,
            "exceptionBreakpointFilters": [
                {"filter": name, "label": label, "description": text, "default": False}
                for name, label, text in FILTERS
            ],
        }

    def _attach(self, _: Message) -> Message:
        self._is_attached = True
        # Front ends show breakpoints only after this event.
        self._send_event({"type": "event", "event": "initialized"}, True)
        return {}

    def _disconnect(self, _: Message) -> Message:
        self._is_attached = False
        self.release()
        self._send_event({"type": "event", "event": "terminated"}, True)
        return {}

    def begin(self, name: str, code: str) -> None:
        """Note that a cell begins, and the name that its frames have."""
        self._sources.know(name, code)
        self.tracer.begin()

    def release(self) -> None:
        """Remove all breakpoints, and resume a stopped cell."""
        self.tracer.clear()
        self.cell.resume("")

    def _stop_here(self) -> bool:
        return self._is_attached and self.tracer.stop_here()

    def _path_of(self, frame: FrameType) -> str:
        return self._sources.path_of(frame) or frame.f_code.co_filename

    # What the tracer tells and asks, in the thread of the cell

    def wait(self, frames: list[FrameType], stop: Stop) -> tuple[Step, FrameType]:
        """Wait in a stopped cell until a request resumes it; return how, and the first frame."""
        try:
            return self.cell.wait(frames, stop, lambda: self._tell_stopped(stop)), frames[0]
        finally:
            # JupyterLab shows a cell as paused until this event, even after its own request.
            body = {"threadId": THREAD, "allThreadsContinued": True}
            self._send_event({"type": "event", "event": "continued", "body": body}, False)

    def _tell_stopped(self, stop: Stop) -> None:
        body = {"reason": stop.reason, "threadId": THREAD, "allThreadsStopped": True}
        if stop.text:
            body |= {"description": stop.text, "text": stop.text}
        self._rows.clear()
        self._numbering += 1
        self._first_numbering = self._numbering
        self._send_event({"type": "event", "event": "stopped", "body": body}, False)

    def expression(self, text: str) -> Expression:
        """Return an expression for the cell that runs. Raises PuppetError."""
        return self.puppet.expressions.compile(text).evaluate

    def text_of(self, value: Any) -> str:
        """Return a value as the message of a log point shows it."""
        return value if type(value) is str else text_of(value)

    def print_line(self, stream: str, text: str) -> None:
        """Print a line below the cell."""
        self._print_line(stream, text)

    # Breakpoints and steps

    def _set_breakpoints(self, arguments: Message) -> Message:
        path = _get(_get(arguments, "source", {}), "path", "")
        asked: list[Any] = _get(arguments, "breakpoints", [])
        if not all(isinstance(each, dict) for each in asked):
            raise DebugError("each of the 'breakpoints' has to be an object")
        read = read_breakpoints(self.puppet, self._sources, path, asked)
        self.tracer.breakpoints.put(path, read)
        return {"breakpoints": [placed(each, path) for each in read]}

    def _set_exception_breakpoints(self, arguments: Message) -> Message:
        filters: list[Any] = _get(arguments, "filters", [])
        known = [name for name, _, _ in FILTERS]
        self.tracer.filters = {each for each in known if each in filters}
        return {"breakpoints": [{"verified": each in known} for each in filters]}

    def _exception_info(self, _: Message) -> Message:
        stop = self.cell.stop
        if stop is None or stop.error is None:
            raise DebugError("no cell is stopped at an error")
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

    def _pause(self, _: Message) -> Message:
        if not self.tracer.pause():
            raise DebugError(
                "only a cell that began with a breakpoint set can be paused; interrupt it instead"
            )
        return {}

    def _resume(self, step: Step, body: Message) -> Message:
        self.cell.resume(step)
        return body

    # Sources and frames

    def _source(self, arguments: Message) -> Message:
        path = _get(_get(arguments, "source", {}), "path", "")
        text = self._sources.text(path, list(self.cell.frames))
        if text is None:
            raise DebugError(f"the session does not load {path}")
        return {"content": text, "mimeType": "text/x-puppet"}

    def _modules(self, arguments: Message) -> Message:
        """Return the files of code that the session could load: breakpoints can be set there."""
        files = [
            {"id": number, "name": name, "path": path}
            for number, (name, path) in enumerate(self._sources.files())
        ]
        start = _get(arguments, "startModule", 0)
        count = _get(arguments, "moduleCount", 0) or MAX_FILES
        return {"modules": files[start : start + count], "totalModules": len(files)}

    def _stack_trace(self, _: Message) -> Message:
        frames = list(self.cell.frames[:MAX_FRAMES])
        listed = []
        for number, frame in enumerate(frames):
            path = self._sources.path_of(frame)
            listed.append(
                {
                    "id": self._numbering * MAX_FRAMES + number,
                    "name": frame_name(frame),
                    "source": {"name": frame.f_code.co_filename, "path": path},
                    "line": frame.f_lineno,
                    "column": 1,
                }
            )
        return {"stackFrames": listed, "totalFrames": len(listed)}

    def _frame(self, arguments: Message) -> FrameType:
        """Return a frame of the cell that is stopped."""
        frames = list(self.cell.frames)
        numbering, number = divmod(_get(arguments, "frameId", 0), MAX_FRAMES)
        if numbering < self._first_numbering or number >= len(frames):
            raise DebugError("no cell is stopped there")
        return frames[number]

    def _scopes(self, arguments: Message) -> Message:
        frame = self._frame(arguments)
        frames, stop = list(self.cell.frames), self.cell.stop
        local = self._local_entries(frame)
        if stop is not None and stop.error is not None and frames[:1] == [frame]:
            # JupyterLab shows no texts of events.
            local.insert(0, (ERROR_ROW, Group([], stop.text), ""))
        scopes = (("Locals", local), ("Globals", self._global_entries()))
        return {
            "scopes": [
                {
                    "name": name,
                    "variablesReference": self._rows.reference(entries),
                    "expensive": False,
                }
                for name, entries in scopes
            ]
        }

    # Variables

    def _local_entries(self, frame: FrameType) -> list[Entry]:
        given = self.puppet.names.given_variables()
        return entries_of(frame_variables(frame), given, frame_matches(frame))

    def _global_entries(self) -> list[Entry]:
        known, puppet = self._known, self.puppet
        given = puppet.names.given_variables()
        entries = entries_of(known.variables(), given, puppet.names.match_variables())
        of_classes = [
            (name, value, f"${name}") for name, value in sorted(known.class_variables().items())
        ]
        if of_classes:
            entries.append(("class variables", Group(of_classes), ""))
        return entries

    def _inspect_variables(self, _: Message) -> Message:
        self._rows.clear()
        return {"variables": self._rows.rows(self._global_entries())}

    def _variables(self, arguments: Message) -> Message:
        reference = _get(arguments, "variablesReference", 0)
        kind = _get(arguments, "filter", "")
        start = max(0, _get(arguments, "start", 0))
        count = max(0, _get(arguments, "count", 0))
        return {"variables": self._rows.unfold(reference, kind, start, count)}

    def _rich_inspect(self, arguments: Message) -> Message:
        name = _get(arguments, "variableName", "").lstrip("$")
        found = {**self.puppet.names.match_variables(), **self._known.variables()}
        if arguments.get("frameId") is not None and self.cell.frames:
            frame = self._frame(arguments)
            found |= frame_matches(frame) | frame_variables(frame)
        if name not in found:
            return {"data": {}, "metadata": {}}
        return {"data": bundle_of(found[name]), "metadata": {}}

    # Expressions

    async def _evaluate(self, arguments: Message) -> Message:
        """Return the value of an expression in a stopped frame, which changes nothing.

        While no cell is stopped it has to be the name of a variable.
        """
        text = _get(arguments, "expression", "")
        if not self.cell.frames:
            return self._variable(text)
        has_frame = arguments.get("frameId") is not None
        frame = self._frame(arguments) if has_frame else None
        outcome = await self._outcome(text, frame)
        is_console = arguments.get("context") == CONSOLE
        if is_console and self.cell.frames[:1] == [frame]:
            # JupyterLab empties its list of variables, and fills it for frames that are new. It
            # goes to the innermost frame then, so others keep their ids.
            self._numbering += 1
        if outcome.error is not None:
            if not is_console:
                raise DebugError(str(outcome.error))
            told = plain(render_error(outcome.error, width=WIDTH))
            return {"result": _with_logs(outcome, told), "variablesReference": 0}
        row = self._rows.row(text, outcome.value, text)
        shown = plain(render_value(outcome.value, WIDTH)) if is_console else row["value"]
        type_text = self.puppet.type_text(outcome.value)
        return {**row, "type": type_text, "result": _with_logs(outcome, shown)}

    def _variable(self, text: str) -> Message:
        name = text.strip().removeprefix("$")
        values = self._known.variables()
        if name not in values:
            raise DebugError("expressions can be evaluated while a cell is stopped")
        row = self._rows.row(name, values[name], f"${name}")
        return {**row, "result": row["value"]}

    async def _outcome(self, text: str, frame: FrameType | None) -> Outcome:
        result = self.cell.while_stopped(lambda: self._evaluated(text, frame))
        if result is None:
            raise DebugError("no cell is stopped any more")
        try:
            outcome: Outcome = await asyncio.wait_for(
                asyncio.wrap_future(result), MAX_SECONDS + MARGIN
            )
        except asyncio.CancelledError:
            raise DebugError("the cell goes on") from None
        except TimeoutError:
            raise DebugError("the expression has taken too long") from None
        return outcome

    def _evaluated(self, text: str, frame: FrameType | None) -> Outcome:
        """Return the outcome of an expression, in the thread of the cell that waits."""
        try:
            with time_limit(MAX_SECONDS):
                return self.puppet.expressions.compile(text).evaluate(frame)
        except PuppetError as error:
            return Outcome(error=error)
        except TimeLimitExceeded:
            seconds = f"{MAX_SECONDS:g} seconds"
            return Outcome(error=PuppetError(f"the expression was stopped after {seconds}"))
        except KeyboardInterrupt:
            # It was meant for the expression; the next one is for the cell.
            self._interrupts.settle()
            return Outcome(error=PuppetError("the expression was interrupted"))


def _with_logs(outcome: Outcome, shown: str) -> str:
    return "\n".join([*(log_line(level, text) for level, text in outcome.logs), shown])
