"""The debugger in JupyterLab: its panels, buttons and console."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import (
    IDLE,
    cell,
    open_notebook,
    output,
    pressed_until,
    prompt,
    run,
    start_debugger,
)
from tests.conformance.judge import write_files

FAILING = "$list = [4, 2, 0].map |$n| {\n  $half = $n / 2\n  8 / $half\n}"

# What the page says of itself while a cell is stopped; a bar lies over it then.
PAUSED = "body[data-jp-debugger-stopped-threads]"


def resume(page: Page) -> None:
    page.locator("jp-button[data-command='debugger:continue']").click()


def variables(page: Page) -> Locator:
    return page.locator(".jp-DebuggerVariables")


def stop_at_errors(page: Page, filter_: str) -> None:
    """Choose what errors to stop at in the menu of the panel of breakpoints."""
    button = page.locator(".jp-debugger-pauseOnExceptions jp-button, .jp-PauseOnExceptions").first
    expect(button).to_be_enabled()
    button.click()
    page.locator(".jp-PauseOnExceptions-menu").get_by_text(filter_, exact=True).click()


@pytest.mark.parametrize("filter_", ["raised", "uncaught"])
def test_errors_stop_a_cell_and_expressions_explain_them(
    page: Page, server: tuple[str, Path], filter_: str
) -> None:
    open_notebook(page, server, f"errors-{filter_}", FAILING)
    start_debugger(page)
    stop_at_errors(page, filter_)
    run(page, 0)
    callstack = page.locator(".jp-DebuggerCallstack")
    expect(callstack).to_contain_text(re.compile(r"lambda\s*Cell \[\*\]:3"))
    expect(variables(page)).to_contain_text(re.compile(r"\(error\)\s*Evaluation Error: Division"))
    expect(variables(page)).to_contain_text(re.compile(r"half\s*0"))
    # The console of the debugger answers in the stopped frame.
    page.locator("jp-button[data-command='debugger:evaluate']").click()
    console = page.locator(".jp-DebugConsole")
    entry = console.locator(".jp-CodeConsole-promptCell .cm-content")
    results = console.locator(".jp-OutputArea-output")
    for number, (expression, result) in enumerate(
        [
            ("$n + 40", "40"),
            ("[$n, $half].map |$x| { $x + 1 }", "[1, 1]"),
            ("$nobody", "Unknown variable: 'nobody'"),
        ]
    ):
        entry.click()
        page.keyboard.insert_text(expression)
        page.keyboard.press("Shift+Enter")
        expect(results.nth(number)).to_contain_text(result)
        expect(variables(page)).to_contain_text(re.compile(r"half\s*0"))
    resume(page)
    expect(output(page, 0)).to_contain_text("Division by 0")


def test_the_variables_panel_folds_what_puppet_provides(
    page: Page, server: tuple[str, Path]
) -> None:
    code = (
        "$where = {'host' => 'web01'}\n$answer = 42\n"
        "notice($facts['os']['family'], $trusted['certname'])\n'ab' =~ /a(b)/"
    )
    open_notebook(page, server, "folded", code)
    run(page, 0)
    expect(prompt(page, 0)).to_have_text("[1]:")
    page.locator(IDLE).wait_for()
    start_debugger(page)
    names = variables(page).locator(".jp-DebuggerVariables-name")
    expect(names.first).to_have_text("answer")
    assert names.all_inner_texts()[:6] == [
        "answer",
        "where",
        "0",
        "1",
        "facts",
        "special variables",
    ]
    special = variables(page).locator(".jp-TreeItem").filter(has_text="special variables").first
    special.click()
    expect(variables(page)).to_contain_text("trusted")


def test_a_breakpoint(page: Page, server: tuple[str, Path]) -> None:
    code = "$sum = [1, 2, 3].map |$x| {\n  $y = $x * 2\n  $y + 1\n}"
    gutter = cell(page, 0).locator(".cm-gutter.cm-breakpoint-gutter .cm-gutterElement")
    breakpoints = page.locator(".jp-DebuggerBreakpoints")
    names = iter(("breakpoint", "second-breakpoint", "third-breakpoint"))

    def set_breakpoint() -> None:
        # In a notebook of its own each time: a second click would remove what the first one set.
        open_notebook(page, server, next(names), code)
        start_debugger(page)
        gutter.nth(2).click()

    pressed_until(
        set_breakpoint,
        lambda: expect(breakpoints.get_by_text("2").first).to_be_visible(timeout=5000),
        times=3,
    )
    run(page, 0)
    expect(page.locator(".jp-DebuggerCallstack")).to_contain_text("lambda")
    expect(variables(page)).to_contain_text(re.compile(r"x\s*1"))
    page.locator("jp-button[data-command='debugger:next']").click()
    expect(variables(page)).to_contain_text(re.compile(r"y\s*2"))
    gutter.nth(2).click()
    expect(breakpoints.get_by_text("2")).to_have_count(0)
    expect(page.locator(PAUSED)).to_have_count(1)
    resume(page)
    expect(output(page, 0)).to_contain_text("[3, 5, 7]")
    expect(page.locator(PAUSED)).to_have_count(0)


MODULE = {
    "environment.conf": "modulepath = modules\n",
    "modules/shop/manifests/init.pp": (
        "class shop(\n  Integer $port = 80,\n) {\n  $next = $port + 1\n  notify { 'open': }\n}\n"
    ),
}


def test_a_breakpoint_in_a_module(page: Page, server: tuple[str, Path]) -> None:
    write_files(server[1] / "shop", MODULE)
    open_notebook(page, server, "shop/module", ":environment .", "include shop")
    run(page, 0)
    expect(prompt(page, 0)).to_have_text("[1]:")
    start_debugger(page)
    # The files are listed after a cell has run with the debugger on.
    run(page, 0)
    expect(prompt(page, 0)).to_have_text("[2]:")
    sources = page.locator(".jp-DebuggerKernelSources-body")
    sources.get_by_text("shop/manifests/init.pp").click()
    editor = page.locator(".cm-editor").filter(has_text="class shop")
    expect(editor.locator(".cm-content")).to_have_attribute("aria-readonly", "true")
    line = editor.locator(".cm-breakpoint-gutter .cm-gutterElement").nth(4)
    breakpoints = page.locator(".jp-DebuggerBreakpoints")
    pressed_until(
        line.click,
        lambda: expect(breakpoints).to_contain_text("init.pp", timeout=5000),
        times=2,
    )
    page.get_by_role("tab", name="module.ipynb").click()
    run(page, 1)

    def restore() -> None:
        page.get_by_role("tab", name="init.pp").click()
        page.get_by_role("tab", name="module.ipynb").click()

    # JupyterLab asks for the debugger's state when the tab is selected. An answer from before the
    # stop that comes after it empties the stack; selecting the tab again brings it back.
    stack = page.locator(".jp-DebuggerCallstack")
    try:
        expect(stack).to_contain_text("class shop", timeout=10_000)
    except AssertionError:
        pressed_until(restore, lambda: expect(stack).to_contain_text("class shop", timeout=5000))
    expect(variables(page)).to_contain_text(re.compile(r"port\s*80"))
    expect(editor.locator(".jp-DebuggerEditor-highlight")).to_contain_text("$next")
    resume(page)
    expect(prompt(page, 1)).to_have_text("[3]:")
