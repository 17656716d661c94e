"""Requests that are answered whatever happens: without a reply a notebook waits for ever."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

from ipykernel.kernelbase import Kernel

from puppet_kernel.answers import Content, failure, stopped
from puppet_kernel.request_checks import request_problem
from puppet_kernel.wire import pack
from puppet_repl.base.defect import defect_line, is_defect, print_traceback

_REQUEST = "_request"
MALFORMED = "RequestError"
UNSUPPORTED = "NotSupported"
NO_SUBSHELLS = "this kernel has no subshells: a session runs one cell at a time"


class AnsweredRequests(Kernel):
    """A kernel whose requests get an error for a reply where their handler fails.

    The base class writes such a failure into its log, and that is all.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.session.pack = pack
        for handlers in (self.shell_handlers, self.control_handlers):
            for kind, handler in handlers.items():
                if kind.endswith(_REQUEST):
                    handlers[kind] = partial(self._answered, kind, handler)

    async def _answered(
        self, kind: str, handler: Any, stream: Any, ident: Any, parent: Any
    ) -> None:
        problem = request_problem(kind, parent.get("content"))
        if problem is not None:
            self._send_error(kind, failure(MALFORMED, problem), stream, ident, parent)
            return
        try:
            result = handler(stream, ident, parent)
            if inspect.isawaitable(result):
                await result
        except Exception as error:
            self.send_failure(kind, error, stream, ident, parent)

    async def create_subshell_request(self, socket: Any, ident: Any, parent: Any) -> None:
        """Refuse: a subshell would run cells of the same session in another thread."""
        kind = "create_subshell_request"
        self._send_error(kind, failure(UNSUPPORTED, NO_SUBSHELLS), socket, ident, parent)

    def send_failure(
        self, kind: str, error: Exception, stream: Any, ident: Any, parent: Any
    ) -> None:
        """Reply to a request of a kind that it has failed, from any thread."""
        self.log_defect(error)
        self._send_error(kind, stopped(error), stream, ident, parent)

    def log_defect(self, error: BaseException) -> None:
        """Write an error of the program itself into the log: one line, as users see it."""
        if is_defect(error):
            self.log.error("%s", defect_line(error))
            print_traceback(error)

    def _send_error(self, kind: str, error: Content, stream: Any, ident: Any, parent: Any) -> None:
        reply = {"status": "error", **error}
        if kind == "execute_request":
            reply["execution_count"] = self.execution_count
        name = kind.removesuffix(_REQUEST) + "_reply"
        self.session.send(stream, name, reply, parent=parent, ident=ident)
