"""Running commands: the function that the table names is imported when it is called."""

from __future__ import annotations

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.modules import import_name
from puppet_repl.frontends.commands import debugging
from puppet_repl.frontends.commands.redirection import (
    check_redirection,
    hint_on_signs,
    is_listing,
    redirected,
    redirection_of,
)
from puppet_repl.host.command_model import Call
from puppet_repl.host.command_registry import command_names, commands_that_start, find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.host.host import Host
from puppet_repl.tools.hints.ipython_names import command_hint
from puppet_repl.tools.reports.parts import CommandError, Complaint, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Command, Runner
    from puppet_repl.session import Session

# Commands of editors, debuggers and other prompts, and Ruby's %w(a b), which begins like one.
_OF_OTHERS = {
    **dict.fromkeys(("wq", "wq!", "q!", "x", "x!", "qa", "qa!", "wqa"), ":quit leaves"),
    **dict.fromkeys(("l", "list", "whereami"), ":frame shows the lines around and the variables"),
    **dict.fromkeys(("match", "check"), ":why EXPR explains why a value does not match"),
    "bench": ":time --repeat CODE measures how long code takes",
    "classes": ":names classes lists them",
    "delete": ":break --delete N deletes a breakpoint",
    "down": ":frame down looks at the frame that this one has called",
    "full": ":show shows a value in full",
    "functions": ":names functions lists them",
    "json": ":show json shows a value as JSON",
    "mark": ":diff --mark NAME keeps the catalog",
    "scope": ":frame shows the lines around and the variables",
    "table": ":show table shows a value as a table",
    "trusted": ":node NAME EXTENSION=VALUE sets trusted facts",
    "types": ":names types lists them",
    "yaml": ":show yaml shows a value as YAML",
    "up": ":frame up looks at the frame that has called this one",
    "w": ":save FILE writes the inputs; what Ruby writes %w(a b) is ['a', 'b']",
}


def runner_of(command: Command) -> Runner:
    """Return the function that runs a command."""
    runner: Runner = import_name(f"puppet_repl.frontends.commands.{command.run}")
    return runner


def run(session: Session, text: str, host: Host | None = None) -> Report:
    """Run an input that is a command; errors are part of the report, nothing is raised."""
    parsed = parse_command(text)
    if parsed is None:
        return Report(Complaint("this is not a command", "commands look like :help"))
    name, argument, _ = parsed
    command = find_command(name)
    if command is None:
        return Report(_unknown(name))
    listed = argument.removeprefix("full").lstrip() if command.name == "show" else ""
    if is_listing(listed):
        return run(session, listed, host)
    forced = name.endswith("!")
    help_ = find_command("help")
    if argument == "--help" and help_ is not None:
        command, argument = help_, command.name
    call = Call(command, argument, session, host or Host(session=session), forced=forced)
    runner = runner_of(command)
    if call.host.stopped_stack is not None:
        runner = debugging.while_stopped(command, runner)
    try:
        to = redirection_of(command.name, argument)
        if to is None:
            return hint_on_signs(call, runner(call))
        call.argument = to.argument
        check_redirection(call, to)
        return redirected(runner(call), to)
    except CommandError as error:
        hint = f"usage: {command.usage}" if error.hint is None else error.hint
        return hint_on_signs(call, Report(Complaint(str(error), hint)))


def _unknown(name: str) -> Complaint:
    """Return the complaint about a name that is not a command, or the prefix of several."""
    known = _OF_OTHERS.get(name) or command_hint(name)
    if known is not None:
        return Complaint(f"there is no command :{name}", known)
    possible = [f":{command.name}" for command in commands_that_start(name)]
    if possible:
        hint = f"it may be {', '.join(possible[:-1])} or {possible[-1]}"
        return Complaint(f"the command :{name} is ambiguous", hint)
    hint = did_you_mean(name, command_names(), ":{}") or ":help all lists the commands"
    return Complaint(f"there is no command :{name}", hint)
