"""How jupyterlab-lsp starts the language server: its entry point ``jupyter_lsp_spec_v1``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def servers(_manager: object) -> dict[str, dict[str, Any]]:
    """Return the servers by their names, in the form of jupyter_lsp's schema, version 2."""
    return {
        "puppet-repl": {
            "version": 2,
            "display_name": "puppet-repl",
            "argv": ["puppet-repl", "language-server"],
            "languages": ["puppet"],
            "mime_types": ["text/x-puppet"],
        }
    }
