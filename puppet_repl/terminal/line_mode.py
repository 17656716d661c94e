"""The line mode: for dumb terminals, comint and screen readers.

Lines are read one by one until they are a complete input; nothing is redrawn.
"""

from __future__ import annotations

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.memory import ExtraMemory
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.stops import stop_message
from puppet_repl.commands import is_command, meant_input, run
from puppet_repl.errors import InputEnded
from puppet_repl.frontend.advising import render_advice_on
from puppet_repl.frontend.entries import wants_more
from puppet_repl.frontend.host import Host
from puppet_repl.frontend.result_hints import hint_on_result, shows_undef
from puppet_repl.frontend.results import input_since, render_outcome, stop_error
from puppet_repl.frontend.running import run_entry
from puppet_repl.frontend.stopped import answer, entered, render_stop, stopped_prompt
from puppet_repl.frontend.touring import tour_after_code, tour_after_command
from puppet_repl.frontend.watching import show_watched
from puppet_repl.render.diagnostics import render_error
from puppet_repl.render.fragments import plain
from puppet_repl.render.logs import definition_line, log_line
from puppet_repl.render.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from puppet_repl.errors import PuppetError
    from puppet_repl.render.fragments import Fragment

WIDTH = 80
CONTINUATION = "... "


class LineMode:
    """One session read from a stream of lines."""

    def __init__(self, host: Host, lines: TextIO, output: TextIO) -> None:
        self.host = host
        self.session = host.session
        self.lines = lines
        self.output = output
        self._has_failed = False
        host.can_rerun = True
        host.can_watch = lines.isatty()
        host.can_tour = True
        host.open_prompt()
        host.look = self._look
        host.show_logs(self._log)

    def run(self) -> int:
        """Start, then read and run inputs until the end of input or ``:quit``."""
        for problem in self.host.start():
            self._show_problem(problem)
        while True:
            try:
                text = self.read()
                if text is None:
                    self._write("\n")
                    return 0
                if text.strip() and not self.handle(text):
                    return 0
            except KeyboardInterrupt:
                self._write("\n")
            except UnicodeDecodeError as error:
                self._refuse(error)
            except OSError:
                raise  # of the streams: it would come again
            except Exception as error:
                self._show_stop(error)

    def read(self) -> str | None:
        """Read one input; return None at the end. Two empty lines submit what is there."""
        prompt = stopped_prompt(self.host)
        if prompt is None:
            prompt = str(self.host.settings["prompt"]).replace("{n}", str(self.session.count + 1))
        self._write(prompt)
        lines: list[str] = []
        while True:
            line = self.lines.readline()
            if not line:
                return "\n".join(lines) if any(part.strip() for part in lines) else None
            lines.append(line.rstrip("\r\n"))
            text = "\n".join(lines)
            if not wants_more(self.session, text) or (len(lines) > 2 and not any(lines[-2:])):
                return text
            self._write(CONTINUATION)

    def handle(self, text: str) -> bool:
        """Run one input, whatever becomes of it; return False when it was ``:quit``."""
        text = meant_input(text)
        before = self.session.count
        self._has_failed = True
        try:
            problem = self.host.remember(text)
            if problem:
                self._write(f"{problem}\n")
            if is_command(text):
                return self._run_command(text)
            with self.session.deadline():
                self._has_failed = not self._run_code(text)
        except KeyboardInterrupt as stop:
            shown = None if is_command(text) else input_since(self.session, before)
            self._show_problem(stop_error(stop, shown=shown))
        except Exception as error:
            self._show_stop(error)
        return True

    def _refuse(self, error: UnicodeDecodeError) -> None:
        self._write(f"Error: the input is not UTF-8: {error.reason}\n")

    def _show_stop(self, error: Exception) -> None:
        """Say that a limit was met, or that the program itself failed; the session goes on."""
        with ExtraMemory():
            self._write(f"Error: {stop_message(error)}\n")
            print_traceback(error)

    def _run_code(self, text: str) -> bool:
        """Run code; tell whether it succeeded."""
        shown = self.host.settings["show_assignments"]
        with self.host.stopping():
            entry = run_entry(self.session, text, show_assignments=shown)
        outcome = entry.outcome
        if outcome.error is not None or not entry.quiet:
            defined = definition_line(outcome)
            if defined is not None:
                self._write(defined + "\n")
            elif outcome.error is None and outcome.value is None and shows_undef(entry.text):
                self._write("undef\n")
            fragments = render_outcome(self.session, outcome, entry.label, WIDTH, show_type=False)
            if fragments:
                self._write(plain(fragments) + "\n")
            has_advice = bool(self.host.settings["advice"])
            hint = hint_on_result(self.session, entry.text, outcome, with_advice=has_advice)
            if hint is not None:
                self._write(f"  hint: {visible(hint)}\n")
        if self.host.settings["advice"]:
            advice = render_advice_on(self.session, entry, WIDTH)
            if advice:
                self._write(plain(advice) + "\n")
        self._show_tour(tour_after_code(self.host, entry, WIDTH))
        return outcome.error is None

    def _show_tour(self, fragments: list[Fragment]) -> None:
        if fragments:
            self._write("\n" + plain(fragments) + "\n")

    def _look(self) -> None:
        """Let the user look at code that has stopped; the end of input ends it."""
        self._write(plain(render_stop(self.host, WIDTH)) + "\n")
        while not self.host.debugger.is_resumed:
            try:
                text = self.read()
            except KeyboardInterrupt:
                self._write("\n")
                continue
            except UnicodeDecodeError as error:
                self._refuse(error)
                continue
            if text is None:
                self._write("\n")
                raise InputEnded
            text = entered(self.host, text)
            if text:
                self._answer(text)

    def _answer(self, text: str) -> None:
        try:
            shown = plain(answer(self.host, text, WIDTH).fragments)
        except Exception as error:
            self._show_stop(error)
            return
        if shown:
            self._write(shown + "\n")

    def _run_command(self, text: str) -> bool:
        """Run a command; return False when it was ``:quit``."""
        with self.session.deadline():
            report = run(self.session, text, self.host)
            shown = plain(render_report(report, WIDTH))
            if shown:
                self._write(shown + "\n")
        self._show_tour(tour_after_command(self.host, text, report, WIDTH))
        self._has_failed = report.failed
        if report.action is not None and report.action.kind == "run":
            return self._run_again(report.action.texts)
        if report.action is not None and report.action.watch is not None:
            show = self._show_fragments
            show_watched(self.host, report.action.watch, show, lambda: WIDTH)
        return report.action is None or report.action.kind != "quit"

    def _run_again(self, texts: tuple[str, ...]) -> bool:
        """Show and run entries up to one that fails; return False when one was ``:quit``."""
        self.host.is_rerunning = True
        try:
            for text in texts:
                self._write(text.strip("\n") + "\n")
                if not self.handle(text):
                    return False
                if self._has_failed:
                    break
            return True
        finally:
            self.host.is_rerunning = False

    def _show_fragments(self, fragments: list[Fragment]) -> None:
        self._write(plain(fragments) + "\n")

    def _show_problem(self, problem: str | PuppetError) -> None:
        text = problem if isinstance(problem, str) else plain(render_error(problem, width=WIDTH))
        self._write(text + "\n")

    def _log(self, level: str, message: str) -> None:
        self._write(log_line(level, message) + "\n")

    def _write(self, text: str) -> None:
        self.output.write(visible_lines(text))
        self.output.flush()
