"""Modules whose metadata.json is not as it should be, against Puppet 8.11."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.stamp import Look
from puppet_repl.environment.modules.metadata import finding_of
from puppet_repl.environment.modules.modules import Module
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

GOOD = dict.fromkeys(("author", "license", "source", "version"), "x") | {"dependencies": []}


def test_a_fault_says_where_it_is(tmp_path: Path) -> None:
    write_files(tmp_path, {"m/metadata.json": "[1]", "m/functions/f.pp": "function m::f() { 1 }"})
    session = Session(Options(modulepath=(str(tmp_path),)))
    assert session.execute("1 + 1").error is None  # nothing of a module is asked for
    for _ in range(2):
        error = session.execute("m::f()").error
        assert error is not None
        assert error.notes == (f"{tmp_path}/m/metadata.json is not a JSON object",)


def test_a_session_logs_it_once_and_sees_changes(tmp_path: Path) -> None:
    files = {"m/functions/f.pp": "function m::f() { 1 }", "m/metadata.json": '{"a": 1}'}
    write_files(tmp_path, files)
    session = Session(Options(modulepath=(str(tmp_path),)))
    first, second = (session.execute("module_directory('m')") for _ in range(2))
    assert first.logs == [("err", "No source module metadata provided for m")]
    assert second.logs == []
    assert first.value is second.value is None
    assert "Unknown function" in str(session.execute("m::f()").error)
    (tmp_path / "m/metadata.json").write_text(json.dumps(GOOD))
    assert session.execute("m::f()").value == 1


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"m/metadata.json": "{"})
    module = Module("m", str(tmp_path / "m"))
    known: Any = {}
    finding = finding_of(module, "error", known, Look())
    assert not finding.is_loaded
    assert finding_of(module, "error", known, Look()) is finding
    assert finding_of(module, "warning", known, Look()).is_loaded
