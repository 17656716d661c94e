"""What a program of the playground shows is text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playground import enter, run, wait

# What would show that a text has been run as a script.
HOSTILE = "<img src=x onerror=document.title=1></script><script>document.title=1</script>"


@pytest.mark.parametrize(
    "code",
    [
        f"notice('{HOSTILE}')",
        f"'{HOSTILE}'",
        f"fail('{HOSTILE}')",
        f"[{{'{HOSTILE}' => '{HOSTILE}'}}]",
        f"warning('{HOSTILE}')\n{{'a' => ['{HOSTILE}']}}",
        f"# @summary {HOSTILE}\n# @param x [a](javascript:document.title=1) {HOSTILE}\n"
        "function documented($x) { $x }\n",
        f"notify {{ '{HOSTILE}': }}",
        f"$x = '{HOSTILE}'",
    ],
)
def test_texts_run_no_script(page: Page, code: str) -> None:
    title = page.title()
    run(page, code)
    for command in (":vars", ":resources", ":help documented", ":graph", ":catalog json"):
        enter(page, command)
    page.locator("#tab-graph").click()
    page.locator("#tab-catalog").click()
    page.locator("#tab-output").click()
    page.wait_for_timeout(300)
    wait(page)
    made = page.locator(".panel :is(script, iframe, object, form, [onerror], [href^=javascript])")
    expect(made).to_have_count(0)
    sources = page.locator(".panel img").evaluate_all("all => all.map(each => each.src)")
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert page.title() == title


def test_html_that_is_not_the_engines_is_made_harmless(troubled_page: Page) -> None:
    """The second wall: the engine escapes such texts, as the test above shows."""
    kept = troubled_page.evaluate(
        """async () => {
          const { html, markdown } = await import('./markup.mjs');
          const texts = [
            '<img src=x onerror=alert(1)><img src="https://example.com/a.png">',
            '<svg onload=alert(1)></svg><iframe src="x"></iframe><script>alert(1)</scr' + 'ipt>',
            '<a href="javascript:alert(1)">a</a><form action="x"><input></form>',
            '<p style="position:fixed;top:0">b</p><p style="background:url(x)">c</p>',
            '<p style="color:#dc454c" id="run" onclick="alert(1)">d</p>'
          ];
          const shown = document.createElement('div');
          shown.append(...texts.map(html), markdown('[x](javascript:alert(1)) <b onclick=1>e</b>'));
          return shown.innerHTML;
        }"""
    )
    assert re.search(r"on\w+=|script|url\(|https?:|position|iframe|form|<svg|id=", kept) is None
    assert '<p style="color:#dc454c">d</p>' in kept


def test_a_script_that_is_no_file_of_the_page_does_not_run(troubled_page: Page) -> None:
    blocked = troubled_page.evaluate(
        """() => new Promise(resolve => {
          document.addEventListener('securitypolicyviolation', event => {
            resolve(event.effectiveDirective);
          });
          const image = document.createElement('img');
          image.setAttribute('onerror', 'document.title = 1');
          image.src = 'data:,';
          document.body.append(image);
        })"""
    )
    assert blocked == "script-src-attr"
