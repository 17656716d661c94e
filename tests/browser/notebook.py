"""A notebook in JupyterLab: opening it, its cells, running them."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
BUSY = ".jp-Notebook-ExecutionIndicator[data-status=busy]"


def open_notebook(page: Page, server: tuple[str, Path], name: str, *cells: str) -> None:
    """Write a notebook of code cells and open it; ``name`` may begin with a directory."""
    address, root = server
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
        "metadata": {"kernelspec": {"name": "puppet", "display_name": "Puppet"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (root / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    show_notebook(page, address, name)


def show_notebook(page: Page, address: str, name: str) -> None:
    """Open a notebook that is there."""
    page.goto(f"{address}/lab/tree/{name}.ipynb?reset")
    wait_for_kernel(page)
    news = page.get_by_role("button", name="No", exact=True)
    if news.count():
        news.first.click()


def wait_for_kernel(page: Page) -> None:
    page.locator(IDLE).wait_for(timeout=90_000)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Puppet | Idle", timeout=90_000)


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


def output(page: Page, index: int) -> Locator:
    return cell(page, index).locator(".jp-OutputArea-output")
