"""What cell magics do: a function for each that the table names."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puppet_kernel.cell_magics import (
    Cell,
    CellMagicError,
    CellMagicResult,
    check_magics,
    runs_code,
    split_magic,
)
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.facts.facts import (
    FactsError,
    is_factset,
    layered_facts,
    overlaid,
    read_facts,
)
from puppet_repl.environment.facts.factset_words import told_sets
from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.conditions import check_conditions
from puppet_repl.frontends.commands.machines import on_machines
from puppet_repl.frontends.commands.program_inputs import split_commands
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.host.machine_words import SEPARATOR
from puppet_repl.session import Session
from puppet_repl.tools.inspection.containers import hash_items
from puppet_repl.tools.reports.parts import CommandError

_TOGETHER = "a condition below %%on is shown as true or false for each machine"


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


def epp(cell: Cell) -> CellMagicResult:
    """Render the body as a template, and print the result."""
    outcome = cell.session.render_epp(cell.body, template_parameters(cell.session, cell.argument))
    if outcome.error is not None:
        return CellMagicResult(outcome=outcome)
    return CellMagicResult(text=str(cell.session.describe(outcome.value)["str"]))


def facts(cell: Cell) -> CellMagicResult:
    """Replace the facts of the node, and reset the session."""
    try:
        names = shlex.split(cell.argument)
        for name in names:
            if not is_factset(name):
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


def file(cell: Cell) -> CellMagicResult:
    """Write the body to a file."""
    if not cell.argument:
        raise CellMagicError("%%file needs the name of a file")
    path = Path(cell.argument)
    shown = visible(str(path))
    _check_path(cell, path)
    try:
        path = path.expanduser()
        shown = visible(str(path))
        existed = path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, cell.body)
    except OSError as error:
        raise CellMagicError(f"cannot write {shown}: {why_unusable(error)}") from None
    except (RuntimeError, ValueError):
        # A home directory that is not known; characters that no name of a file can have.
        raise CellMagicError(f"cannot write {shown}: not the name of a file") from None
    return CellMagicResult(text=f"{'overwrote' if existed else 'wrote'} {shown}\n")


def on(cell: Cell) -> CellMagicResult:
    """Run the body for several nodes."""
    words = [word.rstrip(",") for word in cell.argument.split() if word != SEPARATOR]
    if not words:
        raise CellMagicError(f"%%on needs machines: {told_sets()}, a file, a node")
    code = _wanted_code("on", cell)
    try:
        return CellMagicResult(report=on_machines(cell.host, words, code, cell.name))
    except CommandError as error:
        raise CellMagicError(f"{error}; {error.hint}") from None


def check(cell: Cell) -> CellMagicResult:
    """Test the conditions of the body."""
    if cell.argument:
        raise CellMagicError("write the conditions of %%check below its line")
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
