"""Directories for a static host: what they take the place of, and what they refuse to."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from playground import site
from playground.directory import SiteError, replaced
from playground.lite import write_lite
from playground.site import STATIC, WORKER, write_site

ROOT = Path(__file__).parents[2]
SIGN = "worker.mjs"


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_directory_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    target = tmp_path / "below" / "site"
    for text in ("first", "second"):
        with replaced(target, SIGN) as new:
            new.mkdir()
            (new / SIGN).write_text(text)
            (new / text).touch()
        assert names(target) == sorted([SIGN, text])
        assert names(target.parent) == ["site"]


def test_a_directory_stays_as_it_was_when_another_cannot_be_made(tmp_path: Path) -> None:
    target = tmp_path / "site"
    target.mkdir()
    (target / SIGN).write_text("first")
    with pytest.raises(SiteError), replaced(target, SIGN) as new:
        new.mkdir()
        raise SiteError("something is missing")
    assert (target / SIGN).read_text() == "first"
    assert names(tmp_path) == ["site"]


@pytest.mark.parametrize("write", [write_lite, write_site])
def test_files_of_somebody_else_are_not_removed(write: object, tmp_path: Path) -> None:
    assert callable(write)
    precious = tmp_path / "precious"
    precious.write_text("mine")
    with pytest.raises(SiteError, match="has other files"):
        write(tmp_path)
    with pytest.raises(SiteError, match="is not a directory"):
        write(precious)
    assert precious.read_text() == "mine"
    assert names(tmp_path) == ["precious"]


def test_a_page_without_its_editor_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "EDITOR", tmp_path / "missing")
    with pytest.raises(SiteError, match="make playground"):
        write_site(tmp_path / "site")
    assert names(tmp_path) == []


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    for name in ("lite", "site"):
        command = [sys.executable, "-m", f"playground.{name}", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "kernel")
        assert done.returncode == 1
        assert done.stderr.startswith(f"python -m playground.{name}: {tmp_path} has other files")
        assert "Traceback" not in done.stderr


def test_a_session_loads_nothing_but_its_files() -> None:
    """What the modules of a worker name is among them; Pyodide and the engine are added."""
    named = re.compile(r"(?:from|import|new URL|released)\W+(?:\./)?([\w-]+\.(?:mjs|js))['?]")
    loaded = {
        name for module in WORKER for name in named.findall((STATIC / module).read_text("utf-8"))
    }
    assert {"worker.mjs", "engine.mjs", "sw.js"} <= loaded <= set(WORKER)
