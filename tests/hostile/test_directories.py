"""The directory of a stranger in the language server neither stops it nor starts programs.

A file that needs more than linear time needs minutes here: the test does not end.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from puppet_repl.base.programs import find_program, program_directories
from puppet_repl.environment.installation.git import branch_of
from puppet_repl.frontends.shared.revisions import Changed
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_uses import uses_in_data
from tests.conformance.judge import write_files
from tests.frontends.language_server.client import Direct, Process

CLASS = "class web (Integer $port = 80) { }\n"


def test_a_path_with_many_unknown_variables(tmp_path: Path) -> None:
    unknown = "".join(f"%{{v{number}}}a" for number in range(20))
    levels = f"[{{name: a, path: '{unknown}.yaml'}}, {{name: common, path: common.yaml}}]"
    write_files(
        tmp_path,
        {
            "environment.conf": "",
            "hiera.yaml": f"version: 5\nhierarchy: {levels}\n",
            f"data/{'a' * 120}.yml": "x: 1\n",
            "data/common.yaml": "web::port: 1\n",
            "modules/web/manifests/init.pp": CLASS,
        },
    )
    client = Direct()
    client.start(tmp_path, initializationOptions={"trust": False, "facts": "rocky-9"})
    document = client.open((tmp_path / "modules/web/manifests/init.pp").as_uri(), CLASS)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    hints = client.ask("textDocument/inlayHint", {**document, "range": whole})
    assert "1" in str(hints[0]["label"])
    # The same file, if the path could name it, leaves the value open.
    (tmp_path / "data" / f"{'a' * 120}.yaml").write_text("web::port: 2\n")
    again = Direct()
    again.start(tmp_path, initializationOptions={"facts": "rocky-9"})
    document = again.open((tmp_path / "modules/web/manifests/init.pp").as_uri(), CLASS)
    assert not again.ask("textDocument/inlayHint", {**document, "range": whole})


def test_beginnings_of_expressions_in_data() -> None:
    for begun in (" " * 50_000, "%{" * 50_000, " %{ " * 25_000, "lookup('" * 20_000):
        found = uses_in_data(Source(f'x: "%{{{begun}"\ny: "%{{ z }}"\n', "common.yaml"))
        assert [each.name for each in found] == ["x", "y", "z"]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with a program ``git`` that leaves a mark, where PATH may find it."""
    root = tmp_path / "root"
    write_files(root, {"environment.conf": "", "manifests/site.pp": CLASS})
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        name = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *name, *words], cwd=root, check=True)
    for name in ("git", "sub/git"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(f'#!/bin/sh\ntouch {tmp_path}/mark\nexec /usr/bin/git "$@"\n')
        (root / name).chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", f":.:sub:{os.environ['PATH']}")
    return root


def test_no_program_of_the_working_directory_starts(planted: Path) -> None:
    assert os.path.isabs(find_program("git"))
    assert set(program_directories().split(os.pathsep)).isdisjoint(("", ".", "sub"))
    assert branch_of(os.fspath(planted))
    assert os.fspath(planted / "manifests/site.pp") not in Changed([os.fspath(planted)], "HEAD")
    with Process() as client:
        client.start(planted)
        document = client.open((planted / "manifests/site.pp").as_uri(), CLASS)
        given = {"command": "puppet-repl.difference", "arguments": [document]}
        assert client.ask("workspace/executeCommand", given)["same"]
    assert not (planted.parent / "mark").exists()


def test_a_program_that_only_the_working_directory_has(
    planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", ":.:sub")
    with pytest.raises(FileNotFoundError):
        find_program("git")
    assert branch_of(os.fspath(planted)) is None
    assert not (planted.parent / "mark").exists()
