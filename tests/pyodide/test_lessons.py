"""The lessons in a browser's Python: the outputs are those committed, but for what needs Ruby."""

from __future__ import annotations

import json
import re
from typing import Any

import nbformat
import pytest

from tests.kernel.test_notebooks import DIRECTORY, joined, tags
from tests.pyodide.conftest import Run

Outputs = list[Any]
LESSONS = sorted(path.stem for path in DIRECTORY.glob("*.ipynb"))
# The cells that differ, by what they show: modules with Ruby.
NO_RUBY = "a browser runs no Ruby"
NEED_RUBY = {
    "11-your-modules": {"ruby-there", "cell-7", "cell-8", "cell-10", "cell-14", "cell-21"}
    | {"cell-23"}
}
# Of an endless recursion: how many calls fit.
DEPTH = re.compile(r"(?<=\()\d+ times")


@pytest.fixture(scope="module")
def lessons(run_in_browser: Run) -> dict[str, list[Outputs]]:
    """Return the outputs of the code cells of each lesson."""
    found = dict(json.loads(line) for line in run_in_browser("lessons"))
    return {
        name: [joined([_output(**message) for message in cell]) for cell in cells]
        for name, cells in found.items()
    }


def _output(type: str, content: dict[str, Any]) -> Any:
    kept = {key: value for key, value in content.items() if key != "transient"}
    return nbformat.from_dict({"output_type": type, **kept})


def _comparable(outputs: Outputs) -> Outputs:
    """Outputs without the exact number of calls of an endless recursion."""
    return [
        {**each, "traceback": [DEPTH.sub("... times", line) for line in each["traceback"]]}
        if each["output_type"] == "error"
        else each
        for each in outputs
    ]


@pytest.mark.parametrize("name", LESSONS)
def test_the_outputs_are_those_committed(name: str, lessons: dict[str, list[Outputs]]) -> None:
    notebook = nbformat.read(DIRECTORY / f"{name}.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    differing = set()
    for cell, outputs in zip(code, lessons[name], strict=True):
        if {"exercise", "check", "varies"} & set(tags(cell)):
            continue  # shown as if they were not run, or not the same everywhere
        if _comparable(outputs) != _comparable(cell.outputs):
            differing.add(cell.id)
            shown = json.dumps(outputs)
            assert cell.id in NEED_RUBY.get(name, ()), f"{cell.source}\n{shown[:2000]}"
    assert differing == NEED_RUBY.get(name, set())


def test_what_needs_ruby_says_so(lessons: dict[str, list[Outputs]]) -> None:
    shown = json.dumps(lessons["11-your-modules"])
    assert shown.count(f"{NO_RUBY}: install puppet-repl") >= 4
