"""JupyterLab's variables panel: the few commands of the debug adapter protocol that it sends.

They come through the control channel, in another thread than the cells: only snapshots of the
session are read. There are no breakpoints, and the panel is told so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puppet_repl.known import Known
from puppet_repl.session import Session

Reply = dict[str, Any]
NOT_EXPANDABLE = 0


class VariablesPanel:
    """Answers debug requests about the variables of one session."""

    def __init__(self, puppet: Session) -> None:
        self.puppet = puppet
        self._known = Known(puppet)
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
            "dumpCell": self._dump_cell,
            "source": lambda _: {"content": ""},
            "stackTrace": lambda _: {"stackFrames": [], "totalFrames": 0},
            "threads": lambda _: {"threads": []},
            "copyToGlobals": lambda _: {},
        }

    def answer(self, request: Reply) -> Reply:
        """The response to one debug request."""
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
            message = f"'{command}' is not supported: this kernel shows variables, nothing else"
            return {**response, "success": False, "message": message, "body": {}}
        body = handler(request.get("arguments") or {})
        return {**response, "success": True, "body": body}

    def _debug_info(self, _: Reply) -> Reply:
        return {
            "isStarted": self._started,
            "hashMethod": "Murmur2",
            "hashSeed": 0,
            "tmpFilePrefix": "",
            "tmpFileSuffix": ".pp",
            "breakpoints": [],
            "stoppedThreads": [],
            "richRendering": True,
            "exceptionPaths": [],
            "copyToGlobals": False,
        }

    def _initialize(self, _: Reply) -> Reply:
        return {"supportsConfigurationDoneRequest": True}

    def _attach(self, _: Reply) -> Reply:
        self._started = True
        return {}

    def _disconnect(self, _: Reply) -> Reply:
        self._started = False
        return {}

    def _set_breakpoints(self, arguments: Reply) -> Reply:
        asked = arguments.get("breakpoints") or []
        refused = {"verified": False, "message": "this kernel does not stop at breakpoints"}
        return {"breakpoints": [{**refused, "line": each.get("line")} for each in asked]}

    def _dump_cell(self, _: Reply) -> Reply:
        return {"sourcePath": f"cell {self.puppet.count + 1}"}

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

    def _parts(self, value: Any, path: str) -> list[tuple[str, Any, str]]:
        from puppet_repl.render.values import value_text

        if type(value) is tuple:
            return [(str(i), item, f"{path}[{i}]") for i, item in enumerate(value)]
        texts = [(value_text(key, color=False), item) for key, item in value.items()]
        return [(key, item, f"{path}[{key}]") for key, item in texts]

    def _row(self, name: str, value: Any, path: str) -> Reply:
        from puppet_repl.render.values import value_text

        reference = NOT_EXPANDABLE
        if (type(value) is tuple or hasattr(value, "items")) and len(value):
            self._expandable.append((value, path))
            reference = len(self._expandable)
        return {
            "name": name,
            "value": value_text(value, color=False),
            "type": self.puppet.type_text(value),
            "evaluateName": path,
            "variablesReference": reference,
        }

    def _rich_inspect(self, arguments: Reply) -> Reply:
        from puppet_kernel.outputs import bundle_of

        name = str(arguments.get("variableName", "")).lstrip("$")
        variables = self._known.variables()
        if name not in variables:
            return {"data": {}, "metadata": {}}
        return {"data": bundle_of(variables[name]), "metadata": {}}
