"""Files that are no files, or hold what nobody expects: every door says what is wrong, at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.session import Options, Session
from puppet_repl.tools.reports.parts import Complaint

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has neither pipes nor /dev")
LAUGHS = "\n".join(
    ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
)
SECONDS = 60


def shell(directory: Path, *arguments: str) -> tuple[int, str]:
    """Run puppet-repl in a directory; return status and error output."""
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", *arguments],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('"source": null', "cell 1 has no source"),
        ('"source": [1]', "cell 1 has no source"),
        ('"source": 5', "cell 1 has no source"),
        ('"source": ' + "[" * 100_000, "is not a notebook"),
    ],
)
def test_notebooks_of_another_shape(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text(f'{{"cells": [{{"cell_type": "code", {content}}}]}}')
    report = run(Session(), f":load {path}", None)
    assert report.failed
    (complaint,) = report.parts
    assert isinstance(complaint, Complaint)
    assert message in complaint.message


@pytest.mark.parametrize("command", [":load", ":facts use"])
@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "~nosuchuser/x.pp", "a\0b"])
def test_commands_about_what_is_no_file(command: str, name: str, tmp_path: Path) -> None:
    if name == "pipe":
        name = str(tmp_path / "pipe")
        os.mkfifo(name)
    session = Session()
    report = run(session, f"{command} '{name}'", None)
    assert report.failed
    assert session.execute("1 + 1").value == 2


def test_a_pipe_as_a_data_file(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    os.mkfifo(tmp_path / "data" / "x.yaml")
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy:\n  - {name: x, path: x.yaml}\n")
    error = Session(Options(environment=str(tmp_path))).execute("lookup('k')").error
    assert "Not a regular file (a named pipe)" in str(error)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", LAUGHS, "not YAML: aliases stand for more than 250,000 values"),
        ("a.yaml", "a: " + "[" * 100_000, "not YAML: nested more than 1,000 deep at line 1"),
        ("a.json", '{"a": ' + "[" * 100_000, "nested more than 1,000 deep"),
        ("a.json", '{"a": NaN}', "not JSON: NaN is not JSON (line: 1, column: 7)"),
    ],
)
def test_hostile_facts(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert shell(tmp_path, "--facts", name, "-e", "1") == (2, f"puppet-repl: {name}: {message}\n")


def test_facts_are_read_under_the_limit_of_memory(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"a": [[]] * 3_000_000}))
    status, errors = shell(tmp_path, "--max-memory", "64M", "--facts", "a.json", "-e", "1")
    assert (status, errors) == (
        2,
        "puppet-repl: the facts: memory limit exceeded (see --max-memory)\n",
    )


def test_brackets_in_a_text_are_not_depth(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: |\n" + "  [x\n" * 1500 + "b: 1\n")
    assert shell(tmp_path, "--facts", "a.yaml", "-e", "notice($facts['b'])")[0] == 0


def test_keys_of_facts_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x: {true: 1, 1: 3, 1.0: 4, ~: 5}\n")
    assert shell(tmp_path, "--facts", "a.yaml", "-e", "notice($facts['x'])")[1].endswith(
        ": {true => 1, 1 => 3, 1.0 => 4,  => 5}\n"
    )
