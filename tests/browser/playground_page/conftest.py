"""The page of the playground, served below a path, with the network cut but for that server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from playground.site import write_site
from tests.browser.playground import Opened, served

PLACE = "some/where/playground"


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the playground, below others."""
    root = tmp_path_factory.mktemp("host")
    write_site(root / PLACE)
    return root / PLACE


@pytest.fixture(scope="session")
def address(directory: Path) -> Iterator[str]:
    """The address of the page."""
    with served(directory.parents[2]) as host:
        yield f"{host}/{PLACE}/index.html"


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page whose session is used by one test after the other."""
    with Opened(browser, address) as opened:
        yield opened


@pytest.fixture
def new_page(browser: Browser, address: str) -> Iterator[Page]:
    """A page in which nothing has been loaded."""
    with Opened(browser, address) as opened:
        yield opened


@pytest.fixture
def troubled_page(browser: Browser, address: str) -> Iterator[Page]:
    """A new page of a test that lets something go wrong, which a browser logs."""
    opened = Opened(browser, address)
    with opened as page:
        yield page
        opened.problems.clear()
