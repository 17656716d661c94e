"""Running commands: which function runs which command of the table."""

from __future__ import annotations

from collections.abc import Mapping

from puppet_repl.base.matching import did_you_mean
from puppet_repl.frontends.commands import (
    catalog,
    check,
    code,
    copying,
    differences,
    environments,
    exports,
    files,
    graph,
    history,
    lookup,
    names,
    nodes,
    notations,
    on,
    saving,
    state,
    stopping,
    tour,
    watching,
    why,
)
from puppet_repl.host.command_model import Call
from puppet_repl.host.command_registry import command_names, commands_that_start, find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.host.host import Host
from puppet_repl.tools.hints.ipython_names import command_hint
from puppet_repl.tools.reports.parts import CommandError, Complaint, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Runner
    from puppet_repl.session import Session

RUNNERS: Mapping[str, Runner] = {
    "ast": code.tree,
    "bench": code.bench,
    "break": stopping.break_,
    "catalog": catalog.catalog,
    "check": check.check,
    "classes": names.classes,
    "clear": state.clear,
    "continue": stopping.continue_,
    "copy": copying.copy,
    "delete": stopping.delete,
    "diff": differences.diff,
    "display": stopping.display,
    "doc": names.doc,
    "down": stopping.down,
    "edit": history.edit,
    "environment": environments.environment,
    "epp": code.epp,
    "exports": exports.exports,
    "facts": nodes.facts,
    "forget": state.forget,
    "frame": stopping.frame,
    "full": state.full,
    "functions": names.functions,
    "graph": graph.graph,
    "help": names.help_,
    "history": history.history,
    "json": notations.json_,
    "keys": state.keys,
    "load": files.load,
    "list": stopping.list_,
    "mark": differences.mark,
    "lookup": lookup.lookup,
    "match": code.match,
    "modulepath": environments.modulepath,
    "next": stopping.next_,
    "node": nodes.node,
    "on": on.on,
    "out": stopping.out,
    "quit": state.quit_,
    "redo": state.redo,
    "rerun": history.rerun,
    "reset": state.reset,
    "resources": catalog.resources,
    "save": saving.save,
    "scope": stopping.scope,
    "set": state.set_,
    "show": code.show,
    "step": stopping.step,
    "time": code.time_,
    "trusted": nodes.trusted,
    "table": notations.table,
    "tokens": code.tokens,
    "tour": tour.tour,
    "type": code.type_,
    "types": names.types,
    "undo": state.undo,
    "undisplay": stopping.undisplay,
    "up": stopping.up,
    "vars": names.vars_,
    "watch": watching.watch,
    "where": stopping.where,
    "why": why.why,
    "yaml": notations.yaml,
}
"""The function of each command of ``registry.COMMANDS``, by name.

The table itself does not name them: the prompt reads it when it opens, and must not load them."""


# Commands of editors, and Ruby's %w(a b), which begins like one.
_OF_OTHERS = {
    **dict.fromkeys(("wq", "wq!", "q!", "x", "x!", "qa", "qa!", "wqa"), ":quit leaves"),
    "w": ":save FILE writes the inputs; what Ruby writes %w(a b) is ['a', 'b']",
}


def run(session: Session, text: str, host: Host | None = None) -> Report:
    """Run an input that is a command; errors are part of the report, nothing is raised."""
    parsed = parse_command(text)
    if parsed is None:
        return Report(Complaint("this is not a command", "commands look like :help"))
    name, argument, _ = parsed
    command = find_command(name)
    if command is None:
        return Report(_unknown(name))
    forced = name.endswith("!")
    call = Call(command, argument, session, host or Host(session=session), forced=forced)
    runner = RUNNERS[command.name]
    if call.host.stopped_stack is not None:
        runner = stopping.while_stopped(command, runner)
    try:
        return runner(call)
    except CommandError as error:
        hint = f"usage: {command.usage}" if error.hint is None else error.hint
        return Report(Complaint(str(error), hint))


def _unknown(name: str) -> Complaint:
    """Return the complaint about a name that is no command, or the prefix of several."""
    known = _OF_OTHERS.get(name) or command_hint(name)
    if known is not None:
        return Complaint(f"there is no command :{name}", known)
    possible = [f":{command.name}" for command in commands_that_start(name)]
    if possible:
        hint = f"it may be {', '.join(possible[:-1])} or {possible[-1]}"
        return Complaint(f"the command :{name} is ambiguous", hint)
    hint = did_you_mean(name, command_names(), ":{}") or ":help lists all commands"
    return Complaint(f"there is no command :{name}", hint)
