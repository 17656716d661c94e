"""jupyter-lsp, which jupyterlab-lsp asks, knows the language server of an installed puppet-repl."""

from __future__ import annotations

from jupyter_lsp import schema
from jupyter_lsp.manager import LanguageServerManager


def test_the_server_is_found() -> None:
    manager = LanguageServerManager()
    manager.initialize()
    server = manager.language_servers["puppet-repl"]
    assert not [*schema.LANGUAGE_SERVER_SPEC_MAP.iter_errors({"puppet-repl": server})]
    assert "text/x-puppet" in server["mime_types"]
