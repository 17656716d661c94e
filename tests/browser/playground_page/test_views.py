"""Graph and catalog of the playground."""

from __future__ import annotations

import base64
import re

from playwright.sync_api import Page, expect

from tests.browser.playground import CLASSES, ENDLESS, PATIENCE, enter, run, wait, write


def test_the_graph_is_drawn(page: Page) -> None:
    run(page, CLASSES)
    page.locator("#tab-graph").click()
    picture = page.locator("#graph img")
    expect(picture).to_be_visible()
    expect(picture).to_have_attribute("alt", re.compile("^Graph of 4 resources and 2 relation"))
    size = picture.evaluate("image => image.decode().then(() => [image.width, image.height])")
    assert min(size) > 100
    _, _, data = (picture.get_attribute("src") or "").partition("base64,")
    drawn = base64.b64decode(data).decode()
    for title in ("nginx", "/etc/nginx/site.conf", "Service"):
        assert title in drawn
    page.locator("#tab-output").click()


def test_the_graph_may_be_asked_for_first(new_page: Page) -> None:
    new_page.locator("#tab-graph").click()
    alt = re.compile("^Graph of 4 resources")
    expect(new_page.locator("#graph img")).to_have_attribute("alt", alt, timeout=PATIENCE)


def test_a_tab_says_that_it_is_being_filled(new_page: Page) -> None:
    new_page.locator("#tab-graph").click()
    graph = new_page.locator("#graph")
    expect(graph).to_have_text("Drawing…")
    expect(graph.locator("img")).to_be_visible(timeout=PATIENCE)
    expect(graph).not_to_contain_text("Drawing")
    wait(new_page)
    # Each text that the panel has, from the click on.
    new_page.evaluate(
        """() => {
          window.seen = [];
          const panel = document.querySelector('#catalog');
          const look = () => window.seen.push(panel.textContent);
          new MutationObserver(look).observe(panel, { childList: true });
        }"""
    )
    new_page.locator("#tab-catalog").click()
    expect(new_page.locator("#catalog")).to_contain_text('"resources"')
    assert new_page.evaluate("window.seen[0]") == "Writing the catalog…"


def test_a_tab_that_was_stopped_no_longer_says_that_it_is_filled(new_page: Page) -> None:
    write(new_page, ENDLESS)
    new_page.locator("#run").click()
    expect(new_page.locator("body")).to_have_attribute("data-state", "busy", timeout=PATIENCE)
    new_page.locator("#tab-graph").click()
    expect(new_page.locator("#graph")).to_have_text("Drawing…")
    new_page.locator("#stop").click()
    expect(new_page.locator("#tab-output")).to_have_attribute("aria-selected", "true")
    wait(new_page)
    new_page.locator("#tab-graph").click()
    wait(new_page)
    expect(new_page.locator("#graph")).not_to_contain_text("Drawing")


def test_the_graph_is_that_of_the_last_run(page: Page) -> None:
    run(page, CLASSES)
    page.locator("#tab-graph").click()
    expect(page.locator("#graph img")).to_have_attribute("alt", re.compile("^Graph of 4 "))
    run(page, "notify { 'alone': }")
    expect(page.locator("#graph img")).to_have_attribute("alt", re.compile("^Graph of 1 "))
    enter(page, "notify { 'second': }")
    page.locator("#tab-graph").click()
    expect(page.locator("#graph img")).to_have_attribute("alt", re.compile("^Graph of 2 "))
    run(page, "fail('no')")
    expect(page.locator("#tab-output")).to_have_attribute("aria-selected", "true")


def test_the_catalog_is_shown(page: Page) -> None:
    run(page, CLASSES)
    page.locator("#tab-output").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#catalog")).to_contain_text('"title": "/etc/nginx/site.conf"')
    page.keyboard.press("ArrowRight")
    expect(page.locator("#output")).to_be_visible()


def test_the_time_of_a_program_is_told_beside_its_graph(page: Page) -> None:
    run(page, "notify { 'first': }")
    page.locator("#tab-graph").click()
    expect(page.locator("#graph img")).to_be_visible()
    run(page, "Integer[1, 20000].each |$i| { $i }")
    expect(page.locator("#graph")).to_be_visible()
    state = page.locator("#state")
    expect(state).to_have_text(re.compile(r"took \d+\.\d\d s\.$"))
    assert "0.00" not in state.inner_text()
    page.locator("#tab-output").click()


def test_a_tab_that_is_chosen_while_another_is_filled_is_filled_too(page: Page) -> None:
    run(page, CLASSES)
    page.evaluate(
        """() => {
          document.querySelector('#tab-graph').click();
          document.querySelector('#tab-catalog').click();
        }"""
    )
    expect(page.locator("#catalog")).to_contain_text('"title": "/etc/nginx/site.conf"')
    page.locator("#tab-graph").click()
    expect(page.locator("#graph img")).to_have_attribute("alt", re.compile("^Graph of 4 "))
    page.locator("#tab-output").click()
