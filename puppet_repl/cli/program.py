"""Running one program (from ``-e``, a file or a pipe), or the prompt."""

from __future__ import annotations

import os
import sys

from puppet_repl.base.memory import ExtraMemory, tune_process
from puppet_repl.errors import NO_TIME, TimeLimitExceeded
from puppet_repl.frontend.host import Host
from puppet_repl.render.fragments import ansi, plain
from puppet_repl.render.values import value_text
from puppet_repl.session import DEFAULT_STDLIB, NOTHING, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from puppet_repl.errors import PuppetError

FAILED = 1


def host_of_program() -> Host:
    """Return the host of one program that is given without options."""
    return Host(Options(stdlib=DEFAULT_STDLIB))


def run_program(text: str, name: str | None, host: Host, *, color: bool = True) -> int:
    """Run one program: logs go to standard error as they come, the value to standard output."""
    host.show_logs(_show_log(color=color), every_level=True)
    tune_process(host.session.options.max_memory)
    try:
        with host.session.deadline():
            return _run_text(text, name, host, color=color)
    except TimeLimitExceeded as stop:
        from puppet_repl.compiler.locations import stopped
        from puppet_repl.syntax.source import Source

        _show_error(stopped(stop, NO_TIME, Source(text, name)), text, color=color)
        return FAILED


def _run_text(text: str, name: str | None, host: Host, *, color: bool) -> int:
    session = host.session
    if name is None and text.lstrip()[:1] in (":", "%"):
        from puppet_repl.commands import is_command

        if is_command(text):
            site = session.run_site()  # commands look at what the site manifests declare
            if site is not None and site.error is not None:
                _show_error(site.error, text, color=color)
                _run_command(host, text, color=color and colored(sys.stdout))
                return FAILED
            return _run_command(host, text, color=color and colored(sys.stdout))
    outcome = session.run_site() or session.execute(text, name, is_last=True)
    if outcome.error is not None:
        _show_error(outcome.error, text, color=color)
        return FAILED
    if outcome.value is not NOTHING and outcome.value is not None:
        try:
            shown = value_text(
                outcome.value,
                color=color and colored(sys.stdout),
                encoding=sys.stdout.encoding,
            )
        except (MemoryError, RecursionError) as error:
            from puppet_repl.base.stops import stop_message

            print(f"Error: {stop_message(error)}", file=sys.stderr)
            return FAILED
        sys.stdout.write(shown + "\n")
    return 0


def _show_error(error: PuppetError, text: str, *, color: bool) -> None:
    with ExtraMemory():
        from puppet_repl.render.diagnostics import error_text

        shown = error_text(error, text=text, color=color and colored(sys.stderr))
        sys.stderr.write(shown.rstrip("\n") + "\n")


def open_prompt(host: Host, *, plain: bool, color: bool) -> int:
    """Open the prompt and stay until the user leaves; return the exit status.

    A dumb terminal, or an output that is no terminal, gets the line mode.
    """
    tune_process(host.session.options.max_memory)
    host.read_user_files()
    if plain or os.environ.get("TERM", "") in ("", "dumb") or not sys.stdout.isatty():
        from puppet_repl.terminal.line_mode import LineMode

        return LineMode(host, sys.stdin, sys.stdout).run()
    from puppet_repl.terminal.app import run_app

    return run_app(host, color=color)


def _run_command(host: Host, text: str, *, color: bool) -> int:
    """Run a command of the prompt: ``puppet-repl -e ':doc split'``."""
    from puppet_repl.commands import run
    from puppet_repl.render.report import render_report

    report = run(host.session, text, host)
    fragments = render_report(report)
    shown = ansi(fragments) if color else plain(fragments)
    if shown:
        (sys.stderr if report.failed else sys.stdout).write(shown + "\n")
    return FAILED if report.failed or report.is_partial else 0


def _show_log(*, color: bool) -> Callable[[str, str], None]:
    def show(level: str, message: str) -> None:
        from puppet_repl.render.logs import log_line

        sys.stdout.flush()
        sys.stderr.write(log_line(level, message, color=color and colored(sys.stderr)) + "\n")

    return show


def colored(stream: TextIO) -> bool:
    """Tell whether to write colours to a stream."""
    return stream.isatty() and not os.environ.get("NO_COLOR")
