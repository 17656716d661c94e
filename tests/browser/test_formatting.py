"""Formatting cells, in a real JupyterLab and in Notebook 7."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import BUSY, IDLE, cell, focus, open_notebook, pressed_until, run
from tests.browser.test_editing import text_of
from tests.browser.test_marks import ENDLESS

KEY = "Alt+Shift+F"
MESSY = "file{'/etc/motd':\nensure=>file,mode=>'0644'}"
FORMED = "file { '/etc/motd':\n  ensure => file,\n  mode   => '0644',\n}"
ERROR = "$x = [1, 2)"
MESSAGE = "Syntax error at ')' (line: 1, column: 11)"


def told(page: Page) -> Locator:
    return page.locator(".Toastify__toast", has_text="Not formatted")


def wait_for_text(page: Page, index: int, text: str) -> None:
    lines = cell(page, index).locator(".cm-content .cm-line")
    expect(lines).to_have_text(text.split("\n"))
    assert text_of(page, index) == text


def press_key(page: Page, index: int, wanted: str) -> None:
    focus(page, index)
    pressed_until(
        lambda: page.keyboard.press(KEY),
        lambda: expect(cell(page, index).locator(".cm-line")).to_have_text(
            wanted.split("\n"), timeout=3000
        ),
    )
    wait_for_text(page, index, wanted)


def test_the_key_formats_a_cell_as_one_step(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "formatted", MESSY, "$y=1")
    press_key(page, 0, FORMED)
    focus(page, 1)
    page.keyboard.type("+2")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(KEY)
    wait_for_text(page, 1, "$y = 1 + 2")
    # The cursor is where it was, in front of the 2.
    page.keyboard.type("3")
    wait_for_text(page, 1, "$y = 1 + 32")
    page.keyboard.press("Control+z")
    wait_for_text(page, 1, "$y = 1 + 2")
    page.keyboard.press("Control+z")
    wait_for_text(page, 1, "$y=1+2")
    wait_for_text(page, 0, FORMED)
    expect(told(page)).to_have_count(0)


def test_the_menu_of_a_cell_tells_why_it_stays(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "refused", "$a=1", ERROR)
    focus(page, 0)
    cell(page, 1).locator(".cm-content").click(button="right")
    page.get_by_role("menuitem", name="Format Cell").click()
    expect(told(page)).to_contain_text(MESSAGE)
    wait_for_text(page, 1, ERROR)
    wait_for_text(page, 0, "$a=1")


def test_the_palette_formats_all_cells_while_one_runs(page: Page, server: tuple[str, Path]) -> None:
    cells = ("%%time\n$a=1", ":type  1", ERROR, "%%facts\na:   1", "$b=2")
    open_notebook(page, server, "all", ENDLESS, *cells)
    run(page, 0)
    page.locator(BUSY).wait_for()
    page.keyboard.press("Control+Shift+c")
    page.locator(".lm-CommandPalette-input").fill("format all cells")
    page.locator(".lm-CommandPalette-item", has_text="Format All Cells").click()
    expect(told(page)).to_contain_text(f"Not formatted: cell 4: {MESSAGE}")
    for index, wanted in ((1, "%%time\n$a = 1"), (5, "$b = 2")):
        wait_for_text(page, index, wanted)
    for index in (2, 3, 4):
        wait_for_text(page, index, cells[index - 1])


def test_cells_of_other_kernels_have_no_command(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "python", "x=1", kernel="python3")
    cell(page, 0).locator(".cm-content").click(button="right")
    expect(page.get_by_role("menuitem", name="Copy Cell")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Format Cell")).to_have_count(0)
    page.keyboard.press("Escape")


@pytest.mark.parametrize("code", [MESSY])
def test_notebook_7_formats_too(page: Page, server: tuple[str, Path], code: str) -> None:
    open_notebook(page, server, "formatted-seven", code, ERROR)
    page.goto(f"{server[0]}/notebooks/formatted-seven.ipynb")
    page.locator(IDLE).wait_for(timeout=90_000)
    press_key(page, 0, FORMED)
    focus(page, 1)
    page.keyboard.press(KEY)
    expect(told(page)).to_contain_text(MESSAGE)
