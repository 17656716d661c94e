"""``:modulepath``: the modules of the session, listed and replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.commands import run
from puppet_repl.render.fragments import plain
from puppet_repl.render.report import render_report
from puppet_repl.session import Options, Session


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with one module, ``web``, that has a class."""
    module = tmp_path / "my modules" / "web"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class web { notice('hello') }")
    (module / "metadata.json").write_text('{"name": "me-web", "version": "1.2.3"}')
    return module.parent


def answer(session: Session, text: str) -> str:
    return plain(render_report(run(session, text), 100))


def test_no_modules() -> None:
    assert "no modules" in answer(Session(), ":modulepath")


def test_the_bundled_stdlib_is_listed() -> None:
    assert "9.7.0" in answer(Session(Options(stdlib="9")), ":modulepath")


def test_modules_are_found_and_listed(directory: Path) -> None:
    session = Session()
    session.execute("$x = 1")
    assert answer(session, f":modulepath '{directory}'").strip() == "1 module; session reset"
    assert "x" not in session.variables()
    outcome = session.execute("include web")
    assert outcome.error is None
    assert outcome.logs == [("notice", "hello")]
    assert "1.2.3" in answer(session, ":modulepath")


def test_several_directories_may_be_joined(directory: Path, tmp_path: Path) -> None:
    session = Session()
    empty = tmp_path / "empty"
    empty.mkdir()
    answer(session, f":modulepath {empty}:'{directory}'")
    assert session.options.modulepath == (str(empty), str(directory))


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("/no/such", "/no/such is not a directory"),
        ("'open", "cannot read ''open'"),
        ("/no/such\ninclude web", "/no/such is not a directory"),
    ],
)
def test_wrong_directories(argument: str, complaint: str) -> None:
    session = Session()
    session.execute("$x = 1")
    assert complaint in answer(session, f":modulepath {argument}")
    assert "x" in session.variables()


def test_code_may_follow_in_the_lines_below(directory: Path) -> None:
    logs: list[tuple[str, str]] = []
    session = Session(log=lambda level, text: logs.append((level, text)))
    shown = answer(session, f":modulepath '{directory}'\ninclude web\n$x = 1 + 1\n")
    assert shown.split("\n") == ["1 module; session reset", "2"]
    assert logs == [("notice", "hello")]
    assert session.variables()["x"] == 2
    assert [text for _, text, _ in session.inputs] == ["\ninclude web\n$x = 1 + 1"]


def test_errors_of_such_code_have_the_line_of_the_input(directory: Path) -> None:
    shown = answer(Session(), f":modulepath '{directory}'\n\nnotice(1) + $nope")
    assert "(line: 3, column: 13)" in shown
