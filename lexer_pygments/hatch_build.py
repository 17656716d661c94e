"""Hooks of Hatchling for the two distributions that are built in this checkout.

puppet-repl requires puppet-pygments in a version that an index may not have yet, and both have the
same authors and addresses. The archives of puppet-repl name the commit. A source archive has a
``PKG-INFO``, in which all that is settled.
"""

from __future__ import annotations

import runpy
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SHARED = ("authors", "urls")


def _project(directory: Path) -> dict[str, Any]:
    """Return the table ``project`` of the pyproject.toml in a directory."""
    text = (directory / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]


def _is_source_archive(root: str) -> bool:
    return (Path(root) / "PKG-INFO").exists()


class Checkout(BuildHookInterface):
    """Let a puppet-repl that is built from a checkout know its commit, and have the lexers there.

    ``pip install .`` installs puppet-pygments from ``lexer_pygments``. An editable
    installation, which has that directory on its path, provides the lexers itself.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change the metadata of the wheel before it is written."""
        if _is_source_archive(self.root):
            return
        if version != "editable":
            self._add_commit(build_data)
        if self.target_name != "wheel":
            return
        directory = Path(self.root) / "lexer_pygments"
        lexers = _project(directory)
        core = self.metadata.core
        others = [entry for entry in core.dependencies if not entry.startswith(lexers["name"])]
        if version == "editable":
            core.entry_points.update(lexers["entry-points"])
            core.dependencies[:] = others
        else:
            core.dependencies[:] = [*others, f"{lexers['name']} @ {directory.as_uri()}"]

    def _add_commit(self, build_data: dict[str, Any]) -> None:
        """Let the archive have a file with the commit, which ``puppet-repl --version`` prints."""
        module = Path(self.root) / "puppet_repl" / "base" / "version.py"
        names = runpy.run_path(str(module))
        # A directory, since Windows lets nobody read a temporary file that is open.
        self._directory = tempfile.TemporaryDirectory()
        file = Path(self._directory.name) / names["COMMIT_FILE"]
        file.write_text(names["commit"](), encoding="utf-8")
        path = module.with_name(file.name).relative_to(self.root)
        build_data["force_include"][str(file)] = path.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the file that the archive now has a copy of."""
        if "_directory" in vars(self):
            self._directory.cleanup()


class SharedMetadata(MetadataHookInterface):
    """Let puppet-pygments have what is filled in for puppet-repl: authors and addresses."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the shared fields to those of ``pyproject.toml``."""
        if not _is_source_archive(self.root):
            project = _project(Path(self.root).parent)
            metadata.update({field: project[field] for field in SHARED if field in project})
