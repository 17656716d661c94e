"""Stopping and resetting in the playground, at any time."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.playground import ENDLESS, PATIENCE, enter, run, wait, write

# The first request of this kind is answered a second late.
LATE = """if (request.type === 'info' && !self.wasLate) {
  self.wasLate = true;
  await new Promise(resolve => setTimeout(resolve, 1000));
}"""

# Presses Stop once the cells before are run again; `stopped` resolves to whether it was disabled.
STOP_WHEN_RESTORING = """() => {
  self.stopped = new Promise(resolve => {
    const stop = document.querySelector('#stop');
    const observer = new MutationObserver(() => {
      if (document.body.dataset.state === 'restoring') {
        observer.disconnect();
        resolve(stop.getAttribute('aria-disabled'));
        stop.click();
      }
    });
    observer.observe(document.body, { attributes: true });
  });
}"""


def test_an_endless_loop_is_stopped_and_the_session_restored(page: Page) -> None:
    run(page, "$kept = 'here'")
    page.locator("#prompt .cm-content").click()
    page.keyboard.insert_text(ENDLESS)
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("body")).to_have_attribute("data-state", "busy")
    page.wait_for_timeout(500)
    page.locator("#stop").click()
    expect(page.locator("#state")).to_contain_text("Stopping")
    wait(page)
    expect(page.locator("#log")).to_contain_text("Stopped. The session is as it was before.")
    expect(enter(page, "$kept").locator(".result")).to_have_text("'here'")


def test_a_program_is_stopped(page: Page) -> None:
    write(page, ENDLESS)
    page.keyboard.press("Shift+Enter")
    expect(page.locator("body")).to_have_attribute("data-state", "busy")
    page.locator("#stop").click()
    wait(page)
    expect(run(page, "5").locator(".result")).to_have_text("5")


def test_a_reset_forgets(page: Page) -> None:
    run(page, "$x = 1")
    page.locator("#reset").click()
    expect(page.locator("#log")).to_contain_text("A fresh session.")
    wait(page)
    expect(enter(page, "$x").locator(".error")).to_contain_text("Unknown variable: 'x'")


def test_what_waits_for_the_session_is_stopped(page: Page) -> None:
    run(page, "$kept = 'here'")
    prompt = page.locator("#prompt .cm-content")
    prompt.click()
    page.keyboard.insert_text(ENDLESS)
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("body")).to_have_attribute("data-state", "busy")
    page.evaluate(STOP_WHEN_RESTORING)
    page.locator("#stop").click()
    # Python starts again, which takes longer than to enter this.
    prompt.click()
    page.keyboard.insert_text("notice('ran after stop')")
    page.keyboard.press("ControlOrMeta+Enter")
    assert page.evaluate("stopped") == "false", "the input was entered before that"
    wait(page)
    assert enter(page, "$kept").locator(".result").text_content() == "'here'"
    expect(page.locator("#log .stream")).to_have_count(0)


def test_a_run_is_stopped_before_it_has_begun(page: Page) -> None:
    run(page, "1")
    write(page, "notice('it has run')")
    page.evaluate(
        """() => {
          document.querySelector('#run').click();
          document.querySelector('#stop').click();
        }"""
    )
    expect(page.locator("#log")).to_contain_text("Stopped.")
    wait(page)
    expect(enter(page, "2").locator(".result")).to_have_text("2")
    expect(page.locator("#log .stream")).to_have_count(0)


def test_a_reset_drops_what_waits(page: Page) -> None:
    run(page, "1")
    page.evaluate("document.querySelector('#reset').click()")
    write(page, "notice('it has run')")
    page.evaluate(
        """() => {
          document.querySelector('#run').click();
          document.querySelector('#reset').click();
        }"""
    )
    wait(page)
    expect(enter(page, "2").locator(".result")).to_have_text("2")
    expect(page.locator("#log .stream")).to_have_count(0)


def test_a_run_while_somebodys_typing_loads_python_is_stopped(new_page: Page) -> None:
    write(new_page, "notice('it has run')")
    expect(new_page.locator("body")).to_have_attribute("data-state", "starting")
    new_page.locator("#run").click()
    new_page.locator("#stop").click()
    expect(new_page.locator("body")).to_have_attribute("data-state", "absent")
    expect(new_page.locator("#stop")).to_have_attribute("aria-disabled", "true")
    new_page.locator("#run").click()
    wait(new_page)
    expect(new_page.locator("#log .stream")).to_have_text("Notice: it has run")


def test_a_run_while_typing_loads_python_tells_why_it_fails(troubled_page: Page) -> None:
    troubled_page.context.route("**/engine.tar.gz*", lambda route: route.fulfill(status=404))
    write(troubled_page, "1")
    troubled_page.locator("#run").click()
    expect(troubled_page.locator("#log .error")).to_contain_text(
        "engine.tar.gz cannot be loaded: 404", timeout=PATIENCE
    )
    expect(troubled_page.locator("#log .error")).to_have_count(1)


def test_a_graph_that_is_drawn_is_stopped(page: Page) -> None:
    run(page, 'Integer[1, 12000].each |$i| { notify { "n${i}": } }')
    page.locator("#tab-graph").click()
    expect(page.locator("#stop")).to_have_attribute("aria-disabled", "false")
    page.locator("#stop").click()
    expect(page.locator("#graph .error")).to_have_text("Interrupted")
    wait(page)
    page.locator("#tab-output").click()
    expect(enter(page, "'still there'").locator(".result")).to_have_text("'still there'")
    run(page, "notify { 'alone': }")
    page.locator("#tab-graph").click()
    expect(page.locator("#graph img")).to_be_visible()


def test_the_version_is_told_though_the_first_request_for_it_was_stopped(new_page: Page) -> None:
    """The first program runs before anything else is answered, and is stopped."""

    def change(route: Route) -> None:
        text = route.fetch().text()
        changed = text.replace("current = id;", f"{LATE} current = id;")
        assert changed != text
        route.fulfill(body=changed, content_type="text/javascript")

    new_page.context.route("**/worker.mjs*", change)
    write(new_page, ENDLESS)
    new_page.locator("#run").click()
    expect(new_page.locator("body")).to_have_attribute("data-state", "busy", timeout=PATIENCE)
    expect(new_page.locator("#version")).to_have_text("")
    new_page.locator("#stop").click()
    wait(new_page)
    expect(new_page.locator("#version")).to_have_text(re.compile(r"^puppet-repl \d"))
