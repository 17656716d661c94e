"""Every notebook runs from top to bottom and gives the outputs that are committed with it."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.environment.ruby.engine import needs_sandbox

DIRECTORY = Path(__file__).parent.parent.parent / "notebooks"
NEED_RUBY = ("11-your-modules",)
# How many calls fit depends on the frames of the kernel around the code, not on the code.
DEPTH = re.compile(r"(?<=\()9\d{3} times")
NOTEBOOKS = [
    pytest.param(path, marks=needs_sandbox if path.stem in NEED_RUBY else (), id=path.stem)
    for path in sorted(DIRECTORY.glob("*.ipynb"))
]


def executed(notebook: Any) -> Any:
    """A copy of the notebook with the outputs of a run in a new kernel."""
    run = copy.deepcopy(notebook)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
            cell.metadata.pop("execution", None)
    client = NotebookClient(
        run, kernel_name="puppet", timeout=60, allow_errors=True, record_timing=False
    )
    client.execute(cwd=str(DIRECTORY))
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return run


def joined(outputs: list[Any]) -> list[Any]:
    """Outputs with text that came in several messages in one, as JupyterLab keeps it."""
    found: list[Any] = []
    for output in outputs:
        last = found[-1] if found else None
        is_more = last is not None and output.output_type == last.output_type == "stream"
        if is_more and output.name == last.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def outputs(notebook: Any) -> list[Any]:
    return [cell.get("outputs", []) for cell in notebook.cells]


def without_depth(found: list[Any]) -> list[Any]:
    """Outputs without the exact number of calls of an endless recursion."""
    return [
        {**output, "traceback": [DEPTH.sub("9... times", line) for line in output.traceback]}
        if output.output_type == "error"
        else output
        for output in found
    ]


def tags(cell: Any) -> list[str]:
    found: list[str] = cell.metadata.get("tags", [])
    return found


def check_unsolved(run: Any) -> None:
    """What checks an exercise fails while nothing is written for it, and is not shown as run.

    Nor is the cell for the answer: it is the reader who runs it.
    """
    for cell in run.cells:
        if not {"exercise", "check"} & set(tags(cell)):
            continue
        kinds = [output.output_type for output in cell.outputs]
        if "check" in tags(cell):
            assert "error" in kinds, f"holds without a solution: {cell.source}"
        else:
            assert "error" not in kinds, f"fails as it is: {cell.source}"
        cell.outputs, cell.execution_count = [], None


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS)
def test_the_outputs_are_those_committed(path: Path, update_goldens: bool) -> None:
    committed = nbformat.read(path, as_version=4)
    run = executed(committed)
    check_unsolved(run)
    if update_goldens:
        nbformat.write(run, path)
        return
    assert run.metadata.language_info == committed.metadata.language_info
    for cell, given, expected in zip(
        committed.cells, outputs(run), outputs(committed), strict=True
    ):
        if "varies" in tags(cell):
            # The Python that something is compiled to is not a promise.
            assert len(given) == len(expected), cell.source
            continue
        assert without_depth(given) == without_depth(expected), cell.source
    for cell in committed.cells:
        if cell.cell_type != "code" or "raises-exception" in tags(cell):
            continue
        kinds = [output.output_type for output in cell.outputs]
        assert "error" not in kinds, f"fails, and is not marked to: {cell.source}"
