"""Marks of errors while typing, in a real JupyterLab."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.notebook import (
    BUSY,
    IDLE,
    THEMES,
    cell,
    focus,
    marks,
    open_notebook,
    output,
    point_at,
    put_settings,
    replace,
    run,
)

ENDLESS = "Integer[1, 9223372036854775807].each |$i| { $i + 1 }"
# The colour that a variable of the theme stands for.
VARIABLE = """name => {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.color = `var(${name})`;
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}"""
TOOLTIP = ".puppet-repl-problems"
SYNTAX = "Syntax error at ')'"
HINT = "hint: did you mean upcase?"


def test_marks_come_while_a_cell_runs_and_go_when_mended(
    page: Page, server: tuple[str, Path]
) -> None:
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" or "puppet-repl" in message.text:
            said.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: said.append(str(error)))
    open_notebook(page, server, "marks", ENDLESS, "", "$above = 1", "")
    run(page, 0)
    page.locator(BUSY).wait_for()
    shown = page.locator(TOOLTIP)
    said.clear()  # what JupyterLab itself says at its start is not ours

    replace(page, 1, "$a = '\U0001f600'\n$b = [1 +)]")
    expect(marks(page, 1)).to_have_text(")")
    point_at(page, marks(page, 1), lambda: expect(shown).to_contain_text(SYNTAX, timeout=3000))
    page.mouse.move(5, 5)
    replace(page, 1, "$a = '\U0001f600'\n$b = [1 + 2]")
    expect(marks(page, 1)).to_have_count(0)

    replace(page, 3, "notice($above, $abov, upcasee('\U0001f600'))")
    expect(marks(page, 3, "unknown")).to_have_text(["$abov", "upcasee"])
    unknown = marks(page, 3, "unknown").nth(1)
    point_at(page, unknown, lambda: expect(shown).to_contain_text(HINT, timeout=3000))
    page.mouse.move(5, 5)
    replace(page, 3, "%%epp x => 1\n<%= $x + %> %)")
    expect(marks(page, 3)).to_have_text("%>")
    replace(page, 3, ":vars (")
    expect(marks(page, 3)).to_have_count(0)
    replace(page, 3, "if true {")
    expect(marks(page, 3)).to_have_text("{")

    expect(page.locator(BUSY)).to_be_visible()
    # After five seconds the progress of the cell is shown.
    expect(output(page, 0).filter(has_not_text="running for")).to_have_count(0)
    page.locator(".jp-Toolbar-item[data-jp-item-name=interrupt] jp-button").click()
    page.locator(IDLE).wait_for()
    expect(output(page, 0)).to_contain_text("the cell was stopped")
    assert said == []


def test_names_are_known_when_their_cell_has_run(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "known", "", "$below = 1")
    replace(page, 0, "notice($below)")
    expect(marks(page, 0, "unknown")).to_have_text("$below")
    run(page, 1)
    expect(marks(page, 0, "unknown")).to_have_count(0)


def test_other_kernels_are_not_asked(page: Page, server: tuple[str, Path]) -> None:
    sent: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda data: sent.append(str(data))),
    )
    open_notebook(page, server, "asked", "")
    replace(page, 0, "notice(")
    expect(marks(page, 0)).to_have_count(1)
    assert any('"check"' in data for data in sent)
    page.locator(".jp-Toolbar-kernelName:visible").click()
    dialog = page.locator(".jp-Dialog select")
    dialog.select_option(label="Python 3 (ipykernel)")
    page.get_by_role("button", name="Select Kernel").click()
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Python 3", timeout=60_000)
    expect(cell(page, 0).locator(".cm-content")).to_have_attribute("data-language", "python")
    sent.clear()
    replace(page, 0, "print(")
    page.wait_for_timeout(1500)
    expect(marks(page, 0)).to_have_count(0)
    assert not any('"check"' in data for data in sent)


def test_notebook_7_has_marks(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "marks-seven", "")
    page.goto(f"{server[0]}/notebooks/marks-seven.ipynb")
    page.locator(IDLE).wait_for(timeout=90_000)
    replace(page, 0, "$x = )")
    expect(marks(page, 0)).to_have_text(")")


def test_consoles_have_marks(page: Page, server: tuple[str, Path]) -> None:
    open_notebook(page, server, "console", "")
    focus(page, 0)
    cell(page, 0).click(button="right")
    page.get_by_role("menuitem", name="New Console for Notebook").click()
    prompt = page.locator(".jp-CodeConsole-promptCell .cm-content")
    expect(prompt).to_have_attribute("data-language", "puppet-repl")
    prompt.click()
    page.keyboard.insert_text("notice($nix)")
    expect(prompt.locator(".puppet-repl-unknown")).to_have_text("$nix")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_outputs_have_the_colours_of_the_theme(
    page: Page, server: tuple[str, Path], theme: str
) -> None:
    put_settings(server[0], THEMES, {"theme": theme})
    try:
        name = "colours-" + theme.rpartition(" ")[2].lower()
        open_notebook(page, server, name, "{'a' => Integer, 'b' => Optional[String]}")
        run(page, 0)
        found = output(page, 0).locator(".kt").first
        expect(found).to_be_attached()
        wanted = page.evaluate(VARIABLE, "--jp-mirror-editor-variable-3-color")
        assert found.evaluate("span => getComputedStyle(span).color") == wanted
        # The same as in the cell.
        focus(page, 0)
        typed = cell(page, 0).locator(".cm-content span", has_text="Integer").first
        assert typed.evaluate("span => getComputedStyle(span).color") == wanted
    finally:
        put_settings(server[0], THEMES, {"theme": "JupyterLab Light"})
