"""JupyterLab's debugger: its own requests, beside those of other front ends.

They arrive through the control channel, in another thread than the cells. Every request gets a
response; the response to a failed request has the error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import FrameType
from typing import Any

from puppet_kernel.outputs import bundle_of
from puppet_kernel.sources import MAX_FILES, PREFIX, SEED, CellSources
from puppet_repl.base.defect import defect_line
from puppet_repl.frontends.debug_adapter.arguments import DebugError, Message, get
from puppet_repl.frontends.debug_adapter.breakpoints import placed
from puppet_repl.frontends.debug_adapter.capabilities import filters_for
from puppet_repl.frontends.debug_adapter.debugger import (
    CONSOLE,
    THREAD,
    Debugger,
    Pending,
)
from puppet_repl.frontends.debug_adapter.rows import Entry, Group
from puppet_repl.frontends.shared.interrupts import Interrupts
from puppet_repl.session import Session
from puppet_repl.session.debugging.frames import frame_matches, frame_variables
from puppet_repl.session.debugging.places import SUFFIX
from puppet_repl.session.debugging.tracer import MAX_SECONDS

# How much longer a response may take than the expression.
MARGIN = 5.0
ERROR_ROW = "(error)"


class CellDebugger(Debugger):
    """The debugger of a notebook. ``report`` is called with each error of the program itself."""

    subject = "cell"
    sources: CellSources

    def __init__(
        self,
        puppet: Session,
        interrupts: Interrupts,
        send_event: Callable[[Message, bool], None],
        print_line: Callable[[str, str], None],
        report: Callable[[BaseException], object],
    ) -> None:
        super().__init__(puppet, CellSources(puppet), interrupts, send_event, print_line)
        self._report = report
        self._send = send_event
        self._is_attached = False
        self._sequence = 0
        self.requests |= {
            "debugInfo": self._debug_info,
            "initialize": self._initialize,
            "attach": self._attach,
            "disconnect": self._disconnect,
            "inspectVariables": self._inspect_variables,
            "richInspectVariables": self._rich_inspect,
            "modules": self._modules,
            "dumpCell": lambda given: {"sourcePath": self.sources.dump(get(given, "code", ""))},
        }

    async def response(self, request: Message) -> Message:
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
            arguments: Message = get(request, "arguments", {})
            body = self.answer(command, arguments)
            if isinstance(body, Pending):
                body = await self._waited(body, arguments)
        except DebugError as error:
            return {**response, "success": False, "message": str(error), "body": {}}
        except Exception as error:
            self._report(error)
            return {**response, "success": False, "message": defect_line(error), "body": {}}
        return {**response, "success": True, "body": body}

    async def _waited(self, pending: Pending, arguments: Message) -> Message:
        """Return the body of a response, once the expression has its outcome."""
        is_for_innermost = arguments.get("context") == CONSOLE and self._is_innermost(arguments)
        outcome = asyncio.wrap_future(pending.outcome)
        try:
            await asyncio.wait_for(outcome, MAX_SECONDS + MARGIN)
        except asyncio.CancelledError:
            pass
        except TimeoutError:
            raise DebugError("the expression has taken too long") from None
        if is_for_innermost:
            # JupyterLab empties its list of variables, and fills it for frames that are new. It
            # goes to the innermost frame then, so others keep their ids.
            self.numbering += 1
        return pending.body()

    def _is_innermost(self, arguments: Message) -> bool:
        frames = self.code.frames[:1]
        return arguments.get("frameId") is not None and frames == [self.frame_in(arguments)]

    # The debugger itself

    def _debug_info(self, _: Message) -> Message:
        return {
            "isStarted": self._is_attached,
            "hashMethod": "Murmur2",
            "hashSeed": SEED,
            "tmpFilePrefix": PREFIX,
            "tmpFileSuffix": SUFFIX,
            "breakpoints": [
                {"source": path, "breakpoints": [placed(each, path) for each in breakpoints]}
                for path, breakpoints in self.tracer.breakpoints.paths()
            ],
            "stoppedThreads": [THREAD] if self.code.frames else [],
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
            "exceptionBreakpointFilters": filters_for(self.subject),
        }

    def _attach(self, _: Message) -> Message:
        self._is_attached = True
        # Front ends show breakpoints only after this event.
        self._send({"type": "event", "event": "initialized"}, True)
        return {}

    def _disconnect(self, _: Message) -> Message:
        self._is_attached = False
        self.release()
        self._send({"type": "event", "event": "terminated"}, True)
        return {}

    def begin(self, name: str, code: str) -> None:
        """Note that a cell begins, and the name that its frames have."""
        self.sources.know(name, code)
        self.tracer.begin()

    def stop_here(self) -> bool:
        """Stop the code that calls this; False if nobody could look at it."""
        return self._is_attached and super().stop_here()

    def _modules(self, arguments: Message) -> Message:
        """Return the files of code that the session could load: breakpoints can be set there."""
        files = [
            {"id": number, "name": name, "path": path}
            for number, (name, path) in enumerate(self.sources.files())
        ]
        start = get(arguments, "startModule", 0)
        count = get(arguments, "moduleCount", 0) or MAX_FILES
        return {"modules": files[start : start + count], "totalModules": len(files)}

    # Variables

    def scopes_of(self, frame: FrameType) -> list[tuple[str, list[Entry] | Group]]:
        """Return names and entries of the scopes that are shown for a frame."""
        frames, stop = list(self.code.frames), self.code.stop
        scopes = super().scopes_of(frame)
        if stop is not None and stop.error is not None and frames[:1] == [frame]:
            # JupyterLab shows no texts of events.
            error = (ERROR_ROW, Group([], stop.text), "")
            return [("Locals", [error, *self.local_entries(frame)]), *scopes[1:]]
        return scopes

    def _inspect_variables(self, _: Message) -> Message:
        self.rows.clear()
        return {"variables": self.rows.rows(self.global_entries())}

    def _rich_inspect(self, arguments: Message) -> Message:
        name = get(arguments, "variableName", "").lstrip("$")
        found: dict[str, Any] = {**self.puppet.names.match_variables(), **self.known.variables()}
        if arguments.get("frameId") is not None and self.code.frames:
            frame = self.frame_in(arguments)
            found |= frame_matches(frame) | frame_variables(frame)
        if name not in found:
            return {"data": {}, "metadata": {}}
        return {"data": bundle_of(found[name]), "metadata": {}}
