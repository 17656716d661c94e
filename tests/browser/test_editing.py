"""Typing in cells: colours, comments, indentation and brackets, with the extension and without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import IDLE, cell, focus, open_notebook, put_settings

CELLS = "puppet-repl"


def content(page: Page, index: int = 0) -> Locator:
    return cell(page, index).locator(".cm-content")


def text_of(page: Page, index: int = 0) -> str:
    return "\n".join(content(page, index).locator(".cm-line").all_text_contents())


def colour(page: Page, text: str) -> str:
    """The colour of the first span with this text."""
    found = content(page).locator("span", has_text=re.compile(f"^{re.escape(text)}$")).first
    expect(found).to_be_attached()
    return str(found.evaluate("span => getComputedStyle(span).color"))


def open_cell(page: Page, server: tuple[str, Path], name: str, code: str = "") -> None:
    open_notebook(page, server, name, code)
    expect(content(page)).to_have_attribute("data-language", CELLS)
    focus(page, 0)


def test_a_heredoc_ends_where_its_tag_says(page: Page, server: tuple[str, Path]) -> None:
    code = (
        "$a = @(END)\n  don't\n  | END\n$port = 80 / 2 + 6 / 3\nunless $a =~ String { fail('x') }"
    )
    open_cell(page, server, "heredoc", code)
    string, number = colour(page, "'x'"), colour(page, "80")
    assert colour(page, "  don't") == string
    # Nothing behind the heredoc is a string, no division a regular expression.
    assert colour(page, "6") == colour(page, "3") == number
    kinds = [string, number, *(colour(page, text) for text in ("$port", "unless", "String", "/"))]
    assert len(set(kinds)) == len(kinds)
    plain = content(page).evaluate("line => getComputedStyle(line).color")
    assert plain not in kinds


def test_lines_are_made_comments(page: Page, server: tuple[str, Path]) -> None:
    open_cell(page, server, "comments", "$a = 1\n$b = 2")
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+/")
    assert text_of(page) == "# $a = 1\n# $b = 2"
    page.keyboard.press("Control+/")
    assert text_of(page) == "$a = 1\n$b = 2"


INDENTED = (
    ("if $x {\n1\n}\n2", "if $x {\n  1\n}\n2"),
    ("$a = [\n1,\n]", "$a = [\n  1,\n]"),
    ("f({\na => 1\n})", "f({\n  a => 1\n})"),
    (
        "[1].map |$x| {\n$y = {\n1 => 2\n}\n}\n3",
        "[1].map |$x| {\n  $y = {\n    1 => 2\n  }\n}\n3",
    ),
    (
        "case 1 {\n1:\n{ 2 }\n2: {\n3\n}\n}",
        "case 1 {\n  1:\n    { 2 }\n  2: {\n    3\n  }\n}",
    ),
    (
        "file {\n'/x':\nensure => file;\n'/y':\nmode => 'a'\n}",
        "file {\n  '/x':\n    ensure => file;\n  '/y':\n    mode => 'a'\n}",
    ),
    ("file { '/x':\nensure => {\n}\n}", "file { '/x':\n  ensure => {\n  }\n}"),
    ("$x = @(E)\n a {\nb", "$x = @(E)\n a {\n b"),
    ("'{\n  [\n(", "'{\n  [\n  ("),
    ("# {\n1", "# {\n1"),
    ("%%epp\n  {\n1", "%%epp\n  {\n  1"),
)


def test_enter_indents_and_brackets_go_back(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "indented", *("" for _ in INDENTED))
    for index, (keys, wanted) in enumerate(INDENTED):
        expect(content(page, index)).to_have_attribute("data-language", CELLS)
        focus(page, index)
        page.keyboard.type(keys)
        assert text_of(page, index) == wanted


@pytest.fixture
def closing(server: tuple[str, Path]) -> Iterator[None]:
    """JupyterLab's setting to close brackets is on, which it is not by default."""
    put_settings(
        server[0],
        "@jupyterlab/notebook-extension:tracker",
        {"codeCellConfig": {"autoClosingBrackets": True}},
    )
    yield
    put_settings(server[0], "@jupyterlab/notebook-extension:tracker", {})


CLOSED = (
    ("f('a", "f('a')"),
    ('$a = "x', '$a = "x"'),
    ("[1].map |$x| {\n$y = [\n2", "[1].map |$x| {\n  $y = [\n    2\n  ]\n}"),
)


def test_brackets_and_quotes_close(page: Page, server: tuple[str, Path], closing: None) -> None:
    open_notebook(page, server, "closed", *("" for _ in CLOSED))
    for index, (keys, wanted) in enumerate(CLOSED):
        expect(content(page, index)).to_have_attribute("data-language", CELLS)
        focus(page, index)
        page.keyboard.type(keys)
        assert text_of(page, index) == wanted
    page.keyboard.press("Control+a")
    page.keyboard.type("(")
    assert text_of(page, index) == f"({wanted})"


@pytest.fixture
def disabled(configuration: Path) -> Iterator[None]:
    """The extension is disabled, as `jupyter labextension disable` does it."""
    path = configuration / "labconfig" / "page_config.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"disabledExtensions": {CELLS: True}}), encoding="utf-8")
    yield
    path.unlink()


def test_without_the_extension_jupyterlab_takes_its_own_mode(
    page: Page, server: tuple[str, Path], disabled: None
) -> None:
    open_notebook(page, server, "fallback", "$x = 'text' # comment\nif $x { notice($x) }")
    expect(content(page)).to_have_attribute("data-language", "puppet")
    assert len({colour(page, text) for text in ("'text'", "# comment", "if")}) == 3


def test_notebook_7_has_the_language_too(page: Page, server: tuple[str, Path]) -> None:
    open_cell(page, server, "seven", "$x = @(E)\n don't\n | E\n")
    page.goto(f"{server[0]}/notebooks/seven.ipynb")
    page.locator(IDLE).wait_for(timeout=90_000)
    expect(content(page)).to_have_attribute("data-language", CELLS)
    focus(page, 0)
    page.keyboard.type("if $x {\n1")
    assert text_of(page).endswith("\nif $x {\n  1")
    page.keyboard.press("Control+/")
    expect(content(page)).to_contain_text("# 1")
