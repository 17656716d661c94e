"""Running one program (from ``-e``, a file or a pipe), or the prompt."""

from __future__ import annotations

import os
import sys

from puppet_repl.base.errors import NO_TIME, InputEnded, PuppetError, TimeLimitExceeded
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.memory import ExtraMemory, tune_process
from puppet_repl.environment.modules.checkout import checkout_here
from puppet_repl.host.host import Host, advice_after_site
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import DEFAULT_STDLIB, NOTHING, Options
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.rendering.values import DEFAULT_WIDTH, NO_WIDTH, render_value, value_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome, Session
    from puppet_repl.tools.rendering.fragments import Fragment

FAILED = 1
GOES_ON = -1
"""No exit status: the next input of the program is to be run."""
PIPED = "what is piped in is one manifest, whose last value is shown; -e A -e B runs two inputs"


def host_of_program() -> Host:
    """Return the host of one program that is given without options."""
    options = Options(stdlib=DEFAULT_STDLIB).spell("flag").find(checkout_here(), waits=True)
    tune_process(options.max_memory)
    return Host(options)


def run_program(
    text: str | list[str],
    name: str | None,
    host: Host,
    *,
    color: bool = True,
    piped: bool = False,
    is_last: bool = True,
    form: str | None = None,
) -> int:
    """Run one program: logs go to standard error as they come, the value to standard output.

    With a ``form``, one of ``FORMS``, the value has that form, also one that is undef.

    Text without a name may be a command. One that is ``piped`` in may have several: each ends with
    its line, and the code between two of them is an input. A list is one input after the other.
    The first that fails ends the program. Where code is stopped, the inputs after it are for the
    debugger. Unless it ``is_last``, more inputs come for the session, and nothing stops before.
    """
    host.show_logs(_show_log(color=color), every_level=True)
    session = host.session
    session.keep_failed_catalog()
    site = session.run_site()
    if isinstance(text, str):
        inputs = _inputs_of(text, session) if piped else [text]
    else:
        inputs = list(text)
    if site is not None and site.error is not None:
        _show_error(site.error, color=color)
        if not is_last:
            sys.stderr.write(f"{advice_after_site(session)}\n")
    if len(inputs) > 1 and is_last:
        host.look = lambda: _look(host, inputs, color=color)
    may_be_blank = piped and len(inputs) > 1
    while inputs:
        each = inputs.pop(0)
        if may_be_blank and not each:
            continue  # says something to the debugger only
        if site is not None and not _is_command(each, name):
            break  # commands may look at what the site manifests have declared
        status = _run_input(
            each,
            name,
            host,
            color=color,
            is_last=is_last and not (any(inputs) if may_be_blank else inputs),
            hint=PIPED if piped else None,
            form=form,
        )
        if status != GOES_ON:
            return FAILED if site is not None else status
    return FAILED if site is not None else 0


def run_before_prompt(
    text: str | list[str], name: str | None, host: Host, *, color: bool = True
) -> None:
    """Run a program in the session of a prompt, which is to be opened whatever becomes of it."""
    host.read_user_files()
    host.open_prompt()
    host.has_begun = True
    try:
        run_program(text, name, host, color=color, is_last=False)
    except KeyboardInterrupt as stop:
        from puppet_repl.language.compiler.locations import interruption

        _show_error(interruption(stop), color=color)
    sys.stdout.flush()


def _inputs_of(text: str, session: Session) -> list[str]:
    if text.lstrip()[:1] not in (":", "%") and "\n:" not in text:
        return [text]
    from puppet_repl.frontends.commands.program_inputs import split_commands

    return split_commands(session, text, keep_blank=True)


def _look(host: Host, inputs: list[str], *, color: bool) -> None:
    """Run what the program has next where its code is stopped; its end ends the input.

    An empty line is Enter.
    """
    from puppet_repl.frontends.commands.program_inputs import split_entries
    from puppet_repl.frontends.shared.stopped_code import answer, entered, render_stop

    def show(fragments: list[Fragment], stream: TextIO) -> None:
        if fragments:
            is_colored = color and colored(stream)
            stream.write((ansi(fragments) if is_colored else plain(fragments)) + "\n")

    width = _width_of(sys.stdout)
    show(render_stop(host, width), sys.stdout)
    while not host.debugger.is_resumed:
        if not inputs:
            raise InputEnded
        text, *others = split_entries(host.session, inputs.pop(0))
        inputs[:0] = others
        text = entered(host, text)
        if not text:
            continue
        answered = answer(host, text, width)
        show(answered.fragments, sys.stderr if answered.failed else sys.stdout)


def _is_command(text: str, name: str | None) -> bool:
    if name is not None or text.lstrip()[:1] not in (":", "%"):
        return False
    from puppet_repl.frontends.commands import is_command

    return is_command(text)


def _run_input(
    text: str,
    name: str | None,
    host: Host,
    *,
    color: bool,
    is_last: bool,
    hint: str | None,
    form: str | None,
) -> int:
    """Run one input of a program; return the exit status, or GOES_ON.

    The ``hint`` is for those who expect each line to be an input.
    """
    try:
        with host.session.deadline():
            if _is_command(text, name):
                return _run_command(host, text, color=color and colored(sys.stdout), form=form)
            return _run_code(text, name, host, color=color, is_last=is_last, hint=hint, form=form)
    except TimeLimitExceeded as stop:
        from puppet_repl.language.compiler.locations import stopped

        _show_error(stopped(stop, NO_TIME, Source(text, name)), text, color=color)
        return FAILED
    except InputEnded as stop:
        from puppet_repl.language.compiler.locations import interruption

        _show_error(interruption(stop), text, color=color)
        return FAILED


def _run_code(
    text: str,
    name: str | None,
    host: Host,
    *,
    color: bool,
    is_last: bool,
    hint: str | None,
    form: str | None,
) -> int:
    with host.stopping():
        outcome = host.session.execute(text, name, is_last=is_last)
    if outcome.error is not None:
        if hint is not None and outcome.error.code == "IDEM_EXPRESSION_NOT_LAST":
            outcome.error.notes += (hint,)
        _show_error(outcome.error, text, color=color)
        return FAILED
    value = None if outcome.value is NOTHING else outcome.value
    status = GOES_ON
    if value is not None or (form is not None and is_last):
        status = _print_value(value, form, color=color and colored(sys.stdout))
    if status == GOES_ON and name is None:
        _show_hint(host, text, outcome, color=color)
    return status


def _print_value(value: Value, form: str | None, *, color: bool) -> int:
    try:
        if form is None:
            shown = value_text(value, color=color, encoding=sys.stdout.encoding) + "\n"
        else:
            shown = _formatted(value, form, color=color)
    except PuppetError as error:
        _show_error(error, color=color)
        return FAILED
    except (MemoryError, RecursionError) as error:
        from puppet_repl.base.stops import stop_message

        print(f"Error: {stop_message(error)}", file=sys.stderr)
        return FAILED
    sys.stdout.write(shown)
    return GOES_ON


def _formatted(value: Value, form: str, *, color: bool) -> str:
    """Return a value in one of the forms, with a line end.

    JSON and YAML are for other programs and have no colours. Raises PuppetError for a value that
    the form cannot express, MemoryError and RecursionError for a value that is too large.
    """
    # Most programs have no form, and do not wait for these.
    from puppet_repl.frontends.commands.notations import json_text, table_report, yaml_document
    from puppet_repl.tools.reports.report import render_report

    if form == "json":
        return json_text(value) + "\n"
    if form == "yaml":
        return yaml_document(value)
    width = _width_of(sys.stdout)
    if form == "puppet":
        fragments = render_value(value, DEFAULT_WIDTH if width == NO_WIDTH else width)
    else:
        fragments = render_report(table_report(value), width)
    return (ansi(fragments) if color else plain(fragments)) + "\n"


def _show_hint(host: Host, text: str, outcome: Outcome, *, color: bool) -> None:
    """Show a hint if the typed text probably has a mistake."""
    if "$" not in text or "[" not in text or "\n" in text.strip():
        return  # no hint for this text, or too long for a typed one
    if '"' not in text and "facts" not in text:
        return  # hints are about brackets in strings and about facts
    from puppet_repl.frontends.shared.entry_run import Run
    from puppet_repl.frontends.shared.result_hints import hint_on_result

    hint = hint_on_result(host.session, Run(text, "", outcome))
    if hint is not None:
        _show_log(color=color)(NOTE, f"hint: {hint}")


def _show_error(error: PuppetError, text: str | None = None, *, color: bool) -> None:
    with ExtraMemory():
        from puppet_repl.tools.rendering.diagnostics import error_text

        shown = error_text(error, text=text, color=color and colored(sys.stderr))
        sys.stderr.write(shown.rstrip("\n") + "\n")


def open_prompt(host: Host, *, plain: bool, color: bool) -> int:
    """Open the prompt and stay until the user leaves; return the exit status.

    A dumb terminal, and an input or output that is not a terminal, get the line mode.
    """
    if not host.has_begun:
        host.read_user_files()
    is_dumb = os.environ.get("TERM", "") in ("", "dumb")
    if plain or is_dumb or not sys.stdout.isatty() or not sys.stdin.isatty():
        from puppet_repl.frontends.terminal.line_mode import LineMode

        return LineMode(host, sys.stdin, sys.stdout).run()
    from puppet_repl.frontends.terminal.opening import open_terminal

    return open_terminal(host, color=color)


def _run_command(host: Host, text: str, *, color: bool, form: str | None) -> int:
    """Run a command of the prompt, ``puppet-repl -e ':doc split'``; as ``_run_input``.

    With a ``form`` it is the value that the command shows that is printed.
    """
    from puppet_repl.frontends.commands import run
    from puppet_repl.tools.reports.report import render_report

    report = run(host.session, text, host)
    if form is not None and not report.failed:
        from puppet_repl.frontends.shared.captured_output import shown_value

        value = shown_value(report)
        if value is NOTHING:
            print(f"Error: {text.split()[0]} has no value for --format {form}", file=sys.stderr)
            return FAILED
        status = _print_value(value, form, color=color)
        return FAILED if report.is_partial else status
    stream = sys.stderr if report.failed else sys.stdout
    fragments = render_report(report, _width_of(stream))
    shown = ansi(fragments) if color else plain(fragments)
    if shown:
        stream.write(shown + "\n")
    if report.failed or report.is_partial:
        return FAILED
    return 0 if report.action is not None and report.action.kind == "quit" else GOES_ON


def _width_of(stream: TextIO) -> int:
    """Return how wide reports may be: a pipe or a file has no width, and nothing is cut for it."""
    if not stream.isatty():
        return NO_WIDTH
    from shutil import get_terminal_size

    return get_terminal_size((DEFAULT_WIDTH, 24)).columns


def _show_log(*, color: bool) -> Callable[[str, str], None]:
    def show(level: str, message: str) -> None:
        from puppet_repl.tools.rendering.logs import log_line

        sys.stdout.flush()
        sys.stderr.write(log_line(level, message, color=color and colored(sys.stderr)) + "\n")

    return show


def colored(stream: TextIO) -> bool:
    """Tell whether to write colours to a stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()
