"""Cell magics: cells whose first line begins with ``%%name`` and that are not a program.

The rest of the first line is the argument, the other lines are the body. Ways of running a cell
(``%%time``) are read by ``cell_parts``.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.modules import import_name
from puppet_repl.frontends.commands.entries import is_complete
from puppet_repl.host.cell_magics import CELL_MAGICS
from puppet_repl.host.command_registry import find_command
from puppet_repl.tools.hints.ipython_names import cell_magic_hint

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.host.cell_magics import Body, CellMagic
    from puppet_repl.host.host import Host
    from puppet_repl.session import Outcome, Session
    from puppet_repl.tools.reports.parts import Report

    Runner: TypeAlias = Callable[["Cell"], "CellMagicResult"]

HELP_ARGUMENTS = ("?", "-h", "--help")
_WIDTH = 80
_MAGIC_LINE = re.compile(r"%%(?P<name>\w+)")
_FIRST_LINE = re.compile(r"\s*%%(?P<name>\w*)[ \t]*(?P<argument>[^\n]*)(?:\n|\Z)")


class CellMagicError(Exception):
    """A cell magic was not used correctly; the message gives the right use."""


class Cell:
    """A cell with a magic: its argument, the lines below, and what errors call the cell."""

    __slots__ = ("argument", "body", "host", "name", "session")

    def __init__(self, host: Host, argument: str, body: str, name: str) -> None:
        self.host = host
        self.session = host.session
        self.argument = argument
        self.body = body
        self.name = name


class CellMagicResult:
    """The result of a cell magic: an outcome to show as that of any cell, text to print, a report.

    The report is shown as that of a command.
    """

    __slots__ = ("outcome", "report", "text")

    def __init__(
        self, *, outcome: Outcome | None = None, text: str = "", report: Report | None = None
    ) -> None:
        self.outcome = outcome
        self.report = report
        self.text = text


def is_cell_magic(code: str) -> bool:
    """Tell whether a cell begins with ``%%name``."""
    return _FIRST_LINE.match(code) is not None


def run_cell_magic(host: Host, code: str, cell_name: str) -> CellMagicResult:
    """Run a cell with a magic; raise CellMagicError for one that is unknown or used wrongly."""
    name, argument, body = split_magic(code)
    magic = CELL_MAGICS.get(name)
    if magic is None:
        raise CellMagicError(f"there is no cell magic %%{name}; {_instead_of(name)}")
    if argument in HELP_ARGUMENTS or not magic.run:
        return CellMagicResult(text=usage_of(name))
    return runner_of(magic)(Cell(host, argument, code[body:], cell_name))


def runner_of(magic: CellMagic) -> Runner:
    """Return the function that runs a cell magic; not for ways of running a cell."""
    runner: Runner = import_name(f"puppet_kernel.{magic.run}")
    return runner


def usage_of(name: str) -> str:
    """Return what a cell magic, which there has to be, takes and does."""
    magic = CELL_MAGICS[name]
    return f"{magic.usage}\n\n{textwrap.fill(magic.help, _WIDTH)}\n"


def _instead_of(name: str) -> str:
    """Return a hint for the name of an unknown cell magic."""
    hint = cell_magic_hint(name)
    if hint is not None:
        return hint
    command = find_command(name)
    if command is not None and name in (command.name, *command.aliases):
        return f":{name} is a command, and needs a line of its own"
    hint = did_you_mean(name.lower(), CELL_MAGICS, "%%{}")
    return hint or f"there are {', '.join(f'%%{each}' for each in CELL_MAGICS)}"


def split_magic(code: str) -> tuple[str, str, int]:
    """Return name and argument of a cell's magic, and the offset of its body."""
    match = _FIRST_LINE.match(code)
    if match is None:
        return "", "", 0
    return match["name"], match["argument"].strip(), match.end()


def check_magics(session: Session, code: str) -> None:
    """Refuse a cell magic below code; in a string or heredoc it is text."""
    before = 0
    for line in code.splitlines(keepends=True):
        match = _MAGIC_LINE.match(line)
        if match is not None and is_complete(session, code[:before]):
            name = match["name"]
            if name not in CELL_MAGICS:
                raise CellMagicError(f"there is no cell magic %%{name}; {_instead_of(name)}")
            raise CellMagicError(f"%%{name} belongs at the top of a cell, above its code")
        before += len(line)


def runs_code(name: str) -> bool:
    """Tell whether the lines below a magic are a program."""
    return body_of(name) == "code"


def body_of(name: str) -> Body | None:
    """Return the kind of the lines below a cell magic; None for an unknown name."""
    magic = CELL_MAGICS.get(name)
    return None if magic is None else magic.body
