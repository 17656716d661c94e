"""Chromium, Firefox and WebKit, asked in the same few words: a test is written once for all.

They are driven by WebDriver. Selenium talks to the drivers of Chromium and WebKit; Debian has none
for Firefox, to which Mozilla's client talks directly.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from marionette_driver.marionette import Marionette
from selenium import webdriver
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions
from selenium.webdriver.webkitgtk.service import Service as WebKitService

from tests.browser.conftest import CHROMIUM_FLAGS, free_port

# Seconds: Python and the engine are loaded on a machine that does other things, too.
PATIENCE = 240
WIDTH, HEIGHT = 1280, 900
CONTROL, ENTER, ESCAPE, DELETE = "\ue009", "\ue007", "\ue00c", "\ue017"
# A function of a test, which may return a promise, called in the page.
CALL = """const given = [...arguments];
const done = given.pop();
Promise.resolve().then(() => ({})(...given)).then(
  value => done({{ value }}), error => done({{ error: `${{error.stack ?? error}}` }}));"""

# Looks again and again for some seconds, in the page: WebKit is slow while its driver asks.
WAIT = """async (...given) => {{
  for (let times = 0; ; times += 1) {{
    const found = await ({})(...given);
    if (found || times === 50) {{ return found; }}
    await new Promise(resolve => setTimeout(resolve, 100));
  }}
}}"""


class Missing(Exception):
    """A browser that is not on this machine; the message names its packages."""


class Window:
    """A window of a browser; ``go`` and ``call`` have other names in each ``driver``."""

    def __init__(
        self, driver: Any, go: Callable[[str], object], call: Callable[[str, list[object]], Any]
    ) -> None:
        self._driver = driver
        self._call = call
        self.go = go

    def ask(self, function: str, *arguments: object) -> Any:
        """Call a function of JavaScript in the page; return its value, as JSON has it."""
        reply = self._call(CALL.format(function), list(arguments))
        assert "error" not in reply, reply["error"]
        return reply.get("value")

    def text(self, selector: str) -> str:
        """Return the text of an element, empty where there is none."""
        return str(self.ask("css => document.querySelector(css)?.textContent ?? ''", selector))

    def wait(self, condition: str, *arguments: object) -> Any:
        """Wait until a function of JavaScript returns something; return that."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.ask(WAIT.format(condition), *arguments):
                return found
        raise AssertionError(f"{condition} {arguments}: not within {PATIENCE} s")

    def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        self.wait(
            "(css, text) => document.querySelector(css)?.textContent.includes(text)", selector, text
        )

    def click(self, selector: str) -> None:
        """Click the first element of a selector."""
        self._element(selector).click()

    def type(self, selector: str, *keys: str) -> None:
        """Type texts into an element; a modifier key holds until the end of its text."""
        for each in keys:
            self._element(selector).send_keys(each)

    def _element(self, selector: str) -> Any:
        self.wait("css => document.querySelector(css) !== null", selector)
        return self._driver.find_element("css selector", selector)


@contextmanager
def _chromium(directory: Path) -> Iterator[Window]:
    options = webdriver.ChromeOptions()
    options.binary_location = _program("chromium", "chromium")
    for flag in (*CHROMIUM_FLAGS, "--headless=new", f"--user-data-dir={directory}"):
        options.add_argument(flag)
    service = ChromeService(_program("chromedriver", "chromium-driver"))
    with _selenium(webdriver.Chrome(options=options, service=service)) as window:
        yield window


@contextmanager
def _webkit(directory: Path) -> Iterator[Window]:
    del directory  # it keeps nothing
    driver = _program("WebKitWebDriver", "webkit2gtk-driver")
    options = WebKitOptions()
    # It belongs to the library, and has no place on the path.
    options.binary_location = next(
        (str(path) for path in Path("/usr/lib").glob("**/webkit2gtk-4.*/MiniBrowser")), ""
    )
    options.add_argument("--automation")
    with _display() as display:
        service = WebKitService(driver, env=os.environ | {"DISPLAY": display})
        with _selenium(webdriver.WebKitGTK(options=options, service=service)) as window:
            yield window


@contextmanager
def _display() -> Iterator[str]:
    """Give the name of a screen that nobody sees."""
    command = [_program("Xvfb", "xvfb"), "-displayfd", "1", "-screen", "0", "1400x1000x24"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


@contextmanager
def _selenium(driver: Any) -> Iterator[Window]:
    try:
        driver.set_window_size(WIDTH, HEIGHT)
        driver.set_script_timeout(PATIENCE)
        call = lambda script, given: driver.execute_async_script(script, *given)  # noqa: E731
        yield Window(driver, driver.get, call)
    finally:
        driver.quit()


@contextmanager
def _firefox(directory: Path) -> Iterator[Window]:
    # The program is a link; what it consists of is beside the file itself.
    program = Path(_program("firefox-esr", "firefox-esr")).resolve()
    driver = Marionette(
        app="fxdesktop",
        bin=str(program),
        port=free_port(),
        headless=True,
        # Its client makes a profile of its own, and removes the file of an earlier log first.
        gecko_log=str(directory / "firefox.log"),
        startup_timeout=PATIENCE,
    )
    try:
        driver.start_session()
        driver.set_window_rect(width=WIDTH, height=HEIGHT)
        driver.timeout.script = PATIENCE
        call = lambda script, given: driver.execute_async_script(  # noqa: E731
            script, script_args=given, sandbox=None
        )
        yield Window(driver, driver.navigate, call)
    finally:
        driver.cleanup()


def _program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Missing(f"{name} is not installed (Debian: apt-get install {package})")
    return found


ENGINES: dict[str, Callable[[Path], AbstractContextManager[Window]]] = {
    "chromium": _chromium,
    "firefox": _firefox,
    "webkit": _webkit,
}
