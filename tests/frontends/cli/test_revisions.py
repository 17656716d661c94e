"""``--since`` takes the files that differ, and runs no program that a repository names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.validate import main
from tests.frontends.cli.test_validation_formats import git


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "repository"
    directory.mkdir()
    git(directory, "init", "-q")
    for name in ("same.pp", "touched.pp", "changed.pp"):
        (directory / name).write_text("$x = 1\n")
    git(directory, "add", "-A")
    git(directory, "commit", "-qm", "one")
    (directory / "changed.pp").write_text("$x = 2\n")
    os.utime(directory / "touched.pp", (1, 1))
    monkeypatch.chdir(directory)
    return directory


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["validate", "--since", "HEAD", *arguments]) == 0
    return capsys.readouterr().err


def test_only_other_bytes_differ(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys) == "checked 1 file\n"
    (repository / "changed.pp").write_text("$x = 1\n")
    assert checked(capsys) == "checked 0 files\n"


def test_no_filter_hook_or_monitor_runs(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 >> '{ran}'\ncat\n")
    program.chmod(0o755)
    (repository / ".gitattributes").write_text("*.pp filter=x diff=x\n")
    hooks = repository / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "post-index-change").symlink_to(program)
    for name in ("filter.x.clean", "core.fsmonitor", "diff.x.textconv", "diff.external"):
        git(repository, "config", name, str(program))
    ran.unlink(missing_ok=True)
    index = repository / ".git/index"
    os.utime(index, (2, 2))  # git reads files again that are younger than the index
    before = index.read_bytes(), index.stat().st_mtime
    assert checked(capsys) == "checked 1 file\nnot read: .gitattributes\n"
    assert not ran.exists()
    assert (index.read_bytes(), index.stat().st_mtime) == before


@pytest.mark.parametrize("path", ["nothere.pp", "nowhere/nothere.pp", "nothere.txt"])
def test_a_path_to_nothing_is_an_error(
    repository: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", "--since", "HEAD", path]) == 2
    wanted = f"Error: cannot read {path}: No such file or directory\n1 error\n"
    assert capsys.readouterr().err == wanted


def test_links_are_compared_by_their_targets(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "link.pp").symlink_to("same.pp")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two")
    assert checked(capsys) == "checked 0 files\n"
    (repository / "link.pp").unlink()
    (repository / "link.pp").symlink_to("touched.pp")
    assert checked(capsys) == "checked 1 file\n"


def test_the_repository_of_a_hook_is_not_asked(
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    for name, path in (
        *(("GIT_DIR", other / ".git"), ("GIT_WORK_TREE", other)),
        *(("GIT_INDEX_FILE", other / ".git/index"), ("GIT_OBJECT_DIRECTORY", other / "objects")),
    ):
        monkeypatch.setenv(name, str(path))
    assert checked(capsys) == "checked 1 file\n"
