"""Checks of cells go on in JupyterLab whatever becomes of a question to the kernel."""

from __future__ import annotations

import json
import re
import signal
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from puppet_kernel.kernel_info import LANGUAGE_INFO
from tests.browser.notebook import focus, marks, open_notebook, replace, write_notebook

CHANNELS = re.compile("/channels")
SESSIONS = re.compile(r"/api/sessions(\?|$)")
# Milliseconds after which the page takes a question for lost, and a little more (marks.js).
PATIENCE = 10_500


class Wire:
    """The connection of a page to its kernel; it notes questions and may lose their replies."""

    def __init__(self, page: Page) -> None:
        self.asked = self.lost = 0
        self.is_losing = False
        page.route_web_socket(CHANNELS, self._connect)

    def has_lost(self, count: int) -> bool:
        """Tell whether so many replies were lost."""
        return self.lost == count

    def _connect(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def to_server(message: str | bytes) -> None:
            self.asked += _is(message, "debug_request")
            server.send(message)

        def to_browser(message: str | bytes) -> None:
            if self.is_losing and _is(message, "debug_reply"):
                self.lost += 1
            else:
                browser.send(message)

        browser.on_message(to_server)
        server.on_message(to_browser)


def _is(message: str | bytes, kind: str) -> bool:
    raw = message.encode() if isinstance(message, str) else message
    return kind.encode() in raw and b'"check"' in raw


def kernel_of(address: str, name: str) -> psutil.Process:
    """The process of the kernel of a notebook."""
    with urllib.request.urlopen(f"{address}/api/sessions", timeout=10) as reply:
        sessions = json.load(reply)
    (number,) = [each["kernel"]["id"] for each in sessions if each["path"] == f"{name}.ipynb"]
    (process,) = [
        each
        for each in psutil.Process().children(recursive=True)
        if any(number in word for word in each.cmdline())
    ]
    return process


def prepare(page: Page, server: tuple[str, Path], name: str) -> Wire:
    """Open a notebook with an empty cell, about which the kernel is asked when it has the focus.

    Time passes as it does, and the test may let more of it pass at once.
    """
    page.clock.install()
    wire = Wire(page)
    open_notebook(page, server, name, "")
    focus(page, 0)
    page.wait_for_timeout(1500)
    return wire


def ask(page: Page, wire: Wire) -> int:
    """Type an error, and wait for the question; return the number of questions before."""
    before = wire.asked
    replace(page, 0, "$a = [1 +)]")
    wait_until(page, lambda: wire.asked > before)
    return before


def milliseconds(page: Page) -> int:
    """The time in the page."""
    now: int = page.evaluate("Date.now()")
    return now


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    for _ in range(100):
        if is_so():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not come")


def test_a_reply_that_is_lost_is_asked_for_again(page: Page, server: tuple[str, Path]) -> None:
    wire = prepare(page, server, "lost")
    wire.is_losing = True
    before = ask(page, wire)
    wait_until(page, lambda: wire.lost > 0)
    wire.is_losing = False
    assert wire.asked == before + 1
    page.clock.fast_forward(PATIENCE)
    expect(marks(page, 0)).to_have_text(")")
    assert wire.asked == before + 2
    replace(page, 0, "$b = [1, 2")
    expect(marks(page, 0)).to_have_text("[")


def test_a_kernel_that_never_replies_is_not_asked_for_ever(
    page: Page, server: tuple[str, Path]
) -> None:
    wire = prepare(page, server, "mute")
    wire.is_losing = True
    before = ask(page, wire)
    begun = milliseconds(page)
    for count in (1, 2, 3):
        wait_until(page, partial(wire.has_lost, count))
        assert wire.asked == before + count
        page.clock.fast_forward(PATIENCE)
    assert milliseconds(page) - begun < 45_000
    page.clock.run_for(4 * PATIENCE)
    page.wait_for_timeout(1000)
    assert wire.asked == before + 3
    wire.is_losing = False
    replace(page, 0, "$b = [1, 2")
    expect(marks(page, 0)).to_have_text("[")


@pytest.mark.parametrize("how", ["restarted", "killed"])
def test_checks_go_on_after_a_kernel_that_was_asked_has_gone(
    page: Page, server: tuple[str, Path], how: str
) -> None:
    wire = prepare(page, server, f"gone-{how}")
    kernel = kernel_of(server[0], f"gone-{how}")
    kernel.send_signal(signal.SIGSTOP)
    ask(page, wire)
    if how == "killed":
        # JupyterLab tells it, and may tell it twice.
        told = page.locator(".jp-Dialog", has_text="Kernel Restarting")
        page.add_locator_handler(told, lambda: told.get_by_role("button").click())
        kernel.kill()
    else:
        page.locator(".jp-Toolbar-item[data-jp-item-name=restart] jp-button").click()
        page.get_by_role("button", name="Confirm Kernel Restart").click()
    kernel.wait(30)
    # What was asked about is marked without a further key, and so is what is typed then.
    expect(marks(page, 0)).to_have_text(")", timeout=60_000)
    replace(page, 0, "$b = [1, 2")
    expect(marks(page, 0)).to_have_text("[")


@pytest.mark.parametrize("page_of", ["lab/tree", "notebooks"])
@pytest.mark.parametrize("language", [{}, {"language_info": LANGUAGE_INFO}], ids=["new", "run"])
def test_what_is_typed_before_the_kernel_has_come_is_marked(
    page: Page, server: tuple[str, Path], page_of: str, language: dict[str, object]
) -> None:
    """A notebook that was never run does not say its language: the kernel does."""
    name = f"before-{page_of[:3]}-{len(language)}"
    write_notebook(server[1], name, "", **language)
    starts: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            starts.append(route)
        else:
            route.continue_()

    page.route(SESSIONS, hold)
    page.goto(f"{server[0]}/{page_of}/{name}.ipynb?reset")
    replace(page, 0, "$a = [1 +)]")
    wait_until(page, lambda: bool(starts))
    page.wait_for_timeout(1000)
    expect(marks(page, 0)).to_have_count(0)
    for start in starts:
        start.continue_()
    expect(marks(page, 0)).to_have_text(")", timeout=60_000)


def test_checks_go_on_with_the_kernel_after_the_one_that_was_shut_down(
    page: Page, server: tuple[str, Path]
) -> None:
    open_notebook(page, server, "shut-down", "")
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Shut Down Kernel", exact=True).click()
    expect(page.locator(".jp-Toolbar-kernelName:visible")).to_contain_text("No Kernel")
    replace(page, 0, "$a = [1 +)]")
    page.wait_for_timeout(1000)
    expect(marks(page, 0)).to_have_count(0)
    page.locator(".jp-Toolbar-item[data-jp-item-name=restart] jp-button").click()
    expect(marks(page, 0)).to_have_text(")", timeout=60_000)
