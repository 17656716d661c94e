"""The playground in a browser: serving its directory, writing programs, running them."""

from __future__ import annotations

import base64
import http.server
import re
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize, expect

# Python and the engine are loaded on a machine that does other things, too.
PATIENCE = 120_000
IDLE = re.compile("idle")
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
ENDLESS = "Integer[1, 1000000000000].each |$i| { $i }"
CLASSES = """\
class web {
  package { 'nginx': } -> file { '/etc/nginx/site.conf': } ~> service { 'nginx': }
}
include web"""


class _Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, max_age: int, sent: list[str], directory: str) -> None:
        self.max_age = max_age
        self.sent = sent
        super().__init__(*arguments, directory=directory)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", f"max-age={self.max_age}")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        if code == http.HTTPStatus.OK:
            self.sent.append(urlsplit(self.path).path)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Say nothing of what a closed page has not waited for."""


@contextmanager
def served(directory: Path, *, max_age: int = 0, sent: list[str] | None = None) -> Iterator[str]:
    """Serve a directory as any static host does; give its address.

    Browsers may use a file for ``max_age`` seconds without asking for it again. ``sent`` gets the
    paths of the files that were sent.
    """
    sent = [] if sent is None else sent
    handler = partial(_Handler, max_age=max_age, sent=sent, directory=str(directory))
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


class Opened:
    """A page of a browser of its own, which must not ask another host or break a rule."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context(
            viewport=DESKTOP, permissions=["clipboard-read", "clipboard-write"]
        )
        self.host = address.partition("index.html")[0]
        self.asked = watch(self.context, address)
        self.problems: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._read)
        self.page.goto(address)

    def _read(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.problems.append(str(getattr(message, "text", "")))

    def __enter__(self) -> Page:
        expect.set_options(timeout=20_000)
        return self.page

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert [url for url in self.asked if not url.startswith((self.host, "data:"))] == []
        assert self.problems == []


def fragment(code: str, facts: str = "") -> str:
    """Return the fragment of a link to a program, made without the page."""
    deflate = zlib.compressobj(9, wbits=-15)
    data = deflate.compress(code.encode()) + deflate.flush()
    text = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return f"#code={text}" + (f"&facts={quote(facts)}" if facts else "")


def follow(page: Page, link: str) -> None:
    """Go to a fragment as by a link, which loads no page."""
    page.evaluate("link => { location.hash = link }", link)
