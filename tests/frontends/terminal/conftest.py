"""A test of the terminal that waits for keys that never come is ended."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from types import FrameType

import pytest

SECONDS = 40


@pytest.fixture(autouse=True)
def time_limit(request: pytest.FixtureRequest) -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"longer than {SECONDS} s")

    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS if request.node.get_closest_marker("slow") is None else 10 * SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def own_directories(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}/config")
    monkeypatch.setenv("XDG_DATA_HOME", f"{tmp_path}/data")
