"""A JupyterLab server on this machine and a page of a real browser."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.notebook import THEMES, put_settings

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LABEXTENSION = Path(__file__).parents[2] / "kernel" / "labextension"
DIRECTORIES = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
)
# A page of a test that failed is drawn into this directory.
PICTURES = Path("build/browser")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What belongs to the user of the JupyterLab."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def configuration(home: Path) -> Path:
    """The directory of Jupyter's configuration."""
    return home / "jupyter_config_dir"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[tuple[str, Path]]:
    """Address and directory of a JupyterLab."""
    root = tmp_path_factory.mktemp("lab")
    port = free_port()
    # The extension as it is here: an installation that can be edited has an old copy, or none.
    shutil.copytree(LABEXTENSION, home / "labextensions" / "puppet-repl")
    with pytest.MonkeyPatch.context() as patch:
        for name in DIRECTORIES:
            patch.setenv(name, str(home / name.lower()))
        patch.setenv("JUPYTER_PATH", str(home))
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                "--no-browser",
                "--allow-root",
                "--ip=127.0.0.1",
                f"--port={port}",
                "--IdentityProvider.token=",
                "--ServerApp.disable_check_xsrf=True",
                f"--ServerApp.root_dir={root}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=2).close()
                break
            except OSError:
                time.sleep(0.5)
        yield address, root
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(autouse=True)
def kernels_end(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test leaves no kernel to the next one, which a busy kernel would slow down."""
    yield
    if "server" in request.fixturenames:
        sessions = f"{request.getfixturevalue('server')[0]}/api/sessions"
        with urllib.request.urlopen(sessions, timeout=10) as answer:
            running = json.load(answer)
        for session in running:
            call = urllib.request.Request(f"{sessions}/{session['id']}", method="DELETE")
            urllib.request.urlopen(call, timeout=30).close()


@pytest.fixture(scope="session")
def chromium() -> dict[str, Any]:
    """The arguments that start Chromium."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "install Chromium (Debian: apt-get install chromium)"
    return {"executable_path": path, "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser(chromium: dict[str, Any]) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(**chromium)
        yield started
        started.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    page = item.funcargs.get("page") if isinstance(item, pytest.Function) else None
    if report.when == "call" and report.failed and isinstance(page, Page):
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{item.name}.png")
    return report


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1400, "height": 1600})
    opened.set_default_timeout(30_000)
    expect.set_options(timeout=20_000)
    yield opened
    opened.close()


@pytest.fixture
def dark(server: tuple[str, Path]) -> Iterator[None]:
    """JupyterLab has its dark theme."""
    put_settings(server[0], THEMES, {"theme": "JupyterLab Dark"})
    yield
    put_settings(server[0], THEMES, {"theme": "JupyterLab Light"})
