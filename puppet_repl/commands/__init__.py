"""Commands: inputs that begin with ``:name`` or ``%name`` and speak to the session itself.

A command is recognised only as the first token of the whole input. No Puppet program begins with
a colon and a letter or with a percent sign; ``::name`` does, and is none.
"""

from __future__ import annotations

import re

from puppet_repl.commands.results import Complaint, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.commands.registry import Command
    from puppet_repl.frontend.host import Host
    from puppet_repl.session import Session

__all__ = ["Call", "Report", "is_command", "parse_command", "run"]

_COMMAND = re.compile(r"\s*[:%](?P<name>[A-Za-z]\w*|\?)(?![\w:])[ \t]*")


class Call:
    """One use of a command: ``argument`` is all that stands behind its name."""

    __slots__ = ("argument", "command", "host", "session")

    def __init__(self, command: Command, argument: str, session: Session, host: Host) -> None:
        self.command = command
        self.argument = argument
        self.session = session
        self.host = host

    @property
    def words(self) -> list[str]:
        """The argument cut at blanks."""
        return self.argument.split()


def is_command(text: str) -> bool:
    """Whether an input is a command and no Puppet code."""
    return _COMMAND.match(text) is not None


def parse_command(text: str) -> tuple[str, str, int] | None:
    """Name, argument and offset of the argument of a command; None for Puppet code."""
    match = _COMMAND.match(text)
    if match is None:
        return None
    return match.group("name"), text[match.end() :].rstrip(), match.end()


def run(session: Session, text: str, host: Host | None = None) -> Report:
    """Run an input that is a command; what is wrong with it is in the report, nothing is raised.

    Without a ``host`` the command runs with default settings and without a history.
    """
    from importlib import import_module

    from puppet_repl.commands.registry import find_command, names
    from puppet_repl.commands.results import CommandError

    parsed = parse_command(text)
    if parsed is None:
        return Report(Complaint("this is no command", "commands look like :help"))
    name, argument, _ = parsed
    command = find_command(name)
    if command is None:
        from puppet_repl.base.matching import nearest

        near = nearest(name, names())
        hint = f"did you mean :{near}?" if near else ":help lists all commands"
        return Report(Complaint(f"there is no command :{name}", hint))
    if host is None:
        from puppet_repl.frontend.host import Host

        host = Host(session=session)
    module, _, function = command.runner.partition(".")
    runner = getattr(import_module(f"puppet_repl.commands.{module}"), function)
    try:
        report: Report = runner(Call(command, argument, session, host))
        return report
    except CommandError as error:
        return Report(
            Complaint(str(error), f"usage: {command.usage}" if error.hint is None else error.hint)
        )
