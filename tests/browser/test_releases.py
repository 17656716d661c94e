"""Two releases of the playground on one host: a page, its worker and Python are of the same one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from playground.site import write_keeper, write_site
from tests.browser.playground import PATIENCE, enter, run, served, wait

# A page outside of the directory, such as those of the documentation.
PAGE = "<!doctype html><title>Outside</title>"
# Parts of a release that are loaded in different ways; each is marked with the number of it.
PARTS = ("client.mjs", "engine.mjs", "playground.mjs", "worker.mjs")
EXPORTING = ("client.mjs", "engine.mjs")
START = """async () => {
  const { MARK, Session } = await import('./playground/client.mjs');
  window.session = new Session();
  await session.start();
  return MARK;
}"""
# Resolves when the next release waits for its turn, or the only one is there.
INSTALLED = """async isWaiting => {
  for (;;) {
    const [found] = await navigator.serviceWorker.getRegistrations();
    const isThere = isWaiting ? found?.waiting : found?.active?.state === 'activated';
    if (isThere && !found.installing) { return; }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}"""
OF_WORKER = """async () => {
  const { search } = new URL(location.href);
  const { MARK } = await import(new URL(`engine.mjs${search}`, location.href).href);
  return [self.MARK, MARK];
}"""
# What a browser does with the files of a page, but not of its worker, that is reloaded by force.
REFRESH = """() => Promise.all(
  performance.getEntriesByType('resource').map(entry => fetch(entry.name, { cache: 'reload' }))
)"""
OF_PAGE = "async () => [self.MARK, (await import('./client.mjs')).MARK]"


class Host:
    """A host of one release after another."""

    def __init__(self, root: Path) -> None:
        self._directory = root / "playground"
        write_site(self._directory)
        (root / "outside.html").write_text(PAGE, encoding="utf-8")

    def deploy(self, number: int) -> None:
        """Put another release in the place of this one."""
        for name in PARTS:
            path = self._directory / name
            text = re.sub(r"// MARK.*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            name_of_mark = "export const MARK" if name in EXPORTING else "self.MARK"
            declared = f"{name_of_mark} = {number};"
            path.write_text(f"{text}// MARK\n{declared}\n", encoding="utf-8")
        write_keeper(self._directory)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("host")


@pytest.fixture(scope="module")
def written(root: Path) -> Host:
    """The host of all tests here: writing its files takes long."""
    return Host(root)


@pytest.fixture
def host(written: Host) -> Host:
    """A host that has its first release."""
    written.deploy(1)
    return written


@pytest.fixture
def address(host: Host, root: Path) -> Iterator[str]:
    with served(root) as found:
        yield found


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A browser that has the first release, for times without a network."""
    opened = browser.new_context()
    opened.set_default_timeout(PATIENCE)
    page = opened.new_page()
    page.goto(f"{address}/outside.html")
    page.evaluate(START)
    page.evaluate(INSTALLED, False)
    page.close()
    yield opened
    opened.close()


def of_worker(page: Page) -> list[int]:
    """Return of which releases the worker of a page and its engine are."""
    found: list[int] = page.workers[-1].evaluate(OF_WORKER)
    return found


def test_a_page_outside_has_a_worker_of_its_own_release(
    context: BrowserContext, host: Host, address: str
) -> None:
    first = context.new_page()
    first.goto(f"{address}/outside.html")
    assert first.evaluate(START) == 1
    assert of_worker(first) == [1, 1]
    host.deploy(2)
    second = context.new_page()
    second.goto(f"{address}/outside.html")
    # The release that is kept is still the first.
    assert second.evaluate(START) == 2
    assert of_worker(second) == [2, 2]
    second.evaluate(INSTALLED, True)
    # The first page goes on with what it has.
    first.evaluate("session.stop()")
    assert of_worker(first) == [1, 1]


def test_tabs_of_the_playground_stay_with_their_release_until_all_are_closed(
    context: BrowserContext, host: Host, address: str
) -> None:
    tabs = [context.new_page()]
    tabs[0].goto(f"{address}/playground/index.html")
    run(tabs[0], "$x = 1")
    host.deploy(2)
    tabs.append(context.new_page())
    tabs[1].goto(f"{address}/playground/index.html")
    run(tabs[1], "$x = 2")
    tabs[1].evaluate(INSTALLED, True)
    for number, tab in enumerate(tabs, start=1):
        # What runs is stopped: another worker is started.
        tab.locator("#prompt .cm-content").click()
        tab.keyboard.insert_text("Integer[1, 1000000000000].each |$i| { $i }")
        tab.keyboard.press("ControlOrMeta+Enter")
        expect(tab.locator("body")).to_have_attribute("data-state", "busy")
        tab.locator("#stop").click()
        wait(tab)
        expect(enter(tab, "$x").locator(".result")).to_have_text(str(number))
        assert tab.evaluate(OF_PAGE) == [1, 1]
        assert of_worker(tab) == [1, 1]
    tabs[0].reload()
    assert tabs[0].evaluate(OF_PAGE) == [1, 1]
    for tab in tabs:
        tab.close()
    last = context.new_page()
    last.goto(f"{address}/outside.html")
    last.wait_for_function("async () => (await caches.keys()).length === 1")
    last.goto(f"{address}/playground/index.html")
    run(last, "3")
    assert last.evaluate(OF_PAGE) == [2, 2]
    assert of_worker(last) == [2, 2]


# GitHub Pages lets browsers use a file for ten minutes without asking for it.
@pytest.mark.parametrize("max_age", [0, 600])
def test_a_page_whose_release_is_gone_says_so(
    browser: Browser, host: Host, root: Path, max_age: int
) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    with served(root, max_age=max_age) as address:
        page.goto(f"{address}/playground/index.html")
        expect(page.locator("#editor .cm-content")).to_be_visible()
        host.deploy(2)
        page.locator("#run").click()
        expect(page.locator("#log .error")).to_contain_text(
            "this page is of another release than its host has now: reload it.", timeout=PATIENCE
        )
        page.reload()
        run(page, "1")
        assert page.evaluate(OF_PAGE) == [2, 2]
        assert of_worker(page) == [2, 2]
    context.close()


def test_files_of_an_earlier_release_in_the_cache_of_a_browser(
    browser: Browser, host: Host, root: Path
) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    with served(root, max_age=600) as address:
        page.goto(f"{address}/playground/index.html")
        run(page, "1")
        host.deploy(2)
        page.reload()
        run(page, "1")
        assert page.evaluate(OF_PAGE) == of_worker(page) == [1, 1]
        page.evaluate(REFRESH)
        page.reload()
        run(page, "1")
        assert page.evaluate(OF_PAGE) == of_worker(page) == [2, 2]
    context.close()


def test_what_was_loaded_is_not_loaded_again_to_be_kept(
    browser: Browser, chromium: dict[str, Any], host: Host, root: Path, tmp_path: Path
) -> None:
    # On disk: a cache in memory has no room for the largest file.
    context = browser.browser_type.launch_persistent_context(tmp_path, **chromium)
    page = context.new_page()
    sent: list[str] = []
    with served(root, sent=sent) as address:
        page.goto(f"{address}/playground/index.html")
        run(page, "1")
        page.evaluate(INSTALLED, False)
    context.close()
    counted = Counter(path for path in sent if path.startswith("/playground/"))
    assert counted["/playground/engine.tar.gz"] == 1
    assert {path for path, count in counted.items() if count > 1} <= {"/playground/sw.js"}


def test_the_release_is_that_of_the_files(host: Host, root: Path) -> None:
    def release() -> set[str]:
        files = (root / "playground" / name for name in ("client.mjs", "worker.mjs", "sw.js"))
        found = (re.search(r"RELEASE = '(\w{64})'", path.read_text("utf-8")) for path in files)
        return {each[1] for each in found if each}

    first = release()
    assert len(first) == 1
    host.deploy(1)
    assert release() == first
    host.deploy(2)
    assert len(release() | first) == 2
