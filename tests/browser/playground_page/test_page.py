"""The page of the playground: what it loads, how it looks and how it is reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from playground.engine import ROOT
from tests.browser.notebook import CONTRAST, broken_rules
from tests.browser.playground import CLASSES, DESKTOP, PATIENCE, Opened, enter, run, wait, write

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_PHONE: ViewportSize = {"width": 390, "height": 664}
BIG = ("worker.mjs", "engine.tar.gz", "/pyodide/")
# Pictures of the page for the documentation.
PICTURES = ROOT / "docs" / "_static"
MAX_PICTURE = 100_000


def test_nothing_big_is_loaded_before_it_is_needed(browser: Browser, address: str) -> None:
    opened = Opened(browser, address)
    with opened as page:
        expect(page.locator("#editor .cm-content")).to_contain_text("package")
        page.locator("#editor .cm-content").click()
        page.locator("#tab-graph").focus()
        page.wait_for_timeout(500)
        asked = [url for url in opened.asked if any(part in url for part in BIG)]
        assert asked == []
        page.locator("#editor .cm-content").click()
        page.keyboard.type("#")
        expect(page.locator("body")).to_have_attribute("data-state", "idle", timeout=PATIENCE)
        assert any("engine.tar.gz" in url for url in opened.asked)


def test_the_time_to_the_first_answer(new_page: Page, record_property: object) -> None:
    """It is printed; a machine that does other things has no other limit than patience."""
    timed = """async () => {
      const begun = performance.now();
      document.querySelector('#run').click();
      const log = document.querySelector('#log');
      while (!log.querySelector('.result')) {
        await new Promise(resolve => setTimeout(resolve, 5));
      }
      return (performance.now() - begun) / 1000;
    }"""
    write(new_page, "")
    new_page.keyboard.insert_text("1 + 1")
    cold = new_page.evaluate(timed)
    wait(new_page)
    warm = new_page.evaluate(timed)
    print(f"first answer of the playground: cold {cold:.2f} s, warm {warm:.3f} s")
    assert warm < cold


def test_the_progress_is_that_of_the_files(page: Page, directory: Path) -> None:
    expected = page.evaluate("import('./status.mjs').then(module => module.EXPECTED_BYTES)")
    python = directory / "pyodide"
    files = [directory / "engine.tar.gz", python / "pyodide.asm.wasm", python / "python_stdlib.zip"]
    size = sum(path.stat().st_size for path in files)
    assert 0.95 < expected / size <= 1.0, "the bar is full a little before all is there"


def test_a_file_that_is_missing_is_told(troubled_page: Page) -> None:
    troubled_page.context.route("**/engine.tar.gz*", lambda route: route.fulfill(status=404))
    troubled_page.locator("#run").click()
    state = troubled_page.locator("#state")
    expect(state).to_contain_text("Python could not be started", timeout=PATIENCE)
    expect(state).to_contain_text("engine.tar.gz cannot be loaded: 404")
    troubled_page.context.unroute("**/engine.tar.gz*")
    troubled_page.locator("#run").click()
    wait(troubled_page)
    expect(troubled_page.locator("#log table")).to_be_visible()


def test_loading_is_stopped(new_page: Page) -> None:
    new_page.locator("#run").click()
    expect(new_page.locator("body")).to_have_attribute("data-state", "starting")
    new_page.locator("#stop").click()
    expect(new_page.locator("body")).to_have_attribute("data-state", "absent")
    new_page.locator("#run").click()
    wait(new_page)
    expect(new_page.locator("#log table")).to_be_visible()


def test_without_scripts_there_is_a_sentence(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#unsupported")).to_contain_text("needs a browser with JavaScript")
    context.close()


def test_without_webassembly_there_is_a_sentence(browser: Browser, address: str) -> None:
    context = browser.new_context()
    context.add_init_script("delete globalThis.WebAssembly")
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#unsupported")).to_contain_text("JavaScript and WebAssembly")
    expect(page.locator("main")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_page_is_not_wider_than_the_screen(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    run(page, CLASSES + f"\nnotice('{'long' * 100}')\n{{'{'key' * 50}' => [{'1000, ' * 60}]}}")
    for tab in ("graph", "catalog", "output"):
        page.locator(f"#tab-{tab}").click()
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.locator("#help-button").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.keyboard.press("Escape")
    page.set_viewport_size(DESKTOP)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.locator("#examples").select_option("template")
    page.locator("#run").click()
    wait(page)
    code = "warning('w')\nerr('e')\ninfo('i')\n$x = [1, 'a', /b/, Integer, {'k' => true}, undef]"
    enter(page, code)
    enter(page, "fail('x')")
    enter(page, ":help map")
    faint = page.locator("body :not(option, dialog *)").evaluate_all(
        f"""found => found
          .filter(each => [...each.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
          .filter(each => each.checkVisibility() && !each.closest('[aria-disabled=true]'))
          .map(each => [({CONTRAST})(each), each.className || each.id || each.tagName,
                        each.textContent.trim().slice(0, 40)])
          .filter(([contrast]) => contrast < 4.5)
          .map(([contrast, ...what]) => `${{contrast.toFixed(2)}} ${{what.join(' ')}}`)"""
    )
    page.emulate_media(color_scheme="light")
    assert not faint, "\n".join(sorted(set(faint)))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: str) -> None:
    """Names, roles, order and contrast by the rules of axe, where the page is full of things."""
    page.emulate_media(
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    page.locator("#examples").select_option("error")
    page.locator("#run").click()
    wait(page)
    enter(page, ":help map")
    for tab in ("graph", "catalog", "output"):
        page.locator(f"#tab-{tab}").click()
        wait(page)
        assert broken_rules(page) == []
    write(page, "$x = upca")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li")).to_have_count(1)
    assert broken_rules(page) == []
    page.keyboard.press("Escape")
    page.locator("#help-button").click()
    assert broken_rules(page) == []
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def test_axe_finds_nothing_on_a_phone(page: Page) -> None:
    """Where the program is longer than the editor is high."""
    page.set_viewport_size(SMALL_PHONE)
    run(page, "notice('a line')\n" * 60)
    assert broken_rules(page) == []
    page.set_viewport_size(DESKTOP)


def test_a_phone_shows_the_results_when_a_run_ends(page: Page) -> None:
    page.set_viewport_size(SMALL_PHONE)
    for code in ("notice('a line')\n" * 60, "fail('no')\n" + "# a line\n" * 60):
        write(page, code)
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        expect(page.locator(".results")).not_to_be_in_viewport(ratio=0.99)
        page.keyboard.press("ControlOrMeta+Enter")
        wait(page)
        expect(page.locator(".results")).to_be_in_viewport(ratio=0.99)
    page.set_viewport_size(DESKTOP)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_can_be_taken(page: Page, scheme: str, update_goldens: bool) -> None:
    """``make pictures`` takes the pictures of the documentation anew."""
    page.set_viewport_size({"width": 1100, "height": 660})
    page.emulate_media(
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    page.locator("#examples").select_option("resources")
    page.locator("#run").click()
    wait(page)
    page.locator("#tab-graph").click()
    page.locator("#graph img").evaluate("image => image.decode()")
    wait(page)
    picture = page.screenshot()
    page.locator("#tab-output").click()
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    path = PICTURES / f"playground-{scheme}.png"
    if update_goldens:
        path.write_bytes(picture)
    assert max(len(picture), path.stat().st_size) < MAX_PICTURE


def test_the_theme_is_chosen_and_kept(new_page: Page, address: str) -> None:
    root = new_page.locator("html")
    new_page.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "dark")
    new_page.locator("#theme").click()
    expect(root).to_have_attribute("data-theme", "light")
    new_page.reload()
    expect(root).to_have_attribute("data-theme", "light")
    expect(new_page.locator("#theme")).to_have_attribute("aria-pressed", "false")


def test_all_is_reached_by_keyboard_and_has_a_name(page: Page) -> None:
    page.evaluate("window.scrollTo(0, 0); document.activeElement.blur()")
    page.locator("#run").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#editor .cm-content")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator("#tab-output")).to_be_focused()
    named = page.get_by_role("textbox", name="Puppet program")
    expect(named).to_have_count(1)
    for role, name in (("combobox", "Facts"), ("combobox", "Example"), ("log", "Output")):
        expect(page.get_by_role(role, name=name)).to_have_count(1)  # type: ignore[arg-type]
    expect(page.get_by_role("textbox", name="Prompt")).to_have_count(1)
