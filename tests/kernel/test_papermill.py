"""Notebooks that papermill executes with parameters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import papermill
import pytest
from papermill.exceptions import PapermillException

NAMES = {"k": [1, "it's $x", None, True, 1.5, -(2**62)], "two": {"a b": "\u00fc \u20ac\n"}}

REPORT = Path(__file__).parents[2] / "notebooks" / "16-reports-that-run-by-themselves.ipynb"
# Cells of exercises, which are not solved.
TASKS = {"check", "exercise"}


def written(path: Path, *cells: str) -> Path:
    """A notebook whose first cell is that of its parameters."""
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "puppet", "display_name": "Puppet", "language": "puppet"}}
    )
    notebook.cells = [nbformat.v4.new_code_cell(code) for code in cells]
    notebook.cells[0].metadata["tags"] = ["parameters"]
    nbformat.write(notebook, path)
    return path


def executed(path: Path, parameters: dict[str, Any]) -> Any:
    return papermill.execute_notebook(
        str(path), str(path.with_suffix(".done.ipynb")), parameters, progress_bar=False
    )


def test_parameters_are_puppet_values(tmp_path: Path) -> None:
    cells = ("$port = 80\n$names = []", "$names['k'] + $port", "$names['two']")
    done = executed(written(tmp_path / "p.ipynb", *cells), {"port": 8080, "names": NAMES})
    assert done.cells[1].metadata["tags"] == ["injected-parameters"]
    assert [cell.outputs[0]["data"]["text/plain"] for cell in done.cells[2:]] == [
        "[1, 'it\\'s $x', undef, true, 1.5, -4611686018427387904, 8080]",
        "{'a b' => \"\u00fc \u20ac\\n\"}",
    ]


def test_no_other_names_are_parameters(tmp_path: Path) -> None:
    path = written(tmp_path / "p.ipynb", "$port = 80")
    with pytest.raises(PapermillException, match="'Port-A' is not a valid name"):
        executed(path, {"Port-A": 1})


def test_the_parameters_of_a_notebook_are_listed(tmp_path: Path) -> None:
    code = "# Needs:\n$port = 80 # where it listens\n$name = 'a # b'\n$c = [file('/x')]"
    found = papermill.inspect_notebook(str(written(tmp_path / "p.ipynb", code)))
    assert found == {
        "port": {
            "name": "port",
            "inferred_type_name": "Integer",
            "default": "80",
            "help": "where it listens",
        },
        "name": {
            "name": "name",
            "inferred_type_name": "String",
            "default": "'a # b'",
            "help": "",
        },
        "c": {"name": "c", "inferred_type_name": "None", "default": "[file('/x')]", "help": ""},
    }
    assert papermill.inspect_notebook(str(written(tmp_path / "q.ipynb", "$port = ["))) == {}


def test_the_report_of_the_lessons_is_about_its_parameters(tmp_path: Path) -> None:
    notebook = nbformat.read(REPORT, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not TASKS & set(tags(cell))]
    nbformat.write(notebook, tmp_path / "report.ipynb")
    done = papermill.execute_notebook(
        str(tmp_path / "report.ipynb"),
        str(tmp_path / "done.ipynb"),
        {"only": "db"},
        progress_bar=False,
        cwd=str(REPORT.parent),
    )
    (table,) = [cell for cell in done.cells if cell.source.startswith("$machines = ")]
    shown = table.outputs[0]["data"]["text/plain"]
    assert re.findall(r"'machine' => '(\w+)'", shown) == ["db01", "db02"]


def tags(cell: Any) -> list[str]:
    found: list[str] = cell.metadata.get("tags", [])
    return found
