"""The playground, run buttons and JupyterLite in Chromium, Firefox and WebKit."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.browser.engines import CONTROL, DELETE, ENGINES, ENTER, ESCAPE, Missing, Window
from tests.browser.hosts import DOCS, LITE, docs_host, lite_host
from tests.browser.playground import ENDLESS, fragment, served

EDITOR = "#editor .cm-content"
PROMPT = "#prompt .cm-content"
# The session has done what it was asked for.
READY = """() => document.body.dataset.state === 'idle'
  && document.querySelector('#stop').getAttribute('aria-disabled') === 'true'"""
ENTERED = """code => [...document.querySelectorAll('#log .echo')].at(-1)?.textContent === code"""
# The outputs that a page has below its first example, without spaces, and those of a run.
OUTPUTS = """() => {
  const example = document.querySelector('.try-example');
  const bare = element => element.textContent.replace(/\\s/g, '');
  const shown = example.nextElementSibling;
  const output = shown.querySelector('.try-cells > .output:last-child');
  return [bare(shown.nextElementSibling), bare(output)];
}"""
CELL = ".jp-Notebook .jp-CodeCell .cm-content"
GRAPH = "package { 'nginx': } -> file { '/etc/nginx': } ~> service { 'nginx': }"
PICTURE = """() => {
  const picture = document.querySelector('#graph img');
  return picture?.complete && Math.min(picture.naturalWidth, picture.naturalHeight);
}"""


@pytest.fixture(scope="module", params=ENGINES)
def window(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window]:
    """A window of each browser, in which nothing was loaded before."""
    try:
        with ENGINES[request.param](tmp_path_factory.mktemp(request.param)) as opened:
            yield opened
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the documentation."""
    with served(docs_host(tmp_path_factory)) as host:
        yield f"{host}/{DOCS}"


@pytest.fixture(scope="module")
def address(docs: str) -> str:
    """The address of the playground."""
    return f"{docs}/playground/index.html"


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of JupyterLite."""
    with served(lite_host(tmp_path_factory)) as host:
        yield f"{host}/{LITE}"


@pytest.fixture
def playground(window: Window, address: str) -> Window:
    """The page of the playground, whose session one test leaves to the next one."""
    if not window.ask("() => location.href").startswith(address):
        window.go(address)
    return window


def write(window: Window, code: str) -> None:
    """Replace the program."""
    window.type(EDITOR, CONTROL + "a", DELETE, code, ESCAPE)


def run(window: Window, code: str) -> None:
    """Run a program that has one line, as the editor adds brackets and spaces to what is typed."""
    write(window, code)
    window.click("#run")


def enter(window: Window, code: str) -> str:
    """Enter something at the prompt; return the text of its outputs."""
    window.type(PROMPT, code, ESCAPE, CONTROL + ENTER)
    window.wait(ENTERED, code)
    window.wait(READY)
    return window.text("#log .entry:last-child > div")


def test_the_first_answer(playground: Window) -> None:
    begun = time.monotonic()
    run(playground, "1 + 1")
    playground.wait_for_text("#log .result", "2")
    print(f"first answer: {time.monotonic() - begun:.1f} s")
    playground.wait(READY)


def test_an_endless_loop_is_stopped(playground: Window) -> None:
    run(playground, "$before = 41")
    playground.wait(READY)
    playground.type(PROMPT, ENDLESS, ESCAPE, CONTROL + ENTER)
    playground.wait("() => document.body.dataset.state === 'busy'")
    playground.click("#stop")
    playground.wait_for_text("#log", "Stopped. The session is as it was before.")
    playground.wait(READY)
    assert enter(playground, "$before + 1") == "42"


def test_the_prompt_knows_commands(playground: Window) -> None:
    run(playground, "notify { 'first': }")
    playground.wait(READY)
    assert "Notify['first']" in enter(playground, ":resources")
    assert "Unknown variable: 'nothing'" in enter(playground, "$nothing")


def test_graph_and_catalog(playground: Window) -> None:
    run(playground, GRAPH)
    playground.wait(READY)
    playground.click("#tab-graph")
    assert playground.wait(PICTURE) > 50
    playground.click("#tab-catalog")
    playground.wait_for_text("#catalog", '"title": "/etc/nginx"')
    playground.click("#tab-output")


def test_other_facts(playground: Window) -> None:
    run(playground, "$facts['os']['name']")
    playground.wait_for_text("#log .result", "'Debian'")
    playground.wait(READY)
    playground.click("#facts option:nth-child(4)")
    playground.wait_for_text("#log .result", "'Rocky'")
    playground.wait(READY)


def test_a_program_is_shared(playground: Window, address: str) -> None:
    write(playground, "'été €'")
    playground.click("#share")
    playground.wait("() => !document.querySelector('#notice').hidden")
    assert playground.text("#notice").startswith("The link is copied.")
    link = playground.ask("() => location.href")
    assert link.startswith(f"{address}#code=")
    playground.go("about:blank")
    playground.go(link)
    playground.wait_for_text(EDITOR, "'été €'")


def test_a_program_of_another_link_is_shown(playground: Window, address: str) -> None:
    code = '# \U0001f600 \u4e2d\u6587\n$x = "a\\tb"'
    playground.go("about:blank")
    playground.go(address + fragment(code, "macos"))
    playground.wait_for_text(f"{EDITOR} .cm-line", "# \U0001f600 \u4e2d\u6587")
    playground.wait_for_text("#notice", "has not been run")
    assert playground.ask("() => document.querySelector('#facts').value") == "macos"


def test_a_cell_of_a_lesson_runs(window: Window, docs: str) -> None:
    window.go(f"{docs}/notebooks/03-arrays-and-hashes-in-pipelines.html")
    window.click(".try-run")
    window.wait("() => document.querySelector('.try-example + * .try-close')")
    stated, shown = window.ask(OUTPUTS)
    assert shown and shown == stated


def test_a_lesson_runs_in_jupyterlite(window: Window, lite: str) -> None:
    window.go(f"{lite}/lab/index.html?path=01-first-steps.ipynb")
    window.wait_for_text("#jp-main-statusbar", "Puppet | Idle")
    window.wait("() => document.querySelector('.jp-Notebook .jp-CodeCell .cm-content')")
    window.type(CELL, CONTROL + "a", DELETE, "$facts['os']['name']", ESCAPE, CONTROL + ENTER)
    window.wait_for_text(".jp-Notebook .jp-CodeCell .jp-OutputArea-output", "'Debian'")
