"""Notebooks as manifests: ``jupyter nbconvert --to puppet``."""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import Exporter
from traitlets import default

from puppet_kernel.manifest import notebook_manifest
from puppet_repl.host.host import Host


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
