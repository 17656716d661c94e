"""Lessons have one shape, and their exercises can be solved and checked.

An exercise is four cells: the task with a folded hint, a cell to write into, a cell that checks
what was written, and a folded solution.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.environment.ruby.engine import needs_sandbox
from tests.kernel.test_notebooks import DIRECTORY, NEED_RUBY, tags

INDEX = "00-index"
LESSONS = [
    pytest.param(path, marks=needs_sandbox if path.stem in NEED_RUBY else (), id=path.stem)
    for path in sorted(DIRECTORY.glob("*.ipynb"))
    if path.stem != INDEX
]
FENCE = re.compile(r"```puppet\n(.*?)\n```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+\.ipynb)\)")
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
# JupyterLab cuts longer lines of code, on a screen that is not wide.
MAX_WIDTH = 80
FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>\n\n.*?\n\n</details>", re.DOTALL)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def exercises(notebook: Any) -> list[list[Any]]:
    """Return the four cells of each exercise of a notebook."""
    cells = notebook.cells
    starts = [at for at, cell in enumerate(cells) if "exercise" in tags(cell)]
    return [cells[at - 1 : at + 3] for at in starts]


def solution(cell: Any) -> str:
    match = FENCE.search(cell.source)
    assert match is not None, cell.source
    return match[1]


def statuses(notebook: Any) -> list[str]:
    """Run all cells in a new kernel; return how the cells that check ended."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(notebook, kernel_name="puppet", timeout=60, allow_errors=True)
    client.execute(cwd=str(DIRECTORY))
    return [
        "error" if any(output.output_type == "error" for output in cell.outputs) else "ok"
        for cell in notebook.cells
        if "check" in tags(cell)
    ]


@pytest.mark.parametrize("path", LESSONS)
def test_a_lesson_has_exercises_of_one_shape(path: Path) -> None:
    notebook = read(path)
    found = exercises(notebook)
    assert len(found) >= 2
    for task, answer, check, solved in found:
        assert task.cell_type == "markdown" and task.source.startswith("### Exercise: ")
        assert FOLDED.findall(task.source) == ["Hint"]
        assert answer.cell_type == "code"
        assert {"check", "raises-exception"} <= set(tags(check))
        assert check.source.startswith("%%check\n")
        for cell in (answer, check):
            assert (cell.outputs, cell.execution_count) == ([], None), "shown as run"
        assert "solution" in tags(solved)
        assert FOLDED.findall(solved.source) == ["A solution"]
        assert len(FENCE.findall(solved.source)) == 1
        # Where a cell stops in the debugger, each cell with the same code has the mark.
        if re.search(r"^[^#\s%]", answer.source, re.MULTILINE):
            assert [cell.source for cell in notebook.cells].count(answer.source) == 1
    kinds = [kind for cell in notebook.cells for kind in tags(cell)]
    assert kinds.count("check") == kinds.count("solution") == len(found)


@pytest.mark.parametrize("path", LESSONS)
def test_a_lesson_leads_to_the_others(path: Path) -> None:
    cells = read(path).cells
    number = int(path.stem[:2])
    assert cells[0].source.startswith(f"# {number}. ")
    assert "**After this lesson you can**" in cells[0].source
    assert re.search(r"\bAbout \d+ minutes\b", cells[0].source)
    assert cells[-1].source.startswith("## In short")
    names = [each.name for each in sorted(DIRECTORY.glob("*.ipynb"))]
    at = names.index(path.name)
    wanted = {names[0], names[at - 1], *names[at + 1 : at + 2]}
    for cell in (cells[0], cells[-1]):
        assert wanted <= set(LINK.findall(cell.source))


@pytest.mark.parametrize("path", LESSONS)
def test_code_is_not_too_wide(path: Path) -> None:
    cells = read(path).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    for cell in cells:
        if cell.cell_type == "markdown":
            code += BLOCK.findall(cell.source)
    lines = [line for each in code for line in each.split("\n")]
    assert [line for line in lines if len(line) > MAX_WIDTH] == []


def test_every_link_leads_somewhere_and_the_index_to_every_lesson() -> None:
    for path in DIRECTORY.glob("*.ipynb"):
        links = {link for cell in read(path).cells for link in LINK.findall(cell.source)}
        for link in links:
            assert (DIRECTORY / link).exists(), f"{path.name}: {link}"
        if path.stem == INDEX:
            assert links == {each.name for each in DIRECTORY.glob("*.ipynb")} - {path.name}


@pytest.mark.slow
@pytest.mark.parametrize("path", LESSONS)
def test_the_solutions_pass_their_checks(path: Path) -> None:
    notebook = read(path)
    found = exercises(notebook)
    for _task, answer, _check, solved in found:
        answer.source = solution(solved)
    assert statuses(notebook) == ["ok"] * len(found)
