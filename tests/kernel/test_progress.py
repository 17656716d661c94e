"""The display of a long-running cell. The clock is the test's, so that no test waits for one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from puppet_kernel import progress as progress_module
from puppet_kernel.kernel import MAX_KEPT, Published
from puppet_kernel.progress import FIRST_AFTER, THEN_EVERY, Progress
from puppet_repl.session import Session
from tests.kernel.inside import InsideKernel, Message, inside_kernel

CODE = "['web01'].each |$host| {\n  Integer[1, 4].each |$i| { notice($i) }\n}"


class Watched:
    """A progress display that looks when the test says so, and what it showed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Progress, "_watch", lambda *_: None)
        self.now = 100.0
        self.shown: list[tuple[str, bool]] = []
        self.held = False
        self.progress = Progress(
            lambda text, again: self.shown.append((text, again)),
            lambda: self.shown.append(("removed", True)),
            lambda: None,
            lambda: self.held,
            lambda: self.now,
        )

    def look_after(self, seconds: float) -> None:
        self.now += seconds
        self.progress.look(threading.get_ident())

    def run(self, *steps: float) -> list[tuple[str, bool]]:
        """Run a cell with two loops; before each look so many seconds pass."""
        left = list(steps)
        session = Session(facts={})
        session.log = lambda *_: self.look_after(left.pop(0)) if left else None
        self.progress.begin()
        assert session.execute(CODE, "cell 4").error is None
        self.progress.end()
        return self.shown


@pytest.fixture
def inside() -> Iterator[InsideKernel]:
    with inside_kernel() as kernel:
        yield kernel


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def test_the_first_is_new_and_the_others_replace_it(watched: Watched) -> None:
    shown = watched.run(FIRST_AFTER, THEN_EVERY, THEN_EVERY)
    assert [again for _, again in shown] == [False, True, True, True]
    assert [text for text, _ in shown].index("removed") == 3


def test_it_names_time_line_and_the_variables_of_the_loops(watched: Watched) -> None:
    shown = watched.run(1, FIRST_AFTER)
    assert shown[0][0] == "running for 6.0 s, cell 4 line 2: $host = 'web01', $i = 2"


def test_it_is_not_shown_more_often_than_wanted(watched: Watched) -> None:
    assert len(watched.run(FIRST_AFTER, THEN_EVERY / 4, THEN_EVERY / 4)) == 2


def test_the_time_at_a_breakpoint_does_not_count(watched: Watched) -> None:
    watched.held = True
    assert watched.run(FIRST_AFTER, FIRST_AFTER) == []


def test_a_short_cell_shows_nothing(watched: Watched) -> None:
    assert watched.run(FIRST_AFTER / 2) == []


def test_a_thread_looks_while_a_cell_runs() -> None:
    looked = threading.Event()
    progress = Progress(lambda *_: None, lambda: None, looked.set)
    progress.begin()
    assert looked.wait(30)
    progress.end()


SLOW = "notice('a') Integer[1, 400000].each |$i| { $i + 1 } notice('b') 42"


def run_until_shown(
    inside: InsideKernel, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> list[tuple[str, Message]]:
    """Return what a cell publishes for which progress is shown."""
    monkeypatch.setattr(progress_module, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(progress_module, "THEN_EVERY", 0.0)
    for _ in range(100):
        inside.kernel._early = [("stdout", "of the start-up file\n")]
        reply, published = inside.run(SLOW, **options)
        assert reply["status"] == "ok"
        if any(kind == "display_data" for kind, _ in published):
            return published
    raise AssertionError("no progress was shown")


@pytest.mark.parametrize(
    "options",
    [
        {"allow_stdin": True, "metadata": {"cellId": "a"}},
        {
            "allow_stdin": True,
            "metadata": {"tags": [], "cellId": "vscode-notebook-cell:n#X"},
        },
        {"allow_stdin": False},
        {},
    ],
    ids=["JupyterLab", "VS Code", "nbclient", "others"],
)
def test_a_notebook_keeps_nothing_of_it(
    inside: InsideKernel, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    published = run_until_shown(inside, monkeypatch, **options)
    kinds = [kind for kind, _ in published]
    after = published[kinds.index("clear_output") + 1 :]
    assert [kind for kind, _ in after] == ["stream", "execute_result"]
    # What is shown before a cell runs stays.
    assert after[0][1]["text"].startswith("of the start-up file\nNotice: a\n")
    assert after[0][1]["text"].endswith("b\n")
    assert after[1][1]["data"] == {"text/plain": "42"}


def test_nothing_is_repeated_to_a_console(
    inside: InsideKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = run_until_shown(inside, monkeypatch, allow_stdin=True)
    kinds = [kind for kind, _ in published]
    assert "clear_output" not in kinds
    assert kinds.count("execute_result") == kinds.count("display_data") == 1
    texts = [content["text"] for kind, content in published if kind == "stream"]
    assert "".join(texts) == "of the start-up file\nNotice: a\nNotice: b\n"
    # The display, for front ends that know what it is, is empty in the end.
    assert published[-1][0] == "update_display_data" and published[-1][1]["data"] == {}


def test_what_is_long_is_not_sent_twice() -> None:
    published = Published()
    for _ in range(3):
        published.add("stream", {"name": "stdout", "text": "x"})
    published.add("stream", {"name": "stderr", "text": "y"})
    published.add("error", {"ename": "E"})
    streams = [("stream", {"name": "stdout", "text": "xxx"})]
    assert published.all() == [*streams, ("stream", {"name": "stderr", "text": "y"})]
    published.add("stream", {"name": "stdout", "text": "x" * MAX_KEPT})
    assert published.all() is None
    published.add("clear_output", {"wait": False})
    assert published.all() == []
