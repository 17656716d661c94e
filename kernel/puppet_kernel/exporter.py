"""Notebooks as manifests: ``jupyter nbconvert --to puppet``."""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import Exporter
from traitlets import default

from puppet_kernel.cell_magics import CellMagicError, is_cell_magic
from puppet_kernel.cell_parts import Plan, below_ways, captured_names
from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.entries import without_semicolon
from puppet_repl.frontends.commands.files import commented
from puppet_repl.frontends.commands.manifests import (
    ManifestPart,
    code_parts,
    leave_out_repetitions,
    left_out,
)
from puppet_repl.host.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.session import Session


class PuppetExporter(Exporter):
    """Writes a manifest that is well formed."""

    output_mimetype = "text/x-puppet"
    export_from_notebook = "Puppet manifest"

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".pp"

    def from_notebook_node(  # type: ignore[override]  # as the other exporters do
        self, nb: Any, resources: Any = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the manifest of a notebook, and the resources that nbconvert hands on."""
        notebook, handed_on = super().from_notebook_node(nb, resources, **kw)
        return notebook_manifest(Host(facts={}).session, notebook.cells), handed_on


# The tag of cells that JupyterLab and nbclient allow to fail.
_FAILS = "raises-exception"


def notebook_manifest(session: Session, cells: Iterable[Any]) -> str:
    """Return the manifest of the cells of a notebook; it is well formed.

    A mark is above each, as jupytext and editors write it.
    """
    written = [cell for cell in cells if cell.source.strip()]
    texts = [list(_parts(session, cell)) for cell in written]
    leave_out_repetitions([part for parts in texts for part in parts])
    shown = ["\n".join([part.text for part in parts if part.text]) for parts in texts]
    marks = ["# %%" if cell.cell_type == "code" else "# %% [markdown]" for cell in written]
    marked = [f"{mark}\n{text}" for mark, text in zip(marks, shown, strict=True) if text]
    return "\n\n".join(marked) + "\n"


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
