"""Commands of a shell in the lessons do what the lessons say."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

LESSONS = Path(__file__).parents[2] / "notebooks"
_FENCE = re.compile(r"^```console\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(
    r"^\$ (?P<command>puppet-repl .*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE
)


def commands() -> list[tuple[str, str]]:
    """Return each command of this project that a lesson shows, and the output below it."""
    found = []
    for path in sorted(LESSONS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                for fence in _FENCE.finditer(cell.source):
                    for match in _COMMAND.finditer(fence["body"]):
                        found.append((match["command"], match["output"]))
    return found


COMMANDS = commands()


def test_there_are_commands() -> None:
    assert COMMANDS


@pytest.mark.parametrize(("command", "output"), COMMANDS, ids=[each for each, _ in COMMANDS])
def test_a_command_prints_what_is_below_it(command: str, output: str) -> None:
    words = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "puppet_repl", *words],
        cwd=LESSONS,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == output


@pytest.mark.parametrize(("condition", "status"), [("1 + 1 == 2", 0), ("1 + 1 == 3", 1)])
def test_a_notebook_fails_where_a_check_fails(tmp_path: Path, condition: str, status: int) -> None:
    metadata = {"kernelspec": {"name": "puppet", "display_name": "Puppet", "language": "puppet"}}
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    notebook.cells = [nbformat.v4.new_code_cell(f"%%check\n{condition}")]
    nbformat.write(notebook, tmp_path / "tests.ipynb")
    for arguments in (("execute",), ("nbconvert", "--execute", "--to", "html")):
        done = subprocess.run(
            [sys.executable, "-m", "jupyter", *arguments, "tests.ipynb"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status
        assert ("the condition does not hold" in done.stderr) == bool(status)
    assert json.loads((tmp_path / "tests.ipynb").read_text("utf-8"))["cells"]
    assert (tmp_path / "tests.html").exists() != bool(status)
