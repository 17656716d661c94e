"""Environments and machines in JupyterLab: what a notebook offers, takes and shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.notebook import (
    IDLE,
    cell,
    focus,
    least_contrast,
    open_notebook,
    output,
    pressed_until,
    run_in_order,
    show_unsigned_copy,
)
from tests.conformance.judge import write_files

FILES = {
    "environment.conf": "modulepath = site-modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n"
    "  - {name: family, path: '%{facts.os.family}.yaml'}\n  - {name: common, path: common.yaml}\n",
    "data/common.yaml": "role::port: 8080\nrole::price: from $5 to $10\n",
    "data/RedHat.yaml": "role::port: 443\n",
    "manifests/site.pp": "notice('site runs')\n",
    "site-modules/role/manifests/init.pp": (
        "class role($port, $price) { notify { 'role': message => \"port ${port}, ${price}\" } }\n"
    ),
}


@pytest.fixture
def directory(server: tuple[str, Path], request: pytest.FixtureRequest) -> str:
    """The name of a directory of the server that is an environment."""
    name = re.sub(r"\W", "_", request.node.name)
    write_files(server[1] / name, FILES)
    return name


def test_the_directory_of_a_notebook_is_known(
    page: Page, server: tuple[str, Path], directory: str
) -> None:
    cells = ("'first'", "include role", ":environment .", "include role", ":environment")
    open_notebook(page, server, f"{directory}/notebook", *cells)
    run_in_order(page, len(cells))
    expect(output(page, 0).first).to_contain_text("'first'")
    expect(cell(page, 0)).not_to_contain_text("site runs")
    expect(output(page, 1)).to_contain_text("[Class[role]]")
    expect(output(page, 2)).to_contain_text("site runs")
    expect(output(page, 2)).to_contain_text("1 module, hiera.yaml with 2 levels, 1 manifest")
    expect(cell(page, 3)).not_to_contain_text("Error")
    table = output(page, 4).locator("table")
    expect(table).to_contain_text("site-modules (1 module)")
    expect(table).to_contain_text("manifests/site.pp")


def test_directories_complete(page: Page, server: tuple[str, Path], directory: str) -> None:
    open_notebook(page, server, f"{directory}/notebook", ":environment man")

    def complete() -> None:
        focus(page, 0)
        page.keyboard.press("Tab")

    item = page.locator(".jp-Completer-item").first
    pressed_until(complete, lambda: expect(item).to_contain_text("manifests/", timeout=3000))
    page.keyboard.press("Enter")
    expect(cell(page, 0).locator(".cm-content")).to_contain_text(":environment manifests/")


def test_an_environment_that_is_wrong_is_told_in_the_cell(
    page: Page, server: tuple[str, Path], directory: str
) -> None:
    broken = server[1] / directory / "environment.conf"
    broken.write_text("modulepath = site-modules\nmanifests: x\n")
    open_notebook(page, server, f"{directory}/notebook", ":environment .", ":environment nix")
    run_in_order(page, 2)
    expect(output(page, 0)).to_contain_text("Could not match line manifests: x")
    expect(output(page, 0)).to_contain_text("environment.conf, line: 2")
    expect(output(page, 1)).to_contain_text("nix is not a directory")


MACHINES = (
    ":environment .",
    ":diff --mark before",
    "include role",
    ":diff before",
    "%%on debian-12 rocky-9\nlookup('role::price')",
    ":on debian-12 rocky-9 lookup('role::port')",
    ":facts rocky-9",
    ":lookup role::price",
    ":lookup role::port debian-12 rocky-9",
)


def test_machines_data_and_differences_in_a_dark_theme_and_untrusted(
    page: Page, server: tuple[str, Path], directory: str, dark: None
) -> None:
    open_notebook(page, server, f"{directory}/notebook", *MACHINES)
    run_in_order(page, len(MACHINES))
    page.locator(IDLE).wait_for()

    def seen() -> None:
        expect(output(page, 3).locator("table")).to_contain_text("Notify['role']")
        expect(output(page, 4).locator("table tbody tr")).to_have_count(2)
        for text in ("debian-12", "rocky-9", "from $5 to $10"):
            expect(output(page, 4).locator("table")).to_contain_text(text)
        ports = output(page, 5).locator("table tbody tr")
        expect(ports.nth(0)).to_contain_text("8080")
        expect(ports.nth(1)).to_contain_text("443")
        levels = output(page, 7).locator("table")
        for text in ("data/RedHat.yaml", "not there", "data/common.yaml:2", "from $5 to $10"):
            expect(levels.first).to_contain_text(text)
        ports = output(page, 8).locator("table tbody tr")
        expect(ports.nth(0)).to_contain_text("8080")
        expect(ports.nth(1)).to_contain_text("443")
        expect(page.locator(".jp-OutputArea mjx-container")).to_have_count(0)
        assert least_contrast(page.locator(".jp-OutputArea table :is(td, th, code, span)")) > 3

    assert page.evaluate("document.body.dataset.jpThemeLight") == "false"
    seen()
    # The same outputs in a file that this server has not signed: they pass the sanitizer.
    show_unsigned_copy(page, server, f"{directory}/notebook")
    seen()
