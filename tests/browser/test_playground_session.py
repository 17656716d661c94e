"""The session of a page: what it does when its worker is ended, at any time, and started again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from playground.site import write_worker
from tests.browser.playground import ENDLESS, served

# It takes long enough to be met while it is run again.
LONG = "Integer[1, 400000].each |$i| { $i }"
# `until(state)` resolves when the session has that state.
BEGIN = """async () => {
  const { Session } = await import('./client.mjs');
  window.states = [];
  const waiting = [];
  window.session = new Session(state => {
    states.push(state);
    waiting.filter(each => each.state === state).forEach(each => each.resolve());
  });
  window.until = state => session.state === state
    ? Promise.resolve()
    : new Promise(resolve => waiting.push({ state, resolve }));
  window.value = async code => {
    let found = null;
    const reply = await session.execute(code, ({ type, content }) => {
      found = type === 'execute_result' ? content.data['text/plain'] : found;
    });
    return reply.status === 'ok' ? found : reply.evalue;
  };
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an empty page beside the files of a worker."""
    directory: Path = tmp_path_factory.mktemp("worker")
    write_worker(directory)
    (directory / "empty.html").write_text("<!doctype html><title>Empty</title>", encoding="utf-8")
    with served(directory) as host:
        yield f"{host}/empty.html"


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page with a session that is there."""
    opened = browser.new_page()
    opened.set_default_timeout(120_000)
    opened.goto(address)
    opened.evaluate(BEGIN)
    opened.evaluate("session.start()")
    yield opened
    opened.close()


def told(page: Page, code: str, *arguments: Any) -> Any:
    """Return what a program of the page returns; it begins with a fresh session."""
    page.evaluate("async () => { await session.reset(null); states.length = 0; }")
    return page.evaluate(code, arguments)


def test_what_is_stopped_is_not_run_again(page: Page) -> None:
    first, end, states, kept, count = told(
        page,
        """async ([endless]) => {
          const first = await value('$kept = 5');
          const running = session.execute(endless);
          await until('busy');
          states.length = 0;
          await session.stop();
          const seen = [...states];
          const reply = await session.execute('$kept');
          return [first, await running, seen, await value('$kept'), reply.execution_count];
        }""",
        ENDLESS,
    )
    assert (first, kept) == ("5", "5")
    assert (end["ename"], end["execution_count"]) == ("Interrupted", 2)
    assert states == ["starting", "restoring", "idle"]
    assert count == 3


def test_what_waits_behind_is_told(page: Page) -> None:
    statuses, value = told(
        page,
        """async ([endless]) => {
          const asked = [
            session.execute(endless),
            session.execute('$never = 1'),
            session.request({ type: 'complete', code: 'upc', cursor_pos: 3 })
          ];
          await until('busy');
          await Promise.all([session.stop(), session.stop()]);
          const replies = await Promise.all(asked);
          return [replies.map(({ status }) => status), await value('1 + 1')];
        }""",
        ENDLESS,
    )
    assert statuses == ["error", "aborted", "aborted"]
    assert value == "2"


def test_a_stop_while_cells_are_restored_restores_them(page: Page) -> None:
    value, states = told(
        page,
        """async ([endless, long]) => {
          await session.execute('$kept = 5');
          await session.execute(long);
          session.execute(endless);
          await until('busy');
          const stopped = session.stop();
          await until('restoring');
          await Promise.all([stopped, session.stop()]);
          return [await value('$kept'), states];
        }""",
        ENDLESS,
        LONG,
    )
    assert value == "5"
    assert states.count("restoring") == 2


def test_facts_are_there_again_after_a_stop(page: Page) -> None:
    names = told(
        page,
        """async ([endless]) => {
          await session.reset('rocky-9');
          const names = [await value("$facts['os']['name']")];
          session.execute(endless);
          await until('busy');
          await session.stop();
          names.push(await value("$facts['os']['name']"));
          session.execute(endless);
          await until('busy');
          await session.reset('fedora');
          return [...names, await value("$facts['os']['name']")];
        }""",
        ENDLESS,
    )
    assert names == ["'Rocky'", "'Rocky'", "'Fedora'"]


def test_facts_are_chosen_while_python_is_loaded(page: Page) -> None:
    name = told(
        page,
        """async () => {
          session.close();
          session.start();
          await session.reset('rocky-9');
          return value("$facts['os']['name']");
        }""",
    )
    assert name == "'Rocky'"


def test_a_session_that_is_closed_asks_nothing(page: Page) -> None:
    status, state, count = told(
        page,
        """async () => {
          session.close();
          const asked = session.request({ type: 'info' });
          session.close();
          const { status } = await asked;
          return [status, session.state, states.filter(each => each === 'idle').length];
        }""",
    )
    assert (status, state, count) == ("aborted", "absent", 0)


def test_what_is_not_stored_is_not_counted(page: Page) -> None:
    counts = told(
        page,
        """async () => {
          const first = await session.execute('$x = 1');
          const other = await session.execute(':vars', () => {}, { store: false });
          const second = await session.execute('$x');
          return [first, other, second].map(reply => reply.execution_count);
        }""",
    )
    assert counts == [1, 1, 2]


def test_what_waits_for_cells_that_are_restored_is_stopped_too(page: Page) -> None:
    entered, begun, kept, logged = told(
        page,
        """async ([endless, long]) => {
          await session.execute('$kept = 5');
          await session.execute(long);
          session.execute(endless);
          await until('busy');
          const logged = [];
          const stopped = session.stop();
          await until('restoring');
          const entered = session.execute("notice('it has run')", each => logged.push(each));
          await Promise.all([stopped, session.stop()]);
          const { status } = await entered;
          const reset = session.reset(null);
          await session.stop();
          return [status, (await reset).status, await value('1'), logged];
        }""",
        ENDLESS,
        LONG,
    )
    assert (entered, begun) == ("aborted", "aborted")
    assert kept == "1"
    assert logged == []


def test_a_busy_session_begins_at_its_first_cell_after_a_reset(page: Page) -> None:
    count = told(
        page,
        """async ([endless]) => {
          session.execute(endless);
          await until('busy');
          await session.reset(null);
          return (await session.execute('1')).execution_count;
        }""",
        ENDLESS,
    )
    assert count == 1


PREPARED = """async requests => {
  const { Session } = await import('./client.mjs');
  const session = new Session(undefined, undefined, () => requests);
  const problem = await session.start().then(() => null, error => error.message);
  const { status, evalue = '' } = await session.request({ type: 'info' });
  const { state } = session;
  session.close();
  return [problem, status, evalue, state];
}"""


def test_a_preparation_that_is_refused_is_told(page: Page) -> None:
    refused = {"type": "files", "files": [{"path": "/x"}], "directory": "/files"}
    problem, status, evalue, state = page.evaluate(PREPARED, [refused])
    assert problem.startswith("a file is an object with")
    assert (status, evalue, state) == ("error", problem, "failed")
    taken = {"type": "files", "files": [], "directory": "/files"}
    assert page.evaluate(PREPARED, [taken]) == [None, "ok", "", "idle"]


def test_python_that_ends_at_its_start_is_not_started_for_ever(
    browser: Browser, address: str
) -> None:
    """The worker is made to end when it is to restore: no program is known to do that by itself."""

    def change(route: Route) -> None:
        text = route.fetch().text()
        changed = text.replace("answer(JSON", "answer(request.type === 'restore' ? ended() : JSON")
        assert changed != text
        route.fulfill(body=changed, content_type="text/javascript")

    context = browser.new_context(service_workers="block")
    context.route("**/worker.mjs*", change)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.evaluate(BEGIN)
    problem, seen, value = page.evaluate(
        """async endless => {
          await session.execute('$kept = 5');
          session.execute(endless);
          await until('busy');
          states.length = 0;
          const problem = await session.stop().then(() => null, error => error.message);
          const seen = [...states];
          await session.reset();
          return [problem, seen, await value('1 + 1')];
        }""",
        ENDLESS,
    )
    context.close()
    assert problem.startswith("Python has ended: ")
    assert seen == ["starting", "restoring", "failed"]
    assert value == "2"


def test_a_session_that_is_closed_while_it_is_prepared_stays_closed(page: Page) -> None:
    state, seen = page.evaluate(
        """async () => {
          const { Session } = await import('./client.mjs');
          const seen = [];
          let prepare;
          let ready;
          const isReady = new Promise(resolve => { ready = resolve; });
          const session = new Session(
            state => seen.push(state),
            () => {},
            () => new Promise(resolve => { prepare = resolve; })
          );
          const started = session.start().catch(() => {});
          session._worker.addEventListener('message', ({ data }) => {
            if (data.state === 'ready') { ready(); }
          });
          await isReady;
          session.close();
          prepare([]);
          await started;
          return [session.state, seen];
        }"""
    )
    assert state == "absent"
    assert seen == ["starting", "absent"]


def test_a_worker_refuses_a_page_of_another_release(page: Page) -> None:
    problem = page.evaluate(
        """() => new Promise(resolve => {
          const worker = new Worker('./worker.mjs?release=other', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data.problem);
        })"""
    )
    assert problem == "this page is of another release than its host has now: reload it."


def test_a_cell_that_exhausts_the_memory_is_taken_back(page: Page) -> None:
    """A text of 2 GB is more than there can be where addresses have 32 bits."""
    evalue, ename, behind, kept, count = told(
        page,
        """async () => {
          await session.execute('$kept = 5');
          const exhausting = 'function g($s) { g("${s}${s}") }\\ng("aaaaaaaaaa")';
          const replies = [session.execute(exhausting), session.execute('$kept')];
          const [{ ename, evalue }, behind] = await Promise.all(replies);
          const kept = await value('$kept');
          const last = await session.execute("notice('alive')");
          return [evalue, ename, behind.status, kept, last.execution_count];
        }""",
    )
    assert "internal error" not in evalue
    assert ename == "NO_MEMORY"
    assert behind == "aborted"
    assert kept == "5"
    # The cell that was taken back has its number.
    assert count == 4
