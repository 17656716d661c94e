"""The editor gets the text, and its file is gone afterwards."""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from puppet_repl.terminal.programs import edit_text

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the editor is a shell script")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory for temporary files; the editor adds a line."""
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho '# edited' >> \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    directory = tmp_path / "temporary"
    directory.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    return directory


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ("$x = 'é'\n", "$x = 'é'\n# edited\n"),
        ('"\ud800"\n', '"\\ud800"\n# edited\n'),
    ],
    ids=["letters", "a lone surrogate"],
)
def test_a_text_is_edited(temporary: Path, text: str, edited: str) -> None:
    assert edit_text(text) == edited
    assert list(temporary.iterdir()) == []


@contextmanager
def full_disk() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_keeps_no_file(temporary: Path) -> None:
    with full_disk(), pytest.raises(OSError, match="File too large"):
        edit_text("1 + 1\n" * 10_000)
    assert list(temporary.iterdir()) == []
