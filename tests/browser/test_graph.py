"""The graph of a catalog as a picture: in JupyterLab, and in exports without network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import open_notebook, output, run, show_notebook, wait_for_kernel

CODE = """\
class web {
  package { 'nginx': } -> file { '/etc/nginx/site.conf': } ~> service { 'nginx': }
  Integer[1, 12].each |$i| { file { "/srv/www/site-${i}": ensure => directory } }
}
include web"""


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook with the graph among its outputs, made without JupyterLab."""
    path = tmp_path_factory.mktemp("graph") / "graph.ipynb"
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "puppet", "display_name": "Puppet"}
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in (CODE, ":graph")]
    nbformat.write(notebook, path)
    converted(path, "notebook", "--execute", "--inplace")
    return path


def converted(path: Path, form: str, *arguments: str) -> None:
    command = [sys.executable, "-m", "nbconvert", "--to", form, *arguments, str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def is_drawn(image: Locator) -> bool:
    """Wait for an image; tell whether it could be drawn, and is not a mark for a broken one."""
    expect(image).to_be_visible(timeout=60_000)
    width: int = image.evaluate("image => image.decode().then(() => image.width)")
    return width > 300


def has_own_size(image: Locator) -> bool:
    same: bool = image.evaluate("image => image.width === image.naturalWidth")
    return same


def test_lab_draws_classes_as_boxes(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "graph", CODE, ":graph", ":graph svg")
    for index in range(3):
        run(page, index)
    drawn = output(page, 1).locator("img")
    assert is_drawn(drawn)
    # Mermaid comes before SVG in JupyterLab; its subgraphs are clusters.
    assert 'class="cluster' in unquote(drawn.get_attribute("src") or "")
    picture = output(page, 2).locator("img")
    assert is_drawn(picture)
    assert "Class[" in unquote(picture.get_attribute("src") or "")
    assert has_own_size(picture)


def test_lab_draws_it_in_a_notebook_that_is_not_trusted(
    page: Page, server: tuple[str, Path], executed: Path
) -> None:
    address, root = server
    (root / "cloned.ipynb").write_bytes(executed.read_bytes())
    show_notebook(page, address, "cloned")
    wait_for_kernel(page)
    assert is_drawn(output(page, 1).locator("img"))


def test_exports_have_it_without_network(page: Page, executed: Path) -> None:
    converted(executed, "html")
    page.context.set_offline(True)
    page.goto(executed.with_suffix(".html").as_uri())
    picture = page.locator("img[src^='data:image/svg+xml']")
    assert is_drawn(picture)
    expect(page.locator(".mermaid")).to_have_count(0)
    assert has_own_size(picture)


def test_markdown_has_it_as_a_file(executed: Path) -> None:
    converted(executed, "markdown")
    (picture,) = executed.parent.glob("graph_files/*.svg")
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    assert f"]({picture.parent.name}/{picture.name})" in executed.with_suffix(".md").read_text(
        encoding="utf-8"
    )
