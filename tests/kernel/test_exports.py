"""Notebooks as manifests, HTML and Markdown, through nbconvert."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source
from puppet_repl.syntax.validate import validate

CELLS = (
    "$x = {'a' => [1, 'two', true]}",
    "1 + 2",
    "[{'cmd' => 'echo $HOME and $PATH', 'n' => 1}, {'cmd' => '$5 to $10', 'n' => 2}]",
    "notify { 'n': message => 'm' }\n:resources\n$y = 3",
    "%%time\nfile { '/tmp/a': ensure => file }",
    "%%epp\n<%= 1 %>",
    "%%capture $seen\nwarning('careful')",
)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook that was run."""
    path = tmp_path_factory.mktemp("notebook") / "n.ipynb"
    metadata = {"kernelspec": {"name": "puppet", "display_name": "Puppet", "language": "puppet"}}
    made = nbformat.v4.new_notebook(metadata=metadata)
    made.cells = [nbformat.v4.new_markdown_cell("# A title\n\ntext")]
    made.cells += [nbformat.v4.new_code_cell(code) for code in CELLS]
    NotebookClient(made, kernel_name="puppet", timeout=60).execute()
    nbformat.write(made, path)
    return path


def converted(path: Path, kind: str, *options: str) -> str:
    command = [sys.executable, "-m", "nbconvert", "--to", kind, "--stdout", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_manifest_that_is_well_formed(notebook: Path) -> None:
    text = converted(notebook, "puppet")
    validate(parse(Source(text)))
    assert text == (
        "# # A title\n#\n# text\n\n"
        "$x = {'a' => [1, 'two', true]}\n\n"
        "# 1 + 2\n\n"
        f"# {CELLS[2]}\n\n"
        "notify { 'n': message => 'm' }\n# :resources\n$y = 3\n\n"
        "# %%time\nfile { '/tmp/a': ensure => file }\n\n"
        "# %%epp\n# <%= 1 %>\n\n"
        "# %%capture $seen\nwarning('careful')\n"
    )


def test_html_has_colours_and_no_formulas(notebook: Path) -> None:
    text = converted(notebook, "html")
    assert ".highlight .mi" in text, "the rules for the classes are in the page"
    outputs = re.findall(
        r'<div class="highlight mathjax_ignore tex2jax_ignore".*?</div></div>', text, re.DOTALL
    )
    assert any("<span class=\"s1\">'two'</span>" in output for output in outputs)
    assert "var(--" not in "".join(outputs)


def test_markdown_can_be_read(notebook: Path) -> None:
    text = converted(notebook, "markdown")
    assert "\n    3\n" in text, "a word is plain text"
    assert "\x1b[" not in text


def test_scripts_are_the_cells(notebook: Path) -> None:
    text = converted(notebook, "script")
    assert "$x = {'a' => [1, 'two', true]}" in text
    directory = notebook.parent
    command = [sys.executable, "-m", "nbconvert", "--to", "script", str(notebook)]
    subprocess.run(command, check=True, capture_output=True)
    assert (directory / "n.pp").exists()
