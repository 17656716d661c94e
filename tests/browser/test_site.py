"""The documentation site in a browser: on a phone, in the dark, without motion, and its buttons."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.notebook import CONTRAST, broken_rules
from tests.docs.site import build

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PAGES = (
    "index",
    "getting-started",
    "terminal",
    "jupyter",
    "command-line",
    "machine-interface",
    "howto/ci",
    "howto/python",
    "howto/reference",
    "howto/testing",
    "howto/from-puppet-debugger",
    "faq",
    "guide/types",
    "guide/catalog",
    "reference/keys",
    "reference/commands",
    "reference/command-line",
    "reference/functions/iteration",
    "reference/types",
    "sphinx",
    "api",
    "notebooks/08-order-and-changes",
)
# One page of each kind: with cards, sessions, wide code, a notebook, signatures, and the search.
KINDS = (
    "index",
    "getting-started",
    "jupyter",
    "notebooks/12-data-layer-by-layer",
    "api",
    "search",
)
# Texts with a darker or lighter ground than the page's own, and the page's own.
TEXTS = "article p, article li, article td, article th, article a, article .highlight span"
# Contrast that WCAG asks for at level AA.
LEAST_CONTRAST = 4.5
FAINT = f"""found => found
  .filter(element => [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .filter(element => element.checkVisibility())
  .map(element => [({CONTRAST})(element), element.className || element.tagName,
                   element.textContent.trim().slice(0, 40)])
  .filter(([contrast]) => contrast < {LEAST_CONTRAST})
  .map(([contrast, ...what]) => `${{contrast.toFixed(2)}} ${{what.join(' ')}}`)"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site."""
    directory = build(tmp_path_factory.mktemp("site"))
    handler = partial(_Quiet, directory=str(directory))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport=PHONE)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_phone(phone: Page, site: str, name: str) -> None:
    phone.goto(f"{site}/{name}.html")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_texts_can_be_read(browser: Browser, site: str, name: str, scheme: str) -> None:
    page = browser.new_page(viewport=DESKTOP, color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{site}/{name}.html")
    faint = page.locator(TEXTS).evaluate_all(FAINT)
    page.close()
    assert not faint, "\n".join(sorted(set(faint)))


# What a newcomer types into the search box, and the page that answers.
SEARCHES = [
    ("install", "getting-started"),
    ("hiera lookup", "guide/data"),
    ("rspec-puppet", "howto/testing"),
    ("github actions", "howto/ci"),
    ("vs code", "editors"),
    ("test module", "howto/testing"),
    ("graph", "guide/catalog"),
    ("undo", "guide/sessions"),
    ("ruby", "ruby"),
    ("regsubst", "reference/functions/patterns"),
]


@pytest.mark.parametrize(("words", "name"), SEARCHES)
def test_a_search_finds_the_page_that_explains(
    browser: Browser, site: str, words: str, name: str
) -> None:
    page = browser.new_page()
    page.goto(f"{site}/search.html?q={words}")
    page.locator(".search-summary", has_text="finished").wait_for()
    links = page.locator(".search > li > a")
    first = [links.nth(number).get_attribute("href") or "" for number in range(3)]
    page.close()
    assert f"{name}.html" in [link.partition("#")[0] for link in first]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_nothing(
    browser: Browser, site: str, name: str, scheme: str, size: ViewportSize
) -> None:
    page = browser.new_page(viewport=size, color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{site}/{name}.html")
    assert broken_rules(page) == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_moving_picture_is_that_of_the_theme(browser: Browser, site: str, scheme: str) -> None:
    page = browser.new_page(viewport=DESKTOP, color_scheme="dark" if scheme == "dark" else "light")
    page.goto(f"{site}/index.html")
    shown = page.locator(".moving-picture img:visible")
    expect(shown).to_have_count(1)
    source = shown.evaluate("image => image.decode().then(() => image.currentSrc)")
    assert source == f"{site}/_static/session-{scheme}.svg"
    width, natural = shown.evaluate("image => [image.width, image.naturalWidth]")
    assert width > 500 and natural > 500
    page.close()


def test_the_picture_moves_unless_that_is_unwanted(browser: Browser, site: str) -> None:
    frames: dict[str, int] = {}
    for motion in ("no-preference", "reduce"):
        page = browser.new_page(viewport=DESKTOP, color_scheme="light")
        page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        page.goto(f"{site}/index.html")
        picture = page.locator(".moving-picture img:visible")
        source = picture.evaluate("image => image.decode().then(() => image.currentSrc)")
        assert source.endswith("#still") == (motion == "reduce")
        seen = set()
        for _ in range(4):
            seen.add(picture.screenshot())
            page.wait_for_timeout(700)
        frames[motion] = len(seen)
        page.close()
    assert frames["reduce"] == 1
    assert frames["no-preference"] > 1


@pytest.mark.parametrize(
    ("name", "block", "copied"),
    [
        ("index", 0, "pip install .       # in a checkout, with Python 3.11 or newer\npuppet-repl"),
        ("getting-started", 3, "$ports = {http => 80, https => 443}\n$ports.filter |$name, $port|"),
    ],
)
def test_what_is_copied_has_no_prompts(
    browser: Browser, site: str, name: str, block: int, copied: str
) -> None:
    context = browser.new_context(viewport=DESKTOP, permissions=["clipboard-read"])
    page = context.new_page()
    page.goto(f"{site}/{name}.html")
    button = page.locator("div.highlight .copybtn").nth(block)
    button.evaluate("button => button.click()")
    expect(button).to_have_class("copybtn o-tooltip--left success")
    text = page.evaluate("navigator.clipboard.readText()")
    context.close()
    assert text.startswith(copied)
    assert "puppet [" not in text and "\n$ " not in text
