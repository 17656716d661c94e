"""The check of manifests and EPP templates, with the warnings of probable mistakes."""

from __future__ import annotations

import os
from pathlib import Path

from puppet_repl.language.syntax.parser import parse
from puppet_repl.tools.advice import advise
from puppet_repl.tools.inspection.findings import warnings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import Report
    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.validation.file import Choices, File

# Directories of manifests in which no plans are, whatever is above them.
_OF_MANIFESTS = ("manifests", "functions", "types")


def check(file: File) -> list[Report]:
    """Return the warnings about a manifest or template; raise PuppetError for a refused one."""
    return checked(file.source, file.options)[1]


def checked(source: Source, choices: Choices) -> tuple[ast.Program, list[Report]]:
    """Return the tree of a text and the warnings about it, of probable mistakes with ``advice``.

    Plans are allowed in files of plans, and with ``tasks`` everywhere. Raises PuppetError for a
    text that is refused.
    """
    tasks = choices.tasks or is_plan(source.name)
    program = parse(source, epp=(source.name or "").endswith(".epp"), tasks=tasks)
    reports = warnings_of(program, language=choices.language, strict=choices.strict, tasks=tasks)
    if choices.advice:
        reports += advise(program)
    return program, reports


def is_plan(name: str | None) -> bool:
    """Tell whether a file is below a directory ``plans``, as its path or its module says."""
    if name is None:
        return False
    path = Path(name)
    parts = path.parts[:-1]
    if "plans" in parts:
        below = parts[len(parts) - parts[::-1].index("plans") :]
        return not any(part in _OF_MANIFESTS for part in below)
    plans = next((each for each in path.absolute().parents if each.name == "plans"), None)
    return plans is not None and os.path.lexists(plans.parent / "metadata.json")
