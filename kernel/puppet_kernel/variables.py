"""JupyterLab's debugger panel: the commands of the debug adapter protocol that it sends.

They arrive through the control channel, in another thread than the cells: only snapshots of the
session are read, and only the frames of a cell that is stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puppet_kernel.outputs import bundle_of
from puppet_kernel.tracer import PREFIX, SEED, SUFFIX, THREAD, Tracer
from puppet_repl.inspection.containers import hash_items, is_container
from puppet_repl.inspection.frames import frame_name, frame_variables
from puppet_repl.inspection.symbols import SessionSymbols
from puppet_repl.render.fragments import plain
from puppet_repl.render.values import short_text
from puppet_repl.session import Session

Reply = dict[str, Any]
NOT_EXPANDABLE = 0
MAX_FRAMES = 1000
# Characters of a value in the list; its parts can be unfolded.
MAX_VALUE = 1000


class DebugError(Exception):
    """A request that cannot be answered now; the message says why."""


class Variables:
    """The variables of a scope, to be expanded like a value."""

    __slots__ = ("values",)

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values


def _text(value: Any) -> str:
    return plain(short_text(value, MAX_VALUE))


def _placed(path: str, lines: list[int]) -> list[Reply]:
    return [{"verified": True, "line": line, "source": {"path": path}} for line in lines]


class VariablesPanel:
    """The debugger of one session.

    ``send_event`` publishes an event of the protocol: that a cell has stopped.
    """

    def __init__(self, puppet: Session, send_event: Callable[[Reply], None]) -> None:
        self.puppet = puppet
        self.tracer = Tracer(self._stopped, self._continued)
        self._send_event = send_event
        self._known = SessionSymbols(puppet)
        self._started = False
        self._expandable: list[tuple[Any, str]] = []
        self._sequence = 0
        self._commands: dict[str, Callable[[Reply], Reply]] = {
            "debugInfo": self._debug_info,
            "initialize": self._initialize,
            "attach": self._attach,
            "disconnect": self._disconnect,
            "inspectVariables": self._inspect_variables,
            "variables": self._variables,
            "richInspectVariables": self._rich_inspect,
            "modules": lambda _: {"modules": [], "totalModules": 0},
            "configurationDone": lambda _: {},
            "setExceptionBreakpoints": lambda _: {"breakpoints": []},
            "setBreakpoints": self._set_breakpoints,
            "dumpCell": lambda given: {"sourcePath": self.tracer.dump(given.get("code", ""))},
            "source": self._source,
            "threads": lambda _: {"threads": [{"id": THREAD, "name": "cells"}]},
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "evaluate": self._evaluate,
            "continue": lambda _: self._resume("", {"allThreadsContinued": True}),
            "next": lambda _: self._resume("over", {}),
            "stepIn": lambda _: self._resume("in", {}),
            "stepOut": lambda _: self._resume("out", {}),
            "copyToGlobals": lambda _: {},
        }

    def answer(self, request: Reply) -> Reply:
        """Return the response to one debug request."""
        command = request.get("command", "")
        self._sequence += 1
        response: Reply = {
            "type": "response",
            "seq": self._sequence,
            "request_seq": request.get("seq", 0),
            "command": command,
        }
        handler = self._commands.get(command)
        if handler is None:
            return {**response, "success": False, "message": f"there is no {command}", "body": {}}
        try:
            body = handler(request.get("arguments") or {})
        except DebugError as error:
            return {**response, "success": False, "message": str(error), "body": {}}
        return {**response, "success": True, "body": body}

    def _debug_info(self, _: Reply) -> Reply:
        return {
            "isStarted": self._started,
            "hashMethod": "Murmur2",
            "hashSeed": SEED,
            "tmpFilePrefix": PREFIX,
            "tmpFileSuffix": SUFFIX,
            "breakpoints": [
                {"source": path, "breakpoints": _placed(path, sorted(lines))}
                for path, lines in self.tracer.breakpoints.items()
            ],
            "stoppedThreads": [THREAD] if self.tracer.frames else [],
            "richRendering": True,
            "exceptionPaths": [],
            "copyToGlobals": False,
        }

    def _initialize(self, _: Reply) -> Reply:
        return {"supportsConfigurationDoneRequest": True}

    def _attach(self, _: Reply) -> Reply:
        self._started = True
        for number, code, _outcome in list(self.puppet.inputs):
            self.tracer.know(f"cell {number}", code)
        return {}

    def _disconnect(self, _: Reply) -> Reply:
        self._started = False
        self.tracer.clear()
        return {}

    # Breakpoints and steps

    def _stopped(self, reason: str) -> None:
        body = {"reason": reason, "threadId": THREAD, "allThreadsStopped": True}
        self._expandable = []
        self._send_event({"type": "event", "event": "stopped", "body": body})

    def _continued(self) -> None:
        body = {"threadId": THREAD, "allThreadsContinued": True}
        self._send_event({"type": "event", "event": "continued", "body": body})

    def _set_breakpoints(self, arguments: Reply) -> Reply:
        path = (arguments.get("source") or {}).get("path", "")
        asked = [each.get("line", 1) for each in arguments.get("breakpoints") or []]
        return {"breakpoints": _placed(path, self.tracer.set_breakpoints(path, asked))}

    def _source(self, arguments: Reply) -> Reply:
        path = (arguments.get("source") or {}).get("path", "")
        return {"content": self.tracer.codes.get(path, ""), "mimeType": "text/x-puppet"}

    def _stack_trace(self, _: Reply) -> Reply:
        frames = [
            {
                # Front ends treat frames with the same id as the same frame, so ids are not reused.
                "id": self.tracer.stops * MAX_FRAMES + number,
                "name": frame_name(frame),
                "source": {
                    "name": frame.f_code.co_filename,
                    "path": self.tracer.paths.get(frame.f_code.co_filename, ""),
                },
                "line": frame.f_lineno,
                "column": 1,
            }
            for number, frame in enumerate(list(self.tracer.frames[:MAX_FRAMES]))
        ]
        return {"stackFrames": frames, "totalFrames": len(frames)}

    def _frame(self, arguments: Reply) -> dict[str, Any]:
        """Return the variables of a frame of the cell that is stopped."""
        frames = list(self.tracer.frames)
        number = arguments.get("frameId", 0) - self.tracer.stops * MAX_FRAMES
        if not 0 <= number < len(frames):
            raise DebugError("no cell is stopped there")
        return frame_variables(frames[number])

    def _scopes(self, arguments: Reply) -> Reply:
        scopes = []
        for name, values in (
            ("Locals", self._frame(arguments)),
            ("Globals", self._known.variables()),
        ):
            self._expandable.append((Variables(values), ""))
            scopes.append(
                {"name": name, "variablesReference": len(self._expandable), "expensive": False}
            )
        return {"scopes": scopes}

    def _evaluate(self, arguments: Reply) -> Reply:
        """Return the value of a variable; other code cannot run while a cell is stopped."""
        name = str(arguments.get("expression", "")).strip().removeprefix("$")
        values = {**self._known.variables(), **self._frame(arguments)}
        if name not in values:
            raise DebugError("only variables can be evaluated while a cell is stopped")
        row = self._row(name, values[name], f"${name}")
        return {**row, "result": row["value"]}

    def _resume(self, step: str, body: Reply) -> Reply:
        self.tracer.resume(step)
        return body

    # Variables

    def _inspect_variables(self, _: Reply) -> Reply:
        self._expandable = []
        rows = sorted(self._known.variables().items())
        return {"variables": [self._row(name, value, f"${name}") for name, value in rows]}

    def _variables(self, arguments: Reply) -> Reply:
        reference = arguments.get("variablesReference", 0)
        if not 0 < reference <= len(self._expandable):
            return {"variables": []}
        value, path = self._expandable[reference - 1]
        start = arguments.get("start") or 0
        count = arguments.get("count") or None
        parts = self._parts(value, path)[start : start + count if count else None]
        return {"variables": [self._row(name, part, where) for name, part, where in parts]}

    def _parts(self, value: object, path: str) -> list[tuple[str, Any, str]]:
        if type(value) is Variables:
            return [(name, item, f"${name}") for name, item in sorted(value.values.items())]
        if type(value) is tuple:
            return [(str(i), item, f"{path}[{i}]") for i, item in enumerate(value)]
        entries = hash_items(value) or []
        texts = [(_text(key), item) for key, item in entries]
        return [(key, item, f"{path}[{key}]") for key, item in texts]

    def _row(self, name: str, value: object, path: str) -> Reply:
        row = {
            "name": name,
            "value": _text(value),
            "evaluateName": path,
            "variablesReference": NOT_EXPANDABLE,
        }
        if is_container(value):
            self._expandable.append((value, path))
            row["variablesReference"] = len(self._expandable)
            # JupyterLab's tree shows the type in place of the value where there is one.
            row["type"] = self.puppet.type_text(value)
        return row

    def _rich_inspect(self, arguments: Reply) -> Reply:
        name = str(arguments.get("variableName", "")).lstrip("$")
        variables = self._known.variables()
        if arguments.get("frameId") is not None and self.tracer.frames:
            variables.update(self._frame(arguments))
        if name not in variables:
            return {"data": {}, "metadata": {}}
        return {"data": bundle_of(variables[name]), "metadata": {}}
