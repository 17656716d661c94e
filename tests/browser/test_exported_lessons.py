"""The lessons as HTML of nbconvert, opened without network, in light and dark."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.notebook import least_contrast

DIRECTORY = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted(DIRECTORY.glob("*.ipynb"))
PICTURE = "data:image/svg+xml;base64,"
# Tokens that every theme colours, in cells and in outputs.
COLOURED = ("mi", "s1", "kt")
# The paragraphs, cells of tables ... in which MathJax 2, which nbconvert takes, and MathJax 3 of
# JupyterLab would find a formula.
FORMULAS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const signs = new Map();
  while (walker.nextNode()) {
    const { parentElement: at, textContent: text } = walker.currentNode;
    if (at.closest('pre, code, script, style, .tex2jax_ignore.mathjax_ignore')) continue;
    const block = at.closest('p, li, td, th, caption, div');
    signs.set(block, (signs.get(block) ?? 0) + text.split('$').length - 1);
  }
  return [...signs].filter(([, count]) => count > 1).map(([block]) => block.textContent);
}"""
# Of spans: those that have the colour of the text around them.
COLOURLESS = """spans => spans.filter(span =>
  getComputedStyle(span).color === getComputedStyle(span.parentElement).color
).map(span => span.outerHTML)"""

# The fonts of those elements that have text of their own.
FONTS = """found => [...new Set(found.filter(each =>
  [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
).map(each => getComputedStyle(each).fontFamily))]"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where the pages are, by theme."""
    directories = {}
    for theme in ("light", "dark"):
        directories[theme] = tmp_path_factory.mktemp(theme)
        command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "html"]
        command += [f"--HTMLExporter.theme={theme}", f"--output-dir={directories[theme]}"]
        subprocess.run([*command, *map(str, LESSONS)], check=True, capture_output=True)
    return directories


def opened(browser: Browser, path: Path) -> Page:
    """The page of an export, which gets nothing but its own file."""

    def refuse(route: Route) -> None:
        route.abort()

    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.context.set_offline(True)
    page.route(re.compile("^(?!file:|data:)"), refuse)
    page.goto(path.as_uri())
    return page


def words(text: str) -> str:
    return "".join(text.split())


def outputs_of(notebook: Any) -> list[Any]:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [output for cell in cells for output in cell.outputs]


def shown_text(output: Any) -> str:
    """The text that an output has in any form; '' where it is a picture or documentation."""
    if output.output_type == "stream":
        return words(output.text)
    if output.output_type == "error":
        return words(re.sub(r"\x1b\[[\d;]*m", "", "\n".join(output.traceback)))
    if output.data.keys() == {"text/plain"}:
        return words(output.data["text/plain"])
    return ""


def html_of(notebook: Any) -> str:
    return "".join(output.get("data", {}).get("text/html", "") for output in outputs_of(notebook))


def pictures_of(notebook: Any) -> list[str]:
    return re.findall(rf'src="({re.escape(PICTURE)}[^"]+)"', html_of(notebook))


def check_text(page: Page, notebook: Any) -> None:
    """Every output is there, and nothing of it would be drawn as a formula."""
    shown = [words(text) for text in page.locator(".jp-OutputArea-output").all_inner_texts()]
    outputs = outputs_of(notebook)
    assert len(shown) == len(outputs)
    for text, output in zip(shown, outputs, strict=True):
        assert shown_text(output) in text
        assert text or PICTURE in output.data["text/html"]
    assert page.evaluate(FORMULAS) == []


def check_colours(page: Page, notebook: Any, theme: str) -> None:
    """Tokens have colours, in cells and in outputs, and all can be read."""
    has_tokens = any(f'class="{name}"' in html_of(notebook) for name in COLOURED)
    for part, is_coloured in (("jp-InputArea-editor", True), ("jp-OutputArea-output", has_tokens)):
        spans = page.locator(", ".join(f".{part} .highlight .{name}" for name in COLOURED))
        assert spans.count() or not is_coloured, part
        assert spans.evaluate_all(COLOURLESS) == []
    light = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0]")
    assert (int(light) > 128) == (theme == "light")
    assert least_contrast(page.locator(".jp-Notebook :is(p, li, pre, code, td, th, span)")) > 3
    # Code is monospaced, wherever it stands.
    fonts = page.locator(".jp-OutputArea-output :is(pre, code, pre *)").evaluate_all(FONTS)
    assert all("monospace" in font for font in fonts), fonts


def check_pictures(page: Page, notebook: Any) -> None:
    """Every graph is drawn, with its boxes, in its own size or that of the page."""
    wanted = pictures_of(notebook)
    images = page.locator(f"img[src^='{PICTURE}']")
    assert images.count() == len(wanted)
    for image, source in zip(images.all(), wanted, strict=True):
        svg = b64decode(source.removeprefix(PICTURE)).decode()
        assert svg.count("<rect") > 1
        image.evaluate("image => image.decode()")  # fails where it cannot be drawn
        box = image.bounding_box()
        assert box is not None
        assert box["width"] > 50
        assert box["height"] > 30


def check_width(page: Page) -> None:
    """The page fits into its window: what is wider scrolls by itself."""
    for width in (1000, 700):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_there_are_lessons() -> None:
    assert len(LESSONS) > 12


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_an_exported_lesson_is_whole_without_network(
    browser: Browser, exported: dict[str, Path], lesson: Path, theme: str
) -> None:
    notebook = nbformat.read(lesson, as_version=4)
    page = opened(browser, exported[theme] / f"{lesson.stem}.html")
    try:
        check_text(page, notebook)
        check_colours(page, notebook, theme)
        check_pictures(page, notebook)
        check_width(page)
    finally:
        page.close()
