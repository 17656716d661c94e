"""Commands: inputs that begin with ``:name`` or ``%name`` and speak to the session itself.

A command is recognised only as the first token of the whole input. No Puppet program begins with
a colon and a letter or with a percent sign; ``::name`` does, and is none.
"""

from __future__ import annotations

import re

from puppet_repl.commands.results import Complaint, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from puppet_repl.commands.registry import Command
    from puppet_repl.frontend.settings import Settings
    from puppet_repl.session import Session

__all__ = ["Call", "FrontEnd", "Report", "is_command", "parse_command", "run"]

_COMMAND = re.compile(r"\s*[:%](?P<name>[A-Za-z]\w*|\?)(?![\w:])[ \t]*")


class FrontEnd:
    """What commands may ask of the program they were typed into.

    ``history`` gives earlier inputs, the newest first; ``can_edit`` says that an input can be
    given back to be changed.
    """

    def __init__(
        self,
        settings: Settings,
        history: Callable[[], Iterable[str]] | None = None,
        *,
        can_edit: bool = False,
    ) -> None:
        self.settings = settings
        self.history = history
        self.can_edit = can_edit


class Call:
    """One use of a command: ``argument`` is all that stands behind its name."""

    __slots__ = ("argument", "command", "front", "session")

    def __init__(self, command: Command, argument: str, session: Session, front: FrontEnd) -> None:
        self.command = command
        self.argument = argument
        self.session = session
        self.front = front

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


def run(session: Session, text: str, front: FrontEnd | None = None) -> Report:
    """Run an input that is a command; what is wrong with it is in the report, nothing is raised."""
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
    if front is None:
        from puppet_repl.frontend.settings import Settings

        front = FrontEnd(Settings())
    module, _, function = command.runner.partition(".")
    runner = getattr(import_module(f"puppet_repl.commands.{module}"), function)
    try:
        report: Report = runner(Call(command, argument, session, front))
        return report
    except CommandError as error:
        return Report(
            Complaint(str(error), f"usage: {command.usage}" if error.hint is None else error.hint)
        )
