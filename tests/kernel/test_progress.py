"""What is shown of a cell that runs long, with the clock made fast."""

from __future__ import annotations

import time

import pytest

from puppet_kernel import progress
from puppet_kernel.progress import Progress
from puppet_repl.session import Session


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What was shown for a cell with two loops."""
    monkeypatch.setattr(progress, "FIRST_AFTER", 0.1)
    monkeypatch.setattr(progress, "THEN_EVERY", 0.1)
    found: list[tuple[str, bool]] = []
    watch = Progress(lambda text, again: found.append((text, again)), lambda: None)
    watch.begin()
    code = "['web01'].each |$host| {\n  Integer[1, 3000000].each |$i| { $y = md5($host) }\n}"
    Session().execute(code, "cell 4")
    watch.end()
    return found


def test_the_first_is_new_and_the_others_replace_it(shown: list[tuple[str, bool]]) -> None:
    assert [again for _, again in shown] == [False] + [True] * (len(shown) - 1)


def test_it_names_time_line_and_the_variables_of_the_loops(shown: list[tuple[str, bool]]) -> None:
    first = shown[0][0]
    assert first.startswith("running for 0.")
    assert "cell 4 line 2: $host = 'web01', $i = " in first


def test_the_last_is_the_time_it_took(shown: list[tuple[str, bool]]) -> None:
    assert shown[-1][0].startswith("ran for ")


def test_a_short_cell_shows_nothing() -> None:
    found: list[str] = []
    watch = Progress(lambda text, again: found.append(text), lambda: None)
    for _ in range(3):
        watch.begin()
        watch.end()
    time.sleep(0.1)
    assert found == []
