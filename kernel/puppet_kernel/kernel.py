"""Requests of the Jupyter protocol, answered by a Session.

Every path replies: what a user typed can fail, be interrupted or ask for more than there is, and
the reply still goes out, after the last output, with the session as it was before the cell.
"""

from __future__ import annotations

import sys
from typing import Any

from ipykernel.kernelbase import Kernel

from puppet_kernel.history import KernelHistory
from puppet_kernel.outputs import bundle_of, error_content
from puppet_kernel.side_channel import SideChannel
from puppet_kernel.variables import VariablesPanel
from puppet_repl.limits import tune_process
from puppet_repl.session import NOTHING, Outcome, Session
from puppet_repl.version import __version__

Reply = dict[str, Any]
PUPPET_VERSION = "8.11"


class PuppetKernel(SideChannel, Kernel):
    """One notebook's kernel: one Session."""

    implementation = "puppet-repl"
    implementation_version = __version__
    banner = f"puppet-repl {__version__}: the Puppet {PUPPET_VERSION} language in Python"
    help_links = (
        {"text": "Puppet language", "url": "https://www.puppet.com/docs/puppet/8/lang_summary"},
        {"text": "Puppet functions", "url": "https://www.puppet.com/docs/puppet/8/function"},
    )
    language_info = {  # noqa: RUF012  # ipykernel declares a traitlet-free attribute
        "name": "puppet",
        "version": PUPPET_VERSION,
        "mimetype": "text/x-puppet",
        "file_extension": ".pp",
        "pygments_lexer": "puppet8",
        "codemirror_mode": "puppet",
    }

    def __init__(self, **options: Any) -> None:
        self._cells = 0
        super().__init__(**options)
        self.puppet = Session(log=self._show_log)
        tune_process(self.puppet.options.max_memory)
        self.panel = VariablesPanel(self.puppet)
        self.history = KernelHistory(self.puppet)
        self._silent = False
        self._register_comms()

    # What the protocol says about the kernel

    @property
    def kernel_info(self) -> Reply:
        """Only what is really there: the base class claims subshells for everybody."""
        return {**super().kernel_info, "supported_features": ["debugger"]}

    @property
    def execution_count(self) -> int:
        """Cells that were run and stored: the base class counts those not stored too."""
        return self._cells

    @execution_count.setter
    def execution_count(self, value: int) -> None:
        """The base class counts up before every cell; `execute_request` below counts instead."""

    def _register_comms(self) -> None:
        from comm import get_comm_manager

        self.comm_manager = get_comm_manager()
        for kind in ("comm_open", "comm_msg", "comm_close"):
            self.shell_handlers[kind] = getattr(self.comm_manager, kind)

    def set_parent(self, ident: Any, parent: Any, channel: str = "shell") -> None:
        """Name the request that outputs belong to, for the standard streams too."""
        super().set_parent(ident, parent, channel)
        if channel == "shell":
            for stream in (sys.stdout, sys.stderr):
                if hasattr(stream, "set_parent"):
                    stream.set_parent(parent)

    # Running a cell

    async def execute_request(self, stream: Any, ident: Any, parent: Any) -> None:
        """Count the cells that are stored, then run."""
        content = parent.get("content", {})
        silent = content.get("silent", False)
        if not silent and content.get("store_history", True):
            self._cells += 1
        await super().execute_request(stream, ident, parent)

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, str] | None = None,
        allow_stdin: bool = False,
    ) -> Reply:
        """Run one cell; the reply tells how it ended."""
        self._allow_stdin = allow_stdin
        self._silent = silent
        try:
            reply = self._execute(code, silent, store_history and not silent)
            if reply["status"] == "ok":
                reply["user_expressions"] = {
                    name: self._user_expression(text)
                    for name, text in (user_expressions or {}).items()
                }
        except KeyboardInterrupt:
            return self._failed("Interrupted", "the cell was stopped; the session is as before", [])
        except (Exception, SystemExit) as error:
            # A reply that does not come hangs the notebook.
            self.log.exception("a cell ended in an internal error")
            return self._failed("InternalError", f"{type(error).__name__}: {error}", [])
        return reply

    def _execute(self, code: str, silent: bool, store: bool) -> Reply:
        from puppet_repl.commands import is_command

        if store:
            self.history.add(code)
        if is_command(code):
            return self._command(code, silent)
        if code.lstrip().startswith("%%"):
            return self._form(code)
        return self._ended(self.puppet.execute(code, f"cell {self._cells}", record=store))

    def _ended(self, outcome: Outcome) -> Reply:
        if outcome.error is not None:
            content = error_content(outcome.error)
            return self._failed(content["ename"], content["evalue"], content["traceback"])
        if not self._silent:
            self._show_result(outcome)
        return self._succeeded()

    def _form(self, code: str) -> Reply:
        from puppet_kernel.cell_forms import FormError, run_form

        try:
            result = run_form(self.puppet, code)
        except FormError as error:
            return self._failed("CellError", str(error), [])
        if result.text and not self._silent:
            self._send("stream", {"name": "stdout", "text": result.text})
        return self._ended(result.outcome) if result.outcome is not None else self._succeeded()

    def _command(self, code: str, silent: bool) -> Reply:
        from puppet_kernel.commands import run_command

        shown = run_command(self.puppet, code)
        if shown.error is not None:
            ename, evalue, traceback = shown.error
            return self._failed(ename, evalue, traceback)
        if not silent:
            for kind, content in shown.messages:
                self._send(kind, content)
        return self._succeeded(shown.payload)

    def _succeeded(self, payload: list[Reply] | None = None) -> Reply:
        return {
            "status": "ok",
            "execution_count": self.execution_count,
            "payload": payload or [],
            "user_expressions": {},
        }

    def _failed(self, ename: str, evalue: str, traceback: list[str]) -> Reply:
        content = {
            "ename": ename,
            "evalue": evalue,
            "traceback": traceback or [f"{ename}: {evalue}"],
        }
        if not self._silent:
            self._send("error", content)
        return {"status": "error", "execution_count": self.execution_count, **content}

    def _user_expression(self, text: str) -> Reply:
        outcome = self.puppet.execute(text, record=False)
        if outcome.error is not None:
            return {"status": "error", **error_content(outcome.error)}
        return {"status": "ok", "data": bundle_of(outcome.value), "metadata": {}}

    # What a cell shows

    def _show_result(self, outcome: Outcome) -> None:
        if outcome.value is NOTHING or outcome.value is None:
            return
        content = {
            "execution_count": self.execution_count,
            "data": bundle_of(outcome.value),
            "metadata": {},
        }
        self._send("execute_result", content)

    def _show_log(self, level: str, message: str) -> None:
        if self._silent:
            return
        from puppet_repl.render.logs import log_line

        name = "stderr" if level in ("warning", "err", "alert", "emerg", "crit") else "stdout"
        self._send("stream", {"name": name, "text": log_line(level, message, color=True) + "\n"})

    def _send(self, kind: str, content: Reply) -> None:
        """Publish an output, behind everything that was printed before it."""
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self.send_response(self.iopub_socket, kind, content)

    # Questions about code

    async def do_complete(self, code: str, cursor_pos: int) -> Reply:
        """Completions at the cursor, with what kind of thing each one is."""
        return self.answer_complete(code, cursor_pos)

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> Reply:
        """Documentation of the name around the cursor."""
        return self.answer_inspect(code, cursor_pos)

    async def do_is_complete(self, code: str) -> Reply:
        """Whether Enter would run the code."""
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
        """Inputs of this session and earlier ones: the last, a range, or what matches."""
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
        """Nothing is kept outside of this process."""
        return {"status": "ok", "restart": restart}

    async def do_debug_request(self, msg: Reply) -> Reply:
        """The part of the debug protocol that JupyterLab's variables panel needs."""
        return self.panel.answer(msg)
