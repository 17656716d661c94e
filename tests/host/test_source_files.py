"""What the files contain that resources name with ``source``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.host.catalogs import content_now
from puppet_repl.host.source_files import MAX_TEXT
from puppet_repl.session import Options, Session

# SHA-256 of the data, its first 16 digits: `sha256sum`.
NUL_BYTE = "6e340b9cffb37a98"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    directory = tmp_path / "modules" / "web" / "files"
    directory.mkdir(parents=True)
    return directory


def source_of(files: Path, name: str, more: str = "") -> object:
    session = Session(Options(modulepath=(str(files.parents[1]),)), facts={})
    code = f"file {{ '/a': source => 'puppet:///modules/web/{name}'{more} }}"
    assert session.execute(code).error is None
    return content_now(session).resources["File[/a]"].source


def test_text(files: Path) -> None:
    (files / "motd").write_bytes("é\r\n".encode())
    assert source_of(files, "motd") == "é\r\n"
    assert source_of(files, "other") is None


def test_of_binary_and_large_files_there_are_digests(files: Path) -> None:
    (files / "nul").write_bytes(b"\0")
    (files / "latin").write_bytes(b"\xe9")
    (files / "most").write_bytes(b"a" * MAX_TEXT)
    (files / "large").write_bytes(b"a" * (MAX_TEXT + 1))
    assert source_of(files, "nul") == {"bytes": 1, "sha256": NUL_BYTE}
    found = source_of(files, "latin")
    assert isinstance(found, dict) and found["bytes"] == 1
    assert source_of(files, "most") == "a" * MAX_TEXT
    found = source_of(files, "large")
    assert isinstance(found, dict) and found["bytes"] == MAX_TEXT + 1


def test_a_pipe_is_not_read(files: Path) -> None:
    (files / "tree").mkdir()
    (files / "tree" / "nul").write_bytes(b"\0")
    os.mkfifo(files / "pipe")
    os.mkfifo(files / "tree" / "pipe")
    assert source_of(files, "pipe") is None
    assert source_of(files, "tree", ", recurse => true") == {"nul": NUL_BYTE}
