"""Cells that are not a program: those whose first line begins with ``%%``.

``%%epp`` renders a template, ``%%facts`` makes the session another machine, ``%%file`` writes a
file, ``%%time`` measures. What stands behind the name on the first line is the argument, the rest
of the cell is the body.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puppet_repl.session import Outcome, Session

_FIRST_LINE = re.compile(r"\s*%%(?P<name>\w*)[ \t]*(?P<argument>[^\n]*)(?:\n|\Z)")


class FormError(Exception):
    """A cell form was not used as it has to be; the text says what is right."""


class Cell:
    """A cell that is a form: what stands behind the name, the lines below, what errors call it."""

    __slots__ = ("argument", "body", "name", "session")

    def __init__(self, session: Session, argument: str, body: str, name: str) -> None:
        self.session = session
        self.argument = argument
        self.body = body
        self.name = name


class FormResult:
    """What a form gives: an outcome to show as of any cell, and text to print."""

    __slots__ = ("outcome", "text")

    def __init__(self, *, outcome: Outcome | None = None, text: str = "") -> None:
        self.outcome = outcome
        self.text = text


class Form:
    """One cell form, with its help."""

    __slots__ = ("help", "run", "usage")

    def __init__(self, usage: str, help: str, run: Callable[[Cell], FormResult]) -> None:
        self.usage = usage
        self.help = help
        self.run = run


def is_cell_magic(code: str) -> bool:
    """Whether a cell begins with ``%%name``."""
    return _FIRST_LINE.match(code) is not None


def run_form(session: Session, code: str, cell_name: str) -> FormResult:
    """Run a cell form; raises FormError for one that is unknown or used wrongly."""
    match = _FIRST_LINE.match(code)
    assert match is not None
    name, argument = match["name"], match["argument"].strip()
    form = FORMS.get(name)
    if form is None:
        raise FormError(f"there is no cell form %%{name}; there are {', '.join(listing())}")
    if argument in ("?", "-h", "--help"):
        return FormResult(text=f"{form.usage}\n\n{form.help}\n")
    return form.run(Cell(session, argument, code[match.end() :], cell_name))


def split_magic(code: str) -> tuple[str, str, int]:
    """Name and argument of a form, and where its body begins."""
    match = _FIRST_LINE.match(code)
    if match is None:
        return "", "", 0
    return match["name"], match["argument"].strip(), match.end()


def listing() -> list[str]:
    """The names of the forms, as they are written."""
    return [f"%%{name}" for name in FORMS]


def parameters_of(session: Session, text: str) -> dict[str, Any] | None:
    """Parameters of a template: a Puppet hash, or YAML with or without braces; '' is none."""
    if not text:
        return None
    if "=>" in text:
        outcome = session.execute(text if text.startswith("{") else f"{{{text}}}", record=False)
        if outcome.error is not None:
            raise FormError(f"the parameters: {outcome.error}")
        return dict(outcome.value.items())
    from yaml import YAMLError, safe_load

    try:
        found = safe_load(text if text.startswith("{") else f"{{{text}}}")
    except YAMLError as error:
        raise FormError(f"the parameters are no YAML: {error}") from None
    return {str(name): value for name, value in found.items()}


def _epp(cell: Cell) -> FormResult:
    outcome = cell.session.render_epp(cell.body, parameters_of(cell.session, cell.argument))
    if outcome.error is not None:
        return FormResult(outcome=outcome)
    return FormResult(text=str(cell.session.describe(outcome.value)["str"]))


def _facts(cell: Cell) -> FormResult:
    from puppet_repl.environment.facts import FactsError, load_facts

    session, argument, body = cell.session, cell.argument, cell.body
    if argument:
        try:
            facts = load_facts(argument)
        except FactsError as error:
            raise FormError(str(error)) from None
    else:
        facts = {}
    if body.strip():
        from yaml import YAMLError, safe_load

        try:
            given = safe_load(body)
        except YAMLError as error:
            raise FormError(f"the facts are neither YAML nor JSON: {error}") from None
        if not isinstance(given, dict):
            raise FormError("facts are a mapping of names to values")
        facts = {**facts, **given}
    if not facts:
        raise FormError("name a set of facts, or write facts as YAML or JSON below")
    session.use_facts(facts)
    return FormResult(text=f"{len(facts)} facts; the session begins anew\n")


def _file(cell: Cell) -> FormResult:
    if not cell.argument:
        raise FormError("%%file wants the name of a file")
    path = Path(cell.argument).expanduser()
    existed = path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(cell.body, encoding="utf-8")
    except OSError as error:
        raise FormError(f"cannot write {path}: {error.strerror or error}") from None
    return FormResult(text=f"{'overwrote' if existed else 'wrote'} {path}\n")


def _time(cell: Cell) -> FormResult:
    start = time.perf_counter()
    # The line in front keeps the lines of errors right.
    outcome = cell.session.execute(f"{cell.argument}\n{cell.body}", cell.name)
    spent = time.perf_counter() - start
    shown = f"{spent:.2f} s" if spent >= 1 else f"{spent * 1000:.2f} ms"
    return FormResult(outcome=outcome, text="" if outcome.error else f"{shown}\n")


FORMS = {
    "epp": Form(
        "%%epp [PARAMETERS]",
        "Render the cell as an EPP template. Parameters are a Puppet hash (name => 'x', ...) or "
        "YAML (name: x, ...).",
        _epp,
    ),
    "facts": Form(
        "%%facts [SET]",
        "Begin anew as a machine with these facts: a bundled set or file by name, and YAML or "
        "JSON in the cell, which goes before it.",
        _facts,
    ),
    "file": Form("%%file NAME", "Write the cell to a file, for example of a module.", _file),
    "time": Form("%%time", "Run the cell and say how long it took.", _time),
}
