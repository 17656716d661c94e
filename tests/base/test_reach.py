"""Files in reach, as a walk finds them: as many as a question for each file would find."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.base.reach import Reach


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Return a directory with files, and with links into it, out of it and in a circle."""
    directory = tmp_path / "opened"
    for name in ("a/b/c.pp", "a/.git/c.pp", "a/GIT~1/c.pp", "a/d.yaml", "é/c.pp", "z.pp"):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.pp").write_text("")
    (outside / "back.pp").symlink_to(directory / "z.pp")
    (directory / "a/secret.pp").symlink_to(outside / "secret.pp")
    (directory / "a/same.pp").symlink_to(directory / "z.pp")
    (directory / "a/round.pp").symlink_to(directory / "a/round.pp")
    (directory / "link").symlink_to(outside)
    (directory / "inner").symlink_to(directory / "a")
    return directory


@pytest.mark.parametrize("top", [".", "a", "..", "a/.git", "link", "inner", "nothing"])
@pytest.mark.parametrize("reached", [".", "a", "a/b"])
def test_a_walk_finds_what_may_be_read(directory: Path, top: str, reached: str) -> None:
    reach = Reach([str(directory / reached)])
    start = os.path.normpath(directory / top)
    asked = [
        path
        for where, _, names in os.walk(start)
        for path in (os.path.join(where, name) for name in names)
        if path.endswith(".pp") and reach.allows(path)
    ]
    walked = [
        path for *_, found in reach.walk(start, lambda path: path.endswith(".pp")) for path in found
    ]
    assert sorted(walked) == sorted(asked)


def test_a_walk_leaves_out_directories_and_has_an_order(directory: Path) -> None:
    found = []
    for _, directories, files in Reach([str(directory)]).walk(str(directory), lambda _: True):
        directories[:] = [name for name in directories if name in ("a", "b")]
        found += [os.path.relpath(path, directory) for path in files]
    assert found == ["z.pp", "a/d.yaml", "a/round.pp", "a/same.pp", "a/b/c.pp"]


def test_a_walk_does_not_look_into_a_directory_out_of_reach(directory: Path) -> None:
    walked = Reach([str(directory)]).walk(str(directory), lambda _: True)
    assert [os.path.relpath(where, directory) for where, *_ in walked if ".git" in where] == []
