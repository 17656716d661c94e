"""The playground in a browser: serving its directory, writing programs, running them."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

# Python and the engine are loaded on a machine that does other things, too.
PATIENCE = 120_000
IDLE = re.compile("idle")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Say nothing of what a closed page has not waited for."""


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """Serve a directory as any static host does; give its address."""
    handler = partial(_Quiet, directory=str(directory))
    with _Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def watch(context: BrowserContext, address: str) -> list[str]:
    """Cut a browser off all other hosts; return what it will have asked of them, and of its own."""
    own = re.match(r"\w+://[^/]+/", address)
    assert own is not None
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    context.route(re.compile(f"^(?!{re.escape(own[0])}|data:|blob:)"), refuse)
    return asked


def write(page: Page, code: str) -> None:
    """Replace the program, as by pasting."""
    page.locator("#editor .cm-content").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(code)


def wait(page: Page) -> None:
    """Wait until the session has done what it was asked for."""
    expect(page.locator("#stop")).to_have_attribute("aria-disabled", "true", timeout=PATIENCE)
    expect(page.locator("body")).to_have_attribute("data-state", IDLE, timeout=PATIENCE)


def run(page: Page, code: str) -> Locator:
    """Run a program; return its output."""
    write(page, code)
    page.keyboard.press("ControlOrMeta+Enter")
    wait(page)
    return page.locator("#log")


def enter(page: Page, code: str) -> Locator:
    """Enter something at the prompt; return its outputs."""
    entries = page.locator("#log .entry:has(> .echo)")
    before = entries.count()
    page.locator("#prompt .cm-content").click()
    page.keyboard.insert_text(code)
    page.keyboard.press("Escape")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(entries).to_have_count(before + 1)
    wait(page)
    return entries.last
