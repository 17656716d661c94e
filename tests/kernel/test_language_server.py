"""JupyterLab with jupyterlab-lsp finds the language server by an entry point."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
ENTRY_POINTS = PROJECT["project"]["entry-points"]["jupyter_lsp_spec_v1"]


def test_the_entry_point_names_a_server_that_is_there() -> None:
    (place,) = ENTRY_POINTS.values()
    module, _, name = place.partition(":")
    (server,) = getattr(importlib.import_module(module), name)(None).values()
    assert server["version"] == 2
    command, *arguments = server["argv"]
    assert command in PROJECT["project"]["scripts"]
    program = [sys.executable, "-m", "puppet_repl", *arguments, "--help"]
    done = subprocess.run(program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Language Server Protocol" in done.stdout
