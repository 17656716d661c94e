"""Completion, inspection and is_complete while a cell runs.

ipykernel receives messages in a separate thread and hands them to the main thread, where a running
cell makes them wait. The three requests that only read are answered in the receiving thread while
the main thread is busy. This uses names that are not part of ipykernel's API: if one of them is
missing, the request waits until the cell has ended.

Beside a running cell an import takes much longer than by itself: after each look at a file it
waits for the interpreter's lock. So idle time after the start is used to load modules and data.
"""

from __future__ import annotations

import inspect
import json
import time
from collections import deque
from functools import partial
from typing import Any

from ipykernel.kernelbase import Kernel
from jupyter_client.jsonutil import json_clean, json_default

from puppet_kernel.answers import Content, failure, stopped
from puppet_kernel.code_replies import complete_reply, inspect_reply, is_complete_reply
from puppet_kernel.request_checks import request_problem
from puppet_repl.base.defect import defect_line, is_defect, print_traceback
from puppet_repl.base.safe_text import to_wire
from puppet_repl.session import Session

Reply = dict[str, Any]

_REQUEST = "_request"
# Requests that load between them what nearly all others need: the methods of a value all functions.
_FIRST_REQUESTS = (
    ("complete", ""),
    ("complete", "upc"),
    ("complete", "Integer[1, 2].ea"),
    ("complete", "include "),
    ("complete", "file { '/x': ens"),
    ("complete", "$facts['os']['"),
    ("complete", ":on deb"),
    ("inspect", "notify"),
    ("inspect", "$facts"),
    ("inspect", "file { '/x': ensure"),
    ("complete", "$facts.ea"),
    ("complete", "lookup('"),
)
# Seconds without a request before the first of them, and between two.
_QUIET = 0.5
_PAUSE = 0.05
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


class ConcurrentRequests(AnsweredRequests):
    """The requests that are answered without the main thread."""

    puppet: Session

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._to_load = deque(_FIRST_REQUESTS)
        self._last_handled = time.monotonic()

    def start(self) -> None:
        """Answer requests, and load modules in idle time."""
        super().start()
        self.io_loop.call_later(_QUIET, self._load_more)

    def note_handled(self) -> None:
        """Note the end of a request: another one may follow at once, and is not to wait."""
        self._last_handled = time.monotonic()

    def _load_more(self) -> None:
        """Answer one of the first requests to nobody, unless cells are being run."""
        if time.monotonic() - self._last_handled < _QUIET:
            self.io_loop.call_later(_QUIET, self._load_more)
            return
        kind, code = self._to_load.popleft()
        answer = self.answer_complete if kind == "complete" else self.answer_inspect
        try:
            answer(code, len(code))
        except Exception as error:
            self.log_defect(error)
        if self._to_load:
            self.io_loop.call_later(_PAUSE, self._load_more)

    async def shell_channel_thread_main(self, msg: object) -> None:
        """Answer the requests that only read at once, if a cell is running."""
        lock = getattr(self, "_main_asyncio_lock", None)
        if lock is not None and lock.locked() and self._answered_here(msg):
            return
        await super().shell_channel_thread_main(msg)

    def _answered_here(self, msg: object) -> bool:
        answers = {
            "complete_request": lambda c: self.answer_complete(c["code"], c["cursor_pos"]),
            "inspect_request": lambda c: self.answer_inspect(c["code"], c["cursor_pos"]),
            "is_complete_request": lambda c: self.answer_is_complete(c["code"]),
        }
        session = self.session
        idents, rest = session.feed_identities(msg, copy=False)
        try:
            request = session.deserialize(rest, content=True, copy=False)
        except Exception:
            # The main thread reports the error.
            return False
        kind = request["header"]["msg_type"]
        answer = answers.get(kind)
        if answer is None or request_problem(kind, request["content"]) is not None:
            # It will be read a second time, which must not be taken for a replayed message.
            session.digest_history.discard(bytes(rest[0].bytes))
            return False
        self._status("busy", request)
        try:
            reply = answer(request["content"])
            reply_type = kind.replace("_request", "_reply")
            session.send(self.shell_stream, reply_type, reply, parent=request, ident=idents)
        except Exception as error:
            self.send_failure(kind, error, self.shell_stream, idents, request)
        self._status("idle", request)
        return True

    def _status(self, state: str, request: object) -> None:
        self.session.send(
            self.iopub_socket,
            "status",
            {"execution_state": state},
            parent=request,
            ident=self._topic("status"),
        )

    # The answers, in any thread.

    def answer_complete(self, code: str, cursor_pos: int) -> Reply:
        """Return the content of a complete_reply."""
        return complete_reply(self.puppet, code, cursor_pos)

    def answer_inspect(self, code: str, cursor_pos: int) -> Reply:
        """Return the content of an inspect_reply: Markdown and plain text."""
        return inspect_reply(self.puppet, code, cursor_pos)

    def answer_is_complete(self, code: str) -> Reply:
        """Return the content of an is_complete_reply."""
        return is_complete_reply(self.puppet, code)


def pack(content: Any) -> bytes:
    """Return a part of a message as Jupyter's session sends it. Raises what json.dumps raises.

    Puppet text can hold halves of surrogate pairs, which UTF-8 has no bytes for: they are replaced
    here, for all messages.
    """
    try:
        text = _dumps(content)
    except (TypeError, ValueError):  # keys that are not text, numbers that JSON lacks
        text = _dumps(json_clean(content))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return to_wire(text).encode()


def _dumps(content: Any) -> str:
    return json.dumps(content, default=json_default, ensure_ascii=False, allow_nan=False)
