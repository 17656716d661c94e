"""Run buttons of the documentation in Chromium: below a path, with the network cut but for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize, expect

from tests.browser.hosts import DOCS, docs_host
from tests.browser.playground import ENDLESS, PATIENCE, served, wait, watch
from tests.browser.test_site import FAINT
from tests.pyodide.test_site import MAX_BYTES

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
# Besides Python and the engine: the two libraries that make HTML and Markdown safe to show.
MAX_SHOWING = 100_000
# Resolves when the files are kept for times without a network.
KEPT = """async () => {
  for (;;) {
    const [found] = await navigator.serviceWorker.getRegistrations();
    if (found?.active?.state === 'activated' && !found.installing) { return; }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a host that has the site somewhere in it."""
    return docs_host(tmp_path_factory)


@pytest.fixture(scope="module")
def site(host: Path) -> Iterator[str]:
    """The address of the site."""
    with served(host) as address:
        yield f"{address}/{DOCS}"


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser in which nothing was loaded; a page of it that asks another host fails."""
    opened = browser.new_context(viewport=DESKTOP)
    asked = watch(opened, site)
    yield opened
    opened.close()
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []


def run(page: Page, number: int) -> Locator:
    """Click a button, wait until it has run; return what is shown."""
    example = page.locator(".try-example").nth(number)
    example.locator(".try-run").click()
    shown = example.locator("xpath=following-sibling::*[1]")
    expect(shown.locator(".try-close")).to_be_visible(timeout=PATIENCE)
    return shown


def test_buttons_show_what_the_pages_say(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/guide/types.html")
    outputs = run(page, 0).locator(".try-cells > .output")
    stated = re.findall(r"# => (.*)", page.locator(".try-example").nth(0).inner_text())
    assert len(stated) == 7
    expect(outputs).to_have_text(stated)
    page.goto(f"{site}/getting-started.html")
    shown = run(page, 0)
    expect(shown.locator(".try-cells > .output").nth(1)).to_have_text("{'https' => 443}")
    expect(shown.locator(".error")).to_contain_text("hint: did you mean upcase?")
    page.goto(f"{site}/guide/catalog.html")
    text = page.locator(".try-example", has_text="Host <<|")
    number = page.locator(".try-example").all_inner_texts().index(text.inner_text())
    expect(run(page, number).locator(".try-cells > .output").last).to_have_text("'10.0.0.1'")


def test_a_cell_of_a_notebook_has_the_cells_before_it(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/notebooks/03-arrays-and-hashes-in-pipelines.html")
    count = page.locator(".try-example").count()
    for number in (5, count // 2):
        stated = page.locator(".try-example").nth(number).locator("xpath=following-sibling::*[1]")
        expected = stated.inner_text()
        shown = run(page, number)
        assert "".join(shown.locator(".try-cells > .output").last.inner_text().split()) == "".join(
            expected.split()
        )


def test_an_error_has_its_place(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/guide/types.html")
    error = run(page, 2).locator(".error").first
    expect(error).to_contain_text("line: 2, column: 1")
    expect(error).to_contain_text("port('ftp')")


def test_an_endless_program_is_stopped(context: BrowserContext, site: str) -> None:
    page = context.new_page()

    def change(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace('"5 =~ Integer ', f'"{ENDLESS} ', 1)
        route.fulfill(response=answer, body=text)

    page.route("**/guide/types.html", change)
    page.goto(f"{site}/guide/types.html")
    first = page.locator(".try-example").nth(0)
    button = first.locator(".try-run")
    button.click()
    state = page.locator(".try-state").first
    expect(button).to_have_text("■ Stop")
    expect(state).to_have_text("Running…", timeout=PATIENCE)
    expect(page.locator(".try-run").nth(1)).to_be_disabled()
    button.click()
    expect(state).to_have_text("Stopped.", timeout=PATIENCE)
    expect(button).to_have_text("▶ Run")
    # A program that runs alone does not meet the endless one.
    page.unroute("**/guide/types.html")
    page.goto(f"{site}/guide/types.html")
    expect(run(page, 0).locator(".try-cells > .output").first).to_have_text("true")


def test_a_stop_while_python_is_loaded(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/guide/types.html")
    button = page.locator(".try-run").first
    button.click()
    expect(page.locator(".try-state").first).to_contain_text("Loading Puppet… ")
    button.click()
    expect(page.locator(".try-state").first).to_have_text("Stopped.")
    expect(run(page, 0).locator(".try-cells > .output").first).to_have_text("true")


def test_what_was_loaded_works_without_a_network(browser: Browser, host: Path) -> None:
    with served(host) as address:
        opened = browser.new_context()
        page = opened.new_page()
        page.goto(f"{address}/{DOCS}/guide/types.html")
        run(page, 0)
        page.evaluate(KEPT)
    # The host is gone.
    opened.set_offline(True)
    page.evaluate("document.querySelector('.try-output').remove()")
    started = page.evaluate(
        """async address => {
          const { Session } = await import(address);
          const session = new Session();
          await session.execute('1 + 1');
          await session.stop();
          return (await session.execute('1 + 1')).status;
        }""",
        f"{address}/{DOCS}/playground/client.mjs",
    )
    assert started == "ok"
    expect(run(page, 1).locator(".try-cells > .output").first).to_have_text("true")
    page.goto(f"{address}/{DOCS}/playground/index.html")
    expect(page.locator("#editor .cm-content")).to_be_visible()
    opened.close()


def test_a_browser_that_keeps_nothing_runs_examples(browser: Browser, site: str) -> None:
    opened = browser.new_context(service_workers="block")
    page = opened.new_page()
    page.goto(f"{site}/guide/types.html")
    expect(run(page, 0).locator(".try-cells > .output").first).to_have_text("true")
    opened.close()


def test_the_first_click_loads_no_more_than_is_allowed(
    browser: Browser, site: str, host: Path
) -> None:
    opened = browser.new_context(service_workers="block")
    asked = watch(opened, site)
    page = opened.new_page()
    page.goto(f"{site}/guide/types.html")
    before = set(asked)
    run(page, 0)
    paths = {unquote(urlsplit(url).path) for url in set(asked) - before}
    opened.close()
    assert f"/{DOCS}/playground/pyodide/pyodide.asm.wasm" in paths
    assert f"/{DOCS}/playground/engine.tar.gz" in paths
    sizes = {path: (host / path.lstrip("/")).stat().st_size for path in paths}
    assert sum(sizes.values()) <= MAX_BYTES + MAX_SHOWING, sizes


def test_a_program_opens_in_the_playground(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/getting-started.html")
    run(page, 1).locator(".try-open").click()
    page.wait_for_url("**/playground/index.html#code=*")
    expect(page.locator("#editor .cm-content")).to_contain_text("include motd")


def test_a_program_that_is_opened_has_what_it_needs_of_its_page(
    context: BrowserContext, site: str
) -> None:
    page = context.new_page()
    page.goto(f"{site}/notebooks/03-arrays-and-hashes-in-pipelines.html")
    data = page.locator("#try-examples").evaluate("each => JSON.parse(each.textContent)")
    number = next(at for at, each in enumerate(data) if len({n for n, _ in each["program"]}) > 1)
    shown = run(page, number)
    expected = shown.locator(".try-cells > .output").last.inner_text()
    shown.locator(".try-open").click()
    page.wait_for_url("**/playground/index.html#code=*")
    page.locator("#run").click()
    wait(page)
    found = page.locator("#log .output.result").last.inner_text()
    assert "".join(found.split()) == "".join(expected.split())


def test_inputs_are_above_what_comes_of_them(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(f"{site}/getting-started.html")
    shown = run(page, 0)
    data = page.locator("#try-examples").evaluate("each => JSON.parse(each.textContent)")
    inputs = [code.rstrip() for code in data[0]["inputs"]]
    expect(shown.locator(".try-input")).to_have_text(inputs)
    assert len(inputs) > 1
    # What is undef on the page is so below it, and an example without outputs has no button.
    page.goto(f"{site}/reference/functions/navigation.html")
    data = page.locator("#try-examples").evaluate("each => JSON.parse(each.textContent)")
    number, example = next((at, each) for at, each in enumerate(data) if each["undef"])
    outputs = run(page, number).locator(".try-cells").nth(example["undef"][0])
    expect(outputs.locator("> .output")).to_have_text("undef")


def test_the_site_leads_to_the_playground(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    for name in ("index", "notebooks/01-first-steps"):
        page.goto(f"{site}/{name}.html")
        page.locator(".sidebar-tree").get_by_role("link", name="Playground").click()
        expect(page).to_have_url(f"{site}/playground/index.html")
    page.goto(f"{site}/index.html")
    page.get_by_role("link", name="try it in the browser").click()
    expect(page).to_have_url(f"{site}/playground/index.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_outputs_can_be_read_on_a_phone(browser: Browser, site: str, scheme: str) -> None:
    opened = browser.new_context(
        viewport=PHONE, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = opened.new_page()
    page.goto(f"{site}/guide/types.html")
    run(page, 2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    texts = page.locator(".try-output pre span, .try-output pre, .try-output a, .try-run")
    assert texts.evaluate_all(FAINT) == []
    opened.close()


def test_buttons_are_not_printed_and_copied(browser: Browser, site: str) -> None:
    opened = browser.new_context(viewport=DESKTOP, permissions=["clipboard-read"])
    page = opened.new_page()
    page.goto(f"{site}/guide/types.html")
    first = page.locator(".try-example").nth(0)
    first.hover()
    first.locator(".copybtn").click()
    expect(first.locator(".copybtn")).to_have_class(re.compile("success"))
    assert page.evaluate("navigator.clipboard.readText()").startswith("5 =~ Integer")
    assert "Run" not in page.evaluate("navigator.clipboard.readText()")
    page.emulate_media(media="print")
    expect(page.locator(".try-run").first).to_be_hidden()
    opened.close()


def test_without_scripts_there_are_no_buttons(browser: Browser, site: str) -> None:
    opened = browser.new_context(java_script_enabled=False)
    page = opened.new_page()
    page.goto(f"{site}/guide/types.html")
    expect(page.locator(".try-example")).not_to_have_count(0)
    expect(page.locator(".try-run")).to_have_count(0)
    opened.close()
