"""A notebook in JupyterLab: opening it, its cells, running them."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
BUSY = ".jp-Notebook-ExecutionIndicator[data-status=busy]"


THEMES = "@jupyterlab/apputils-extension:themes"
KERNELS = {"puppet": "Puppet", "python3": "Python 3 (ipykernel)"}
# The contrast of a text with what is behind it, as WCAG computes it.
CONTRAST = """element => {
  const channels = text => text.match(/[\\d.]+/g).map(Number);
  const light = rgb => rgb.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const layers = [];
  for (let behind = element; behind; behind = behind.parentElement) {
    layers.push(channels(getComputedStyle(behind).backgroundColor));
    if ((layers.at(-1)[3] ?? 1) === 1) break;
  }
  const paint = layers.reduceRight(
    (under, [r, g, b, a = 1]) => [r, g, b].map((v, i) => v * a + under[i] * (1 - a)),
    [255, 255, 255]);
  const [a, b] = [light(channels(getComputedStyle(element).color)), light(paint)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
# The rules of axe for names, roles, order and contrast; it comes with the bundle of the playground.
AXE = Path(__file__).parents[2] / "build" / "bundler" / "node_modules" / "axe-core" / "axe.min.js"
BROKEN_RULES = """async () => (await axe.run()).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))"""


def broken_rules(page: Page) -> list[str]:
    """Return what axe finds wrong in a page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(BROKEN_RULES)
    return found


def open_notebook(
    page: Page, server: tuple[str, Path], name: str, *cells: str, kernel: str = "puppet"
) -> None:
    """Write a notebook of code cells and open it; ``name`` may begin with a directory."""
    write_notebook(server[1], name, *cells, kernel=kernel)
    show_notebook(page, server[0], name, kernel=kernel)


def write_notebook(
    root: Path, name: str, *cells: str, kernel: str = "puppet", **metadata: object
) -> None:
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"cell-{number}",
                "metadata": {},
                "outputs": [],
                "source": code,
            }
            for number, code in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": kernel, "display_name": KERNELS[kernel]}, **metadata},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (root / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def show_notebook(page: Page, address: str, name: str, *, kernel: str = "puppet") -> None:
    """Open a notebook that is there."""
    page.goto(f"{address}/lab/tree/{name}.ipynb?reset")
    wait_for_kernel(page, kernel)
    news = page.get_by_role("button", name="No", exact=True)
    if news.count():
        news.first.click()


def wait_for_kernel(page: Page, kernel: str = "puppet") -> None:
    # Beside the list of files a narrow toolbar puts what is on its right into a menu.
    page.locator(IDLE).wait_for(state="attached", timeout=90_000)
    idle = f"{KERNELS[kernel]} | Idle"
    expect(page.locator("#jp-main-statusbar")).to_contain_text(idle, timeout=90_000)


def show_unsigned_copy(page: Page, server: tuple[str, Path], name: str) -> None:
    """Save the notebook, and open it as one that was cloned: it is not trusted any more."""
    address, root = server
    focus(page, 0)
    page.keyboard.press("Control+s")
    expect(page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)
    written = json.loads((root / f"{name}.ipynb").read_text("utf-8"))
    written["metadata"]["copied"] = True
    (root / f"{name}-copy.ipynb").write_text(json.dumps(written), encoding="utf-8")
    page.goto("about:blank")
    show_notebook(page, address, f"{name}-copy")
    expect(page.locator(".jp-StatusItem-trust")).to_have_attribute("title", re.compile("not"))


def put_settings(address: str, plugin: str, settings: dict[str, object]) -> None:
    """Set the user's settings of a plugin of JupyterLab; pages that are open do not see it."""
    body = json.dumps({"raw": json.dumps(settings)}).encode()
    call = urllib.request.Request(f"{address}/lab/api/settings/{plugin}", body, method="PUT")
    urllib.request.urlopen(call, timeout=10).close()


def cell(page: Page, index: int) -> Locator:
    return page.locator(".jp-Notebook .jp-CodeCell").nth(index)


def focus(page: Page, index: int) -> None:
    cell(page, index).locator(".cm-content").click()
    page.keyboard.press("Control+End")


def prompt(page: Page, index: int) -> Locator:
    return cell(page, index).locator(".jp-InputPrompt")


def pressed_until(act: Callable[[], None], seen: Callable[[], None], times: int = 5) -> None:
    """JupyterLab drops what comes just before it is connected, though it says idle: press again."""
    for _ in range(times):
        act()
        try:
            seen()
        except AssertionError:
            continue
        return
    seen()


def run(page: Page, index: int) -> None:
    """Begin to run a cell."""

    def press() -> None:
        focus(page, index)
        page.keyboard.press("Control+Enter")

    pressed_until(press, lambda: expect(prompt(page, index)).not_to_have_text("[ ]:", timeout=3000))


def run_to_end(page: Page, index: int) -> None:
    """Run a cell until the kernel is free again."""
    run(page, index)
    expect(prompt(page, index).first).to_have_text(re.compile(r"^\[\d+\]:$"))
    page.locator(IDLE).wait_for(state="attached")


def run_in_order(page: Page, cells: int) -> None:
    for index in range(cells):
        run_to_end(page, index)
        expect(prompt(page, index)).to_have_text(f"[{index + 1}]:")


def least_contrast(texts: Locator) -> float:
    assert texts.count()
    return float(texts.evaluate_all(f"found => Math.min(...found.map({CONTRAST}))"))


def output(page: Page, index: int) -> Locator:
    return cell(page, index).locator(".jp-OutputArea-output")


def marks(page: Page, index: int, severity: str = "error") -> Locator:
    """The marks of errors, or of another severity, in a cell."""
    return cell(page, index).locator(f".puppet-repl-{severity}")


def replace(page: Page, index: int, text: str) -> None:
    """Type a text in place of a cell's."""

    def type_it() -> None:
        focus(page, index)
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(text)

    # A notebook that takes the focus itself while it opens drops what is typed.
    last = cell(page, index).locator(".cm-line").last
    pressed_until(type_it, lambda: expect(last).to_have_text(text.split("\n")[-1], timeout=3000))


def point_at(page: Page, place: Locator, seen: Callable[[], None]) -> None:
    """Move the mouse pointer onto a place until something is seen."""

    def point() -> None:
        page.mouse.move(5, 5)
        place.hover()

    pressed_until(point, seen)


def start_debugger(page: Page) -> None:
    title = page.locator("#jp-debugger-sidebar h2").first
    # A second press would stop what has only begun to start.
    pressed_until(
        page.locator(".jp-DebuggerBugButton").click,
        lambda: expect(title).to_contain_text(".ipynb", timeout=15_000),
        times=3,
    )
    # The sidebar opens by itself.
    expect(page.locator("#jp-debugger-sidebar")).to_be_visible()
    expect(cell(page, 0).locator(".cm-gutter.cm-breakpoint-gutter")).to_be_attached()
