"""The lessons in JupyterLite: the Puppet kernel in a browser, from a static host and no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from shutil import copytree
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.hosts import LITE, lite_host
from tests.browser.notebook import cell, focus, marks, output, prompt, replace, run
from tests.browser.playground import ENDLESS, served, watch, write
from tests.browser.test_machines import button, choose
from tests.kernel.test_notebooks import DIRECTORY, joined, tags

BELOW = "some/lite"  # a site is rarely at the root of its host
STATUS = "#jp-main-statusbar"
# On any machine; what it takes on one that does nothing else is on the page about the browser.
PATIENCE = 60_000
# Values, errors and streams; files of environments and of facts, tests of modules, a graph.
LESSONS = ("01-first-steps", "12-data-layer-by-layer", "15-testing-a-module")
PROGRAM = "$family = $facts['os']['family']\n\"${family} \u2713\""
GRAPH = "file { '/a': } -> file { '/b': }\n:graph"
ALL = sorted(path.stem for path in DIRECTORY.glob("*.ipynb"))
OUT_OF_ORDER = ("01-first-steps", "12-data-layer-by-layer", "05-conditions-and-matching")
RUN_FIRST = """async () => {
  const { commands, shell } = jupyterapp;
  const { content, sessionContext } = shell.currentWidget;
  content.activeCellIndex = content.widgets.findIndex(({ model }) => model.type === 'code');
  const { model } = content.activeCell;
  model.clearExecution();
  await sessionContext.ready;
  await commands.execute('notebook:run-cell');
  return model.toJSON();
}"""
OPEN = """async path => {
  const { commands, serviceManager, shell } = jupyterapp;
  for (const { context } of shell.widgets('main')) {
    if (context) {  // not a launcher
      context.model.dirty = false;
    }
  }
  await commands.execute('application:close-all');
  await serviceManager.sessions.shutdownAll();
  const { sessionContext } = await commands.execute('docmanager:open', { path });
  await sessionContext.ready;
}"""
# Runs a notebook from its first cell to its last: what stands behind a cell that fails is run next.
# The command ends with the first cell that fails, though those behind it may be under way.
RUN_TO_THE_END = """async () => {
  const { commands, shell } = jupyterapp;
  const { content, model, sessionContext: { session: { kernel } } } = shell.currentWidget;
  await commands.execute('notebook:clear-all-cell-outputs');
  let start = 0;
  while (start >= 0) {
    content.activeCellIndex = start;
    await commands.execute('notebook:run-all-below');
    for (let still = 0; still < 5; still += 1) {
      await new Promise(resolve => setTimeout(resolve, 100));
      still = kernel.status === 'idle' ? still : -1;
    }
    start = content.widgets.findIndex((widget, index) => index > start
      && widget.model.type === 'code' && widget.model.executionCount === null);
  }
  return model.toJSON();
}"""


REQUESTS = """async () => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const { content: is_complete } = await kernel.requestIsComplete({ code: 'if true {' });
  const silent = [];
  const quiet = kernel.requestExecute({ code: 'notice(1)', silent: true });
  quiet.onIOPub = ({ header }) => silent.push(header.msg_type);
  await quiet.done;
  const cell = { code: '$a = 5', user_expressions: { sum: '1 + 1' } };
  const { content: execute } = await kernel.requestExecute(cell).done;
  const request = { type: 'request', seq: 1, command: 'initialize', arguments: {} };
  const { content: { success, body = null } } = await kernel.requestDebug(request).done;
  return { is_complete, silent, execute, debug: { success, body } };
}"""

# Requests that reach a kernel when it is being shut down, as checks while typing do.
ASK_AND_SHUT_DOWN = """async () => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const check = { type: 'request', seq: 1, command: 'check', arguments: { code: '1' } };
  const ask = () => kernel.isDisposed || kernel.requestDebug(check).done.catch(() => {});
  const asking = setInterval(ask, 1);
  ask();
  await jupyterapp.serviceManager.sessions.shutdownAll();
  clearInterval(asking);
}"""


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the JupyterLite."""
    root = tmp_path_factory.mktemp("host")
    copytree((lite_host(tmp_path_factory) / LITE).parent, (root / BELOW).parent)
    (root / LITE).rename(root / BELOW)
    pages = (root / BELOW).with_name("notebooks")
    pages.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[2] / "docs" / "_ext")
        link = import_module("notebook_pages").OPEN
    for name in ALL:
        (pages / f"{name}.html").write_text(link.format(name=name))
    with served(root) as address:
        yield f"{address}/{BELOW}/"


@pytest.fixture(scope="module")
def opened(browser: Browser, lite: str) -> Iterator[Page]:
    """A page that has JupyterLite open; a request to anywhere else fails the test."""
    context = browser.new_context(
        viewport={"width": 1400, "height": 1600}, color_scheme="dark", service_workers="block"
    )
    asked = watch(context, lite)
    context.route(f"{lite}jupyter-lite.json", _expose)
    page = context.new_page()
    page.set_default_timeout(30_000)
    expect.set_options(timeout=20_000)
    page.goto(f"{lite}lab/index.html?path=00-index.ipynb")
    wait_until_idle(page)
    yield page
    context.close()
    # Chromium asks for the icon of the host before it knows that of the page.
    own = (lite, "blob:", "data:", f"{lite.removesuffix(f'{BELOW}/')}favicon.ico")
    assert [url for url in asked if not url.startswith(own)] == []


def _expose(route: Route) -> None:
    """Let the tests ask for commands of JupyterLab by their names."""
    answer = route.fetch()
    configuration = answer.json()
    configuration["jupyter-config-data"]["exposeAppInBrowser"] = True
    route.fulfill(response=answer, json=configuration)


@pytest.fixture
def page(opened: Page) -> Page:
    """The page, for a picture when a test fails too."""
    return opened


def open_lesson(page: Page, name: str) -> None:
    """Close what is open, and open a lesson with a kernel of its own."""
    page.evaluate(OPEN, f"{name}.ipynb")
    wait_until_idle(page)


def wait_until_idle(page: Page) -> None:
    expect(page.locator(STATUS)).to_contain_text("Puppet | Idle", timeout=PATIENCE)


def wait_for_workers(page: Page, count: int) -> None:
    """Wait until a page has so many: what has been ended is gone a little later."""
    for _ in range(200):
        if len(page.workers) == count:
            return
        page.wait_for_timeout(100)
    assert len(page.workers) == count


def command(page: Page, name: str) -> None:
    page.evaluate(f"jupyterapp.commands.execute('{name}')")


def follow_link(page: Page, lite: str, name: str) -> None:
    """Open a lesson by the link on its page of the documentation."""
    page.goto(f"{lite}../notebooks/{name}.html")
    page.locator("a.open-lesson").click()
    expect(page.locator(".jp-Notebook h1").first).to_be_visible(timeout=PATIENCE)


def committed(name: str) -> Any:
    return nbformat.read(DIRECTORY / f"{name}.ipynb", as_version=4)


def test_jupyterlab_shows_the_notebook_that_its_address_names(page: Page) -> None:
    expect(page.locator(".jp-Notebook h1").first).to_contain_text("Puppet")
    # No other kernel is offered, and the theme is that of the system.
    kernels = page.evaluate("Object.keys(jupyterapp.serviceManager.kernelspecs.specs.kernelspecs)")
    assert kernels == ["puppet"]
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_from_top_to_bottom(page: Page, name: str) -> None:
    open_lesson(page, name)
    ran = nbformat.from_dict(page.evaluate(RUN_TO_THE_END))
    expected = committed(name)
    assert ran.metadata.language_info == expected.metadata.language_info
    for found, wanted in zip(ran.cells, expected.cells, strict=True):
        assert found.source == wanted.source
        if wanted.cell_type != "code":
            continue
        if {"exercise", "check"} & set(tags(wanted)):
            kinds = [each.output_type for each in found.outputs]
            assert ("error" in kinds) == ("check" in tags(wanted)), wanted.source
            continue
        assert found.execution_count == wanted.execution_count, wanted.source
        assert joined(found.outputs) == wanted.outputs, wanted.source


@pytest.fixture
def cells(page: Page) -> Page:
    """A lesson whose first cell is there to write in, with a kernel that has run nothing."""
    open_lesson(page, "01-first-steps")
    return page


def restart(page: Page) -> None:
    focus(page, 0)
    page.evaluate("void jupyterapp.commands.execute('notebook:restart-kernel')")
    page.locator(".jp-Dialog .jp-mod-accept").click()


def execute(page: Page, text: str) -> None:
    replace(page, 0, text)
    run(page, 0)
    wait_until_idle(page)


def test_a_cell_is_asked_about_while_it_is_written(cells: Page) -> None:
    classes = "cm-line span[class*=puppet-repl], .cm-line span[class]"
    replace(cells, 0, "$total = [1, 2].map |$x| { $x }")
    assert cell(cells, 0).locator(f".{classes}").count() > 5
    replace(cells, 0, "regsub")
    cells.keyboard.press("Tab")
    expect(cells.locator(".jp-Completer-item")).to_contain_text(["regsubst"])
    cells.keyboard.press("Escape")
    replace(cells, 0, "regsubst")
    cells.keyboard.press("Shift+Tab")
    expect(cells.locator(".jp-Tooltip")).to_contain_text("regsubst function")
    cells.keyboard.press("Escape")
    replace(cells, 0, "$total = [1,\n$other = 2")
    expect(marks(cells, 0)).not_to_have_count(0)
    replace(cells, 0, "$total = 1")
    expect(marks(cells, 0)).to_have_count(0)


def test_a_graph_is_drawn(cells: Page) -> None:
    execute(cells, GRAPH)
    picture = output(cells, 0).get_by_alt_text("Graph of 2 resources and 1 relationship")
    expect(picture).to_be_visible()
    width, height = picture.evaluate(
        "image => image.decode().then(() => [image.width, image.height])"
    )
    assert width > 100 and height > 100


def test_what_a_stopped_cell_found_is_there_again_and_a_restart_clears(cells: Page) -> None:
    execute(cells, "$before = 41")
    replace(cells, 0, ENDLESS)
    run(cells, 0)
    expect(cells.locator(STATUS)).to_contain_text("Puppet | Busy")
    command(cells, "notebook:interrupt-kernel")
    expect(output(cells, 0)).to_have_text("Interrupted")
    expect(prompt(cells, 0)).to_have_text("[2]:")
    execute(cells, "$before + 1")
    expect(prompt(cells, 0).first).to_have_text("[3]:")
    expect(output(cells, 0)).to_have_text("42")

    restart(cells)
    wait_until_idle(cells)
    execute(cells, "$before")
    expect(prompt(cells, 0).first).to_have_text("[1]:")
    expect(output(cells, 0)).to_contain_text("Unknown variable: 'before'")
    wait_for_workers(cells, 1)


def test_the_machine_of_the_toolbar_is_there_after_a_stop(cells: Page) -> None:
    family = "$facts['os']['family']"
    execute(cells, family)
    expect(button(cells)).to_have_text("debian-12")
    choose(cells, "rocky-9")
    expect(output(cells, 0)).to_have_text("'RedHat'")
    expect(button(cells)).to_have_text("rocky-9")
    wait_until_idle(cells)
    replace(cells, 0, ENDLESS)
    run(cells, 0)
    expect(cells.locator(STATUS)).to_contain_text("Puppet | Busy")
    command(cells, "notebook:interrupt-kernel")
    expect(output(cells, 0)).to_have_text("Interrupted")
    execute(cells, family)
    expect(output(cells, 0)).to_have_text("'RedHat'")


def test_a_kernel_that_is_shut_down_ends_its_worker(cells: Page) -> None:
    wait_for_workers(cells, 1)
    cells.evaluate(ASK_AND_SHUT_DOWN)
    wait_for_workers(cells, 0)
    cells.wait_for_timeout(2000)
    wait_for_workers(cells, 0)


def test_requests_are_answered_in_the_words_of_the_protocol(cells: Page) -> None:
    """What no button of a notebook asks for; a silent cell has no number and shows nothing."""
    replies = cells.evaluate(REQUESTS)
    assert replies["is_complete"] == {"status": "incomplete", "indent": "  "}
    assert replies["silent"] == ["status", "execute_input", "status"]
    assert replies["execute"]["execution_count"] == 1
    assert replies["execute"]["user_expressions"]["sum"]["data"] == {"text/plain": "2"}
    assert replies["debug"] == {"success": False, "body": None}


def test_a_kernel_that_cannot_be_loaded_says_so_and_tries_again(cells: Page, lite: str) -> None:
    archive = f"{lite}extensions/puppet-repl-jupyterlite/static/engine/engine.tar.gz*"
    cells.context.route(archive, lambda route: route.abort())
    restart(cells)
    expect(cells.locator(".Toastify__toast")).to_contain_text("Puppet cannot be started")
    execute(cells, "1 + 1")
    expect(output(cells, 0)).to_contain_text("Puppet cannot be started")
    cells.context.unroute(archive)
    execute(cells, "1 + 1")
    expect(output(cells, 0)).to_have_text("2")


def test_a_saved_file_reaches_the_kernel(cells: Page) -> None:
    file = {"type": "file", "format": "text", "content": "notice('saved')\n"}
    save = f"jupyterapp.serviceManager.contents.save('workbench/motd.pp', {json.dumps(file)})"
    cells.evaluate(save)
    execute(cells, ":load workbench/motd.pp")
    expect(output(cells, 0)).to_contain_text("Notice: saved")


@pytest.fixture
def reader(browser: Browser, lite: str) -> Iterator[Page]:
    """A page of a browser of its own, as of a reader of the documentation."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.route(f"{lite}jupyter-lite.json", _expose)
    opened = context.new_page()
    failed: list[str] = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    opened.on("response", lambda answer: answer.ok or failed.append(answer.url))
    yield opened
    context.close()
    assert [text for text in failed if not text.endswith("/favicon.ico")] == []


def test_each_link_opens_its_own_lesson(reader: Page, lite: str) -> None:
    """Whatever was open before: first some out of order, with their first cells, then all."""
    for name in OUT_OF_ORDER:
        follow_link(reader, lite, name)
        expect(reader.locator(".jp-Notebook h1").first).to_contain_text(heading(name))
        ran = nbformat.from_dict(reader.evaluate(RUN_FIRST))
        wanted = next(each for each in committed(name).cells if each.cell_type == "code")
        assert (ran.source, ran.execution_count) == (wanted.source, 1)
        assert joined([nbformat.from_dict(each) for each in ran.outputs]) == wanted.outputs
    for name in ALL:
        follow_link(reader, lite, name)
        expect(reader.locator(".jp-Notebook h1").first).to_contain_text(heading(name))


def heading(name: str) -> str:
    """Return the heading of a lesson."""
    source: str = committed(name).cells[0].source
    return source.partition("\n")[0].removeprefix("# ")


def test_a_lesson_from_a_link_is_a_whole_notebook(reader: Page, lite: str) -> None:
    """Highlighting, checks, formatting; what is changed is there when the link is used again."""
    follow_link(reader, lite, "01-first-steps")
    reader.evaluate("jupyterapp.shell.currentWidget.sessionContext.ready")
    replace(reader, 0, "$total = [1,\n$other = 2")
    expect(marks(reader, 0)).not_to_have_count(0)
    replace(reader, 0, "$total=[1,2].map|$x|{ $x }")
    assert cell(reader, 0).locator(".cm-line span[class]").count() > 5
    reader.keyboard.press("Alt+Shift+F")
    line = cell(reader, 0).locator(".cm-line").first
    expect(line).to_have_text("$total = [1, 2].map |$x| { $x }")
    reader.keyboard.press("Control+s")
    reader.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    follow_link(reader, lite, "05-conditions-and-matching")
    follow_link(reader, lite, "01-first-steps")
    expect(cell(reader, 0).locator(".cm-line").first).to_have_text(
        "$total = [1, 2].map |$x| { $x }"
    )


def test_links_between_lessons_open_them(reader: Page, lite: str) -> None:
    """The first page leads to each lesson, the logo to the files."""
    reader.goto(lite)
    index = reader.locator(".jp-RenderedMarkdown a")
    with reader.context.expect_page() as opening:
        index.get_by_text("Data, layer by layer").first.click()
    lesson = opening.value
    expect(lesson.locator(".jp-Notebook h1").first).to_contain_text("12. Data", timeout=PATIENCE)
    with reader.context.expect_page() as opening:
        lesson.locator("#jp-NotebookLogo").click()
    files = opening.value.locator(".jp-DirListing-content")
    expect(files).to_contain_text("data-layers", timeout=PATIENCE)


def test_a_program_goes_into_a_notebook_and_back(reader: Page, lite: str) -> None:
    """The playground gives a notebook, and a cell of it is a program of the playground."""
    reader.goto(f"{lite}../playground/index.html")
    reader.locator("#facts").select_option("rocky-9")
    write(reader, PROGRAM)
    with reader.expect_download() as downloading:
        reader.get_by_role("button", name="Notebook").click()
    assert downloading.value.suggested_filename == "program.ipynb"
    made = nbformat.reads(downloading.value.path().read_text("utf-8"), as_version=4)
    nbformat.validate(made)
    assert [each.source for each in made.cells] == [":facts rocky-9", PROGRAM]

    follow_link(reader, lite, "01-first-steps")
    file = {"type": "notebook", "format": "json", "content": made}
    reader.evaluate("file => jupyterapp.serviceManager.contents.save('program.ipynb', file)", file)
    reader.goto(f"{lite}notebooks/index.html?path=program.ipynb")
    run(reader, 0)
    run(reader, 1)
    expect(output(reader, 1)).to_have_text("'RedHat \u2713'", timeout=PATIENCE)
    cell(reader, 1).locator(".cm-content").click(button="right")
    with reader.context.expect_page() as opening:
        reader.locator(".lm-Menu-itemLabel", has_text="Open in the Playground").click()
    editor = opening.value.locator("#editor .cm-content")
    expect(editor).to_have_text(PROGRAM.replace("\n", ""), timeout=PATIENCE)
    expect(opening.value.locator("#notice")).to_contain_text("came with the link")
