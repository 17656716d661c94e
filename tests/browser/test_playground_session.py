"""The session of a page: what it does when its worker is ended, at any time, and started again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from playground.site import write_worker
from tests.browser.playground import served

ENDLESS = "Integer[1, 1000000000000].each |$i| { $i }"
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
