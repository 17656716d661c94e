"""The plain line mode: for dumb terminals, comint and screen readers.

Lines are read one by one until they are a complete input; nothing is redrawn.
"""

from __future__ import annotations

import sys

from puppet_repl.commands import FrontEnd, is_command, run
from puppet_repl.frontend import entries
from puppet_repl.frontend.settings import FILE_NAME, STARTUP_NAME, Settings, config_folder
from puppet_repl.render.fragments import plain
from puppet_repl.render.logs import log_line
from puppet_repl.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from puppet_repl.session import Options

WIDTH = 80
CONTINUATION = "... "


def run_line_mode(options: Options, facts: dict[str, Any] | None) -> int:
    """Read and run inputs until the end of input or ``:quit``."""
    settings = Settings()
    folder = config_folder()
    for problem in settings.load(folder / FILE_NAME):
        print(problem)
    session = Session(options, facts=facts)
    settings.apply_to(session)
    mode = LineMode(session, settings, sys.stdin, sys.stdout)
    failed = session.run_site()
    if failed is not None:
        mode.write_outcome(failed)
    startup = folder / STARTUP_NAME
    if startup.exists():
        mode.write_outcome(session.execute(startup.read_text("utf-8"), str(startup), record=False))
    return mode.run()


class LineMode:
    """One session read from a stream of lines."""

    def __init__(self, session: Session, settings: Settings, lines: TextIO, output: TextIO) -> None:
        self.session = session
        self.settings = settings
        self.front = FrontEnd(settings)
        self.lines = lines
        self.output = output
        session.log = self._log

    def run(self) -> int:
        """The loop."""
        while True:
            try:
                text = self.read()
            except KeyboardInterrupt:
                self._write("\n")
                continue
            if text is None:
                self._write("\n")
                return 0
            if not text.strip():
                continue
            try:
                if not self.handle(text):
                    return 0
            except KeyboardInterrupt:
                self._write("Interrupted.\n")

    def read(self) -> str | None:
        """One input; None at the end. Two empty lines submit what is there."""
        prompt = str(self.settings["prompt"]).replace("{n}", str(self.session.count + 1))
        self._write(prompt)
        lines: list[str] = []
        while True:
            line = self.lines.readline()
            if not line:
                return "\n".join(lines) if any(part.strip() for part in lines) else None
            lines.append(line.rstrip("\r\n"))
            text = "\n".join(lines)
            if not entries.wants_more(self.session, text) or (
                len(lines) > 2 and not any(lines[-2:])
            ):
                return text
            self._write(CONTINUATION)

    def handle(self, text: str) -> bool:
        """Run one input; False when it was ``:quit``."""
        if not is_command(text):
            text, quiet = entries.without_semicolon(self.session, text)
            text = entries.continued(self.session, text)
            label = f"In[{self.session.count + 1}]"
            outcome = self.session.execute(text, label)
            if outcome.error is not None or not quiet:
                self.write_outcome(outcome, label)
            return True
        from puppet_repl.render.report import render_report

        report = run(self.session, text, self.front)
        shown = plain(render_report(report, WIDTH))
        if shown:
            self._write(shown + "\n")
        return report.action is None or report.action.kind != "quit"

    def write_outcome(self, outcome: Any, label: str = "input") -> None:
        """Show what came of an input."""
        from puppet_repl.frontend.results import render_outcome

        fragments = render_outcome(self.session, outcome, label, WIDTH, show_type=False)
        if fragments:
            self._write(plain(fragments) + "\n")

    def _log(self, level: str, message: str) -> None:
        self._write(log_line(level, message) + "\n")

    def _write(self, text: str) -> None:
        self.output.write(text)
        self.output.flush()
