"""Notebooks as manifests, HTML and Markdown, through nbconvert."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from puppet_kernel.exporter import PuppetExporter
from puppet_repl.frontends.commands import run as run_command
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.session import Session

LESSONS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
CELLS = (
    "$x = {'a' => [1, 'two', true]}",
    "1 + 2",
    "[{'cmd' => 'echo $HOME and $PATH', 'n' => 1}, {'cmd' => '$5 to $10', 'n' => 2}]",
    "notify { 'n': message => 'm' }\n:resources\n$y = 3",
    "%%time\nfile { '/tmp/a': ensure => file }",
    "%%epp\n<%= 1 %>",
    "%%capture $seen\nwarning('careful')",
    ":graph",
)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook that was run."""
    path = tmp_path_factory.mktemp("notebook") / "n.ipynb"
    run_cells(path, CELLS)
    return path


def run_cells(path: Path, cells: tuple[str, ...]) -> None:
    """Write a notebook that was run to a file."""
    metadata = {"kernelspec": {"name": "puppet", "display_name": "Puppet", "language": "puppet"}}
    made = nbformat.v4.new_notebook(metadata=metadata)
    made.cells = [nbformat.v4.new_markdown_cell("# A title\n\ntext")]
    made.cells += [nbformat.v4.new_code_cell(code) for code in cells]
    NotebookClient(made, kernel_name="puppet", timeout=60).execute()
    nbformat.write(made, path)


def converted(path: Path, kind: str, *options: str) -> str:
    command = [sys.executable, "-m", "nbconvert", "--to", kind, "--stdout", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_manifest_that_is_well_formed(notebook: Path) -> None:
    text = converted(notebook, "puppet")
    validate(parse(Source(text)))
    assert text == (
        "# %% [markdown]\n# # A title\n#\n# text\n\n"
        "# %%\n$x = {'a' => [1, 'two', true]}\n\n"
        "# %%\n# 1 + 2\n\n"
        f"# %%\n# {CELLS[2]}\n\n"
        "# %%\nnotify { 'n': message => 'm' }\n# :resources\n$y = 3\n\n"
        "# %%\n# %%time\nfile { '/tmp/a': ensure => file }\n\n"
        "# %%\n# %%epp\n# <%= 1 %>\n\n"
        "# %%\n# %%capture $seen\nwarning('careful')\n\n"
        "# %%\n# :graph\n"
    )


def exported(*cells: str | NotebookNode) -> str:
    """Return the manifest of a notebook of cells, which all of Puppet's rules hold for."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_code_cell(one) if isinstance(one, str) else one for one in cells
    ]
    text, _ = PuppetExporter().from_notebook_node(notebook)
    outcome = Session(facts={}).execute(text)
    assert outcome.error is None, outcome.error
    return text


@pytest.mark.parametrize(
    ("cells", "manifest"),
    [
        (("$a = 1", "$a = 2"), "$a = 1\n\n# Left out, because $a has a value already:\n# $a = 2\n"),
        (("$a = 1\n$a",), "$a = 1\n# $a\n"),
        (("notice(1);",), "notice(1)\n"),
        (
            ("class c { }", "class c { notice(1) }\ninclude c"),
            "# Left out, because class c is defined again below:\n# class c { }\n\n"
            "class c { notice(1) }\ninclude c\n",
        ),
        (
            ("function f() { 1 }\nnotice(f())", "function f() { 2 }"),
            "function f() { 1 }\nnotice(f())\n\n"
            "# Left out, because function f is defined above:\n# function f() { 2 }\n",
        ),
        (
            ("notify { ['a', 'b']: }", "notify { 'c': } -> notify { 'b': }"),
            "notify { ['a', 'b']: }\n\n# Left out, because Notify['b'] is declared above:\n"
            "# notify { 'c': } -> notify { 'b': }\n",
        ),
        (
            (
                "%%capture $x\n:vars",
                "$y = $x['value']",
                "notice($y)",
                "[1].each |$x| { notice($x) }",
            ),
            "# %%capture $x\n# :vars\n\n# Left out, because $x has no value here:\n"
            "# $y = $x['value']\n\n# Left out, because $y has no value here:\n# notice($y)\n\n"
            "[1].each |$x| { notice($x) }\n",
        ),
        (
            ("['a'].each |$x| { }", "{ 'a' => 1 }.each |$x| { }"),
            "['a'].each |$x| { }\n\n# Left out, because it would go on with the code above:\n"
            "# { 'a' => 1 }.each |$x| { }\n",
        ),
    ],
)
def test_what_a_manifest_cannot_have_is_left_out(cells: tuple[str, ...], manifest: str) -> None:
    assert exported(*cells) == f"# %%\n{manifest}".replace("\n\n", "\n\n# %%\n")


def test_a_manifest_is_loaded_by_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "n.pp"
    path.write_text(exported("$a = 1", "1 + 1", "function f() { $a }", "$b = f()"))
    session = Session(facts={})
    report = run_command(session, f":load {path}")
    assert not report.failed
    assert session.inputs[0][1].strip() == "$a = 1"
    assert len(session.inputs) == 4


def test_cells_that_are_meant_to_fail_are_left_out() -> None:
    fails = nbformat.v4.new_code_cell("fail('x')\n:vars", metadata={"tags": ["raises-exception"]})
    assert exported("$a = 1", fails, "notice($a)") == (
        "# %%\n$a = 1\n\n# %%\n# Left out, because it is meant to fail:\n# fail('x')\n# :vars\n\n"
        "# %%\nnotice($a)\n"
    )


# A manifest has no commands, such as those that choose modules and environments: options do it.
OPTIONS = {
    "10-from-catalog-to-machine": ("--environment", "machines"),
    "11-your-modules": ("--modulepath", "modules"),
    "12-data-layer-by-layer": ("--environment", "data-layers"),
    "15-testing-a-module": ("--environment", "testing"),
}


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_the_lessons_run_as_manifests(lesson: Path, tmp_path: Path) -> None:
    manifest = tmp_path / f"{lesson.stem}.pp"
    manifest.write_text(PuppetExporter().from_filename(str(lesson))[0], encoding="utf-8")
    options = OPTIONS.get(lesson.stem, ())
    command = [sys.executable, "-m", "puppet_repl", *options, str(manifest)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=lesson.parent)
    assert done.returncode == 0, done.stderr


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


def test_latex_shows_graphs_as_text(notebook: Path, tmp_path: Path) -> None:
    # A picture would need Inkscape, and Markdown Pandoc.
    read = nbformat.read(notebook, as_version=4)
    read.cells = [cell for cell in read.cells if cell.cell_type == "code"]
    nbformat.write(read, tmp_path / "n.ipynb")
    text = converted(tmp_path / "n.ipynb", "latex")
    assert "Notify['n']" in text
    assert "includegraphics" not in text.partition("begin{document}")[2]


def test_scripts_are_the_cells(notebook: Path) -> None:
    text = converted(notebook, "script")
    assert "$x = {'a' => [1, 'two', true]}" in text
    directory = notebook.parent
    command = [sys.executable, "-m", "nbconvert", "--to", "script", str(notebook)]
    subprocess.run(command, check=True, capture_output=True)
    assert (directory / "n.pp").exists()


def test_the_commands_of_the_documentation_make_pages_that_lead_to_each_other(
    tmp_path: Path,
) -> None:
    for lesson in LESSONS[7:9]:
        shutil.copy(lesson, tmp_path)
    run_cells(tmp_path / "drawn.ipynb", ("notify { 'a': } -> notify { 'b': }\n:graph svg",))
    page = (Path(__file__).parents[2] / "docs" / "highlighting.md").read_text(encoding="utf-8")
    section = page.partition("## Exported notebooks")[2].partition("\n## ")[0]
    blocks = re.findall(r"```console\n(.*?)```", section, re.DOTALL)
    script = "\n".join(re.sub("^[$] ", "", block, flags=re.MULTILINE) for block in blocks)
    script = script.replace("jupyter nbconvert", f"{shlex.quote(sys.executable)} -m nbconvert")
    subprocess.run(["bash", "-ec", script], cwd=tmp_path, check=True, capture_output=True)
    html = (tmp_path / f"{LESSONS[7].stem}.html").read_text(encoding="utf-8")
    assert html.count(f'href="{LESSONS[8].stem}.html"') == 2
    assert '.ipynb"' not in html
    markdown = (tmp_path / "drawn.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[svg\]\((.*?)\)", markdown)
    assert pictures
    for picture in pictures:
        assert (tmp_path / picture).read_text(encoding="utf-8").startswith("<svg ")
    assert "data:image" not in markdown
