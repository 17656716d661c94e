"""Cells of JupyterLab as a program of a playground, where the address of one is configured."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.notebook import cell, open_notebook

LABEL = "Open in the Playground"
CELLS = ("$a = 'é'", "notice($a)\n1 + 1", "2")


@pytest.fixture
def address(server: tuple[str, Path], configuration: Path) -> Iterator[str]:
    """The address of a page, configured as that of a playground; the server then keeps it."""
    page_config = configuration / "labconfig" / "page_config.json"
    page_config.parent.mkdir(parents=True, exist_ok=True)
    address = f"{server[0]}/api"
    page_config.write_text(json.dumps({"puppetPlaygroundUrl": address}), encoding="utf-8")
    yield address
    page_config.unlink()


def open_menu(page: Page, index: int) -> None:
    cell(page, index).locator(".cm-content").click(button="right")
    expect(page.locator(".lm-Menu-itemLabel", has_text="Cut Cell")).to_be_visible()


def program(url: str) -> str:
    """Return the program of a link, read without the page."""
    code = parse_qs(urlsplit(url).fragment)["code"][0]
    data = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    return zlib.decompress(data, wbits=-15).decode()


def test_without_an_address_there_is_no_command(page: Page, server: tuple[str, Path]) -> None:
    """This comes first: a server does not forget the address."""
    open_notebook(page, server, "cells", *CELLS)
    open_menu(page, 0)
    expect(page.locator(".lm-Menu-itemLabel", has_text="Format Cell")).to_be_visible()
    expect(page.locator(".lm-Menu-itemLabel", has_text=LABEL)).to_have_count(0)


def test_the_selected_cells_are_the_program(
    page: Page, server: tuple[str, Path], address: str
) -> None:
    open_notebook(page, server, "cells", *CELLS)
    cell(page, 0).locator(".jp-InputPrompt").click()
    cell(page, 1).locator(".jp-InputPrompt").click(modifiers=["Shift"])
    open_menu(page, 1)
    with page.context.expect_page() as opening:
        page.locator(".lm-Menu-itemLabel", has_text=LABEL).click()
    opened = opening.value
    opened.wait_for_url(f"{address}#code=*")
    assert program(opened.url) == "\n\n".join(CELLS[:2])
