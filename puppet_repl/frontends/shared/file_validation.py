"""Choose the files for ``validate``, their kinds, and check them."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG

from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.language.syntax.parser import parse
from puppet_repl.tools.advice import advise
from puppet_repl.tools.inspection.findings import warnings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import Report
    from puppet_repl.base.reach import Reach
    from puppet_repl.language.runtime.options import Strictness
    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.source import Source

_ENDINGS = (".pp", ".epp")
# Directories of manifests in which no plans are, whatever is above them.
_OF_MANIFESTS = ("manifests", "functions", "types")


def files_below(directory: str, reach: Reach | None = None) -> list[str]:
    """Return the manifests and templates below a directory.

    Broken links are among them: reading one is an error. Targets of links out of ``reach`` are not
    looked at.
    """
    return sorted(
        str(item)
        for item in Path(directory).rglob("*")
        if item.suffix in _ENDINGS
        and ((reach is not None and not reach.allows(str(item))) or not _is_other(item))
    )


def _is_other(item: Path) -> bool:
    """Tell whether a path is that of a directory or device."""
    try:
        return not S_ISREG(item.stat().st_mode)
    except OSError:
        return False


def checked(
    source: Source,
    *,
    language: str = DEFAULT_LANGUAGE,
    strict: Strictness = "error",
    tasks: bool = False,
    advice: bool = False,
) -> tuple[ast.Program, list[Report]]:
    """Return the tree of a text and the warnings about it, of probable mistakes with ``advice``.

    Plans are allowed in files of plans, and with ``tasks`` everywhere. Raises PuppetError for a
    text that is refused.
    """
    tasks = tasks or is_plan(source.name)
    program = parse(source, epp=_is_template(source.name), tasks=tasks)
    reports = warnings_of(program, language=language, strict=strict, tasks=tasks)
    if advice:
        reports += advise(program)
    return program, reports


def _is_template(name: str | None) -> bool:
    return name is not None and name.endswith(".epp")


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
