"""The cells of a notebook as a manifest.

Text, commands, cell magics, and code that is a mere value become comments. So does what a notebook
may have and a manifest may not, with a line that says why it is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from puppet_kernel.cell_magics import CellMagicError, is_cell_magic
from puppet_kernel.cell_parts import Plan, below_ways, captured_names
from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.files import commented
from puppet_repl.frontends.commands.manifests import (
    ManifestPart,
    code_parts,
    leave_out_repetitions,
    left_out,
)
from puppet_repl.frontends.shared.entries import without_semicolon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.session import Session

# The tag of cells that JupyterLab and nbclient allow to fail.
_FAILS = "raises-exception"


def notebook_manifest(session: Session, cells: Iterable[Any]) -> str:
    """Return the manifest of the cells of a notebook; it is well formed."""
    texts = [list(_parts(session, cell)) for cell in cells if cell.source.strip()]
    leave_out_repetitions([part for parts in texts for part in parts])
    shown = ["\n".join([part.text for part in parts if part.text]) for parts in texts]
    return "\n\n".join([text for text in shown if text]) + "\n"


def _parts(session: Session, cell: Any) -> Iterator[ManifestPart]:
    if cell.cell_type == "markdown":
        yield ManifestPart(commented(cell.source))
    if cell.cell_type != "code":
        return
    plan = Plan()
    try:
        plan.read(session, cell.source)
    except CellMagicError:
        yield ManifestPart(commented(cell.source))
        return
    ways = cell.source[: below_ways(cell.source)].strip()
    captured = ManifestPart(commented(ways) if ways else "")
    captured.variables = tuple(captured_names(cell.source))
    yield captured
    for part in plan.parts:
        text = part.strip("\n")
        if is_command(text) or is_cell_magic(text):
            yield ManifestPart(commented(text))
            continue
        code = without_semicolon(session, text)[0]
        if _FAILS in cell.metadata.get("tags", ()):
            yield ManifestPart(left_out(code, "it is meant to fail"))
        else:
            yield from code_parts(code)
