"""The machine in the toolbar of a notebook, in a real JupyterLab and in Notebook 7."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import (
    BUSY,
    IDLE,
    cell,
    focus,
    open_notebook,
    output,
    pressed_until,
    prompt,
    run,
    run_in_order,
    run_to_end,
)
from tests.browser.test_marks import ENDLESS

FAMILY = "$facts['os']['family']"
FACTS = '{"os": {"family": "Plan9"}}'
OWN = "this machine"
NAME = "Choose Machine…"


def button(page: Page) -> Locator:
    return page.locator(".puppet-repl-machine")


def told(page: Page, text: str) -> Locator:
    return page.locator(".Toastify__toast", has_text=text)


def items(page: Page) -> Locator:
    return page.locator(".lm-Menu [role^=menuitem]")


def item(page: Page, name: str) -> Locator:
    return page.locator(".lm-Menu-item", has_text=re.compile(f"^{re.escape(name)}$"))


def choose(page: Page, name: str) -> None:
    button(page).click()
    item(page, name).click()


def test_the_state_of_the_kernel_stays_in_view(page: Page, server: tuple[str, Path]) -> None:
    page.set_viewport_size({"width": 1060, "height": 800})
    open_notebook(page, server, "narrow", "1")
    expect(button(page)).to_have_text(OWN)
    expect(page.locator(IDLE)).to_be_visible()


def test_the_cells_that_have_run_run_again_for_another_machine(
    page: Page, server: tuple[str, Path]
) -> None:
    cells = ("$family = $facts['os']['family']", "fail('as before')", "$family", "notice('never')")
    open_notebook(page, server, "machine", *cells)
    expect(button(page)).to_have_text(OWN)
    run_in_order(page, 3)
    choose(page, "windows-2022")
    expect(button(page)).to_have_text("windows-2022")
    expect(output(page, 2)).to_have_text("'windows'")
    expect(prompt(page, 2).first).to_have_text("[6]:")
    expect(output(page, 1)).to_contain_text("as before")
    # It has not run before.
    expect(prompt(page, 3)).to_have_text("[ ]:")
    choose(page, "rocky-9")
    expect(output(page, 2)).to_have_text("'RedHat'")
    choose(page, "this machine")
    expect(button(page)).to_have_text(OWN)
    expect(told(page, "")).to_have_count(0)


def test_the_keyboard_opens_the_menu_and_chooses(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "keys", FAMILY)
    run_to_end(page, 0)
    expect(button(page)).to_have_accessible_name(OWN)
    expect(button(page)).to_have_attribute("aria-expanded", "false")
    button(page).focus()
    page.keyboard.press("Enter")
    expect(items(page).first).to_have_text(re.compile("this machine"))
    expect(button(page)).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".lm-Menu [role=menuitemcheckbox][aria-checked=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(button(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(items(page)).not_to_have_count(0)
    page.keyboard.press("w")
    page.keyboard.press("Enter")
    expect(output(page, 0)).to_have_text("'windows'")
    focus(page, 0)
    page.keyboard.press("Control+Shift+c")
    page.locator(".lm-CommandPalette-input").fill("choose machine")
    page.locator(".lm-CommandPalette-item", has_text=NAME).click()
    expect(items(page).first).to_have_text(re.compile("this machine"))


def test_files_and_nodes_are_there_and_cells_change_the_machine(
    page: Page, server: tuple[str, Path]
) -> None:
    root = server[1] / "site"
    for name, text in (
        ("facts/plan9.json", FACTS),
        ("facts/broken.yaml", "os: [\n"),
        ("facts/README.md", "none"),
        ("environment.conf", ""),
        ("manifests/site.pp", "node 'web01.example.com' { }"),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    cells = (":environment .", FAMILY, "$trusted['certname']", ":facts macos")
    open_notebook(page, server, "site/places", *cells)
    run_in_order(page, 1)
    choose(page, "facts/plan9.json")
    expect(button(page)).to_have_text("facts/plan9.json")
    run_to_end(page, 1)
    expect(output(page, 1)).to_have_text("'Plan9'")
    run_to_end(page, 2)
    choose(page, "node web01.example.com")
    expect(output(page, 2)).to_have_text("'web01.example.com'")
    expect(button(page)).to_have_text("web01.example.com (facts/plan9.json)")

    button(page).click()
    expect(item(page, "facts/README.md")).to_have_count(0)
    item(page, "facts/broken.yaml").click()
    expect(told(page, "facts/broken.yaml")).to_be_visible()
    expect(button(page)).to_have_text("web01.example.com (facts/plan9.json)")

    run_to_end(page, 3)
    expect(button(page)).to_have_text("web01.example.com (macos)")
    choose(page, "fedora")
    expect(told(page, "chooses another machine: web01.example.com (macos)")).to_be_visible()


def test_it_says_busy_while_a_cell_runs(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "busy-machine", ENDLESS, FAMILY)
    expect(button(page)).to_have_text(OWN)
    run(page, 0)
    page.locator(BUSY).wait_for()
    button(page).click()
    expect(told(page, "A cell is running")).to_be_visible()
    expect(items(page)).to_have_count(0)
    page.locator(".jp-Toolbar-item[data-jp-item-name=interrupt] jp-button").click()
    page.locator(IDLE).wait_for()
    run_to_end(page, 1)
    # The endless cell is run again, and interrupted again: what is below it stays.
    choose(page, "rocky-9")
    expect(button(page)).to_have_text("rocky-9")
    expect(prompt(page, 0).first).to_have_text("[*]:")
    page.locator(".jp-Toolbar-item[data-jp-item-name=interrupt] jp-button").click()
    expect(prompt(page, 0).first).to_have_text("[3]:")
    page.wait_for_timeout(1000)
    expect(prompt(page, 1).first).to_have_text("[2]:")


def test_cells_of_an_earlier_kernel_are_not_run(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "earlier", FAMILY, FAMILY)
    run_in_order(page, 2)
    choose(page, "rocky-9")
    expect(output(page, 1)).to_have_text("'RedHat'")
    page.locator(".jp-Toolbar-item[data-jp-item-name=restart] jp-button").click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(button(page)).to_have_text(OWN)
    run_to_end(page, 1)
    expect(prompt(page, 1).first).to_have_text("[1]:")
    choose(page, "windows-2022")
    expect(output(page, 1)).to_have_text("'windows'")
    expect(output(page, 0)).to_have_text("'RedHat'")


def test_notebooks_of_other_kernels_have_no_machine(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "python-machine", "1", kernel="python3")
    run(page, 0)
    page.wait_for_timeout(1000)
    expect(button(page)).to_be_hidden()


@pytest.mark.parametrize("name", ["rocky-9"])
def test_notebook_7_has_it_too(page: Page, server: tuple[str, Path], name: str) -> None:
    open_notebook(page, server, "machine-seven", FAMILY)
    page.goto(f"{server[0]}/notebooks/machine-seven.ipynb")
    page.locator(IDLE).wait_for(timeout=90_000)
    run_to_end(page, 0)
    pressed_until(button(page).click, lambda: expect(item(page, name)).to_be_visible(timeout=3000))
    item(page, name).click()
    expect(output(page, 0)).to_have_text("'RedHat'")
    expect(cell(page, 0)).to_be_visible()
