"""The kernel without Jupyter: requests and replies as JSON, for a page that runs it in a browser.

A request is an object with a ``type``. The contents of ``execute``, ``complete``, ``inspect`` and
``is_complete``, and of their replies, are those of the Jupyter protocol, and so are the messages
that a cell sends while it runs. ``check``, ``format`` and ``machines`` are those of the extension
for JupyterLab, ``facts`` lists the bundled sets (``%%facts NAME`` in a cell takes one), ``info``
tells what the kernel is, ``files`` brings files, ``reset`` begins a new session, for one of these
sets if it names it, and ``restore`` runs cells without showing anything.

Nothing can interrupt Python in a browser. A page ends the worker instead, starts another one, and
restores all cells that had a reply, failed cells as well: their effects may have stayed.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from typing import Any

from puppet_kernel.answers import Answer, stopped
from puppet_kernel.cells import Cells
from puppet_kernel.checks import RequestError
from puppet_kernel.code_replies import complete_reply, inspect_reply, is_complete_reply
from puppet_kernel.editor_requests import COMMANDS, EditorRequests
from puppet_kernel.history import KernelHistory
from puppet_kernel.kernel_info import kernel_info
from puppet_kernel.outputs import bundle_of
from puppet_kernel.request_checks import request_problem
from puppet_kernel.streams import LogStream
from puppet_repl.base.defect import print_traceback
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.memory import tune_process
from puppet_repl.base.safe_text import to_wire
from puppet_repl.base.version import __version__
from puppet_repl.environment.facts.facts import (
    STANDING_IN,
    bundled_facts,
    factset_names,
    is_factset,
)
from puppet_repl.environment.facts.factset_words import told_sets
from puppet_repl.frontends.shared.interrupts import Interrupts
from puppet_repl.host.host import Host
from puppet_repl.session import DEFAULT_STDLIB, Options
from puppet_repl.tools.rendering.notebook_text import notebook_log

Content = dict[str, Any]
PROTOCOL_VERSION = "5.3"


class Worker:
    """One session. ``send`` is given each message of a running cell, as JSON."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send
        self._begin()

    def _begin(self, facts: str | None = None) -> None:
        """Make the session; ``facts`` is the name of a set."""
        given = None if facts is None else bundled_facts(facts)
        self.host = Host(Options(stdlib=DEFAULT_STDLIB), facts=given)
        self.puppet = self.host.session
        self.host.can_rerun = True
        self.host.show_value = lambda value: bundle_of(value, self.puppet)
        self.host.open_prompt()
        tune_process(self.puppet.options.max_memory)
        self.history = KernelHistory(self.host)
        self.host.typed = self.history.typed
        self.host.show_logs(self._show_log)
        self._editor_requests = EditorRequests(self.host)
        self._streams = LogStream(lambda name, text: self._show("stream", name=name, text=text))
        self._cells = Cells(self.host, None, Interrupts(), print_traceback)
        self._count = 0
        self._is_silent = False

    def answer(self, text: str) -> str:
        """Return the reply to a request. Never raises for the content of a request."""
        try:
            request = read_json(text)
            if isinstance(request, dict):
                reply = self._reply(request)
            else:
                reply = _refused("a request is an object with a 'type'")
        except JsonDataError as error:
            reply = _refused(f"not a JSON request: {error}")
        except Exception as error:
            print_traceback(error)
            reply = {"status": "error", **stopped(error)}
        return _json(reply)

    def _reply(self, request: Content) -> Content:
        kind = request.pop("type", None)
        problem = request_problem(f"{kind}_request", request)
        if problem is not None:
            return _refused(problem)
        if kind == "execute":
            return self._execute(
                request["code"],
                request.get("user_expressions") or {},
                store=request.get("store_history", True),
            )
        if kind == "complete":
            return complete_reply(self.puppet, request["code"], request["cursor_pos"])
        if kind == "inspect":
            return inspect_reply(self.puppet, request["code"], request["cursor_pos"])
        if kind == "is_complete":
            return is_complete_reply(self.puppet, request["code"])
        if kind in COMMANDS:
            try:
                return self._editor_requests.body(kind, request)
            except RequestError as error:
                return _refused(str(error))
        if kind == "facts":
            return {"status": "ok", "sets": factset_names(), "default": STANDING_IN}
        if kind == "reset":
            return self._reset(request.get("facts"))
        if kind == "restore":
            return self._restore(request)
        if kind == "info":
            return {"status": "ok", "version": __version__, **kernel_info(PROTOCOL_VERSION)}
        if kind == "files":
            problem = write_files(request.get("files"), request.get("directory"))
            return {"status": "ok"} if problem is None else _refused(problem)
        return _refused(f"there is no request {kind}")

    # Cells

    def _execute(self, code: str, wanted: dict[str, str], *, store: bool) -> Content:
        """Run a cell. Without ``store`` it gets no number, and its result is not kept."""
        if store:
            self._count += 1
            self.history.add(self._count, code)
        end = self._run(code, store=store)
        reply: Content = {"execution_count": self._count, "payload": end.payload}
        if end.error is not None:
            self._show("error", **end.error)
            return {"status": "error", **reply, **end.error}
        values = self._cells.values(wanted) if wanted else {}
        return {"status": "ok", **reply, "user_expressions": values}

    def _run(self, code: str, *, store: bool = True) -> Answer:
        end = Answer()
        for answer in self._cells.answers(code, self._count, store=store):
            for kind, content in answer.messages:
                self._streams.flush()
                self._show(kind, **content)
            end.payload += answer.payload
            end.error = answer.error
        self._streams.flush()
        return end

    def _reset(self, facts: object) -> Content:
        if facts is not None and not (isinstance(facts, str) and is_factset(facts)):
            return _refused(f"reset needs 'facts', one of {told_sets()}")
        self._begin(None if facts is None else str(facts))
        return {"status": "ok"}

    def _restore(self, request: Content) -> Content:
        """Run cells again, each a pair of its number and its text; 0 for a cell without number.

        ``count`` is the number of the last cell that there was, which has got no reply.
        """
        cells = request.get("cells")
        count = request.get("count", 0)
        if not isinstance(cells, list) or not all(map(_is_cell, cells)) or type(count) is not int:
            return _refused("restore needs 'cells', a list of pairs of a number and a text")
        self._is_silent = True
        try:
            for number, code in cells:
                if number:
                    self._count = number
                    self.history.add(number, code)
                self._run(code, store=number > 0)
        finally:
            self._is_silent = False
        self._count = max(self._count, count)
        return {"status": "ok"}

    def _show_log(self, level: str, message: str) -> None:
        if self._cells.captured is not None:
            self._cells.captured.logs.append((level, message))
        else:
            self._streams.write(*notebook_log(level, message))

    def _show(self, kind: str, **content: Any) -> None:
        if not self._is_silent:
            self._send(_json({"type": kind, "content": content}))


def _is_cell(cell: object) -> bool:
    return isinstance(cell, list) and [type(part) for part in cell] == [int, str]


def _refused(problem: str) -> Content:
    return {"status": "error", "ename": "RequestError", "evalue": problem, "traceback": [problem]}


def _json(content: Content) -> str:
    return to_wire(json.dumps(content, ensure_ascii=False))


def write_files(files: object, directory: object) -> str | None:
    """Write files, then make ``directory`` the working directory, unless it is None.

    Return the problem, or None. Each file is an object with a ``path``, a ``format`` ('text',
    'base64' or 'json') and its ``content``. Nothing is written if one of the files is malformed.
    """
    if not isinstance(files, list) or not isinstance(directory, str | None):
        return "files needs 'files', a list; 'directory' has to be a string"
    contents: list[tuple[str, bytes]] = []
    for file in files:
        content = _content(file)
        if content is None:
            return "a file is an object with 'path', 'format' (text, base64, json) and 'content'"
        contents.append((file["path"], content))
    try:
        for path, content in contents:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "wb") as target:
                target.write(content)
        if directory is not None:
            os.makedirs(directory, exist_ok=True)
            os.chdir(directory)
    except OSError as error:
        return str(error)
    except ValueError as error:  # a NUL in it
        return f"a path cannot be used: {error}"
    return None


def _content(file: Any) -> bytes | None:
    """Return the bytes of a file, or None if the object does not describe a file."""
    if not isinstance(file, dict) or not isinstance(file.get("path"), str):
        return None
    content = file.get("content")
    if file.get("format") == "json":
        return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")
    if not isinstance(content, str):
        return None
    if file.get("format") == "text":
        return content.encode("utf-8", "surrogatepass")
    if file.get("format") == "base64":
        try:
            # The contents service breaks it into lines.
            return base64.b64decode("".join(content.split()), validate=True)
        except ValueError:
            return None
    return None
