"""Completion, inspection and is_complete while a cell runs.

ipykernel receives messages in a separate thread and hands them to the main thread, where a running
cell makes them wait. The three requests that only read are answered in the receiving thread while
the main thread is busy. This uses names that are not part of ipykernel's API; where one of them is
missing, the request waits as it does without this module.
"""

from __future__ import annotations

from typing import Any

from puppet_kernel.answered_requests import AnsweredRequests
from puppet_kernel.cell_magics import is_cell_magic
from puppet_kernel.cell_parts import part_at
from puppet_kernel.magic_completion import complete_magic, inspect_magic, is_cell_magic_complete
from puppet_kernel.outputs import documentation_bundle
from puppet_kernel.request_checks import request_problem
from puppet_repl.commands import is_command
from puppet_repl.frontend import entries
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

    # The answers, in any thread: they read the session and change nothing.

    def answer_complete(self, code: str, cursor_pos: int) -> Reply:
        """Return the content of a complete_reply."""
        start, end = part_at(self.puppet, code, cursor_pos)
        part, cursor = code[start:end], cursor_pos - start
        if is_cell_magic(part):
            found = complete_magic(self.puppet, part, cursor)
        else:
            found = self.puppet.complete(part, cursor)
        types = [
            {
                "start": start + found.start,
                "end": start + found.end,
                "text": item.text,
                "type": item.kind,
                "signature": item.detail or "",
            }
            for item in found.beginning_with(part[found.start : cursor])
        ]
        return {
            "status": "ok",
            "matches": [each["text"] for each in types],
            "cursor_start": start + found.start,
            "cursor_end": start + found.end,
            "metadata": {"_jupyter_types_experimental": types},
        }

    def answer_inspect(self, code: str, cursor_pos: int) -> Reply:
        """Return the content of an inspect_reply: Markdown and plain text."""
        start, end = part_at(self.puppet, code, cursor_pos)
        part, cursor = code[start:end], cursor_pos - start
        if is_cell_magic(part):
            found = inspect_magic(self.puppet, part, cursor)
        else:
            found = self.puppet.inspect(part, cursor)
            if found is None and code.isidentifier():
                # Editors ask about the names in their list of variables, which have no dollar sign.
                found = self.puppet.inspect(f"${code}", cursor_pos + 1)
        if found is None:
            return {"status": "ok", "found": False, "data": {}, "metadata": {}}
        return {"status": "ok", "found": True, "data": documentation_bundle(found), "metadata": {}}

    def answer_is_complete(self, code: str) -> Reply:
        """Return the content of an is_complete_reply."""
        start, _ = part_at(self.puppet, code, len(code))
        code = code[start:]
        if is_command(code) or not code.strip() or entries.asks_for_documentation(code):
            return {"status": "complete"}
        if is_cell_magic(code):
            if is_cell_magic_complete(code):
                return {"status": "complete"}
            return {"status": "incomplete", "indent": ""}
        code, _ = entries.without_semicolon(self.puppet, code)
        if entries.is_complete(self.puppet, code):
            return {"status": "complete"}
        indent = entries.next_indent(self.puppet, code)
        if indent is None:
            return {"status": "invalid"}
        return {"status": "incomplete", "indent": indent}
