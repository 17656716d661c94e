"""Requests of the Jupyter protocol, answered by a Session.

Every path replies: code that fails, is interrupted or exceeds the memory limit is rolled back, and
the reply is still sent, after the last output.
"""

from __future__ import annotations

import sys
from typing import Any

from comm import get_comm_manager
from ipykernel._version import kernel_protocol_version
from ipykernel.iostream import OutStream
from traitlets import List, Unicode

from puppet_kernel.answers import Answer, stopped
from puppet_kernel.cells import Cells
from puppet_kernel.concurrent_requests import ConcurrentRequests
from puppet_kernel.debugger import CellDebugger
from puppet_kernel.editor_requests import COMMANDS, EditorRequests
from puppet_kernel.history import KernelHistory
from puppet_kernel.kernel_info import BANNER, HELP_LINKS, IMPLEMENTATION, LANGUAGE_INFO, kernel_info
from puppet_kernel.outputs import bundle_of
from puppet_kernel.progress import Progress
from puppet_kernel.session_arguments import host_of_arguments
from puppet_kernel.streams import LogStream
from puppet_repl.base.memory import tune_process
from puppet_repl.base.safe_text import visible
from puppet_repl.base.version import __version__
from puppet_repl.frontends.shared.interrupts import Interrupts
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.notebook_text import notebook_log

Reply = dict[str, Any]
HOW_TO_END = (
    "to end the kernel of a notebook choose Kernel > Shut Down Kernel in the menu of JupyterLab; "
    "Ctrl-D leaves jupyter console"
)


class PuppetKernel(ConcurrentRequests):
    """One notebook's kernel: one Session."""

    implementation = IMPLEMENTATION
    implementation_version = __version__
    banner = BANNER
    help_links = HELP_LINKS
    language_info = LANGUAGE_INFO

    session_arguments = List(
        Unicode(), help="Options that describe the session: --environment DIR, --node NAME, ..."
    ).tag(config=True)

    def __init__(self, **options: Any) -> None:
        self._cells = 0
        super().__init__(**options)
        self.host, problems = host_of_arguments(list(self.session_arguments))
        self.host.problems += problems
        self.host.can_edit = True
        self.host.can_rerun = True
        self.host.show_value = lambda value: bundle_of(value, self.puppet)
        self.host.read_user_files()
        self.host.open_prompt()
        self.puppet = self.host.session
        tune_process(self.puppet.options.max_memory)
        self.editor_requests = EditorRequests(self.host)
        self.history = KernelHistory(self.host)
        self.host.typed = self.history.typed
        self.streams = LogStream(self._send_text)
        self.interrupts = Interrupts()
        self.published = Published()
        self.debugger = CellDebugger(
            self.puppet,
            self.interrupts,
            self._send_debug_event,
            lambda stream, text: self.streams.write(stream, f"{text}\n"),
            self.log_defect,
        )
        stopped = self.debugger.code
        self.progress = Progress(
            self._show_progress, self._remove_progress, self._tick, lambda: bool(stopped.frames)
        )
        self.cells = Cells(self.host, self.debugger, self.interrupts, self.log_defect)
        self._silent = False
        self._request: Any = {}
        # Streams and texts from before the first cell, which shows them.
        self._early: list[tuple[str, str]] = []
        self._start()
        self._register_comms()

    # What the protocol says about the kernel

    @property
    def kernel_info(self) -> Reply:
        """The features that there are.

        The base class claims subshells for every kernel, and loads the debugger of Python to look.
        """
        info = kernel_info(kernel_protocol_version, ("debugger",))
        if self.host.surroundings:
            info["banner"] += f"\n{visible(self.host.surroundings)}"
        return info

    @property
    def execution_count(self) -> int:
        """The number of cells that were run and stored; the base class counts all."""
        return self._cells

    @execution_count.setter
    def execution_count(self, value: int) -> None:
        """Ignore the base class, which counts every cell; `execute_request` below counts."""

    def _register_comms(self) -> None:
        self.comm_manager = get_comm_manager()
        for kind in ("comm_open", "comm_msg", "comm_close"):
            self.shell_handlers[kind] = getattr(self.comm_manager, kind)

    def set_parent(self, ident: object, parent: Any, channel: str = "shell") -> None:
        """Set the request that outputs belong to, for the standard streams too."""
        if channel == "shell":
            self.interrupts.begin()
        super().set_parent(ident, parent, channel)
        if channel == "shell":
            for stream in (sys.stdout, sys.stderr):
                if isinstance(stream, OutStream):
                    stream.set_parent(parent)

    def _start(self) -> None:
        """Run the user's start-up file; the first cell shows its logs and problems."""
        self.host.show_logs(
            lambda level, message: self._early.append(notebook_log(level, message)),
        )
        for problem in self.host.start():
            text = problem if isinstance(problem, str) else plain(render_error(problem))
            self.log.warning("%s", text)
            self._early.append(("stderr", text + "\n"))
        self.host.show_logs(self._show_log)

    def _show_early(self) -> None:
        early, self._early = self._early, []
        for name, text in early:
            self.streams.write(name, text)

    # Running a cell

    async def execute_request(self, stream: Any, ident: Any, parent: Any) -> None:
        """Count the cells that are stored, then run."""
        content = parent.get("content", {})
        silent = content.get("silent", False)
        if not silent and content.get("store_history", True):
            self._cells += 1
        await super().execute_request(stream, ident, parent)

    def pre_handler_hook(self) -> None:
        """Handle interrupts so that no reply is lost; the base class raises at any point."""
        self.interrupts.install()

    def post_handler_hook(self) -> None:
        """Leave the handler of interrupts: one that comes between requests changes nothing."""
        self.note_handled()

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, str] | None = None,
        allow_stdin: bool = False,
    ) -> Reply:
        """Run one cell; return the reply. What fails on the way is an error of the cell."""
        self._silent = silent
        self._request = self.get_parent("shell")
        store = store_history and not silent
        values: Reply = {}
        self.published = Published()
        try:
            self._begin(code, store=store)
            answer = self._run(code, store=store)
            if answer.error is None and user_expressions:
                values = self.cells.values(user_expressions)
        except Exception as error:
            self.log_defect(error)
            answer = Answer(stopped(error))
        return self._reply(answer, values)

    def _begin(self, code: str, *, store: bool) -> None:
        if store:
            cell = self._request.get("metadata", {}).get("cellId")
            self.editor_requests.machines.note_run(cell)
            problem = self.history.add(self._cells, code)
            if problem:
                self.streams.write(*notebook_log("warning", problem))
        if not self._silent:
            self._show_early()

    def _run(self, code: str, *, store: bool) -> Answer:
        """Run a cell and send its messages; return its last answer, with all payload."""
        end = Answer()
        self.progress.begin()
        try:
            for answer in self.cells.answers(code, self._cells, store=store):
                if not self._silent:
                    for kind, content in answer.messages:
                        self._send(kind, content)
                end.payload += answer.payload
                end.error = answer.error
            if any(each["source"] == "ask_exit" for each in end.payload):
                self._say_what_ends_it()
            return end
        finally:
            self.streams.flush()
            self.progress.end()

    def _say_what_ends_it(self) -> None:
        """Tell the user of a notebook, which the payload does not end as it ends a console."""
        if not self._silent and is_for_notebook(self._request):
            self.streams.write("stdout", f"{HOW_TO_END}\n")

    # What a cell shows

    def _reply(self, answer: Answer, values: Reply) -> Reply:
        """Return the reply to a cell, after its error was published."""
        if answer.error is None:
            return {
                "status": "ok",
                "execution_count": self.execution_count,
                "payload": answer.payload,
                "user_expressions": values,
            }
        if not self._silent:
            try:
                self._send("error", answer.error)
            except Exception as error:  # the reply says it too
                self.log_defect(error)
        return {"status": "error", "execution_count": self.execution_count, **answer.error}

    def _show_log(self, level: str, message: str) -> None:
        if self.cells.captured is not None:
            self.cells.captured.logs.append((level, message))
        elif not self._silent:
            self.streams.write(*notebook_log(level, message))

    def _send_text(self, name: str, text: str) -> None:
        self._publish("stream", {"name": name, "text": text})

    def _tick(self) -> None:
        self.streams.flush()
        self.interrupts.insist()

    def _show_progress(self, text: str, again: bool) -> None:
        if not self._silent:
            self._publish_only(
                "update_display_data" if again else "display_data", self._progress_of(text)
            )

    def _progress_of(self, text: str) -> Reply:
        return {
            "data": {"text/plain": text} if text else {},
            "metadata": {},
            "transient": {"display_id": f"progress-{self._request['header']['msg_id']}"},
        }

    def _remove_progress(self) -> None:
        """Show the outputs of the cell without its progress, which a notebook must not keep.

        A console gets an empty progress instead, which it ignores.
        """
        if self._silent:
            return
        outputs = self.published.all() if is_for_notebook(self._request) else None
        if outputs is None:
            self._publish_only("update_display_data", self._progress_of(""))
            return
        self._publish_only("clear_output", {"wait": bool(outputs)})
        for kind, content in outputs:
            self._publish_only(kind, content)

    def _send_debug_event(self, event: Reply, is_answer: bool) -> None:
        if not is_answer:
            self._publish("debug_event", event)
            return
        request = self.get_parent("control")
        topic = self._topic("debug_event")
        self.session.send(self.iopub_socket, "debug_event", event, parent=request, ident=topic)

    def _send(self, kind: str, content: Reply) -> None:
        """Publish an output after everything that was logged or printed before it."""
        self.streams.flush()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self._publish(kind, content)

    def _publish(self, kind: str, content: Reply) -> None:
        """Publish an output of the running cell, from any thread."""
        self.published.add(kind, content)
        self._publish_only(kind, content)

    def _publish_only(self, kind: str, content: Reply) -> None:
        """Publish a message without noting it among the outputs of the cell."""
        self.session.send(
            self.iopub_socket, kind, content, parent=self._request, ident=self._topic(kind)
        )

    # Requests about code

    async def do_complete(self, code: str, cursor_pos: int) -> Reply:
        """Return the completions at the cursor, each with its kind."""
        return self.answer_complete(code, cursor_pos)

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: object = ()
    ) -> Reply:
        """Return the documentation of the name at the cursor."""
        return self.answer_inspect(code, cursor_pos)

    async def do_is_complete(self, code: str) -> Reply:
        """Return whether Enter would run the code."""
        return self.answer_is_complete(code)

    async def do_history(
        self,
        hist_access_type: str,
        output: bool,
        raw: bool,
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> Reply:
        """Return inputs of this session and earlier ones: the last, a range, or what matches."""
        entries = self.history.select(
            hist_access_type,
            output=output,
            session=session,
            start=start,
            stop=stop,
            n=n,
            pattern=pattern,
            unique=unique,
        )
        return {"status": "ok", "history": entries}

    async def do_shutdown(self, restart: bool) -> Reply:
        """Release a cell that is stopped at a breakpoint; nothing else keeps the process."""
        self.debugger.release()
        return {"status": "ok", "restart": restart}

    async def do_debug_request(self, msg: Reply) -> Reply:
        """Answer a request of the debug protocol, as far as JupyterLab's debugger needs it.

        The editors of the labextension ask in the same way.
        """
        if msg.get("command") in COMMANDS:
            return self.editor_requests.answer(msg)
        return await self.debugger.response(msg)


Content = dict[str, Any]

# Characters of a cell's outputs that are kept, about: longer outputs are not sent twice.
MAX_KEPT = 1_000_000
_OUTPUTS = ("stream", "display_data", "execute_result")


def is_for_notebook(request: Content) -> bool:
    """Tell whether the outputs of an execute_request go to a notebook, which can clear them.

    JupyterLab and VS Code name the cell, and programs that execute notebooks do not allow input. A
    console does neither: it cannot clear its output, and would print it twice.
    """
    named = "cellId" in request.get("metadata", {})
    return named or not request.get("content", {}).get("allow_stdin", False)


class Published:
    """The outputs of a cell in order; texts of one stream that follow each other are joined."""

    __slots__ = ("_outputs", "_size")

    def __init__(self) -> None:
        self._outputs: list[tuple[str, Content]] = []
        self._size = 0

    def add(self, kind: str, content: Content) -> None:
        """Note an output, or clear all at ``clear_output``; other messages are ignored."""
        if kind == "clear_output":
            self._outputs, self._size = [], 0
        if kind not in _OUTPUTS or self._size > MAX_KEPT:
            return
        self._size += _length(content)
        self._outputs.append((kind, content))

    def all(self) -> list[tuple[str, Content]] | None:
        """Return all outputs, None if they are too long."""
        if self._size > MAX_KEPT:
            return None
        found: list[tuple[str, Content]] = []
        for kind, content in self._outputs:
            last = found[-1] if found else None
            if kind == "stream" and last is not None and last[1].get("name") == content["name"]:
                joined = {**content, "text": last[1]["text"] + content["text"]}
                found[-1] = (kind, joined)
            else:
                found.append((kind, content))
        return found


def _length(content: Content) -> int:
    """Return the characters of an output, and a little for the message."""
    text = content.get("text", "")
    return 100 + len(text) + sum(len(str(part)) for part in content.get("data", {}).values())
