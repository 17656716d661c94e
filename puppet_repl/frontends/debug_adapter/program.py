"""A program that is debugged: it runs in the main thread, and prints to the client."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.errors import PuppetError, TimeLimitExceeded
from puppet_repl.base.log_levels import PROBLEMS
from puppet_repl.base.memory import ExtraMemory
from puppet_repl.base.stops import stop_message
from puppet_repl.catalog.json import document, document_text
from puppet_repl.frontends.commands.catalog import declared_in, table_of
from puppet_repl.frontends.debug_adapter.debugger import WIDTH
from puppet_repl.frontends.debug_adapter.file_sources import FileSources
from puppet_repl.frontends.debug_adapter.launch import INPUT, Launch
from puppet_repl.frontends.debug_adapter.program_debugger import ProgramDebugger
from puppet_repl.frontends.shared.interrupts import Interrupts
from puppet_repl.language.syntax.definition_labels import definition_labels, only_defines
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import NOTHING
from puppet_repl.session.debugging.frames import called_frames
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import log_line
from puppet_repl.tools.rendering.values import value_text
from puppet_repl.tools.reports.parts import Report
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puppet_repl.frontends.debug_adapter.arguments import Message
    from puppet_repl.session import Outcome

OK, FAILED, INTERRUPTED = 0, 1, 130


class Program:
    """A program, its session and its debugger, as the arguments of a launch describe them.

    ``send_event`` sends an event with a name and a body; any thread may call it.
    """

    def __init__(
        self, arguments: Message, interrupts: Interrupts, send_event: Callable[[str, Message], None]
    ) -> None:
        """Make the session. Raises DebugError for arguments that cannot be used."""
        self._send_event = send_event
        self._interrupts = interrupts
        self.launch = Launch(arguments, lambda text: self._print("console", f"{text}\n"))
        self.host = self.launch.host
        self.session = self.host.session
        self.sources = FileSources(self.session.reach)
        self.debugger = ProgramDebugger(
            self.session,
            self.sources,
            interrupts,
            self._event,
            self._print_line,
            self._manifest(),
        )
        if self.launch.program:
            self.sources.know(self.launch.program)
        self.host.show_logs(self._show_log, every_level=True)

    def _manifest(self) -> Source | None:
        launch = self.launch
        is_manifest = launch.program and not launch.is_template
        return Source(launch.text, launch.program) if is_manifest else None

    def run(self) -> int:
        """Run the program; return its exit status."""
        launch = self.launch
        debugger = self.debugger
        debugger.begin(stops_on_entry=launch.debugs and launch.stops_on_entry)
        tracing = debugger.tracer.tracing() if launch.debugs else nullcontext()
        try:
            with tracing, self.session.deadline():
                outcome = self._interrupts.run(self._executed)
            status = self._shown(outcome)
            if status == OK:
                self._hint()
            return status
        except TimeLimitExceeded as stop:
            self._print("stderr", f"Error: {stop}\n")
        except KeyboardInterrupt:
            self._print("console", "The program was stopped.\n")
            return INTERRUPTED
        except Exception as error:
            with ExtraMemory():
                print_traceback(error)
                self._print("stderr", f"Error: {stop_message(error)}\n")
        return FAILED

    def _executed(self) -> Outcome:
        launch, session = self.launch, self.session
        if launch.is_template:
            return session.render_epp(launch.text, launch.parameters or None, name=launch.program)
        if not launch.program:
            code = launch.code if launch.class_name else ""
            return session.finish_catalog(session.compile_site(code, INPUT if code else None))
        failed = session.run_site()
        if failed is not None:
            return failed
        return session.execute(launch.text, launch.program, is_last=True)

    def _shown(self, outcome: Outcome) -> int:
        """Print the results or the error; return the exit status."""
        if outcome.error is not None:
            self._show_error(outcome.error)
            return FAILED
        try:
            for text in self._results(outcome):
                self._print("stdout", f"{text}\n")
        except PuppetError as error:
            self._show_error(error)
            return FAILED
        return OK

    def _results(self, outcome: Outcome) -> Iterator[str]:
        """Yield the value and what ``show`` names, as text. Raises PuppetError."""
        launch, value = self.launch, outcome.value
        if launch.is_template:
            yield str(value)
        elif launch.program and value is not NOTHING and value is not None:
            yield value_text(value, encoding="utf-8")
        if "catalog" in launch.show:
            yield document_text(document(self.session.catalog, redacted=True))
        if "resources" in launch.show:
            report = Report(table_of(declared_in(self.session)))
            yield plain(render_report(report, WIDTH))

    def _hint(self) -> None:
        """Tell why a manifest with nothing but definitions has done nothing."""
        manifest = self._manifest()
        if manifest is None:
            return
        tree = parse(manifest)
        labels = definition_labels(tree.definitions)
        if not labels or len(labels) < len(tree.definitions) or not only_defines(tree):
            return
        name = next((each[6:] for each in labels if each.startswith("class ")), None)
        advice = "nothing has run" if name is None else f'launch with "class": "{name}"'
        file = os.path.basename(self.launch.program)
        self._print("console", f"{file} only defines {', '.join(labels)}: {advice}\n")

    def end(self) -> None:
        """End the program, whatever it does; any thread may call it."""
        self.debugger.end()

    def close(self) -> None:
        """End what the session has started."""
        self.session.close()

    # Output

    def _event(self, event: Message, is_answer: bool) -> None:
        self._send_event(event["event"], event.get("body", {}))

    def _print_line(self, stream: str, text: str) -> None:
        self._print(stream, f"{text}\n", self._place())

    def _show_log(self, level: str, message: str) -> None:
        category = "stderr" if level in PROBLEMS else "stdout"
        self._print(category, log_line(level, message) + "\n", self._place())

    def _show_error(self, error: PuppetError) -> None:
        place: Message = {}
        source = error.source
        if source is not None and source.name and error.line is not None:
            place = {"source": self.debugger.source_at(source), "line": error.line}
        self._print("stderr", plain(render_error(error, width=WIDTH)).rstrip("\n") + "\n", place)

    def _place(self) -> Message:
        """Return the place of the code that runs in this thread."""
        frames = called_frames(sys._getframe(1))
        if not frames:
            return {}
        return {"source": self.debugger.source_of(frames[0]), "line": frames[0].f_lineno}

    def _print(self, category: str, text: str, place: Message | None = None) -> None:
        self._send_event("output", {"category": category, "output": text, **(place or {})})
