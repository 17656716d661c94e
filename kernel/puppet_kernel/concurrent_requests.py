"""Completion, inspection and is_complete while a cell runs.

ipykernel receives messages in a separate thread and hands them to the main thread, where a running
cell makes them wait. The three requests that only read are answered in the receiving thread while
the main thread is busy. This uses names that are not part of ipykernel's API; where one of them is
missing, the request waits as it does without this module.
"""

from __future__ import annotations

from typing import Any

from puppet_kernel.answered_requests import AnsweredRequests
from puppet_kernel.code_replies import complete_reply, inspect_reply, is_complete_reply
from puppet_kernel.request_checks import request_problem
from puppet_repl.session import Session

Reply = dict[str, Any]


class ConcurrentRequests(AnsweredRequests):
    """The requests that are answered without the main thread."""

    puppet: Session

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
            # The main thread reports what is wrong with it.
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
