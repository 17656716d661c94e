"""What JupyterLab shows of names in a cell: the popup, tooltips, hints below errors."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.notebook import focus, open_notebook, output, pressed_until, run

RESOURCE = "file { '/x': ensure => file }"


def test_what_begins_as_typed_comes_first(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "order", "Str")
    items = page.locator(".jp-Completer-item")

    def press() -> None:
        focus(page, 0)
        page.keyboard.press("Tab")

    pressed_until(press, lambda: expect(items.first).to_be_visible(timeout=3000))
    names = [text.strip() for text in items.locator(".jp-Completer-match").all_inner_texts()]
    assert names[:2] == ["String", "Struct"]
    assert all(name.startswith("Str") for name in names)


def test_a_tooltip_knows_its_place(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "places", RESOURCE)
    tooltip = page.locator(".jp-Tooltip")
    for offset, shown in (
        (2, "file resource type"),
        (15, "ensure attribute (file)"),
        (20, "=> operator"),
        (24, "ensure => file value (file)"),
    ):

        def press(offset: int = offset) -> None:
            page.keyboard.press("Escape")
            focus(page, 0)
            page.keyboard.press("Control+Home")
            for _ in range(offset):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Shift+Tab")

        def seen(shown: str = shown) -> None:
            expect(tooltip).to_contain_text(shown)

        pressed_until(press, seen)


def test_an_error_has_a_hint_and_quit_an_answer(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "hints", "if true {", "puts 'x'", ":quit")
    for index, shown in (
        (0, "the { of line 1, column 9 is never closed"),
        (1, "notice() writes to the log"),
        (2, "Kernel > Shut Down Kernel"),
    ):
        run(page, index)
        expect(output(page, index).first).to_contain_text(re.compile(re.escape(shown)))
