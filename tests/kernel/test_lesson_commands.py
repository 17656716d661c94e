"""Commands of a shell in the lessons do what the lessons say."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from puppet_repl.base.yaml_data import read_yaml

LESSONS = Path(__file__).parents[2] / "notebooks"
_FENCE = re.compile(r"^```console\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(
    r"^\$ (?P<command>puppet-repl (?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE
)
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
REPORTS = "/srv/reports"
# They change the Python and the cache of whoever runs them.
INSTALLING = ("pip install", "puppet-repl ruby install")


def blocks(language: str) -> list[tuple[str, str]]:
    """Return the blocks of a language in the lessons, each with the name of its lesson."""
    return [
        (path.stem, match["body"])
        for path in sorted(LESSONS.glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for match in _BLOCK.finditer(cell.source)
        if match["language"] == language
    ]


def commands() -> list[tuple[str, str]]:
    """Return each command of this project that a lesson shows, and the output below it."""
    found = []
    for path in sorted(LESSONS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                for fence in _FENCE.finditer(cell.source):
                    for match in _COMMAND.finditer(fence["body"]):
                        command = match["command"].replace("\\\n", "")
                        found.append((command, match["output"]))
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


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook of code cells, the first of which has the parameters."""
    metadata = {"kernelspec": {"name": "puppet", "display_name": "Puppet", "language": "puppet"}}
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    notebook.cells = [nbformat.v4.new_code_cell(each) for each in cells]
    notebook.cells[0].metadata["tags"] = ["parameters"]
    nbformat.write(notebook, path)


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A directory with what the commands of the lessons are about."""
    parameters = "$only = 'all' # machines of this role, or all\n$min_gib = 4"
    write_notebook(tmp_path / "fleet.ipynb", parameters, "[$only, $min_gib]")
    shutil.copytree(LESSONS / "fleet", tmp_path / "fleet")
    shutil.copytree(LESSONS / "testing/modules", tmp_path / "modules")
    for environment in ("production", "change"):
        shutil.copytree(LESSONS / "testing", tmp_path / environment)
        (tmp_path / environment / "manifests").mkdir()
        code = f"class {{ 'backup': scheduler => '{environment}' }}"
        (tmp_path / environment / "manifests" / "site.pp").write_text(code)
    return tmp_path


def shell(script: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with this Python's programs in reach; it goes on behind what fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", script.replace(REPORTS, str(directory))],
        cwd=directory,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_commands_of_a_shell_can_be_run(reports: Path) -> None:
    lines = [
        line
        for _, body in blocks("sh")
        if not body.startswith("#!")
        for line in body.splitlines()
        if not line.startswith(INSTALLING)
    ]
    assert {line.split()[0] for line in lines} == {"puppet-repl", "jupyter", "papermill"}
    # What is compared differs, and so the comparison has a status of its own.
    differing = [line for line in lines if line.startswith("puppet-repl diff")]
    for line in lines:
        done = shell(line, reports)
        assert (done.returncode == 0) == (line not in differing), (line, done.stderr)
    assert (reports / "web.html").exists() and (reports / "web.md").exists()


def run_of_cron(directory: Path) -> tuple[int, Path]:
    """Run the script for cron; return its status and the page that it writes."""
    (script,) = (body for _, body in blocks("sh") if body.startswith("#!"))
    return shell(script, directory).returncode, directory / "web.html"


def run_of_gitlab(directory: Path) -> tuple[int, Path]:
    """Run the job as GitLab does: what comes after the script in any case, in a new shell."""
    job = next(each["report"] for each in map(read_job, blocks("yaml")) if "report" in each)
    status = shell("set -e\n" + "\n".join(job["script"]), directory).returncode
    shell("\n".join(job["after_script"]), directory)
    assert job["artifacts"]["when"] == "always"
    return status, directory / job["artifacts"]["paths"][0]


def run_of_github(directory: Path) -> tuple[int, Path]:
    """Run the steps as GitHub does: behind a failure only those that are always run."""
    steps = next(each["steps"] for each in map(read_job, blocks("yaml")) if "steps" in each)
    status, kept = 0, ""
    for step in steps:
        if status and step.get("if") != "always()":
            continue
        if "run" in step:
            status = shell(step["run"], directory).returncode or status
        elif step["uses"].startswith("actions/upload-artifact"):
            kept = step["with"]["path"]
    return status, directory / kept


def read_job(block: tuple[str, str]) -> Any:
    return read_yaml(block[1])


@pytest.mark.slow
@pytest.mark.parametrize("run", [run_of_cron, run_of_gitlab, run_of_github])
@pytest.mark.parametrize("holds", [True, False])
def test_a_report_leaves_its_page_also_where_a_check_fails(
    reports: Path, run: Callable[[Path], tuple[int, Path]], holds: bool
) -> None:
    condition = "%%check\n$found == 'as it was'" if holds else "%%check\n$found == 'another'"
    write_notebook(reports / "fleet.ipynb", "$only = 'all'", "$found = 'as it was'", condition)
    status, page = run(reports)
    assert (status == 0) == holds
    text = page.read_text("utf-8")
    assert "as it was" in text
    assert ("the condition holds" in text) == holds
    assert ("does not hold" in text) != holds


@pytest.mark.parametrize(("condition", "status"), [("1 + 1 == 2", 0), ("1 + 1 == 3", 1)])
def test_a_notebook_fails_where_a_check_fails(tmp_path: Path, condition: str, status: int) -> None:
    write_notebook(tmp_path / "tests.ipynb", f"%%check\n{condition}")
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
