"""What notebooks ask: ``check`` a cell while it is typed, ``format`` it, and list ``machines``.

The extension for JupyterLab asks by requests of the debugger, which its protocol lets pass: the
control channel is never busy. A page asks the worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from puppet_kernel.checks import Checks, RequestError
from puppet_kernel.formats import format_body
from puppet_kernel.machines import Machines

if TYPE_CHECKING:
    from puppet_repl.host.host import Host

Content = dict[str, Any]
COMMANDS = ("check", "format", "machines")


class EditorRequests:
    """Answers to the notebook of one kernel."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.checks = Checks(host)
        self.machines = Machines(host)
        self._sequence = 0

    def body(self, command: str, arguments: Content) -> Content:
        """Return the body of a response. Raises RequestError."""
        if command == "check":
            return self.checks.body(arguments)
        if command == "machines":
            return self.machines.body()
        return format_body(self.host.session, arguments)

    def answer(self, request: Content) -> Content:
        """Return the response to a debug request."""
        self._sequence += 1
        response = {
            "type": "response",
            "seq": self._sequence,
            "request_seq": request.get("seq", 0),
            "command": request["command"],
        }
        arguments = request.get("arguments")
        given: Content = arguments if isinstance(arguments, dict) else {}
        try:
            body = self.body(request["command"], given)
        except RequestError as error:
            return {**response, "success": False, "message": str(error), "body": {}}
        return {**response, "success": True, "body": body}
