"""The user's directories of a test are its own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of config.toml and startup.pp, which exists."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    directory = tmp_path / "config" / "puppet-repl"
    directory.mkdir(parents=True)
    return directory
