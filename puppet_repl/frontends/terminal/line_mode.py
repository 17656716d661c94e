"""The line mode: for dumb terminals, comint and screen readers.

Lines are read one by one until they are a complete input; only the line that is typed is redrawn.
"""

from __future__ import annotations

import sys

from puppet_repl.base.errors import InputEnded
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.frontends.commands import is_command, meant_input
from puppet_repl.frontends.commands.entries import wants_more
from puppet_repl.frontends.shared.display import show_problem, show_stop
from puppet_repl.frontends.shared.entry_display import show_command, show_entry
from puppet_repl.frontends.shared.results import ROWS, input_since, stop_error
from puppet_repl.frontends.shared.stopped_code import answer, entered, render_stop
from puppet_repl.frontends.shared.watch_display import show_watched
from puppet_repl.frontends.terminal.line_editing import line_editor
from puppet_repl.frontends.terminal.opening import banner_text
from puppet_repl.host.host import Host
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import log_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from puppet_repl.frontends.terminal.line_editing import LineEditor
    from puppet_repl.host.settings import Settings
    from puppet_repl.tools.rendering.fragments import Fragment

WIDTH = 80
CONTINUATION = "... "


class Lines:
    """A stream as a display of results: without colours, and with whole lines.

    Types are shown on a terminal only, if the settings say so.
    """

    width = WIDTH
    rows = ROWS

    def __init__(self, output: TextIO, settings: Settings) -> None:
        self._output = output
        self._settings = settings
        self._is_terminal = output.isatty()

    @property
    def shows_types(self) -> bool:
        """Whether values are followed by their types."""
        return self._is_terminal and bool(self._settings["show_type"])

    def write(self, text: str) -> None:
        """Write a text at once."""
        self._output.write(visible_lines(text))
        self._output.flush()

    def print(self, fragments: Iterable[Fragment]) -> None:
        """Write fragments."""
        self.write(plain(fragments))

    def show(self, fragments: list[Fragment], *, at_end: bool = False) -> None:
        """Write fragments and a line end, or nothing for none; there is no pager."""
        if fragments:
            self.write(plain(fragments) + "\n")

    def wrapped(self, fragments: list[Fragment]) -> list[Fragment]:
        """Return fragments as they are: what reads the lines wraps them, or reads them out."""
        return fragments


def _editor(host: Host, lines: TextIO, output: TextIO) -> LineEditor | None:
    """Return what edits lines; None for streams that are not a terminal that could edit them."""
    if lines is not sys.stdin or output is not sys.stdout or not lines.isatty():
        return None
    return line_editor(host)


class LineMode:
    """One session read from a stream of lines."""

    def __init__(self, host: Host, lines: TextIO, output: TextIO) -> None:
        self.host = host
        self.session = host.session
        self.lines = lines
        self.display = Lines(output, host.settings)
        self._editor = _editor(host, lines, output)
        self._has_failed = False
        host.can_rerun = True
        host.has_screen = lines.isatty()
        host.can_tour = True
        host.open_prompt()
        host.look = self._look
        host.show_logs(self._log)

    def run(self) -> int:
        """Start, then read and run inputs until the end of input or ``:quit``."""
        if self.lines.isatty():
            self.display.write(f"{banner_text(self.host)}\n")
        for problem in self.host.start():
            show_problem(self.display, problem)
        while True:
            try:
                text = self.read()
                if text is None:
                    self.display.write("\n")
                    return 0
                if text.strip() and not self.handle(text):
                    return 0
            except KeyboardInterrupt:
                self.display.write("\n")
            except UnicodeDecodeError as error:
                self._refuse(error)
            except OSError:
                raise  # of the streams: it would come again
            except Exception as error:
                show_stop(self.display, error)

    def read(self) -> str | None:
        """Read one input; return None at the end. Two empty lines submit the lines so far."""
        prompt = self.host.prompt_text()
        lines: list[str] = []
        while True:
            line = self._line(prompt, lines)
            if not line:
                return "\n".join(lines) if any(part.strip() for part in lines) else None
            lines.append(line.rstrip("\r\n"))
            text = "\n".join(lines)
            if not wants_more(self.session, text) or (len(lines) > 2 and not any(lines[-2:])):
                return text
            prompt = CONTINUATION

    def _line(self, prompt: str, before: list[str]) -> str:
        """Read one line of an entry, which has lines before it; '' at the end of input."""
        if self._editor is not None:
            return self._editor.read(prompt, before)
        self.display.write(prompt)
        return self.lines.readline()

    def handle(self, text: str) -> bool:
        """Run one input and show its failure; return False for ``:quit``."""
        text = meant_input(text)
        before = self.session.count
        self._has_failed = True
        try:
            problem = self.host.remember(text)
            if problem:
                show_problem(self.display, problem)
            if is_command(text):
                return self._run_command(text)
            self._has_failed = not show_entry(self.host, text, self.display)
        except KeyboardInterrupt as stop:
            shown = None if is_command(text) else input_since(self.session, before)
            show_problem(self.display, stop_error(stop, shown=shown))
        except Exception as error:
            show_stop(self.display, error)
        return True

    def _refuse(self, error: UnicodeDecodeError) -> None:
        self.display.write(f"Error: the input is not UTF-8: {error.reason}\n")

    def _look(self) -> None:
        """Let the user look at code that has stopped; the end of input ends it."""
        self.display.show(render_stop(self.host, WIDTH))
        while not self.host.debugger.is_resumed:
            try:
                text = self.read()
            except KeyboardInterrupt:
                self.display.write("\n")
                continue
            except UnicodeDecodeError as error:
                self._refuse(error)
                continue
            if text is None:
                self.display.write("\n")
                raise InputEnded
            text = entered(self.host, text)
            if text:
                self.display.show(answer(self.host, text, WIDTH).fragments)

    def _run_command(self, text: str) -> bool:
        """Run a command; return False when it was ``:quit``."""
        report = show_command(self.host, text, self.display)
        self._has_failed = report.failed
        if report.action is not None and report.action.kind == "run":
            return self._run_again(report.action.texts)
        if report.action is not None and report.action.watch is not None:
            show_watched(self.host, report.action.watch, self.display.show, lambda: WIDTH)
        return report.action is None or report.action.kind != "quit"

    def _run_again(self, texts: tuple[str, ...]) -> bool:
        """Show and run entries up to one that fails; return False when one was ``:quit``."""
        self.host.is_rerunning = True
        try:
            for text in texts:
                self.display.write(text.strip("\n") + "\n")
                if not self.handle(text):
                    return False
                if self._has_failed:
                    break
            return True
        finally:
            self.host.is_rerunning = False

    def _log(self, level: str, message: str) -> None:
        self.display.write(log_line(level, message) + "\n")
