"""The commit in the version, read from the files of git; git itself could not read these trees."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from puppet_repl.base import version

COMMIT = "2582af2c0ffee0000000000000000000000000"
OTHER = "1111111111111111111111111111111111111111"
HEAD = "ref: refs/heads/main\n"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({".git/HEAD": COMMIT}, "0.1.0 (2582af2)"),
        ({".git/HEAD": HEAD, ".git/refs/heads/main": COMMIT}, "0.1.0 (2582af2)"),
        (
            {
                ".git/HEAD": HEAD,
                ".git/packed-refs": f"# x\n{OTHER} refs/heads/m\n{COMMIT} refs/heads/main\n",
            },
            "0.1.0 (2582af2)",
        ),
        (
            {
                ".git": "gitdir: main/.git/worktrees/one\n",
                "main/.git/worktrees/one/HEAD": HEAD,
                "main/.git/worktrees/one/commondir": "../..\n",
                "main/.git/refs/heads/main": COMMIT,
            },
            "0.1.0 (2582af2)",
        ),
        ({"puppet_repl/base/commit.txt": "2582af2"}, "0.1.0 (2582af2)"),
        ({".git/HEAD": OTHER, "puppet_repl/base/commit.txt": "2582af2"}, "0.1.0 (2582af2)"),
        ({".git/HEAD": HEAD}, "0.1.0"),
        ({"puppet_repl/base/commit.txt": ""}, "0.1.0"),
        ({}, "0.1.0"),
    ],
)
def test_the_commit(tmp_path: Path, files: dict[str, str], wanted: str) -> None:
    module = tmp_path / "puppet_repl" / "base" / "version.py"
    module.parent.mkdir(parents=True)
    shutil.copy(version.__file__, module)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = runpy.run_path(str(module))["full_version"]()
    assert found == wanted.replace("0.1.0", version.__version__)


def test_it_is_that_of_git() -> None:
    root = Path(version.__file__).parents[2]
    if not (root / ".git").exists():
        pytest.skip("this is no checkout")
    command = ["git", "rev-parse", "HEAD"]
    head = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert version.commit() == head[:7]
