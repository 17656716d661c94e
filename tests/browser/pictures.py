"""Scenes in a JupyterLab: the pictures of the lesson about the notebook, and of the site."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.notebook import (
    cell,
    focus,
    open_notebook,
    point_at,
    pressed_until,
    prompt,
    run,
    run_in_order,
    start_debugger,
)

FUNCTION = """function addresses(Hash $web) {
  $port = $web['port']
  $web['hosts'].map |$host| { "${host}:${port}" }
}
addresses({ 'port' => 80, 'hosts' => ['web01', 'web02'] })"""
# What is left around the things that a picture is of: a band in the colour of the page, and a line
# around it, by which a light picture reads as one on a dark page too. (JupyterLab's Markdown has no
# <picture>, with which there could be one for each theme.)
MARGIN = 10
FRAME = """([left, top, width, height, band]) => {
  const frame = document.createElement('div');
  Object.assign(frame.style, {
    position: 'fixed', left: `${left}px`, top: `${top}px`,
    width: `${width}px`, height: `${height}px`,
    boxSizing: 'border-box', border: `${band}px solid var(--jp-layout-color1)`,
    outline: '1px solid #9a9a9a', outlineOffset: '-1px', zIndex: 100000, pointerEvents: 'none',
  });
  document.body.append(frame);
}"""
Scene = Callable[[Page, tuple[str, Path]], list[Locator]]


def completion(page: Page, server: tuple[str, Path]) -> list[Locator]:
    """Tab in the path of a fact."""
    open_notebook(page, server, "completion", ":facts debian-12", "$facts['os']['")
    run(page, 0)
    expect(prompt(page, 0)).to_have_text("[1]:")
    popup = page.locator(".jp-Completer")

    def press() -> None:
        focus(page, 1)
        page.keyboard.press("Tab")

    pressed_until(press, lambda: expect(popup).to_contain_text("selinux", timeout=3000))
    return [cell(page, 1).locator(".jp-InputArea"), popup]


def tooltip(page: Page, server: tuple[str, Path]) -> list[Locator]:
    """Shift-Tab on an attribute."""
    open_notebook(page, server, "tooltip", "file { '/etc/motd': ensure => file }")
    shown = page.locator(".jp-Tooltip")

    def press() -> None:
        focus(page, 0)
        page.keyboard.press("Home")
        for _ in range(22):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+Tab")

    pressed_until(press, lambda: expect(shown).to_contain_text("ensure attribute", timeout=3000))
    return [cell(page, 0).locator(".jp-InputArea"), shown]


def marks(page: Page, server: tuple[str, Path]) -> list[Locator]:
    """The mouse pointer on an underlined error, and a name that nothing defines."""
    cells = ("$hosts = ['web01', 'web02']", "$ports = [80, (443 + 1]", "$host.length")
    open_notebook(page, server, "picture-of-marks", *cells)
    run(page, 0)
    focus(page, 2)
    expect(cell(page, 2).locator(".puppet-repl-unknown")).to_have_text("$host")
    focus(page, 1)
    error = cell(page, 1).locator(".puppet-repl-error")
    expect(error).to_have_text("]")
    shown = page.locator(".puppet-repl-problems")
    point_at(page, error, lambda: expect(shown).to_contain_text("not closed", timeout=3000))
    return [cell(page, 0), cell(page, 2), shown]


def debugger(page: Page, server: tuple[str, Path]) -> list[Locator]:
    """A function that has stopped at a breakpoint."""
    page.set_viewport_size({"width": 1160, "height": 800})
    open_notebook(page, server, "debugger", FUNCTION)
    start_debugger(page)
    line = cell(page, 0).locator(".cm-breakpoint-gutter .cm-gutterElement").nth(3)
    breakpoints = page.locator(".jp-DebuggerBreakpoints")
    pressed_until(
        line.click,
        lambda: expect(breakpoints).to_contain_text("3", timeout=5000),
        times=2,
    )
    run(page, 0)
    calls = page.locator(".jp-DebuggerCallstack").get_by_role("listitem")
    expect(calls.last).to_contain_text("main")
    expect(page.locator(".jp-DebuggerVariables")).to_contain_text("web")
    return [page.locator(".jp-NotebookPanel-toolbar"), cell(page, 0), calls.last]


def session(page: Page, server: tuple[str, Path]) -> list[Locator]:
    """Facts of another machine, a table, a diagram: what a notebook is for."""
    cells = (
        ":facts rocky-9\n$facts['os']['family']",
        "['web01', 'web02'].map |$i, $host| { { host => $host, port => 8080 + $i } }",
        "package { 'nginx': } -> file { '/etc/nginx/site.conf': } ~> service { 'nginx': }\n:graph",
    )
    open_notebook(page, server, "session", *cells)
    run_in_order(page, len(cells))
    page.keyboard.press("Control+b")  # the list of files takes room
    expect(page.locator("#jp-left-stack")).to_be_hidden()
    # Where fonts are wide a toolbar of this width hides whether the kernel is idle.
    page.set_viewport_size({"width": 900, "height": 1000})
    picture = cell(page, 2).get_by_role("img").last
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    page.locator(".jp-NotebookPanel-toolbar").click(position={"x": 400, "y": 5})
    return [page.locator(".jp-NotebookPanel-toolbar"), *(cell(page, index) for index in range(3))]


SCENES: dict[str, Scene] = {
    f"{scene.__name__}.png": scene for scene in (completion, tooltip, marks, debugger)
}
SITE_SCENES: dict[str, Scene] = {"jupyter-session.png": session}
SITE = Path(__file__).parents[2] / "docs" / "_static"


def taken(page: Page, things: list[Locator]) -> bytes:
    """Return the part of a page that has some things in it, in a frame, as a PNG."""
    boxes = [box for box in (thing.bounding_box() for thing in things) if box is not None]
    assert len(boxes) == len(things), "something to be seen is not there"
    left = max(0, floor(min(box["x"] for box in boxes)) - MARGIN)
    top = max(0, floor(min(box["y"] for box in boxes)) - MARGIN)
    width = ceil(max(box["x"] + box["width"] for box in boxes)) + MARGIN - left
    height = ceil(max(box["y"] + box["height"] for box in boxes)) + MARGIN - top
    page.evaluate(FRAME, [left, top, width, height, MARGIN - 2])
    picture: bytes = page.screenshot(clip={"x": left, "y": top, "width": width, "height": height})
    return picture
