"""The playground in Chromium, served below a path, with the network cut but for that server."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from playground.engine import ROOT
from playground.site import write_site
from tests.browser.notebook import CONTRAST
from tests.browser.playground import PATIENCE, enter, run, served, wait, watch, write

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PLACE = "some/where/playground"
BIG = ("worker.mjs", "engine.tar.gz", "/pyodide/")
# Pictures of the page for the documentation.
PICTURES = ROOT / "docs" / "_static"
MAX_PICTURE = 100_000
AXE = ROOT / "build" / "bundler" / "node_modules" / "axe-core" / "axe.min.js"
FOUND_BY_AXE = """async () => (await axe.run()).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))"""
ENDLESS = "Integer[1, 1000000000000].each |$i| { $i }"
CLASSES = """\
class web {
  package { 'nginx': } -> file { '/etc/nginx/site.conf': } ~> service { 'nginx': }
}
include web"""
# What would show that a text has been run as a script.
HOSTILE = "<img src=x onerror=document.title=1></script><script>document.title=1</script>"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the playground, below others."""
    root = tmp_path_factory.mktemp("host")
    write_site(root / PLACE)
    return root / PLACE


@pytest.fixture(scope="module")
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


class Opened:
    """A page of a browser of its own, which must not ask another host or break a rule."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context(
            viewport=DESKTOP, permissions=["clipboard-read", "clipboard-write"]
        )
        self.host = address.partition("index.html")[0]
        self.asked = watch(self.context, address)
        self.problems: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._read)
        self.page.goto(address)

    def _read(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.problems.append(str(getattr(message, "text", "")))

    def __enter__(self) -> Page:
        expect.set_options(timeout=20_000)
        return self.page

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert [url for url in self.asked if not url.startswith((self.host, "data:"))] == []
        assert self.problems == []


def fragment(code: str, facts: str = "") -> str:
    """Return the fragment of a link to a program, made without the page."""
    deflate = zlib.compressobj(9, wbits=-15)
    data = deflate.compress(code.encode()) + deflate.flush()
    text = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return f"#code={text}" + (f"&facts={quote(facts)}" if facts else "")


def follow(page: Page, link: str) -> None:
    """Go to a fragment as by a link, which loads no page."""
    page.evaluate("link => { location.hash = link }", link)


# Programs and the prompt


def test_a_program_is_evaluated(page: Page) -> None:
    log = run(page, "notice('hello')\n[1, 2, 3].map |$x| { $x * 2 }")
    expect(log).to_contain_text("Notice: hello")
    expect(log.locator(".result")).to_have_text("[2, 4, 6]")
    expect(page.locator("#state")).to_contain_text("The program took")
    expect(page.locator("#version")).to_contain_text("puppet-repl ")


def test_a_program_is_run_afresh_each_time(page: Page) -> None:
    code = "$x = 1\nnotify { 'once': }\n$x"
    for _ in range(2):
        expect(run(page, code).locator(".result")).to_have_text("1")


def test_the_prompt_goes_on_where_the_program_ends(page: Page) -> None:
    run(page, "$ports = [80, 443]\nfunction twice($n) { $n * 2 }")
    expect(enter(page, "$ports.map |$p| { twice($p) }").locator(".result")).to_have_text(
        "[160, 886]"
    )
    expect(enter(page, ":vars").locator("table")).to_contain_text("$ports")


def test_the_prompt_asks_for_more_and_remembers(page: Page) -> None:
    run(page, "$x = 20")
    page.locator("#prompt .cm-content").click()
    for line in ("if $x > 1 {", "'big'", "}"):
        page.keyboard.insert_text(line)
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
    expect(page.locator("#log .result")).to_have_text(["20", "'big'"])
    wait(page)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#prompt .cm-line")).to_have_count(3)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#prompt .cm-line")).to_have_text("")


def test_more_than_a_page_can_show_is_cut_off(page: Page) -> None:
    log = run(page, "Integer[1, 11000].each |$i| { notice($i) }\n'the end'")
    expect(log.locator(".remark")).to_have_text("More is logged than this page shows.")
    expect(log.locator(".stream span")).to_have_count(10_000)
    expect(log.locator(".result")).to_have_text("'the end'")


def test_tables_and_documentation_are_rich(page: Page) -> None:
    log = run(page, "[{'host' => 'web01', 'port' => 80}, {'host' => 'db01', 'port' => 5432}]")
    expect(log.locator("th")).to_have_text(["host", "port"])
    shown = enter(page, ":help upcase")
    expect(shown.locator("strong").first).to_have_text("upcase")
    expect(shown.locator("pre .nf").first).to_have_text("upcase")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("generate('/bin/date')", "there are no programs in a browser"),
        ("inline_template('<%= 1 %>')", "a browser runs no Ruby"),
        (":set advice off --save", "a browser saves no settings"),
        ("function f($n) { 1 + f($n) } f(1)", "stack level too deep"),
    ],
)
def test_what_a_browser_cannot_do_is_told(page: Page, code: str, message: str) -> None:
    expect(enter(page, code).locator(".error")).to_contain_text(message)


# Help while writing


def test_names_are_completed(page: Page) -> None:
    run(page, "$retries = 5")
    write(page, "$x = $ret")
    page.keyboard.press("Control+Space")
    options = page.locator(".cm-tooltip-autocomplete li")
    expect(options).to_contain_text(["$retries"])
    expect(page.locator(".cm-completionInfo")).to_contain_text("5")
    page.wait_for_timeout(200)
    page.keyboard.press("Tab")
    expect(page.locator("#editor .cm-line")).to_have_text("$x = $retries")


def test_completion_counts_as_the_protocol_does(page: Page) -> None:
    write(page, "$smile = '😀😀'; 'été'.upc")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li")).to_have_count(1)
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    expect(page.locator("#editor .cm-line")).to_have_text("$smile = '😀😀'; 'été'.upcase")


def test_a_name_is_explained(page: Page) -> None:
    write(page, "regsubst")
    page.keyboard.press("Shift+Tab")
    explained = page.locator(".documentation")
    expect(explained).to_contain_text("regsubst(")
    expect(explained.locator("pre .tok-typeName").first).to_have_text("Variant")
    page.keyboard.press("Escape")
    expect(explained).to_have_count(0)
    page.locator("#editor .cm-line").get_by_text("regsubst").hover()
    expect(explained).to_contain_text("regsubst(")
    page.mouse.move(0, 0)


def test_errors_are_marked_while_typing(page: Page) -> None:
    write(page, "$a = [1, 2\n$b = $unheard_of")
    expect(page.locator("#editor .puppet-repl-error")).to_have_count(1)
    write(page, "$b = $unheard_of")
    expect(page.locator("#editor .puppet-repl-unknown")).to_have_text("$unheard_of")
    expect(page.locator("#editor .puppet-repl-error")).to_have_count(0)


@pytest.mark.parametrize(
    ("code", "place", "marked"),
    [
        ("$a = 1\n\n  $a + undef", "line: 3, column: 8", "undef"),
        ("$a = '😀😀' + 1", "line: 1, column: 6", "'"),
        ("$a = 1 +\n", "end of input", "+"),
    ],
)
def test_the_place_of_an_error_is_marked(page: Page, code: str, place: str, marked: str) -> None:
    log = run(page, code)
    expect(log.locator(".error")).to_contain_text(place)
    expect(log.locator(".error .ansi-bold").first).to_have_text("Error: ")
    expect(page.locator("#editor .cm-lint-marker-error")).to_have_count(1)
    expect(page.locator("#editor .cm-lintRange-error")).to_have_text(marked)
    run(page, "1")
    expect(page.locator("#editor .cm-lint-marker-error")).to_have_count(0)


def test_the_editor_folds_indents_and_comments(page: Page) -> None:
    write(page, "")
    page.keyboard.type("file { '/x':")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.keyboard.type("ensure => file,")
    lines = page.locator("#editor .cm-line")
    expect(lines).to_have_text(["file { '/x':", "  ensure => file,", "}"])
    page.keyboard.press("Control+/")
    expect(lines.nth(1)).to_have_text("  # ensure => file,")
    page.keyboard.press("Control+/")
    page.locator("#editor .cm-foldGutter [title='Fold line']").first.click()
    expect(page.locator("#editor .cm-foldPlaceholder")).to_have_count(1)


# Graph and catalog


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


# Stopping


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


# Facts, examples, links


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
    page.wait_for_timeout(1000)
    wait(page)
    expect(page.locator("#log .error")).to_have_count(0)
    page.locator("#facts").select_option("debian-12")
    wait(page)


def test_what_is_written_is_there_when_the_page_is_loaded_again(
    new_page: Page, address: str
) -> None:
    editor = new_page.locator("#editor .cm-content")
    write(new_page, "'a draft'")
    new_page.reload()
    expect(editor).to_have_text("'a draft'")
    new_page.goto(address + fragment("'of a link'"))
    expect(editor).to_have_text("'of a link'")
    write(new_page, "'changed'")
    new_page.reload()
    expect(editor).to_have_text("'changed'")
    follow(new_page, fragment("'of another link'"))
    expect(editor).to_have_text("'of another link'")
    new_page.reload()
    expect(editor).to_have_text("'of another link'")


# What is shown is text


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


# The page


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
    troubled_page.context.route("**/engine.tar.gz", lambda route: route.fulfill(status=404))
    troubled_page.locator("#run").click()
    state = troubled_page.locator("#state")
    expect(state).to_contain_text("Python could not be started", timeout=PATIENCE)
    expect(state).to_contain_text("engine.tar.gz cannot be loaded: 404")
    troubled_page.context.unroute("**/engine.tar.gz")
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
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.locator("#examples").select_option("error")
    page.locator("#run").click()
    wait(page)
    enter(page, ":help map")
    for tab in ("graph", "catalog", "output"):
        page.locator(f"#tab-{tab}").click()
        wait(page)
        assert page.evaluate(FOUND_BY_AXE) == []
    write(page, "$x = upca")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li")).to_have_count(1)
    assert page.evaluate(FOUND_BY_AXE) == []
    page.keyboard.press("Escape")
    page.locator("#help-button").click()
    assert page.evaluate(FOUND_BY_AXE) == []
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


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
