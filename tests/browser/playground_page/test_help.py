"""Help of the playground while one writes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.notebook import point_at
from tests.browser.playground import run, write


def test_names_are_completed(page: Page) -> None:
    run(page, "$retries = 5")
    write(page, "$x = $ret")
    page.keyboard.press("Control+Space")
    options = page.locator(".cm-tooltip-autocomplete li")
    expect(options).to_contain_text(["$retries"])
    expect(page.locator(".cm-completionInfo")).to_contain_text("5")
    page.wait_for_timeout(200)
    page.keyboard.press("Tab")
    expect(page.locator("#editor .cm-line")).to_have_text("$x = $retries")


def test_completion_counts_as_the_protocol_does(page: Page) -> None:
    write(page, "$smile = '😀😀'; 'été'.upc")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li")).to_have_count(1)
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    expect(page.locator("#editor .cm-line")).to_have_text("$smile = '😀😀'; 'été'.upcase")


def test_a_name_is_explained(page: Page) -> None:
    write(page, "regsubst")
    page.keyboard.press("Shift+Tab")
    explained = page.locator(".documentation")
    expect(explained).to_contain_text("regsubst(")
    expect(explained.locator("pre .tok-typeName").first).to_have_text("Variant")
    page.keyboard.press("Escape")
    expect(explained).to_have_count(0)
    name = page.locator("#editor .cm-line").get_by_text("regsubst")
    point_at(page, name, lambda: expect(explained).to_contain_text("regsubst(", timeout=3000))
    page.mouse.move(0, 0)


def test_errors_are_marked_while_typing(page: Page) -> None:
    write(page, "$a = [1, 2\n$b = $unheard_of")
    expect(page.locator("#editor .puppet-repl-error")).to_have_count(1)
    write(page, "$b = $unheard_of")
    expect(page.locator("#editor .puppet-repl-unknown")).to_have_text("$unheard_of")
    expect(page.locator("#editor .puppet-repl-error")).to_have_count(0)


@pytest.mark.parametrize(
    ("code", "place", "marked"),
    [
        ("$a = 1\n\n  $a + undef", "line: 3, column: 8", "undef"),
        ("$a = '😀😀' + 1", "line: 1, column: 6", "'"),
        ("$a = 1 +\n", "end of input", "+"),
    ],
)
def test_the_place_of_an_error_is_marked(page: Page, code: str, place: str, marked: str) -> None:
    log = run(page, code)
    expect(log.locator(".error")).to_contain_text(place)
    expect(log.locator(".error .ansi-bold").first).to_have_text("Error: ")
    expect(page.locator("#editor .cm-lint-marker-error")).to_have_count(1)
    expect(page.locator("#editor .cm-lintRange-error")).to_have_text(marked)
    run(page, "1")
    expect(page.locator("#editor .cm-lint-marker-error")).to_have_count(0)


def test_the_editor_folds_indents_and_comments(page: Page) -> None:
    write(page, "")
    page.keyboard.type("file { '/x':")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.keyboard.type("ensure => file,")
    lines = page.locator("#editor .cm-line")
    expect(lines).to_have_text(["file { '/x':", "  ensure => file,", "}"])
    page.keyboard.press("Control+/")
    expect(lines.nth(1)).to_have_text("  # ensure => file,")
    page.keyboard.press("Control+/")
    page.locator("#editor .cm-foldGutter [title='Fold line']").first.click()
    expect(page.locator("#editor .cm-foldPlaceholder")).to_have_count(1)
