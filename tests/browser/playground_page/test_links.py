"""Facts, examples and links of the playground, and what was written before."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playground import PATIENCE, Opened, enter, follow, fragment, run, wait, write


def test_facts_are_chosen(page: Page) -> None:
    run(page, "$facts['os']['name']")
    expect(page.locator("#log .result")).to_have_text("'Debian'")
    page.locator("#facts").select_option("rocky-9")
    expect(page.locator("#log .result")).to_have_text("'Rocky'")
    wait(page)
    expect(enter(page, "$facts['os']['family']").locator(".result")).to_have_text("'RedHat'")
    page.locator("#facts").select_option("debian-12")
    wait(page)


def test_the_facts_are_those_of_the_engine(page: Page) -> None:
    reply = page.evaluate(
        """async () => {
          const { Session } = await import('./client.mjs');
          const session = new Session();
          const reply = await session.request({ type: 'facts' });
          session.close();
          return reply;
        }"""
    )
    offered = page.locator("#facts option").all_text_contents()
    assert offered == reply["sets"]
    assert offered[0] == reply["default"]


def test_each_example_runs(page: Page) -> None:
    names = page.locator("#examples option").evaluate_all("all => all.map(each => each.value)")
    assert len(names) == 7
    for name in filter(None, names):
        page.locator("#examples").select_option(name)
        page.locator("#run").click()
        wait(page)
        expect(page.locator("#log .error")).to_have_count(1 if name == "error" else 0)
        expect(page.locator("#log .entry > div")).not_to_be_empty()


def test_a_program_is_shared(page: Page, browser: Browser, address: str) -> None:
    code = "# été 😀 \u4e2d\u6587 + / = &\n$x = \"a\\tb\"\nnotice('<&>')\n" + "1 + 1\n" * 300
    write(page, code)
    page.locator("#facts").select_option("windows-2022")
    wait(page)
    page.locator("#share").click()
    expect(page.locator("#notice")).to_contain_text("The link is copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}#code=") and len(link) < 500
    with Opened(browser, link) as other:
        expect(other.locator("#notice")).to_contain_text("has not been run")
        expect(other.locator("#facts")).to_have_value("windows-2022")
        other.locator("#editor .cm-content").click()
        other.keyboard.press("ControlOrMeta+A")
        other.keyboard.press("ControlOrMeta+C")
        assert other.evaluate("navigator.clipboard.readText()") == code
    page.locator("#facts").select_option("debian-12")
    wait(page)


def test_a_link_may_be_made_by_others(page: Page) -> None:
    follow(page, fragment("$facts['kernel']", "macos"))
    expect(page.locator("#editor .cm-content")).to_have_text("$facts['kernel']")
    page.locator("#run").click()
    wait(page)
    expect(page.locator("#log .result")).to_have_text("'Darwin'")
    page.locator("#facts").select_option("debian-12")
    wait(page)


@pytest.mark.parametrize(
    "link",
    ["#code=AAAA", "#code=%%%", f"{fragment('notice(1) ' * 90)[:-4]}", "#code=" + "x" * 5000],
)
def test_a_damaged_link_is_told(page: Page, link: str) -> None:
    write(page, "'mine'")
    follow(page, link)
    expect(page.locator("#notice.problem")).to_contain_text("The program in this link is damaged")
    expect(page.locator("#editor .cm-content")).to_have_text("'mine'")


def test_a_link_that_is_huge_once_expanded_is_refused(page: Page) -> None:
    follow(page, fragment("#" * 50_000_000))
    expect(page.locator("#notice.problem")).to_contain_text("programs of up to 200 kB")


def test_unknown_facts_of_a_link_are_told(page: Page) -> None:
    follow(page, fragment("1", "<b>/etc/passwd"))
    expect(page.locator("#notice")).to_contain_text('no facts called "<b>/etc/passwd"')
    expect(page.locator("#facts")).to_have_value("debian-12")


def test_a_program_of_a_link_does_not_run_by_itself(
    browser: Browser, address: str, page: Page
) -> None:
    code = "fail('it has run')"
    with Opened(browser, address + fragment(code)) as other:
        expect(other.locator("#editor .cm-content")).to_have_text(code)
        expect(other.locator("#notice")).to_contain_text("Read it, then press Run.")
        other.locator("#tab-graph").click()
        expect(other.locator("#graph")).to_contain_text("has not been run")
        other.wait_for_timeout(1500)
        expect(other.locator("body")).to_have_attribute("data-state", "absent")
    # Neither does it where the session is there already, nor when facts are chosen.
    run(page, "'before'")
    follow(page, fragment(code, "rocky-9"))
    expect(page.locator("#editor .cm-content")).to_have_text(code)
    page.locator("#facts").select_option("fedora")
    expect(page.locator("#log")).to_contain_text("A fresh session.")
    wait(page)
    expect(page.locator("#log .error")).to_have_count(0)
    page.locator("#facts").select_option("debian-12")
    wait(page)


def test_what_is_written_is_there_when_the_page_is_loaded_again(
    new_page: Page, address: str
) -> None:
    editor = new_page.locator("#editor .cm-content")
    facts = new_page.locator("#facts")
    write(new_page, "'a draft'")
    facts.select_option("fedora")
    new_page.reload()
    expect(editor).to_have_text("'a draft'")
    expect(facts).to_have_value("fedora")
    new_page.goto(address + fragment("'of a link'"))
    expect(editor).to_have_text("'of a link'")
    write(new_page, "'changed'")
    new_page.reload()
    expect(editor).to_have_text("'changed'")
    follow(new_page, fragment("'of another link'"))
    expect(editor).to_have_text("'of another link'")
    new_page.reload()
    expect(editor).to_have_text("'of another link'")


def test_a_program_that_is_changed_is_still_that_of_its_link(new_page: Page, address: str) -> None:
    new_page.goto(address + fragment("fail('it has run')"))
    editor = new_page.locator("#editor .cm-content")
    expect(editor).to_have_text("fail('it has run')")
    for _ in range(2):
        editor.click()
        new_page.keyboard.type(" ")
        new_page.locator("#tab-graph").click()
        expect(new_page.locator("#graph")).to_contain_text("has not been run")
        expect(new_page.locator("body")).to_have_attribute("data-state", "idle", timeout=PATIENCE)
        expect(new_page.locator("#log .error")).to_have_count(0)
        new_page.reload()
        expect(new_page.locator("#notice")).to_contain_text("came with the link")
    new_page.locator("#run").click()
    wait(new_page)
    expect(new_page.locator("#log .error")).to_contain_text("it has run")


def test_ones_own_program_did_not_come_with_the_link(new_page: Page) -> None:
    write(new_page, "'my own'")
    new_page.locator("#facts").select_option("rocky-9")
    new_page.locator("#share").click()
    expect(new_page.locator("#notice")).to_contain_text("The link is copied.")
    new_page.reload()
    expect(new_page.locator("#editor .cm-content")).to_have_text("'my own'")
    expect(new_page.locator("#facts")).to_have_value("rocky-9")
    expect(new_page.locator("#notice")).to_be_hidden()


def test_no_link_is_made_that_cannot_be_followed(page: Page) -> None:
    before = page.url
    write(page, "")
    page.evaluate("navigator.clipboard.writeText('# repeated\\n'.repeat(20000))")
    page.keyboard.press("ControlOrMeta+V")
    page.locator("#share").click()
    expect(page.locator("#notice.problem")).to_contain_text("programs of up to 200 kB")
    assert page.url == before
    write(page, "1")
