"""The command about the modules of the session."""

from __future__ import annotations

import os
import shlex

from puppet_repl.base.wording import counted
from puppet_repl.commands.results import Cell, CommandError, Message, Ran, Report, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.commands.model import Call


def modulepath(call: Call) -> Report:
    """``:modulepath [DIR...]``; lines below it are code, run with the modules."""
    session = call.session
    if call.argument.strip():
        directories, _, code = call.argument.partition("\n")
        session.options.modulepath = _directories(directories)
        session.reset()
        modules = {} if session.environment is None else session.environment.modules
        report = Report(Message(f"{counted(len(modules), 'module')}; session reset", "dim"))
        if code.strip():
            # Errors have the lines of the whole input.
            report.parts.append(Ran(session.execute(f"\n{code}")))
        return report
    environment = session.environment
    modules = {} if environment is None else environment.modules
    rows = [
        (Cell(module.name, "class"), module.version or "", module.path)
        for module in sorted(modules.values(), key=lambda module: module.name)
    ]
    empty = "no modules; :modulepath DIR names a directory of modules"
    return Report(Table(("Module", "Version", "Directory"), rows, empty=empty))


def _directories(text: str) -> tuple[str, ...]:
    """Return the directories that the argument names, separated by blanks or as in PATH."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CommandError(f"cannot read '{text}': {error}") from None
    paths = [os.path.expanduser(part) for word in words for part in word.split(os.pathsep) if part]
    for path in paths:
        if not os.path.isdir(path):
            raise CommandError(f"{path} is not a directory", "")
    return tuple(paths)
