"""The graph of a catalog as a picture: in JupyterLab, and in exports without network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import open_notebook, output, run, show_notebook, wait_for_kernel

PICTURE = "data:image/svg+xml;base64,"
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
    open_notebook(page, server, "graph", CODE, ":graph", ":graph mermaid")
    for index in range(3):
        run(page, index)
    picture = page.get_by_alt_text("Graph of 16 resources and 2 relationships: ")
    assert is_drawn(picture)
    assert (picture.get_attribute("src") or "").startswith(PICTURE)
    assert has_own_size(picture)
    drawn = output(page, 2).locator("img")
    assert is_drawn(drawn)
    # Subgraphs of Mermaid are clusters.
    assert 'class="cluster' in unquote(drawn.get_attribute("src") or "")


def test_lab_draws_it_in_a_notebook_that_is_not_trusted(
    page: Page, server: tuple[str, Path], executed: Path
) -> None:
    address, root = server
    (root / "cloned.ipynb").write_bytes(executed.read_bytes())
    show_notebook(page, address, "cloned")
    wait_for_kernel(page)
    expect(page.locator(".jp-StatusItem-trust")).to_have_attribute("title", re.compile("not"))
    picture = output(page, 1).locator("img")
    assert is_drawn(picture)
    assert (picture.get_attribute("src") or "").startswith(PICTURE)
    assert has_own_size(picture)


def test_exports_have_it_without_network(page: Page, executed: Path) -> None:
    converted(executed, "html")
    page.context.set_offline(True)
    page.goto(executed.with_suffix(".html").as_uri())
    picture = page.locator(f"img[src^='{PICTURE}']")
    assert is_drawn(picture)
    expect(page.locator(".mermaid")).to_have_count(0)
    assert has_own_size(picture)


def test_markdown_has_it_too(executed: Path) -> None:
    converted(executed, "markdown")
    text = executed.with_suffix(".md").read_text(encoding="utf-8")
    assert f'src="{PICTURE}' in text
