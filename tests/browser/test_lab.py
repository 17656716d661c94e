"""The kernel in JupyterLab, as somebody who uses it sees it."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

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
    wait_for_kernel,
)

ENDLESS = "Integer[1, 9223372036854775807].each |$i| { $i + 1 }"


def test_cells_run_and_show_rich_results(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(
        page,
        server,
        "results",
        "[1, 2, 3].map |$x| { $x * 10 }",
        "[{'host' => 'web01', 'port' => 80}, {'host' => 'web02', 'port' => 443}]",
        "notify { 'a \"<b>\" #1': } -> notify { 'b': }",
        ":graph",
        "notice('logged at once')\n1 + 'x'",
    )
    for index in range(5):
        run(page, index)
    expect(output(page, 0)).to_contain_text("[10, 20, 30]")
    expect(output(page, 1).locator("table td")).to_have_count(4)
    expect(output(page, 4).nth(0)).to_contain_text("logged at once")
    expect(output(page, 4).nth(1)).to_contain_text("The value 'x' cannot be converted to Numeric")
    drawn = output(page, 3).locator("img, svg")
    expect(drawn.first).to_be_visible(timeout=60_000)


def test_code_is_highlighted_as_puppet(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "highlight", "$x = 'text' # comment\nif $x { notice($x) }")
    content = cell(page, 0).locator(".cm-content")
    # The mode is loaded on first use.
    expect(content).to_have_attribute("data-language", re.compile("puppet"))
    expect(content.locator("span").first).to_be_visible()
    colours = content.locator("span").evaluate_all(
        "spans => new Set(spans.map(s => getComputedStyle(s).color)).size"
    )
    assert colours >= 3


def test_completion_and_tooltip_while_a_cell_runs(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "busy", ENDLESS, "camelc", "notice")
    run(page, 0)
    page.locator(BUSY).wait_for()
    focus(page, 1)
    page.keyboard.press("Tab")
    expect(page.locator(".jp-Completer-item")).to_contain_text("camelcase")
    page.keyboard.press("Enter")
    expect(cell(page, 1).locator(".cm-content")).to_contain_text("camelcase")
    focus(page, 2)
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".jp-Tooltip")).to_contain_text("Log a message")
    page.keyboard.press("Escape")
    expect(page.locator(BUSY)).to_be_visible()
    page.locator(".jp-Toolbar-item[data-jp-item-name=interrupt] jp-button").click()
    page.locator(IDLE).wait_for()
    expect(output(page, 0)).to_contain_text("the cell was stopped and rolled back (file: cell 1")


def test_a_popup_offers_several_completions(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "popup", "$first_value = 1\n$first_other = 2", "$first_")
    run(page, 0)
    page.locator(IDLE).wait_for()
    focus(page, 1)
    page.keyboard.press("Tab")
    items = page.locator(".jp-Completer-item")
    expect(items).to_have_count(2)
    expect(items.nth(0)).to_contain_text("first_")


@pytest.mark.parametrize("lesson", ["08-order-and-changes"])
def test_a_lesson_runs_from_top_to_bottom(
    page: Page, server: tuple[str, Path], lesson: str
) -> None:
    address, root = server
    source = Path(__file__).parent.parent.parent / "notebooks" / f"{lesson}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    for each in notebook.cells:
        if each.cell_type == "code":
            each.outputs = []
    nbformat.write(notebook, root / f"{lesson}.ipynb")
    # What is out of view is not drawn.
    page.set_viewport_size({"width": 1400, "height": 8000})
    page.goto(f"{address}/lab/tree/{lesson}.ipynb?reset")
    wait_for_kernel(page)
    cells = [each for each in notebook.cells if each.cell_type == "code"]

    def run_all() -> None:
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    last = page.locator(".jp-CodeCell .jp-InputPrompt").last
    pressed_until(run_all, lambda: expect(last).not_to_have_text("[ ]:", timeout=5000))
    expect(last).to_have_text(f"[{len(cells)}]:")
    page.locator(IDLE).wait_for(timeout=60_000)
    expect(page.locator(".jp-OutputArea-output img[src^='data:image/svg']").first).to_be_attached()


LONG = """notice('first')
$end = Timestamp() + Timespan(6.5)
Integer[1, 1000000000].each |$i| { if Timestamp() > $end { break() } }
notice('last')
'value'"""


@pytest.mark.parametrize("program", ["lab/tree", "notebooks"])
def test_progress_does_not_stay_in_the_notebook(
    page: Page, server: tuple[str, Path], program: str
) -> None:
    address, root = server
    name = f"progress-{program.partition('/')[0]}"
    open_notebook(page, server, name, LONG)
    if program == "notebooks":
        page.goto(f"{address}/{program}/{name}.ipynb")
        page.locator(IDLE).wait_for(timeout=90_000)
    run(page, 0)
    expect(output(page, 0).filter(has_text="running for")).to_have_count(1)
    expect(prompt(page, 0)).to_have_text("[1]:")
    expect(output(page, 0)).to_have_count(2)
    with page.expect_response(lambda reply: reply.request.method == "PUT" and name in reply.url):
        page.keyboard.press("Control+s")
    (saved,) = nbformat.read(root / f"{name}.ipynb", as_version=4).cells
    assert [each.output_type for each in saved.outputs] == ["stream", "execute_result"]
    assert saved.outputs[0].text.split() == ["Notice:", "first", "Notice:", "last"]
