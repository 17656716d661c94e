"""Notebooks as manifests: ``jupyter nbconvert --to puppet``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbconvert.exporters import Exporter
from traitlets import default

from puppet_kernel.cell_magics import CellMagicError, is_cell_magic
from puppet_kernel.cell_parts import Plan, below_ways
from puppet_repl.commands import is_command
from puppet_repl.commands.files import commented, manifest_parts
from puppet_repl.frontend.host import Host

if TYPE_CHECKING:
    from puppet_repl.session import Session


class PuppetExporter(Exporter):
    """Writes a manifest that is well formed; what a notebook binds twice stays twice.

    Text, commands, cell magics, and code that is a mere value become comments.
    """

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
        session = Host(facts={}).session
        parts = [_part(session, cell) for cell in notebook.cells if cell.source.strip()]
        return "\n\n".join([part for part in parts if part]) + "\n", handed_on


def _part(session: Session, cell: Any) -> str:
    if cell.cell_type == "markdown":
        return commented(cell.source)
    if cell.cell_type != "code":
        return ""
    plan = Plan()
    try:
        plan.read(session, cell.source)
    except CellMagicError:
        return commented(cell.source)
    ways = cell.source[: below_ways(cell.source)].strip()
    texts = [commented(ways)] if ways else []
    for part in plan.parts:
        text = part.strip("\n")
        is_code = not is_command(text) and not is_cell_magic(text)
        texts.append(manifest_parts([text])[0] if is_code else commented(text))
    return "\n".join(texts)
