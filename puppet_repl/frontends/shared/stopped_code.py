"""What a user does where code is stopped, for all front ends that read lines or keys."""

from __future__ import annotations

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.errors import InputEnded
from puppet_repl.base.memory import ExtraMemory
from puppet_repl.base.stops import stop_message
from puppet_repl.frontends.commands import is_command, parse_command, run
from puppet_repl.frontends.commands.debugging import evaluate, stop_report, watched
from puppet_repl.frontends.shared.results import stop_error
from puppet_repl.host.command_registry import find_command
from puppet_repl.tools.rendering.diagnostics import render_error
from puppet_repl.tools.rendering.fragments import joined
from puppet_repl.tools.reports.parts import Report
from puppet_repl.tools.reports.report import render_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.host import Host
    from puppet_repl.tools.rendering.fragments import Fragment


def render_stop(host: Host, width: int) -> list[Fragment]:
    """Render the location of stopped code, the lines around, and the watched expressions.

    An interrupt, or a time limit, ends the watched expression and not the input.
    """
    place = render_report(stop_report(host.debugger), width)
    stack = host.stopped_stack
    if stack is None or not host.debugger.watches:
        return place
    try:
        with host.session.deadline():
            below = render_report(Report(watched(host.debugger, stack)), width)
    except KeyboardInterrupt as stop:
        below = render_error(stop_error(stop), width=width)
    return joined([place, [("", "")], below])


class Answer:
    """The output for a line that was typed while code is stopped, and whether it failed."""

    __slots__ = ("failed", "fragments")

    def __init__(self, fragments: list[Fragment], *, failed: bool) -> None:
        self.fragments = fragments
        self.failed = failed


def entered(host: Host, line: str) -> str:
    """Return what a line stands for where code is stopped; '' for nothing.

    An empty one is the last step again, if nothing else was entered since.
    """
    debugger = host.debugger
    text = line if line.strip() else debugger.last_step
    debugger.last_step = text if _is_repeated(text) else ""
    return text


def answer(host: Host, text: str, width: int) -> Answer:
    """Run a command, or evaluate an expression in the frame.

    Raises InputEnded if the user ends the input. An interrupt or a limit is reported.
    """
    stack = host.stopped_stack
    assert stack is not None
    try:
        with host.session.deadline():
            report = (
                run(host.session, text, host) if is_command(text) else evaluate(stack, host, text)
            )
            fragments = render_report(report, width)
    except KeyboardInterrupt as stop:
        return Answer(render_error(stop_error(stop), width=width), failed=True)
    except Exception as error:
        # A limit that was met, or a defect. Beyond this it would be taken for an error of the code.
        with ExtraMemory():
            print_traceback(error)
            return Answer([("error", "Error: "), ("", stop_message(error))], failed=True)
    if report.action is not None and report.action.kind == "quit":
        raise InputEnded
    return Answer(fragments, failed=report.failed)


def _is_repeated(text: str) -> bool:
    parsed = parse_command(text)
    command = None if parsed is None else find_command(parsed[0])
    return command is not None and command.when_stopped == "steps"
