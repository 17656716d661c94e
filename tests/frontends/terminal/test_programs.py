"""The editor gets the text, and its file is gone afterwards."""

from __future__ import annotations

import os
import pty
import resource
import select
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.programs import EditorError, edit_text
from tests.frontends.terminal.terminal_screen import TerminalScreen

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


@pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
def test_an_editor_that_is_not_there_is_named_and_no_other_one_runs(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("EDITOR", os.environ["VISUAL"])
    monkeypatch.delenv("VISUAL")
    monkeypatch.setenv(variable, "no-such-editor --wait")
    with pytest.raises(EditorError, match=rf"no-such-editor --wait \(\${variable}\): No such file"):
        edit_text("1 + 1")
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("own", "seen", "unseen"), [(None, "Space: more  q: back", "own"), ("-Psown", "own", "Space")]
)
@pytest.mark.skipif(shutil.which("less") is None, reason="needs less")
def test_less_says_how_to_leave_it_unless_the_user_has_chosen(
    own: str | None, seen: str, unseen: str
) -> None:
    code = (
        "from puppet_repl.frontends.terminal.programs import show_in_pager\n"
        "show_in_pager('\\n'.join(map(str, range(99))))"
    )
    environment = {**os.environ, "PAGER": "less", "TERM": "xterm"}
    environment.pop("LESS", None)
    if own is not None:
        environment["LESS"] = own
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-c", code], environment)
    shown = b""
    while seen.encode() not in shown and select.select([terminal], [], [], 20)[0]:
        shown += os.read(terminal, 10_000)
    os.write(terminal, b"q")
    os.waitpid(child, 0)
    os.close(terminal)
    assert seen in shown.decode()
    assert unseen not in shown.decode()


@pytest.mark.skipif(shutil.which("less") is None, reason="needs less")
@pytest.mark.parametrize("pager", ["less", "cat | less"])
def test_ctrl_c_is_for_the_pager(tmp_path: Path, pager: str) -> None:
    with TerminalScreen(tmp_path, rows=24, columns=80, PAGER=pager) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(":help all\r")
        for _ in range(3):
            screen.wait_until(lambda: "q: back" in screen.rows[-1])
            screen.type("\x03 ")
            screen.settle()
            assert not any(row.startswith("puppet [") for row in screen.rows[-2:])
        screen.type("!")
        screen.wait_for("Command not available")
        screen.type("\rq")
        screen.wait_until(lambda: screen.rows[-2].startswith("puppet [1]>"))
        screen.run("40 + 2")
        assert "42" in screen.text


def test_ctrl_c_ends_a_program_before_the_next_prompt(tmp_path: Path) -> None:
    slow = 'trap "sleep 1; echo ended; exit" INT; echo ready; while :; do sleep 0.1; done'
    with TerminalScreen(tmp_path, rows=24, columns=100) as screen:
        screen.wait_for("puppet [1]>")
        screen.type(f":vars | sh -c '{slow}'; echo late\r")
        screen.wait_until(lambda: "ready" in screen.rows)
        for _ in range(3):
            screen.type("\x03")
        screen.run("40 + 2")
        assert "42" in screen.text
        assert "late" not in screen.rows
        assert screen.text.index("ended") < screen.text.rindex("puppet [1]> 40")
