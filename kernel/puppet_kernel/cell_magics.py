"""Cell magics: cells whose first line begins with ``%%name`` and that are not a program.

``%%check`` tests conditions, ``%%epp`` renders a template, ``%%facts`` replaces the facts of the
node, ``%%file`` writes a file, ``%%on`` runs the cell for several nodes. What follows the name on
the first line is the argument, the rest of the cell is the body. Those without a function are ways
of running what stands below, which ``cell_parts`` is about.
"""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.facts.facts import (
    FactsError,
    factset_names,
    layered_facts,
    overlaid,
    read_facts,
)
from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.check import check_conditions
from puppet_repl.frontends.commands.machines import on_machines
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.frontends.shared.entries import is_complete
from puppet_repl.frontends.shared.program_inputs import split_commands
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.host import Host
from puppet_repl.host.machine_words import SEPARATOR
from puppet_repl.session import Outcome, Session
from puppet_repl.tools.hints.ipython_names import cell_magic_hint
from puppet_repl.tools.inspection.containers import hash_items
from puppet_repl.tools.reports.parts import CommandError, Report

HELP_ARGUMENTS = ("?", "-h", "--help")
_WIDTH = 80
_TOGETHER = "a condition below %%on is shown as true or false for each machine"
_MAGIC_LINE = re.compile(r"%%(?P<name>\w+)")
_FIRST_LINE = re.compile(r"\s*%%(?P<name>\w*)[ \t]*(?P<argument>[^\n]*)(?:\n|\Z)")


class CellMagicError(Exception):
    """A cell magic was not used correctly; the message says what is right."""


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


class CellMagic:
    """One cell magic, with its help; without ``run`` it is a way of running the cell below it.

    What stands below one that ``runs_code`` is a program; the session stays as it is.
    """

    __slots__ = ("help", "run", "runs_code", "usage")

    def __init__(
        self,
        usage: str,
        help: str,
        run: Callable[[Cell], CellMagicResult] | None = None,
        *,
        runs_code: bool = False,
    ) -> None:
        self.runs_code = runs_code
        self.usage = usage
        self.help = help
        self.run = run


def is_cell_magic(code: str) -> bool:
    """Tell whether a cell begins with ``%%name``."""
    return _FIRST_LINE.match(code) is not None


def run_cell_magic(host: Host, code: str, cell_name: str) -> CellMagicResult:
    """Run a cell with a magic; raise CellMagicError for one that is unknown or used wrongly."""
    name, argument, body = split_magic(code)
    magic = CELL_MAGICS.get(name)
    if magic is None:
        raise CellMagicError(f"there is no cell magic %%{name}; {_instead_of(name)}")
    if argument in HELP_ARGUMENTS or magic.run is None:
        return CellMagicResult(text=usage_of(name))
    return magic.run(Cell(host, argument, code[body:], cell_name))


def usage_of(name: str) -> str:
    """Return what a cell magic, which there has to be, takes and does."""
    magic = CELL_MAGICS[name]
    return f"{magic.usage}\n\n{textwrap.fill(magic.help, _WIDTH)}\n"


def _instead_of(name: str) -> str:
    """Return what may have been meant by the name of a cell magic that there is not."""
    hint = cell_magic_hint(name)
    if hint is not None:
        return hint
    command = find_command(name)
    if command is not None and name in (command.name, *command.aliases):
        return f":{name} is a command, which stands on a line of its own"
    hint = did_you_mean(name.lower(), CELL_MAGICS, "%%{}")
    return hint or f"there are {', '.join(f'%%{each}' for each in CELL_MAGICS)}"


def split_magic(code: str) -> tuple[str, str, int]:
    """Return name and argument of a cell's magic, and the offset of its body."""
    match = _FIRST_LINE.match(code)
    if match is None:
        return "", "", 0
    return match["name"], match["argument"].strip(), match.end()


def template_parameters(session: Session, text: str) -> dict[str, object] | None:
    """Return the parameters of a template: a Puppet hash, or YAML with or without braces.

    '' stands for no parameters, None.
    """
    if not text:
        return None
    braced = text if text.startswith("{") else f"{{{text}}}"
    if "=>" in text:
        outcome = session.execute(braced, record=False)
        if outcome.error is not None:
            raise CellMagicError(f"the parameters: {outcome.error}")
        entries = hash_items(outcome.value)
        if entries is None:
            raise CellMagicError("the parameters are not a Hash")
        return {str(name): value for name, value in entries}
    return _yaml_mapping(braced, "the parameters")


def _yaml_mapping(
    text: str, what: str, read: Callable[[str], object] = read_yaml
) -> dict[str, object]:
    try:
        mapping = read(text)
    except YamlError as error:
        raise CellMagicError(f"{what} are neither YAML nor JSON: {error}") from None
    if not isinstance(mapping, dict):
        raise CellMagicError(f"{what} are not a mapping of names to values")
    return {str(name): value for name, value in mapping.items()}


def _epp(cell: Cell) -> CellMagicResult:
    outcome = cell.session.render_epp(cell.body, template_parameters(cell.session, cell.argument))
    if outcome.error is not None:
        return CellMagicResult(outcome=outcome)
    return CellMagicResult(text=str(cell.session.describe(outcome.value)["str"]))


def _facts(cell: Cell) -> CellMagicResult:
    try:
        names = shlex.split(cell.argument)
        for name in names:
            if name not in factset_names():
                _check_path(cell, name)
        facts = layered_facts(names)
    except (FactsError, ValueError) as error:
        raise CellMagicError(str(error)) from None
    written: dict[str, Any] = {}
    if cell.body.strip():
        written = _yaml_mapping(cell.body, "the facts", read_facts)
        facts = overlaid(facts, written)
    if not facts:
        raise CellMagicError("name a fact set, or write facts as YAML or JSON below")
    cell.session.use_facts(facts)
    cell.host.facts_from = [
        *[("--facts", name) for name in names],
        *[("--fact", f"{name}={json.dumps(value)}") for name, value in written.items()],
    ]
    text = f"{counted(len(facts), 'fact')}; the session was reset\n"
    site, prelude = cell.session.run_site(), cell.session.run_prelude()
    return CellMagicResult(outcome=site or prelude, text=text)


def _check_path(cell: Cell, path: str | Path) -> None:
    try:
        check_path(cell.session, path)
    except CommandError as error:
        raise CellMagicError(str(error)) from None


def _file(cell: Cell) -> CellMagicResult:
    if not cell.argument:
        raise CellMagicError("%%file needs the name of a file")
    path = Path(cell.argument)
    _check_path(cell, path)
    try:
        path = path.expanduser()
        existed = path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, cell.body)
    except OSError as error:
        raise CellMagicError(f"cannot write {path}: {why_unusable(error)}") from None
    except (RuntimeError, ValueError):
        # A home directory that is not known; characters that no name of a file can have.
        raise CellMagicError(f"cannot write {path}: not the name of a file") from None
    return CellMagicResult(text=f"{'overwrote' if existed else 'wrote'} {path}\n")


def _on(cell: Cell) -> CellMagicResult:
    words = [word.rstrip(",") for word in cell.argument.split() if word != SEPARATOR]
    if not words:
        raise CellMagicError(f"%%on needs machines: {', '.join(factset_names())}, a file, a node")
    code = _wanted_code("on", cell)
    try:
        return CellMagicResult(report=on_machines(cell.host, words, code, cell.name))
    except CommandError as error:
        raise CellMagicError(f"{error}; {error.hint}") from None


def _check(cell: Cell) -> CellMagicResult:
    if cell.argument:
        raise CellMagicError("the conditions of %%check stand below its line")
    code = _wanted_code("check", cell)
    try:
        report = check_conditions(cell.session, code, cell.name, is_cell=True)
        return CellMagicResult(report=report)
    except CommandError as error:
        raise CellMagicError(f"{error}: {error.hint}") from None


def _wanted_code(magic: str, cell: Cell) -> str:
    """Return the code of a cell, with the line numbers of the cell."""
    if not cell.body.strip():
        raise CellMagicError(f"%%{magic} needs code below its line")
    commands = [part for part in split_commands(cell.session, cell.body) if is_command(part)]
    if commands:
        name = commands[0].split()[0]
        raise CellMagicError(f"%%{magic} runs code: {name} is a command, for a cell of its own")
    first = split_magic(cell.body)[0]
    if runs_code(first):
        raise CellMagicError(f"%%{magic} and %%{first} do not go together; {_TOGETHER}")
    check_magics(cell.session, cell.body)
    return f"\n{cell.body}"


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
    """Tell whether what stands below the magic of a name is a program."""
    magic = CELL_MAGICS.get(name)
    return magic is not None and magic.runs_code


CELL_MAGICS = {
    "check": CellMagic(
        "%%check",
        "Test which conditions of the cell hold, and show what was found instead of the others. "
        "Other statements, such as include and assignments, are run before them. The session "
        "stays as it is; the cell fails unless all conditions hold.",
        _check,
        runs_code=True,
    ),
    "epp": CellMagic(
        "%%epp [PARAMETERS]",
        "Render the cell as an EPP template. Parameters are a Puppet hash (name => 'x', ...) or "
        "YAML (name: x, ...).",
        _epp,
    ),
    "facts": CellMagic(
        "%%facts [SET|FILE]...",
        "Reset the session and replace the facts of the node: by bundled sets and files, and by "
        "YAML or JSON in the cell, which wins over them.",
        _facts,
    ),
    "file": CellMagic("%%file NAME", "Write the cell to a file, for example of a module.", _file),
    "on": CellMagic(
        "%%on MACHINE...",
        "Run the cell for several nodes: fact sets, files of facts and patterns of files, "
        "directories of environments, names of nodes. The session stays as it is.",
        _on,
        runs_code=True,
    ),
    "time": CellMagic("%%time", "Run the cell and print how long it took."),
    "quiet": CellMagic(
        "%%quiet", "Run the cell without showing values and definitions; messages are shown."
    ),
    "capture": CellMagic(
        "%%capture $NAME",
        "Run the cell, and keep what it shows in a variable instead: a hash of its last value, the "
        "messages with their levels, and the output of commands.",
    ),
}
