"""Real editors with the real server: Neovim, and Emacs with eglot. Neither is installed here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.language_server.client import COMMAND

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROUGH = "class shop ($port) {\n  file { '/a': mode => 644 }\n$y   = upc\n}\n"
EMACS = ("emacs", "--batch", "-q")


def lacks(*command: str) -> bool:
    """Tell whether a command is not there, or fails."""
    if shutil.which(command[0]) is None:
        return True
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL).returncode != 0


def shown_by(command: list[str], tmp_path: Path) -> dict[str, Any]:
    """Return what an editor has got from the server, for a module in a directory."""
    file = tmp_path / "shop" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text(ROUGH)
    environment = {
        **os.environ,
        "COMMAND": json.dumps(list(COMMAND)),
        "FILE": str(file),
        "HOME": str(tmp_path),
        "ROOT": str(tmp_path / "shop"),
    }
    done = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check(shown: dict[str, Any]) -> None:
    (message,) = shown["diagnostics"]
    assert message.endswith("a mode is a string, and 644 is a number: write '0644'")
    assert "A file, a directory or a link" in shown["hover"]
    assert shown["completion"] == "upcase"
    assert shown["symbols"] == ["shop"]
    formatted = ROUGH.replace("$y   =", "  $y =")
    assert shown["text"] == formatted
    assert shown["parameter"] == formatted.replace("$port", "$door")


@pytest.mark.skipif(lacks("nvim", "--version"), reason="there is no Neovim")
def test_neovim(tmp_path: Path) -> None:
    script = str(HERE / "neovim.lua")
    shown = shown_by(
        ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", script], tmp_path
    )
    check(shown)
    assert shown["class"] == shown["parameter"].replace("shop", "shop::main")
    assert shown["file"] == "main.pp"
    assert not (tmp_path / "shop/manifests/init.pp").exists()
    assert shown["lens"] == "compile"
    assert shown["catalog"].startswith("# No catalog: class shop on ")


@pytest.mark.skipif(
    lacks(*EMACS, "--eval", "(progn (package-initialize) (require 'eglot))"),
    reason="there is no Emacs with eglot",
)
def test_emacs(tmp_path: Path) -> None:
    shown = shown_by([*EMACS, "-l", str(HERE / "emacs.el")], tmp_path)
    check(shown)
    # Newer versions of eglot rename files for a server.
    assert "this editor renames no files" in shown["class"] or shown["class"] == "no error"
